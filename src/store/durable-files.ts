import {
  closeSync,
  existsSync,
  fsyncSync,
  ftruncateSync,
  openSync,
  renameSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { withPath } from "../registry/files/with-path.ts";

/** Writes a file and waits until it is on the disk. */
export function writeDurably(path: string, text: string): void {
  const fd = openSync(path, "w", 0o644);
  try {
    withPath(path, () => {
      writeFileSync(fd, text);
      fsyncSync(fd);
    });
  } finally {
    closeSync(fd);
  }
}

/**
 * Gives a file new content and a time of its last change, or leaves it as it was. A full disk may have no room for a second
 * file: then the content goes into the place of the old one, where it fits.
 */
export function replaceDurably(
  dir: string,
  name: string,
  text: string,
  modifiedMs: number = Date.now(),
): void {
  const path = join(dir, name);
  const temporary = join(dir, `${name}.new`);
  try {
    writeDurably(temporary, text);
    utimesSync(temporary, modifiedMs / 1000, modifiedMs / 1000);
    renameSync(temporary, path);
  } catch (error) {
    if (!isDiskFull(error) || !existsSync(path)) throw error;
    rmSync(temporary, { force: true });
    overwriteDurably(path, text);
    utimesSync(path, modifiedMs / 1000, modifiedMs / 1000);
  }
  syncDir(dir);
}

/** Whether an error says that a disk or a quota is full. */
export function isDiskFull(error: unknown): boolean {
  const code = error instanceof Error && "code" in error ? error.code : null;
  return code === "ENOSPC" || code === "EDQUOT";
}

/** Writes over what a file holds, in the room that it has already. Killed within, it leaves a file that is neither. */
function overwriteDurably(path: string, text: string): void {
  const fd = openSync(path, "r+");
  try {
    writeFileSync(fd, text);
    ftruncateSync(fd, Buffer.byteLength(text));
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}

/** Waits until the names in a folder are on the disk. */
export function syncDir(path: string): void {
  const fd = openSync(path, "r");
  try {
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}

/** A value as JSON that a person can read. */
export function formatJson(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}
