import { Kysely, sql } from "kysely";
import {
  AccountsDatabaseError,
  type DatabasePlace,
  type OnWait,
} from "./database.ts";
import type { Tables } from "./tables.ts";
import { migrateToLatest, openMigrated } from "./migrate.ts";
import { MIGRATIONS } from "./migrations.ts";
import { nodeSqliteDialect } from "./node-sqlite-dialect.ts";
import { SqliteFile } from "./sqlite-file.ts";

export type AccountsDatabase = Kysely<Tables>;

/**
 * Opens and migrates the accounts database. Any number of processes may do so at once. Throws AccountsDatabaseError.
 */
export async function openDatabase(
  place: DatabasePlace,
  onWait?: OnWait,
): Promise<Kysely<Tables>> {
  if (place.kind === "sqlite") return await openSqlite(place.file);
  // Loaded here: with a file, the driver is not needed.
  const { openPostgresql } = await import("./open-postgresql.ts");
  return await openPostgresql(place.url, onWait);
}

/**
 * Opens a database file, creating it (readable only by its owner) if it is missing. On a full or read-only disk it is
 * opened for reading, and becomes writable as soon as that is possible. Throws AccountsDatabaseError.
 */
export async function openSqlite(path: string): Promise<Kysely<Tables>> {
  const file = await SqliteFile.open(path);
  const db = new Kysely<Tables>({ dialect: nodeSqliteDialect(file) });
  return openMigrated(db, path, async () => {
    const { readOnly } = file;
    if (readOnly !== null)
      throw new AccountsDatabaseError(readOnly.message, { cause: readOnly });
    const done = await migrateToLatest(db, {
      migrations: MIGRATIONS,
      name: path,
      // A file's write lock is awaited for some seconds only.
      onWait: () => undefined,
    });
    // Once, clears what was deleted before `secure_delete` was on. A new database has nothing to clear.
    if (done.has("0009-deleted-addresses") && !done.has("0001-accounts"))
      await sql`VACUUM`.execute(db).catch(() => undefined);
  });
}
