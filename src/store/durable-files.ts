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
import { withPath } from "../registry/files/registry-file-error.ts";

/** Writes a file and flushes it to disk. */
export function writeDurably(path: string, content: string | Uint8Array): void {
  const fd = openSync(path, "w", 0o644);
  try {
    withPath(path, () => {
      writeFileSync(fd, content);
      fsyncSync(fd);
    });
  } finally {
    closeSync(fd);
  }
}

/**
 * Replaces the content and modification time of a file, or leaves it unchanged. If the disk is too full for a second
 * file, the content is written over the old one, if it fits.
 */
export function replaceDurably(
  dir: string,
  name: string,
  content: string | Uint8Array,
  modifiedMs: number = Date.now(),
): void {
  const path = join(dir, name);
  const temporary = join(dir, `${name}.new`);
  try {
    writeDurably(temporary, content);
    utimesSync(temporary, modifiedMs / 1000, modifiedMs / 1000);
    renameSync(temporary, path);
  } catch (error) {
    rmSync(temporary, { force: true });
    if (!isDiskFull(error) || !existsSync(path)) throw error;
    overwriteDurably(path, content);
    utimesSync(path, modifiedMs / 1000, modifiedMs / 1000);
  }
  syncDir(dir);
}

/** True if an error means that a disk or quota is full. */
export function isDiskFull(error: unknown): boolean {
  const code = error instanceof Error && "code" in error ? error.code : null;
  return code === "ENOSPC" || code === "EDQUOT";
}

/** Overwrites a file in place. If the process is killed midway, the file is neither the old one nor the new one. */
function overwriteDurably(path: string, content: string | Uint8Array): void {
  const fd = openSync(path, "r+");
  try {
    writeFileSync(fd, content);
    ftruncateSync(fd, Buffer.byteLength(content));
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}

/** Flushes a folder's entries to disk. */
export function syncDir(path: string): void {
  const fd = openSync(path, "r");
  try {
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}

/** Formats a value as indented JSON. */
export function formatJson(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}
