import { closeSync, fstatSync, openSync } from "node:fs";
import { open } from "node:fs/promises";
import { withPath } from "../../registry/files/with-path.ts";
import { SECTIONS } from "./descriptors.ts";
import { readFully, truncated } from "./disk-sections.ts";
import { decodeHeader, FIRST_SECTION } from "./section-file.ts";

const READ_BYTES = 1 << 24;

/** A snapshot's file in shared memory, the same for all threads. Plain data. */
export interface SharedFile {
  /** Each byte at its place in the file. */
  readonly bytes: SharedArrayBuffer;
  /** The part that is still on disk; null if all is in memory. */
  readonly late: LatePart | null;
}

/** The file in the section `scopes`: only its header is in memory, and threads read its sections when they need them. */
export interface LatePart {
  /** The path of the whole file. */
  readonly path: string;
  /** Shared: for each section of the file inside, whether its bytes are in memory (`LateSections`). */
  readonly states: Int32Array;
}

/** Reads a snapshot's file, all of it. */
export function readSectionFile(path: string): SharedArrayBuffer {
  const fd = openSync(path, "r");
  try {
    const buffer = new SharedArrayBuffer(fstatSync(fd).size);
    withPath(path, () => readFully(fd, new Uint8Array(buffer), 0));
    return buffer;
  } finally {
    closeSync(fd);
  }
}

/** Reads a snapshot's file without the late part. Throws SnapshotFormatError, and file system errors. */
export function readSharedFile(path: string): SharedFile {
  const fd = openSync(path, "r");
  try {
    const bytes = new SharedArrayBuffer(fstatSync(fd).size);
    const target = new Uint8Array(bytes);
    const ranges = withoutLatePart(target);
    for (let range = ranges.next(); ; range = ranges.next()) {
      if (range.done === true)
        return { bytes, late: latePartOf(path, range.value) };
      const [from, to] = range.value;
      withPath(path, () => readFully(fd, target.subarray(from, to), from));
    }
  } finally {
    closeSync(fd);
  }
}

/** The same without blocking this thread. Throws the signal's reason, too. */
export async function loadSharedFile(
  path: string,
  signal: AbortSignal,
): Promise<SharedFile> {
  await using file = await open(path);
  const bytes = new SharedArrayBuffer((await file.stat()).size);
  const target = new Uint8Array(bytes);
  const ranges = withoutLatePart(target);
  for (let range = ranges.next(); ; range = ranges.next()) {
    if (range.done === true)
      return { bytes, late: latePartOf(path, range.value) };
    const [from, to] = range.value;
    for (let at = from; at < to;) {
      signal.throwIfAborted();
      const length = Math.min(READ_BYTES, to - at);
      const { bytesRead } = await file.read(target, at, length, at);
      if (bytesRead === 0) throw truncated();
      at += bytesRead;
    }
  }
}

/**
 * The ranges of a file to read into `target`, each read before the next is taken. Memory that nothing is read into costs
 * nothing. Returns whether the file has a late part.
 */
function* withoutLatePart(
  target: Uint8Array,
): Generator<readonly [from: number, to: number], boolean> {
  const { length } = target;
  const head = Math.min(FIRST_SECTION, length);
  yield [0, head];
  const late = decodeHeader(target.slice(0, head), length).find(
    ({ name }) => name === SECTIONS.extended.name,
  );
  if (late === undefined) {
    yield [head, length];
    return false;
  }
  yield [head, late.offset + Math.min(FIRST_SECTION, late.bytes)];
  yield [late.offset + late.bytes, length];
  return true;
}

function latePartOf(path: string, hasLatePart: boolean): LatePart | null {
  if (!hasLatePart) return null;
  // Enough for any number of sections: the table of all is in as many bytes.
  const states = new Int32Array(new SharedArrayBuffer(FIRST_SECTION));
  return { path, states };
}
