import {
  closeSync,
  fsyncSync,
  openSync,
  renameSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";

/** Writes a file and waits until it is on the disk. */
export function writeDurably(path: string, text: string): void {
  const fd = openSync(path, "w", 0o644);
  try {
    writeFileSync(fd, text);
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}

/** Gives a file new content and a time of its last change, or leaves it as it was. */
export function replaceDurably(
  dir: string,
  name: string,
  text: string,
  modifiedMs: number = Date.now(),
): void {
  const temporary = join(dir, `${name}.new`);
  writeDurably(temporary, text);
  utimesSync(temporary, modifiedMs / 1000, modifiedMs / 1000);
  renameSync(temporary, join(dir, name));
  syncDir(dir);
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
