import { join } from "node:path";

/** The database's name in the data folder. */
export const ACCOUNTS_FILE = "accounts.sqlite";

/** Where accounts are kept: in a file of this machine, or on a PostgreSQL server that several processes share. */
export type DatabasePlace =
  | { readonly kind: "sqlite"; readonly file: string }
  /** `postgres://USER:PASSWORD@HOST:PORT/DATABASE`; never to be logged. */
  | { readonly kind: "postgresql"; readonly url: string };

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

/** The accounts' database cannot be used; the message says why and what to do. */
export class AccountsDatabaseError extends Error {
  override readonly name: string = "AccountsDatabaseError";
}

/** It cannot be reached at the moment, which may be another thing in a while. */
export class AccountsDatabaseUnavailableError extends AccountsDatabaseError {
  override readonly name = "AccountsDatabaseAwayError";
}
