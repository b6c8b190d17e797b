import { closeSync, mkdirSync, openSync } from "node:fs";
import { dirname } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { Kysely } from "kysely";
import { AccountsDatabaseError } from "./database.ts";
import { migrateToLatest } from "./migrate-to-latest.ts";
import { NodeSqliteDialect } from "./node-sqlite-dialect.ts";
import { whileBusy } from "./sqlite-busy.ts";
import type { Tables } from "./tables.ts";

const OWNER_ONLY = 0o600;

/** Opens a database file, made (readable by its owner alone) when it is not there. Throws AccountsDatabaseError. */
export async function openSqlite(file: string): Promise<Kysely<Tables>> {
  let connection: DatabaseSync | null = null;
  try {
    mkdirSync(dirname(file), { recursive: true });
    // SQLite gives its companion files (-wal, -shm) the mode of this one.
    closeSync(openSync(file, "a", OWNER_ONLY));
    const opened = new DatabaseSync(file, {
      timeout: 0,
      enableForeignKeyConstraints: true,
    });
    connection = opened;
    await whileBusy(() => {
      opened.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL");
    });
  } catch (error) {
    connection?.close();
    throw new AccountsDatabaseError(
      `Cannot open the accounts' database ${file}: ${error instanceof Error ? error.message : String(error)}`,
      { cause: error },
    );
  }
  const db = new Kysely<Tables>({ dialect: new NodeSqliteDialect(connection) });
  await migrateToLatest(db, file);
  return db;
}
