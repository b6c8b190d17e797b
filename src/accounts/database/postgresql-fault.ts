import { Client, DatabaseError } from "pg";
import {
  AccountsDatabaseUnavailableError,
  AccountsDatabaseError,
} from "./database.ts";

/** A server's words about the connection: class 08, and of one that ends or begins. */
const OF_CONNECTION = /^(08|57P0)/;

/**
 * A server's words about itself rather than about a statement: it lacks memory, disk or connections, cannot be written,
 * gave up, lets this user not do it, or is broken.
 */
const OF_SERVER = /^(53|58|XX|25006|57014|42501|28)/;

/** A server and its database by a name that holds no password: `PostgreSQL at db.example:5432/accounts`. */
export function describeServer(url: string): string {
  const { database, host, port } = new Client({ connectionString: url });
  return `PostgreSQL at ${host.startsWith("/") ? host : `${host}:${port}`}/${database ?? ""}`;
}

/** Whether an error says that the server cannot be reached, rather than what it thinks of a statement. */
export function isConnectionLost(error: unknown): boolean {
  return !(
    error instanceof DatabaseError && !OF_CONNECTION.test(error.code ?? "")
  );
}

/** What went wrong on the way to a server, in a sentence for the operator; `name` is `describeServer`'s. */
export function faultOfServer(
  error: unknown,
  name: string,
): AccountsDatabaseError {
  if (error instanceof AccountsDatabaseError) return error;
  // Of a name with several addresses Node reports all failures in one, without a message.
  const first: unknown =
    error instanceof AggregateError ? error.errors[0] : error;
  const reason = first instanceof Error ? first.message : String(first);
  return isConnectionLost(error)
    ? new AccountsDatabaseUnavailableError(
        `The accounts' database cannot be reached (${name}): ${reason}. Start the server, or correct DATABASE_URL.`,
        { cause: error },
      )
    : new AccountsDatabaseError(
        `The accounts' database cannot be used (${name}): ${reason}. Correct DATABASE_URL, or fix the server.`,
        { cause: error },
      );
}

/** The same of a statement that failed; what the server says about the statement itself stays as it is. */
export function faultOfStatement(error: unknown, name: string): unknown {
  const isOfServer =
    isConnectionLost(error) ||
    (error instanceof DatabaseError && OF_SERVER.test(error.code ?? ""));
  return isOfServer ? faultOfServer(error, name) : error;
}
