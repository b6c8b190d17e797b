/** Real outputs that reject what is written: a full device, a pipe whose reader stalls or is gone, a small disk. */

import { execFileSync } from "node:child_process";
import { closeSync, constants, openSync, writeSync } from "node:fs";
import { join } from "node:path";
import { userInfo } from "node:os";
import { temporaryFolder } from "../pure/temporary-folder.ts";

/** Why no disk can be mounted here; false if one can. */
export const NO_MOUNT: string | false = canMount()
  ? false
  : "only root on Linux can mount a small disk, and not in every container";

function canMount(): boolean {
  if (process.platform !== "linux" || userInfo().uid !== 0) return false;
  try {
    using _disk = smallDisk("64k");
    return true;
  } catch {
    return false;
  }
}

/** A small disk of a size such as `64k`, mounted in a temporary folder. */
export interface SmallDisk extends Disposable {
  readonly path: string;
  readOnly(): void;
  resize(size: string): void;
}

/** Mounts a disk of the given size. */
export function smallDisk(size: string): SmallDisk {
  const folder = temporaryFolder();
  const { path } = folder;
  const mount = (...args: string[]) =>
    void execFileSync("mount", [...args, path], { stdio: "ignore" });
  try {
    mount("-t", "tmpfs", "-o", `size=${size}`, "tmpfs");
  } catch (error) {
    folder[Symbol.dispose]();
    throw error;
  }
  return {
    path,
    readOnly: () => mount("-o", "remount,ro"),
    resize: (to) => mount("-o", `remount,size=${to}`),
    [Symbol.dispose]() {
      execFileSync("umount", ["--lazy", folder.path]);
      folder[Symbol.dispose]();
    },
  };
}

/** A file to which nothing can be written, as on a full disk. */
export function fullDevice(): { readonly fd: number } & Disposable {
  const fd = openSync("/dev/full", "w");
  return { fd, [Symbol.dispose]: () => closeSync(fd) };
}

/** A full pipe: its reader does not read until it is stopped. */
export function stalledPipe(): {
  readonly fd: number;
  leave(): void;
} & Disposable {
  const folder = temporaryFolder();
  const path = join(folder.path, "pipe");
  execFileSync("mkfifo", [path]);
  const reader = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  const fd = openSync(path, constants.O_WRONLY);
  fill(path);
  let isReading = true;
  function leave(): void {
    if (isReading) closeSync(reader);
    isReading = false;
  }
  return {
    fd,
    leave,
    [Symbol.dispose]() {
      leave();
      closeSync(fd);
      folder[Symbol.dispose]();
    },
  };
}

function fill(path: string): void {
  const fd = openSync(path, constants.O_WRONLY | constants.O_NONBLOCK);
  try {
    for (;;) writeSync(fd, Buffer.alloc(4096, "x"));
  } catch {
    // The pipe is full.
  } finally {
    closeSync(fd);
  }
}
