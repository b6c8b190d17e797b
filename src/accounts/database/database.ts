import { join } from "node:path";

/** The database's name in the data folder. */
export const ACCOUNTS_FILE = "accounts.sqlite";

/** Where accounts are stored: in a local file, or on a PostgreSQL server that several processes share. */
export type DatabasePlace =
  | { readonly kind: "sqlite"; readonly file: string }
  | {
      readonly kind: "postgresql";
      /** `postgres://USER:PASSWORD@HOST:PORT/DATABASE`; never log it. */
      readonly url: string;
    };

/** The database of a data folder, unless `databaseUrl` names another. */
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
