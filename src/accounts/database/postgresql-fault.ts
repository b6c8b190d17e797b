import { Client, DatabaseError } from "pg";
import {
  AccountsDatabaseError,
  AccountsDatabaseUnavailableError,
  MALFORMED,
  problemOfUrl,
} from "./database.ts";

/** SQLSTATEs about the connection: class 08, and a server that is stopping or starting. */
const OF_CONNECTION = /^(08|57P)/;

/** The SQLSTATE of a write on a server that cannot be written, such as a standby. */
const READ_ONLY = "25006";

/**
 * SQLSTATEs about the server instead of the statement: out of memory, disk or connections, timed out, missing
 * permission, or broken.
 */
const OF_SERVER = /^(53|58|XX|57014|42501|28)/;

/** A server, for connections and messages. */
export interface Server {
  readonly url: string;
  /** Host and database without user and password: `PostgreSQL at a.example:5432/accounts`. */
  readonly name: string;
  /** The option or variable that gives the URL, such as `DATABASE_URL`. */
  readonly setting: string;
}

/** The server cannot be written: it is a standby, or read-only. */
export class NotWritableError extends Error {}

/** Reads a URL, which `setting` gives. Throws AccountsDatabaseError if it is malformed. */
export function readServer(url: string, setting = "DATABASE_URL"): Server {
  const problem = problemOfUrl(url);
  if (problem !== null)
    throw new AccountsDatabaseError(`${setting} ${problem}.`);
  try {
    const { database, host, port } = new Client({ connectionString: url });
    const place = host.startsWith("/") ? host : `${host}:${port}`;
    return { url, name: `PostgreSQL at ${place}/${database ?? ""}`, setting };
  } catch (error) {
    // Anything else is such as a file of certificates that is missing.
    const isOfUrl = error instanceof TypeError || error instanceof URIError;
    throw new AccountsDatabaseError(
      `${setting} ${isOfUrl ? MALFORMED : `cannot be used: ${reasonOf(error)}`}.`,
      { cause: error },
    );
  }
}

/** True if the server cannot be reached, instead of having refused a statement. */
function isConnectionLost(error: unknown): boolean {
  return !(
    lacksPassword(error) ||
    (error instanceof DatabaseError && !OF_CONNECTION.test(error.code ?? ""))
  );
}

/** True if the server asked for a password and there was none: pg's error, or the server's. Neither has a code. */
function lacksPassword(error: unknown): boolean {
  return (
    error instanceof Error &&
    /client password must be|empty password returned/.test(error.message)
  );
}

/** True if a connection with such an error must be closed, because a new one may find another server. */
export function endsConnection(error: unknown): boolean {
  return isConnectionLost(error) || isReadOnly(error);
}

/** Turns an error from a server into a sentence for the operator. */
export function faultOfServer(
  error: unknown,
  { name, setting }: Server,
): AccountsDatabaseError {
  if (error instanceof AccountsDatabaseError) return error;
  const isDemoted = error instanceof NotWritableError || isReadOnly(error);
  const isAway = !isDemoted && isConnectionLost(error);
  const Fault =
    isDemoted || isAway
      ? AccountsDatabaseUnavailableError
      : AccountsDatabaseError;
  const advice = isDemoted
    ? `Start or promote the primary, or correct ${setting}`
    : isAway
      ? `Start the server, or correct ${setting}`
      : `Correct ${setting}, or fix the server`;
  return new Fault(
    `The accounts database cannot be ${isAway ? "reached" : "used"} (${name}): ${reasonOf(error)}. ${advice}.`,
    { cause: error },
  );
}

/** Does so with an error of a failed statement. Returns errors about the statement itself unchanged. */
export function faultOfStatement(error: unknown, server: Server): unknown {
  const isOfServer =
    endsConnection(error) ||
    (error instanceof DatabaseError && OF_SERVER.test(error.code ?? ""));
  return isOfServer ? faultOfServer(error, server) : error;
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
