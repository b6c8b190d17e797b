/** Writes to disk that fail, in this process. */

import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";

/** The calls that write. Node's synchronous file system is the only one that an import writes with. */
const WRITES = [
  "copyFileSync",
  "fsyncSync",
  "ftruncateSync",
  "linkSync",
  "mkdirSync",
  "openSync",
  "renameSync",
  "utimesSync",
  "writeFileSync",
  "writeSync",
] as const;

/** A fault of a disk: of one write, or of all from that write on, as on a full disk. */
export interface DiskFault {
  readonly code: "ENOSPC" | "EDQUOT" | "EIO";
  readonly lasts: boolean;
}

export interface FailingWrites extends Disposable {
  /** What was written to so far, one for each write: a call, and its path or descriptor. */
  readonly calls: readonly string[];
  /** True if a write has failed. */
  readonly hasFailed: boolean;
}

/** Makes the write of this number fail, from 0; none if there are fewer. */
export function failWrite(
  number: number,
  { code, lasts }: DiskFault,
): FailingWrites {
  const calls: string[] = [];
  let hasFailed = false;
  const originals = WRITES.map((name) => [name, fs[name]] as const);
  for (const [name, original] of originals)
    Object.assign(fs, {
      [name](...args: unknown[]): unknown {
        const isRead =
          (name === "openSync" && args[1] === "r") ||
          (name === "mkdirSync" && fs.existsSync(String(args[0])));
        if (isRead) return Reflect.apply(original, fs, args);
        const at = calls.push(`${name} ${String(args[0])}`) - 1;
        if (at === number || (lasts && at > number)) {
          hasFailed = true;
          const syscall = name.replace("Sync", "");
          throw Object.assign(new Error(`${code}: a disk, ${syscall}`), {
            code,
            syscall,
          });
        }
        return Reflect.apply(original, fs, args);
      },
    });
  syncBuiltinESMExports();
  return {
    calls,
    get hasFailed() {
      return hasFailed;
    },
    [Symbol.dispose]() {
      Object.assign(fs, Object.fromEntries(originals));
      syncBuiltinESMExports();
    },
  };
}
