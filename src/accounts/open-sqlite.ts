import { Kysely } from "kysely";
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
  if (readOnly === null) await migrateToLatest(db, path);
  else if (!(await isMigrated(db))) {
    await db.destroy();
    throw new AccountsDatabaseError(readOnly.message, { cause: readOnly });
  }
  return db;
}
