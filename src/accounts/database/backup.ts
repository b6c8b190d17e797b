import {
  closeSync,
  existsSync,
  fsyncSync,
  openSync,
  renameSync,
  rmSync,
} from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { AccountsDatabaseError } from "./database.ts";
import { isFull, reasonOfFile } from "./sqlite-fault.ts";

const OWNER_ONLY = 0o600;
/** Readers wait only for recovery after a killed process. */
const BUSY_TIMEOUT_MS = 5_000;

export type BackupOutcome =
  { readonly outcome: "copied" } | { readonly outcome: "exists" };

/**
 * Copies a database file, as of one moment, into a new file that only its owner can read. A service may keep using it.
 * The copy gets its name once it is complete and checked. Throws AccountsDatabaseError.
 */
export function backupSqlite(file: string, target: string): BackupOutcome {
  if (existsSync(target)) return { outcome: "exists" };
  const unfinished = `${target}.${process.pid}.part`;
  create(unfinished, target);
  try {
    copy(file, unfinished);
    const written = openSync(unfinished, "r+");
    fsyncSync(written);
    closeSync(written);
    renameSync(unfinished, target);
  } catch (error) {
    rmSync(unfinished, { force: true });
    // Only the copy needs space.
    const at = isFull(error) ? target : file;
    throw new AccountsDatabaseError(
      `The accounts database ${file} cannot be backed up to ${target}: ${reasonOfFile(error, at)}`,
      { cause: error },
    );
  }
  return { outcome: "copied" };
}

/** Creates the unfinished copy. An error names the file that it becomes. */
function create(unfinished: string, target: string): void {
  try {
    closeSync(openSync(unfinished, "wx", OWNER_ONLY));
  } catch (error) {
    throw error instanceof Error
      ? Object.assign(error, { path: target })
      : error;
  }
}

function copy(file: string, into: string): void {
  using connection = new DatabaseSync(file, { timeout: BUSY_TIMEOUT_MS });
  connection.prepare("VACUUM INTO ?").run(into);
  using made = new DatabaseSync(into, { readOnly: true });
  const found = made.prepare("PRAGMA quick_check").get()?.["quick_check"];
  if (found !== "ok") throw new Error(`the copy is damaged (${String(found)})`);
}
