import { crc32 } from "node:zlib";
import { readFully } from "./read-section-file.ts";
import { SnapshotFormatError, type SectionEntry } from "./section-file.ts";

const BLOCK_BYTES = 4_096;
const BLOCKS_AT_ONCE = 1_024;

/**
 * Single elements of a section that stays on the disk, each checked as it is read. The section has one checksum for all
 * its bytes; the first read goes through it once and keeps one for each block.
 */
export class CheckedElements {
  readonly #fd: number;
  readonly #section: SectionEntry;
  readonly #block = Buffer.alloc(BLOCK_BYTES);
  #checksums: Uint32Array | null = null;

  constructor(fd: number, section: SectionEntry) {
    this.#fd = fd;
    this.#section = section;
  }

  /** The element at an index below the section's length. Throws SnapshotFormatError where the section is damaged. */
  at(index: number): number {
    const { bytes, elementBytes, offset } = this.#section;
    this.#checksums ??= this.#checksumsOfBlocks();
    const from = index * elementBytes;
    const number = Math.floor(from / BLOCK_BYTES);
    const begin = number * BLOCK_BYTES;
    const block = this.#block.subarray(0, Math.min(BLOCK_BYTES, bytes - begin));
    readFully(this.#fd, block, offset + begin);
    if (crc32(block) !== this.#checksums[number]) throw this.#damaged();
    return block.readUIntLE(from - begin, elementBytes);
  }

  #checksumsOfBlocks(): Uint32Array {
    const { bytes, crc, offset } = this.#section;
    const checksums = new Uint32Array(Math.ceil(bytes / BLOCK_BYTES));
    const buffer = new Uint8Array(BLOCK_BYTES * BLOCKS_AT_ONCE);
    let whole = 0;
    for (let at = 0; at < bytes; at += buffer.length) {
      const read = buffer.subarray(0, Math.min(buffer.length, bytes - at));
      readFully(this.#fd, read, offset + at);
      whole = crc32(read, whole);
      for (let begin = 0; begin < read.length; begin += BLOCK_BYTES)
        checksums[(at + begin) / BLOCK_BYTES] = crc32(
          read.subarray(begin, begin + BLOCK_BYTES),
        );
    }
    if (whole !== crc) throw this.#damaged();
    return checksums;
  }

  #damaged(): SnapshotFormatError {
    return new SnapshotFormatError(
      `The section "${this.#section.name}" does not match its checksum`,
      "roll back or import again",
    );
  }
}
