import { AccountsDatabaseError } from "../accounts/database.ts";
import { ChangesDatabaseError } from "../changes/database.ts";
import { TaxonomyFileError } from "../reference/taxonomy-table.ts";
import { RegistryFileError } from "../registry/registry-file-error.ts";
import { SnapshotFormatError } from "../snapshot/section-file.ts";
import { SyntheticInputError } from "../synthetic/synthetic-input-error.ts";
import { UpdateError } from "../update/update-error.ts";
import { PROGRAM } from "./command.ts";
import { DataFolderError } from "./data-folder-error.ts";

/** Faults that carry a sentence for the operator. */
const EXPECTED = [
  AccountsDatabaseError,
  DataFolderError,
  ChangesDatabaseError,
  RegistryFileError,
  SnapshotFormatError,
  SyntheticInputError,
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
  EISDIR: (at) => `This is a folder and no file${at}: name the file in it.`,
  EEXIST: (at) =>
    `There is a file already where a folder should be${at}: choose another place.`,
  EMFILE: () => "The limit of open files is reached: raise it (ulimit -n).",
  ENFILE: () => "The machine's limit of open files is reached: raise it.",
  EIO: (at) => `The disk failed to read or write${at}: check it; ${UNCHANGED}.`,
  ERR_SQLITE_ERROR: () =>
    "A database in the data folder cannot be used: check that the folder can be written and its disk is not full.",
};

/** What to print for an error: one sentence for those that happen, everything that helps to find it for a bug. */
export function describeFault(error: unknown, stop: AbortSignal): string {
  if (stop.aborted && error === stop.reason)
    return `${PROGRAM}: Stopped before it was done; ${UNCHANGED}.`;
  if (
    EXPECTED.some((expected) => error instanceof expected) &&
    error instanceof Error
  )
    return `${PROGRAM}: ${error.message}`;
  const code =
    error instanceof Error && "code" in error ? String(error.code) : "";
  const describe = Object.hasOwn(BY_CODE, code) ? BY_CODE[code] : undefined;
  if (describe !== undefined) return `${PROGRAM}: ${describe(placeOf(error))}`;
  const trace =
    error instanceof Error ? (error.stack ?? error.message) : String(error);
  return `${PROGRAM}: This should not happen; please report it with the lines below.\n${trace}`;
}

function placeOf(error: unknown): string {
  return error instanceof Error &&
    "path" in error &&
    typeof error.path === "string"
    ? ` (${error.path})`
    : "";
}
