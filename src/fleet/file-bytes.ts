import { createHash } from "node:crypto";
import { open, stat } from "node:fs/promises";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Publication } from "../accounts/fleet/publications.ts";
import { formatJson, replaceDurably } from "../store/durable-files.ts";
import { parsePublication } from "./manifest.ts";

const READ_BYTES = 1 << 18;

/** Reads a file's bytes. File system errors have its path. */
export async function* bytesOfFile(
  path: string,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array, void, undefined> {
  try {
    await using file = await open(path);
    for (;;) {
      signal.throwIfAborted();
      const buffer = Buffer.allocUnsafeSlow(READ_BYTES);
      const { bytesRead } = await file.read(buffer, 0, READ_BYTES);
      if (bytesRead === 0) return;
      yield buffer.subarray(0, bytesRead);
    }
  } catch (error) {
    // Errors of reads don't have it.
    throw error instanceof Error && "syscall" in error && !("path" in error)
      ? Object.assign(error, { path })
      : error;
  }
}

/** True if there is a file with these bytes. Reads in steps of a millisecond. Throws file system errors. */
export async function hasContent(
  path: string,
  { bytes, sha256 }: { readonly bytes: number; readonly sha256: string },
  signal: AbortSignal,
): Promise<boolean> {
  const found = await stat(path).catch(() => null);
  if (found?.isFile() !== true || found.size !== bytes) return false;
  const hash = createHash("sha256");
  for await (const chunk of bytesOfFile(path, signal)) hash.update(chunk);
  return hash.digest("hex") === sha256;
}

/** The publication that a node last made current, in its data folder. */
export const APPLIED_FILE = "publication.json";
/** The publication that a publisher last published, in its data folder. */
export const PUBLISHED_FILE = "published.json";

type KeptFile = typeof APPLIED_FILE | typeof PUBLISHED_FILE;

/** Reads a publication that a data folder keeps. Null if there is none, or after `onDamage` if the file is damaged. */
export function readKept(
  dataDir: string,
  name: KeptFile,
  onDamage: (message: string) => void,
): Publication | null {
  const path = join(dataDir, name);
  if (!existsSync(path)) return null;
  const publication = parsePublication(readFileSync(path));
  if (publication === null)
    onDamage(`${path} is damaged, so the publication in it is unknown.`);
  return publication;
}

/** Replaces a publication that a data folder keeps. */
export function keep(
  dataDir: string,
  name: KeptFile,
  { epoch, manifest, snapshot }: Publication,
): void {
  replaceDurably(dataDir, name, formatJson({ epoch, manifest, snapshot }));
}
