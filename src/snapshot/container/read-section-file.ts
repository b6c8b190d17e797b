import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import { crc32 } from "node:zlib";
import type { Section } from "./descriptors.ts";
import { withPath } from "../../registry/files/with-path.ts";
import {
  decodeHeader,
  entryOf,
  FIRST_SECTION,
  SnapshotFormatError,
} from "./section-file.ts";

const READ_BYTES = 1 << 24;

/** Reads a snapshot file into shared memory. */
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

/** Reads one section of bytes of a snapshot file, without the others. */
export function readOneSection(
  path: string,
  section: Section<Uint8Array>,
): Uint8Array {
  return withPath(path, () => readSection(path, section));
}

function readSection(path: string, section: Section<Uint8Array>): Uint8Array {
  const fd = openSync(path, "r");
  try {
    const length = fstatSync(fd).size;
    const head = readFully(
      fd,
      new Uint8Array(Math.min(FIRST_SECTION, length)),
      0,
    );
    const entry = entryOf(decodeHeader(head, length), section);
    const bytes = readFully(fd, new Uint8Array(entry.bytes), entry.offset);
    if (crc32(bytes) !== entry.crc) {
      throw new SnapshotFormatError(
        `The snapshot's section "${entry.name}" is damaged`,
        "roll back or import again",
      );
    }
    return bytes;
  } finally {
    closeSync(fd);
  }
}

/** Fills `target` from a place in a file. */
export function readFully(
  fd: number,
  target: Uint8Array,
  position: number,
): Uint8Array {
  for (let at = 0; at < target.length;) {
    const read = readSync(
      fd,
      target,
      at,
      Math.min(READ_BYTES, target.length - at),
      position + at,
    );
    if (read === 0)
      throw new SnapshotFormatError(
        "The snapshot became shorter while it was read",
        "import again",
      );
    at += read;
  }
  return target;
}
