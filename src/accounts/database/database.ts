import { join } from "node:path";

/** The database's name in the data folder. */
export const ACCOUNTS_FILE = "accounts.sqlite";

/** The place of the accounts: a local file, or a PostgreSQL server that several processes share. */
export type DatabasePlace =
  | { readonly kind: "sqlite"; readonly file: string }
  | {
      readonly kind: "postgresql";
      /** `postgres://USER:PASSWORD@HOST:PORT/DATABASE`; never log it. */
      readonly url: string;
    };

/** Returns the database of a data folder, unless `databaseUrl` names another. */
export function databaseOf({
  databaseUrl,
  dataDir,
}: {
  readonly databaseUrl: string | null;
  readonly dataDir: string;
}): DatabasePlace {
  return databaseUrl === null
    ? { kind: "sqlite", file: join(dataDir, ACCOUNTS_FILE) }
    : { kind: "postgresql", url: databaseUrl };
}

/** Called with a sentence if another process migrates the database, before waiting for it. */
export type OnWait = (message: string) => void;

/** The accounts database cannot be used; the message says why and what to do. */
export class AccountsDatabaseError extends Error {
  override readonly name: string = "AccountsDatabaseError";
}

/** The database cannot be reached; trying again later may help. */
export class AccountsDatabaseUnavailableError extends AccountsDatabaseError {
  override readonly name = "AccountsDatabaseUnavailableError";
}

/** The errors of PostgreSQL's driver when a statement or a free connection took too long. */
const TIMEOUTS: ReadonlySet<string> = new Set([
  "Query read timeout",
  "timeout exceeded when trying to connect",
]);
/** SQLite's code while another connection has the lock. */
const BUSY = 5;
/** The code of PostgreSQL's own timeout. */
const CANCELED = "57014";

/**
 * True if a statement failed because the database can't be reached or used, not because it took too long or was wrong.
 */
export function isDatabaseAway(error: unknown): boolean {
  return error instanceof AccountsDatabaseError && !isTimeout(error.cause);
}

function isTimeout(error: unknown): boolean {
  return (
    error instanceof Error &&
    (TIMEOUTS.has(error.message) ||
      ("errcode" in error && Number(error.errcode) % 256 === BUSY) ||
      ("code" in error && error.code === CANCELED) ||
      isTimeout(error.cause))
  );
}
