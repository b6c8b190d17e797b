import { Client, DatabaseError } from "pg";
import {
  AccountsDatabaseUnavailableError,
  AccountsDatabaseError,
} from "./database.ts";

/** SQLSTATEs about the connection: class 08, and a server that is stopping or starting. */
const OF_CONNECTION = /^(08|57P0)/;

/**
 * SQLSTATEs about the server instead of the statement: out of memory, disk or connections, read-only, timed out,
 * missing permission, or broken.
 */
const OF_SERVER = /^(53|58|XX|25006|57014|42501|28)/;

/** Names a server and its database without the password: `PostgreSQL at db.example:5432/accounts`. */
export function describeServer(url: string): string {
  const { database, host, port } = new Client({ connectionString: url });
  return `PostgreSQL at ${host.startsWith("/") ? host : `${host}:${port}`}/${database ?? ""}`;
}

/** Whether an error means that the server cannot be reached, not that it refused a statement. */
export function isConnectionLost(error: unknown): boolean {
  return !(
    error instanceof DatabaseError && !OF_CONNECTION.test(error.code ?? "")
  );
}

/** An error from a server as a sentence for the operator; `name` comes from `describeServer`. */
export function faultOfServer(
  error: unknown,
  name: string,
): AccountsDatabaseError {
  if (error instanceof AccountsDatabaseError) return error;
  // For a host with several addresses Node reports one error without a message.
  const first: unknown =
    error instanceof AggregateError ? error.errors[0] : error;
  const reason = first instanceof Error ? first.message : String(first);
  return isConnectionLost(error)
    ? new AccountsDatabaseUnavailableError(
        `The accounts database cannot be reached (${name}): ${reason}. Start the server, or correct DATABASE_URL.`,
        { cause: error },
      )
    : new AccountsDatabaseError(
        `The accounts database cannot be used (${name}): ${reason}. Correct DATABASE_URL, or fix the server.`,
        { cause: error },
      );
}

/** The same for a failed statement; errors about the statement itself are returned unchanged. */
export function faultOfStatement(error: unknown, name: string): unknown {
  const isOfServer =
    isConnectionLost(error) ||
    (error instanceof DatabaseError && OF_SERVER.test(error.code ?? ""));
  return isOfServer ? faultOfServer(error, name) : error;
}
