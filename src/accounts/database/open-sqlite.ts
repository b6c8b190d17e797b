import { Kysely, sql } from "kysely";
import { AccountsDatabaseError } from "./database.ts";
import { isMigrated, migrateToLatest } from "./migrate-to-latest.ts";
import { NodeSqliteDialect } from "./node-sqlite-dialect.ts";
import { SqliteFile } from "./sqlite-file.ts";
import type { Tables } from "./tables.ts";

/**
 * Opens a database file, made (readable by its owner alone) when it is not there. Where its disk is full or cannot be
 * written, it can be read, and written as soon as that is possible. Throws AccountsDatabaseError.
 */
export async function openSqlite(path: string): Promise<Kysely<Tables>> {
  const file = await SqliteFile.open(path);
  const db = new Kysely<Tables>({ dialect: new NodeSqliteDialect(file) });
  const { readOnly } = file;
  if (readOnly === null) await migrate(db, path);
  else if (!(await isMigrated(db))) {
    await db.destroy();
    throw new AccountsDatabaseError(readOnly.message, { cause: readOnly });
  }
  return db;
}

async function migrate(db: Kysely<Tables>, path: string): Promise<void> {
  const done = await migrateToLatest(db, path);
  // What was deleted before deletions were overwritten goes too, once. A new database has none.
  if (done.has("0009-deleted-addresses") && !done.has("0001-accounts"))
    await sql`VACUUM`.execute(db).catch(() => undefined);
}
