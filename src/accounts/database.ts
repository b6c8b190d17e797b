import { closeSync, mkdirSync, openSync } from "node:fs";
import { dirname } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { Kysely, Migrator } from "kysely";
import { MIGRATION_PROVIDER } from "./migrations.ts";
import { NodeSqliteDialect } from "./node-sqlite-dialect.ts";
import { whileBusy } from "./sqlite-busy.ts";
import type { Tables } from "./tables.ts";

/** The database's name in the data folder. */
export const ACCOUNTS_FILE = "accounts.sqlite";

const OWNER_ONLY = 0o600;

/** The accounts' database cannot be used; the message says why and what to do. */
export class AccountsDatabaseError extends Error {
  override readonly name = "AccountsDatabaseError";
}

/**
 * Opens the accounts' database for reading and writing, made (readable by its owner alone) when it is not there, and
 * brought to the newest form. Any number of processes may do so at once. Throws AccountsDatabaseError.
 */
export async function openDatabase(file: string): Promise<Kysely<Tables>> {
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
      `Cannot open the accounts' database ${file}: ${describe(error)}`,
      { cause: error },
    );
  }
  const db = new Kysely<Tables>({ dialect: new NodeSqliteDialect(connection) });
  const { error } = await new Migrator({
    db,
    provider: MIGRATION_PROVIDER,
  }).migrateToLatest();
  if (error !== undefined) {
    await db.destroy();
    throw migrationError(file, error);
  }
  return db;
}

function migrationError(file: string, error: unknown): AccountsDatabaseError {
  const reason = describe(error);
  const message = /previously executed migration .* is missing/.test(reason)
    ? `The accounts' database ${file} was written by a newer version of this program. Run that version, or restore a copy from before it.`
    : `Cannot bring the accounts' database ${file} to the form that this version needs: ${reason}`;
  return new AccountsDatabaseError(message, { cause: error });
}

function describe(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
