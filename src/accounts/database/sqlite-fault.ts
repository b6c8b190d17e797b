import { accessSync, constants, statfsSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { AccountsDatabaseError } from "./database.ts";

/** SQLite result codes (the lowest byte of extended ones) about the file or its disk, not the statement. */
export const BUSY = 5;
const FULL = 13;
const OF_FILE: ReadonlySet<number> = new Set([
  BUSY,
  6 /* locked */,
  8 /* read-only */,
  10 /* input or output */,
  11 /* damaged */,
  FULL,
  14 /* cannot be opened */,
  26 /* no database */,
]);
const FULL_CODES: ReadonlySet<string> = new Set(["ENOSPC", "EDQUOT"]);
const ELSEWHERE = "choose another data folder with --data-dir or DATA_DIR";

/** Less than SQLite needs to open a database. */
const MIN_FREE_BYTES = 1 << 16;

/** Returns the SQLite result code of an error, without the part that extends it; 0 for other errors. */
export function sqliteCode(error: unknown): number {
  return error instanceof Error &&
    "errcode" in error &&
    typeof error.errcode === "number"
    ? error.errcode & 0xff
    : 0;
}

/** Turns an error of a database file into a sentence for the operator; `act` is `opened`, `read` or `written`. */
export function faultOfFile(
  error: unknown,
  file: string,
  act: "opened" | "read" | "written",
): AccountsDatabaseError {
  if (error instanceof AccountsDatabaseError) return error;
  return new AccountsDatabaseError(
    `The accounts database ${file} cannot be ${act}: ${reasonOfFile(error, file)}`,
    { cause: error },
  );
}

/** Does so with an error of a failed statement. Returns errors about the statement itself unchanged. */
export function faultOfFileStatement(error: unknown, file: string): unknown {
  const code = sqliteCode(error);
  if (!OF_FILE.has(code)) return error;
  return faultOfFile(error, file, code === BUSY ? "opened" : "written");
}

/**
 * Returns why a file of the data folder cannot be used, and what to do. Looks at the file itself, because SQLite has
 * one code for many causes.
 */
export function reasonOfFile(error: unknown, file: string): string {
  const folder = dirname(file);
  const code = sqliteCode(error);
  if (code === BUSY)
    return "another process has been writing to it for several seconds. Try again.";
  if (isFolder(file))
    return `it is a folder, not a file. Move the folder away, or ${ELSEWHERE}.`;
  const systemCode = codeOf(error);
  if (systemCode === "EEXIST" || systemCode === "ENOTDIR")
    return `a part of its path is a file, not a folder. Move the file away, or ${ELSEWHERE}.`;
  if (isFull(error) || hasNoRoom(folder))
    return `the disk of ${folder} is full. Free some space on it.`;
  const ofFolder = accessFault(folder);
  const ofFile = accessFault(file);
  const denied = new Set([systemCode, ofFile, ofFolder]);
  if (denied.has("EROFS"))
    return `the disk of ${folder} is read-only. Make it writable, or ${ELSEWHERE}.`;
  if (denied.has("EACCES") || denied.has("EPERM"))
    return `this user cannot write to ${ofFolder === null && ofFile === "EACCES" ? file : folder}. Give this user write access, or ${ELSEWHERE}.`;
  if (systemCode === "EMFILE" || systemCode === "ENFILE")
    return "the limit of open files is reached. Raise it (ulimit -n).";
  const reason = error instanceof Error ? error.message : String(error);
  return code === 11 || code === 26
    ? `it is damaged (${reason}). Restore a backup.`
    : `${reason}. Check the folder and its disk, or ${ELSEWHERE}.`;
}

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}

function codeOf(error: unknown): string {
  const code = error instanceof Error && "code" in error ? error.code : null;
  return typeof code === "string" && code !== "ERR_SQLITE_ERROR" ? code : "";
}

/** True if an error means that a disk or a quota is full. */
export function isFull(error: unknown): boolean {
  return sqliteCode(error) === FULL || FULL_CODES.has(codeOf(error));
}

function hasNoRoom(folder: string): boolean {
  try {
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize < MIN_FREE_BYTES;
  } catch {
    return false;
  }
}

function accessFault(path: string): string | null {
  try {
    accessSync(path, constants.R_OK | constants.W_OK);
    return null;
  } catch (error) {
    return codeOf(error);
  }
}
