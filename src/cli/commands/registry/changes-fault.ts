import {
  reasonOfFile,
  sqliteCode,
} from "../../../accounts/database/sqlite-fault.ts";
import type { ChangesDatabaseError } from "../../../changes/database.ts";

/** SQLite's codes for a damaged file and for a file that is not a database. */
const DAMAGED: ReadonlySet<number> = new Set([11, 26]);

/** Why the changes database cannot be used, and what to do. */
export function describeChangesFault({
  cause,
  file,
  message,
}: ChangesDatabaseError): string {
  const isOfSystem =
    sqliteCode(cause) > 0 || (cause instanceof Error && "syscall" in cause);
  if (DAMAGED.has(sqliteCode(cause)))
    return `The changes database ${file} is damaged. Restore it from a backup, or move it away to start a new list of changes.`;
  return isOfSystem
    ? `Cannot use the changes database ${file}: ${reasonOfFile(cause, file)}`
    : message;
}
