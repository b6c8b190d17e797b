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

/** Scheme, user and password, host and port, path, query. What looks like a port may be an unescaped password. */
const SHAPE =
  /^postgres(?:ql)?:\/\/(?:[^/?#]*@)?((?:\[[0-9a-f:.]+\]|[^@/?#:]*)(?::\d*)?(?:,[^@/?#]*)?)(?:\/[^@?#]*)?(?:\?([^#]*))?$/i;

/** Values of libpq's `target_session_attrs` that a writable primary has. The service demands one in any case. */
const WRITABLE: ReadonlySet<string> = new Set(["any", "read-write", "primary"]);

/** Problem of a URL that the client library cannot read. */
export const MALFORMED =
  "must be a URL such as postgres://USER:PASSWORD@HOST:5432/DATABASE, with special characters in the user and password percent-encoded (@ is %40, / is %2F)";

/**
 * Finds what is wrong with the URL of a server ("must …"), without its user and password; null for nothing. Settings are
 * read with it, so it does without the client library.
 */
export function problemOfUrl(url: string): string | null {
  if (!/^postgres(ql)?:\/\/./.test(url)) return "must start with postgres://";
  const [shaped, authority = "", search = ""] = SHAPE.exec(url) ?? [];
  if (shaped === undefined) return MALFORMED;
  const query = new URLSearchParams(search);
  const places = [authority, query.get("host"), query.get("port")];
  if (places.some((place) => place?.includes(",")))
    return "must name one server, not several: a proxy that finds the primary, such as HAProxy, or the address that your provider manages (see Failover in docs/deploying.md)";
  const session = query.get("target_session_attrs") ?? "any";
  return WRITABLE.has(session)
    ? null
    : `has target_session_attrs=${session}, but must lead to a server that can be written: remove it`;
}
