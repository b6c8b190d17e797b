import { AccountsDatabaseError } from "../accounts/database/database.ts";
import { ChangesDatabaseError } from "../changes/database.ts";
import { TaxonomyFileError } from "../reference/taxonomy-table.ts";
import {
  RegistryFileError,
  firstFault,
} from "../registry/files/registry-file-error.ts";
import { SnapshotFormatError } from "../snapshot/container/section-file.ts";
import { RegistryGeneratorError } from "../registry-generator/registry-generator-error.ts";
import { UpdateError } from "../update/update-error.ts";
import { FleetError } from "../fleet/fleet-error.ts";
import { reasonOfFile, sqliteCode } from "../accounts/database/sqlite-fault.ts";
import { CommandError, PROGRAM } from "./command.ts";

/** Errors whose message is for the operator. */
const EXPECTED = [
  AccountsDatabaseError,
  CommandError,
  FleetError,
  RegistryFileError,
  SnapshotFormatError,
  RegistryGeneratorError,
  TaxonomyFileError,
  UpdateError,
];

const UNCHANGED = "The served data has not changed.";

/** Messages for system error codes; `at` names the file, or is empty. */
const BY_CODE: Readonly<Record<string, (at: string) => string>> = {
  ENOSPC: (at) =>
    `The disk is full${at}. Free some space and try again. ${UNCHANGED}`,
  EDQUOT: (at) =>
    `The disk quota is used up${at}. Free some space and try again. ${UNCHANGED}`,
  EFBIG: (at) =>
    `The file would exceed the size limit${at}. Raise the limit or use another disk. ${UNCHANGED}`,
  EROFS: (at) =>
    `The disk is read-only${at}. Choose another folder with --data-dir or --out.`,
  EACCES: (at) =>
    `Permission denied${at}. Change the permissions, or run as the owner.`,
  EPERM: (at) =>
    `Permission denied${at}. Change the permissions, or run as the owner.`,
  ENOENT: (at) => `No such file or folder${at}. Check the name.`,
  ENOTDIR: (at) =>
    `Part of the path is a file, not a folder${at}. Check the name.`,
  EISDIR: (at) =>
    `Expected a file but found a folder${at}. Move it away, or name a file.`,
  EEXIST: (at) =>
    `Expected a folder but found a file${at}. Choose another folder.`,
  EMFILE: (at) => `Too many open files${at}. Raise the limit (ulimit -n).`,
  ENFILE: (at) => `Too many open files on this machine${at}. Raise the limit.`,
  EIO: (at) => `The disk failed to read or write${at}. Check it. ${UNCHANGED}`,
  ERR_SQLITE_ERROR: () =>
    "Cannot use a database in the data folder. Check that the folder is writable and its disk is not full.",
};

/** SQLite's codes for a damaged file and for a file that is not a database. */
const DAMAGED: ReadonlySet<number> = new Set([11, 26]);

/** Describes an error for the operator: a message for expected errors, the stack trace for bugs. */
export function describeFault(thrown: unknown, stop: AbortSignal): string {
  const error = firstFault(thrown);
  if (stop.aborted && error === stop.reason)
    return `${PROGRAM}: Stopped before it finished. ${UNCHANGED}`;
  if (error instanceof ChangesDatabaseError)
    return `${PROGRAM}: ${describeChangesFault(error)}`;
  if (
    EXPECTED.some((expected) => error instanceof expected) &&
    error instanceof Error
  )
    return `${PROGRAM}: ${error.message}`;
  const code =
    error instanceof Error && "code" in error ? String(error.code) : "";
  const describe = Object.hasOwn(BY_CODE, code)
    ? BY_CODE[code]
    : describerOf(error);
  if (describe !== undefined) return `${PROGRAM}: ${describe(placeOf(error))}`;
  const trace =
    error instanceof Error ? (error.stack ?? error.message) : String(error);
  return `${PROGRAM}: Unexpected error. Please report it with the lines below.\n${trace}`;
}

/** Says why the changes database cannot be used, and what to do. */
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

/** Describes system errors whose code has no entry in `BY_CODE`. */
function describerOf(error: unknown): ((at: string) => string) | undefined {
  if (!(error instanceof Error)) return undefined;
  if (error.message.includes("Too many open files")) return BY_CODE["EMFILE"];
  if (!("syscall" in error)) return undefined;
  const reason = error.message.split("\n")[0] ?? "";
  return (at) =>
    `System error${at}: ${reason}. Check the disk and this user's permissions.`;
}

function placeOf(error: unknown): string {
  return error instanceof Error &&
    "path" in error &&
    typeof error.path === "string"
    ? ` (${error.path})`
    : "";
}
