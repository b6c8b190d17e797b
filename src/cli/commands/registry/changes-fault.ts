import {
  reasonOfFile,
  sqliteKind,
} from "../../../accounts/database/sqlite-fault.ts";
import type { ChangesDatabaseError } from "../../../changes/database.ts";

/** SQLite's codes for a file that is damaged, or no database. */
const DAMAGED: ReadonlySet<number> = new Set([11, 26]);

/** Why the database of changes cannot be used, in a sentence that says what to do. */
export function describeChangesFault({
  cause,
  file,
  message,
}: ChangesDatabaseError): string {
  const isOfSystem =
    sqliteKind(cause) > 0 || (cause instanceof Error && "syscall" in cause);
  if (DAMAGED.has(sqliteKind(cause)))
    return `The database of changes ${file} is damaged: restore a backup of it, or move it away, which ends the list of changes.`;
  return isOfSystem
    ? `The database of changes ${file} cannot be used: ${reasonOfFile(cause, file)}`
    : message;
}
