import { hash } from "node:crypto";
import { readFileSync, statSync } from "node:fs";
import { open, type FileHandle } from "node:fs/promises";
import { join } from "node:path";
import type { FilesAnswer, SnapshotFile } from "../contract/answers.ts";
import { MANIFEST } from "../contract/files.ts";

/** Returns the folder of a snapshot's files, in a data folder. It appears when they are complete. */
export function filesFolder(dataDir: string, snapshot: string): string {
  return join(dataDir, "snapshots", snapshot, "files");
}

/** A list of the files of a snapshot, and its bytes. */
interface KeptManifest {
  readonly text: Buffer;
  /** The hash of the bytes. */
  readonly tag: string;
  readonly answer: FilesAnswer;
}

/** Reads the files of a data folder's snapshots. */
export class KeptFiles {
  readonly #dataDir: string;
  /** The list that was read last, and what differs if another is at its place. */
  #last: { readonly version: string; readonly manifest: KeptManifest } | null =
    null;

  constructor(dataDir: string) {
    this.#dataDir = dataDir;
  }

  /**
   * Returns the list of the files of a snapshot, whose id is well formed; null if it has none, or not the files that it
   * lists.
   */
  manifestOf(snapshot: string): KeptManifest | null {
    try {
      const path = join(filesFolder(this.#dataDir, snapshot), MANIFEST);
      // Snapshots are removed, and may be pulled again.
      const { ino, mtimeMs } = statSync(path);
      const version = `${snapshot} ${ino} ${mtimeMs}`;
      if (this.#last?.version === version) return this.#last.manifest;
      const text = readFileSync(path);
      const answer: FilesAnswer = JSON.parse(text.toString());
      if (!answer.data.every((file) => isKept(join(path, ".."), file)))
        return null;
      const manifest = { text, tag: hash("sha256", text), answer };
      this.#last = { version, manifest };
      return manifest;
    } catch {
      return null;
    }
  }

  /** Opens a file of that list. Rejects if the snapshot is gone. */
  open(snapshot: string, name: string): Promise<FileHandle> {
    return open(join(filesFolder(this.#dataDir, snapshot), name), "r");
  }
}

/** True if a file of a list, which may be damaged, is in the folder. Its name leads nowhere else. */
function isKept(
  folder: string,
  { bytes, name, sha256 }: SnapshotFile,
): boolean {
  if (!/^\w[\w.-]*$/.test(name) || !/^[\da-f]{64}$/.test(sha256)) return false;
  const stats = statSync(join(folder, name));
  return stats.isFile() && stats.size === bytes;
}
