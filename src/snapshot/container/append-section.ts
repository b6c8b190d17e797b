import { closeSync, fstatSync, fsyncSync, openSync, readSync } from "node:fs";
import { crc32 } from "node:zlib";
import type { Section } from "./descriptors.ts";
import { readFully } from "./read-section-file.ts";
import {
  ALIGNMENT,
  decodeHeader,
  encodeHeader,
  FIRST_SECTION,
} from "./section-file.ts";
import { align, writeFully } from "./section-writer.ts";

const COPY_BYTES = 1 << 24;

/**
 * Adds a section to a finished file: the bytes of another file, which must be a whole one of the container itself. The
 * header is taken away first and written anew at the end, so that a file whose writing was cut short is never taken for
 * a snapshot.
 */
export function appendSection(
  path: string,
  { name }: Section<Uint8Array>,
  from: string,
): void {
  const fd = openSync(path, "r+");
  const source = openSync(from, "r");
  try {
    const offset = fstatSync(fd).size;
    const head = readFully(fd, new Uint8Array(FIRST_SECTION), 0);
    const sections = decodeHeader(head, offset);
    writeFully(fd, new Uint8Array(ALIGNMENT), 0);
    const buffer = new Uint8Array(COPY_BYTES);
    let crc = 0;
    let bytes = 0;
    for (;;) {
      const read = readSync(source, buffer, 0, buffer.length, bytes);
      if (read === 0) break;
      const part = buffer.subarray(0, read);
      crc = crc32(part, crc);
      writeFully(fd, part, offset + bytes);
      bytes += read;
    }
    sections.push({ name, offset, bytes, elementBytes: 1, crc });
    writeFully(fd, encodeHeader(sections, align(offset + bytes)), 0);
    fsyncSync(fd);
  } finally {
    closeSync(source);
    closeSync(fd);
  }
}
