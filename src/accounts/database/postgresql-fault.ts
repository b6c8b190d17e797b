import { Client, DatabaseError } from "pg";
import {
  AccountsDatabaseUnavailableError,
  AccountsDatabaseError,
} from "./database.ts";
import { parseHosts, type Purpose, type ServerHosts } from "./server-hosts.ts";

/** SQLSTATEs about the connection: class 08, and a server that is stopping or starting. */
const OF_CONNECTION = /^(08|57P)/;

/** The SQLSTATE of a write on a server that cannot be written, such as a standby. */
const READ_ONLY = "25006";

/**
 * SQLSTATEs about the server instead of the statement: out of memory, disk or connections, timed out, missing
 * permission, or broken.
 */
const OF_SERVER = /^(53|58|XX|57014|42501|28)/;

/** The variable of a URL. */
const VARIABLES: Readonly<Record<Purpose, string>> = {
  write: "DATABASE_URL",
  read: "DATABASE_READ_URL",
};

/** The servers of a URL, for connections and messages. */
export interface Server {
  readonly hosts: ServerHosts;
  /** The hosts and the database without user and password: `PostgreSQL at a.example:5432,b.example:5432/accounts`. */
  readonly name: string;
  /** The option or variable that gives the URL, such as `DATABASE_URL`. */
  readonly setting: string;
  /** Each host, such as `a.example:5432`. */
  readonly hostNames: readonly string[];
}

/** A server's session cannot do what the URL asks for: it is a standby, or it is none. */
export class OtherSessionError extends Error {}

/** No host of a list can be used; the message says why of each. */
export class NoHostError extends Error {
  /** Whether a host answered that is not a primary. */
  readonly hasOther: boolean;

  constructor({ hostNames }: Server, faults: ReadonlyMap<number, unknown>) {
    const hasOther = [...faults.values()].some(
      (fault) => fault instanceof OtherSessionError,
    );
    const reasons = [...faults]
      .toSorted(([a], [b]) => a - b)
      .map(([host, fault]) => `${hostNames[host]}: ${reasonOf(fault)}`);
    super(
      `${hasOther ? "no host is a primary" : "no host responds"} (${reasons.join("; ")})`,
    );
    this.hasOther = hasOther;
  }
}

/** Reads a URL of one or several servers, which `setting` gives. Throws AccountsDatabaseError if it is malformed. */
export function readServer(
  url: string,
  purpose: Purpose = "write",
  setting = VARIABLES[purpose],
): Server {
  const parsed = parseHosts(url, purpose);
  if (parsed.outcome === "malformed")
    throw new AccountsDatabaseError(`${setting} ${parsed.problem}.`);
  const { hosts } = parsed;
  try {
    const clients = hosts.urls.map(
      (each) => new Client({ connectionString: each }),
    );
    const hostNames = clients.map(({ host, port }) =>
      host.startsWith("/") ? host : `${host}:${port}`,
    );
    const name = `PostgreSQL at ${hostNames.join()}/${clients[0]?.database ?? ""}`;
    return { hosts, hostNames, name, setting };
  } catch (error) {
    // Such as a file of certificates that is missing.
    throw new AccountsDatabaseError(
      `${setting} cannot be used: ${reasonOf(error)}.`,
      { cause: error },
    );
  }
}

/** Whether an error means that the server cannot be reached, not that it refused a statement. */
export function isConnectionLost(error: unknown): boolean {
  return !(
    lacksPassword(error) ||
    (error instanceof DatabaseError && !OF_CONNECTION.test(error.code ?? ""))
  );
}

/** Whether the server asked for a password and there was none: pg's error, or the server's. Neither has its own code. */
function lacksPassword(error: unknown): boolean {
  return (
    error instanceof Error &&
    /client password must be|empty password returned/.test(error.message)
  );
}

/** Whether a connection with such an error must be closed, because a new one may find another server. */
export function endsConnection(error: unknown): boolean {
  return isConnectionLost(error) || isReadOnly(error);
}

/** pg's errors when a statement or a free connection took too long, which says nothing about the server. */
const TIMEOUTS: ReadonlySet<string> = new Set([
  "Query read timeout",
  "timeout exceeded when trying to connect",
]);

/**
 * Whether a statement failed because the server cannot be reached or used, not because it took too long or was wrong.
 */
export function isDatabaseAway(error: unknown): boolean {
  return error instanceof AccountsDatabaseError && !isTimeout(error.cause);
}

/** `57014` is the server's own timeout. */
function isTimeout(error: unknown): boolean {
  if (error instanceof DatabaseError) return error.code === "57014";
  return (
    error instanceof Error &&
    (TIMEOUTS.has(error.message) || isTimeout(error.cause))
  );
}

/** An error from a server as a sentence for the operator. */
export function faultOfServer(
  error: unknown,
  { name, setting }: Server,
): AccountsDatabaseError {
  if (error instanceof AccountsDatabaseError) return error;
  const reason = reasonOf(error);
  if (isWithoutPrimary(error))
    return new AccountsDatabaseUnavailableError(
      `The accounts database cannot be used (${name}): ${reason}. Start or promote the primary, or correct ${setting}.`,
      { cause: error },
    );
  return isConnectionLost(error)
    ? new AccountsDatabaseUnavailableError(
        `The accounts database cannot be reached (${name}): ${reason}. Start the server, or correct ${setting}.`,
        { cause: error },
      )
    : new AccountsDatabaseError(
        `The accounts database cannot be used (${name}): ${reason}. Correct ${setting}, or fix the server.`,
        { cause: error },
      );
}

/** The same for a failed statement; errors about the statement itself are returned unchanged. */
export function faultOfStatement(error: unknown, server: Server): unknown {
  const isOfServer =
    endsConnection(error) ||
    (error instanceof DatabaseError && OF_SERVER.test(error.code ?? ""));
  return isOfServer ? faultOfServer(error, server) : error;
}

/** Whether a server answered, but is not one that can be written. */
function isWithoutPrimary(error: unknown): boolean {
  return (
    error instanceof OtherSessionError ||
    (error instanceof NoHostError && error.hasOther) ||
    isReadOnly(error)
  );
}

function isReadOnly(error: unknown): boolean {
  return error instanceof DatabaseError && error.code === READ_ONLY;
}

function reasonOf(error: unknown): string {
  if (lacksPassword(error))
    return "the server asks for a password, and the URL has none";
  // For a host with several addresses Node reports one error without a message.
  const first: unknown =
    error instanceof AggregateError ? error.errors[0] : error;
  return first instanceof Error ? first.message : String(first);
}
