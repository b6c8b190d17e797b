import { AccountsDatabaseError } from "../accounts/database/database.ts";
import { ChangesDatabaseError } from "../changes/database.ts";
import { TaxonomyFileError } from "../reference/taxonomy-table.ts";
import { RegistryFileError } from "../registry/files/registry-file-error.ts";
import { SnapshotFormatError } from "../snapshot/container/section-file.ts";
import { RegistryGeneratorError } from "../registry-generator/registry-generator-error.ts";
import { UpdateError } from "../update/update-error.ts";
import { describeChangesFault } from "./commands/registry/changes-fault.ts";
import { PROGRAM } from "./command.ts";
import { DataFolderError } from "./data-folder.ts";

/** Faults that carry a sentence for the operator. */
const EXPECTED = [
  AccountsDatabaseError,
  DataFolderError,
  RegistryFileError,
  SnapshotFormatError,
  RegistryGeneratorError,
  TaxonomyFileError,
  UpdateError,
];

const UNCHANGED = "what was served before still is";

/** What the system's codes mean here; `at` names the file, or is empty. */
const BY_CODE: Readonly<Record<string, (at: string) => string>> = {
  ENOSPC: (at) =>
    `The disk is full${at}: free some space and run it again; ${UNCHANGED}.`,
  EDQUOT: (at) =>
    `The disk quota is used up${at}: free some space and run it again; ${UNCHANGED}.`,
  EFBIG: (at) =>
    `The file would become larger than is allowed${at}: lift the limit, or use another disk; ${UNCHANGED}.`,
  EROFS: (at) =>
    `The disk can only be read${at}: choose another folder with --data-dir or --out.`,
  EACCES: (at) =>
    `This user has no permission${at}: change it, or run as the user to whom it belongs.`,
  EPERM: (at) =>
    `This user has no permission${at}: change it, or run as the user to whom it belongs.`,
  ENOENT: (at) => `There is no such file or folder${at}: check the name.`,
  ENOTDIR: (at) =>
    `Something on the way is a file and no folder${at}: check the name.`,
  EISDIR: (at) =>
    `There is a folder where a file should be${at}: move it away, or name a file.`,
  EEXIST: (at) =>
    `There is a file already where a folder should be${at}: choose another place.`,
  EMFILE: (at) =>
    `The limit of open files is reached${at}: raise it (ulimit -n).`,
  ENFILE: (at) =>
    `The machine's limit of open files is reached${at}: raise it.`,
  EIO: (at) => `The disk failed to read or write${at}: check it; ${UNCHANGED}.`,
  ERR_SQLITE_ERROR: () =>
    "A database in the data folder cannot be used: check that the folder can be written and its disk is not full.",
};

/** What to print for an error: one sentence for those that happen, everything that helps to find it for a bug. */
export function describeFault(error: unknown, stop: AbortSignal): string {
  if (stop.aborted && error === stop.reason)
    return `${PROGRAM}: Stopped before it was done; ${UNCHANGED}.`;
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
  return `${PROGRAM}: This should not happen; please report it with the lines below.\n${trace}`;
}

/** For what the system says in words that no table has. */
function describerOf(error: unknown): ((at: string) => string) | undefined {
  if (!(error instanceof Error)) return undefined;
  if (error.message.includes("Too many open files")) return BY_CODE["EMFILE"];
  if (!("syscall" in error)) return undefined;
  const reason = error.message.split("\n")[0] ?? "";
  return (at) =>
    `The system refused what was asked of it${at}: ${reason}. Check the disk and what this user may do.`;
}

function placeOf(error: unknown): string {
  return error instanceof Error &&
    "path" in error &&
    typeof error.path === "string"
    ? ` (${error.path})`
    : "";
}
