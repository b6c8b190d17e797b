import { DiskSections } from "./disk-sections.ts";
import {
  blobChecksum,
  DETAILS_FILE,
  ENTRY_ALIGNMENT,
  ENTRY_HEADER_BYTES,
  NO_ENTRY,
  type DetailsMetadata,
} from "./details-file.ts";
import { DetailsView } from "./details-view.ts";
import { SnapshotFormatError } from "./section-file.ts";

/** Most entries fit this, so that two reads are enough. */
const FIRST_READ_BYTES = 512;
const STREAM_BYTES = 1 << 22;

/**
 * A details file, opened: nothing of it is in memory, each provider's details are read when they are asked for. Opening
 * throws SnapshotFormatError where it is no such file, and the file system's own errors.
 */
export class DetailsReader implements Disposable {
  readonly metadata: DetailsMetadata;
  /** The display names of taxonomies, by code. */
  readonly taxonomyNames: ReadonlyMap<string, string>;
  readonly #sections: DiskSections;
  readonly #view = new DetailsView();
  readonly #bytes: number;

  constructor(path: string) {
    this.#sections = new DiskSections(path, DETAILS_FILE);
    try {
      // What the JSON was written from stands for its shape.
      this.metadata = JSON.parse(this.#text("metadata"));
      const names: [string, string][] = JSON.parse(
        this.#text("taxonomy.names"),
      );
      this.taxonomyNames = new Map(names);
      this.#bytes = this.#sections.length("entries");
    } catch (error) {
      this.#sections[Symbol.dispose]();
      throw error;
    }
  }

  /**
   * The details of an NPI, which stands at place `rank` among the snapshot's NPIs in ascending order; null when none are
   * held. They hold until the next call. Throws SnapshotFormatError where the file is damaged.
   */
  get(npi: number, rank: number): DetailsView | null {
    const place = this.#sections.element("index", 4, rank);
    if (place === NO_ENTRY) return null;
    return this.#entry(npi, (place - 1) * ENTRY_ALIGNMENT);
  }

  /**
   * Calls `visit` for every NPI that has more than one taxonomy, another name or another location, in the order of the
   * file. The view holds during the call. Throws SnapshotFormatError where the file is damaged.
   */
  forEach(visit: (npi: number, details: DetailsView) => void): void {
    this.forEachEntry((npi, bytes, start, end) => {
      this.#view.open(bytes, start, end);
      if (this.#view.isSearchable) visit(npi, this.#view);
    });
  }

  /**
   * Calls `visit` for every entry that counts, with its blob `bytes[start, end)` and its place in the file, as the index
   * has it. Throws SnapshotFormatError where the file is damaged.
   */
  forEachEntry(
    visit: (
      npi: number,
      bytes: Uint8Array,
      start: number,
      end: number,
      place: number,
    ) => void,
  ): void {
    const superseded = this.#sections.uint32("superseded");
    let nextSuperseded = 0;
    let buffer = Buffer.alloc(STREAM_BYTES);
    let filled = 0;
    let at = 0;
    /** Where the buffer begins in the section. */
    let origin = 0;
    const need = (bytes: number): void => {
      if (filled - at >= bytes) return;
      const larger = bytes > buffer.length ? Buffer.alloc(bytes * 2) : buffer;
      buffer.copy(larger, 0, at, filled);
      origin += at;
      filled -= at;
      at = 0;
      buffer = larger;
      filled += this.#sections.readAt(
        "entries",
        buffer.subarray(filled),
        origin + filled,
      );
      if (filled < bytes) throw damaged("an entry is cut off");
    };
    while (origin + at < this.#bytes) {
      need(ENTRY_HEADER_BYTES);
      const npi = buffer.readUInt32LE(at);
      const length = buffer.readUInt32LE(at + 4);
      if (length > this.#bytes) throw damaged("an entry is too long");
      need(aligned(ENTRY_HEADER_BYTES + length));
      const place = (origin + at) / ENTRY_ALIGNMENT + 1;
      const start = at + ENTRY_HEADER_BYTES;
      const end = start + length;
      if (blobChecksum(buffer, start, end) !== buffer.readUInt32LE(at + 8))
        throw damaged(`the entry of NPI ${npi} does not match its checksum`);
      at += aligned(ENTRY_HEADER_BYTES + length);
      if (superseded[nextSuperseded] === place) nextSuperseded++;
      else visit(npi, buffer, start, end, place);
    }
  }

  /** Which place each NPI's entry has, by rank. */
  index(): Uint32Array {
    return this.#sections.uint32("index");
  }

  superseded(): Uint32Array {
    return this.#sections.uint32("superseded");
  }

  /** Reads the bytes of all entries, one piece after the other; each piece holds during the call. */
  copyEntries(write: (bytes: Uint8Array) => void): void {
    const buffer = new Uint8Array(STREAM_BYTES);
    for (let at = 0; at < this.#bytes;) {
      const read = this.#sections.readAt("entries", buffer, at);
      write(buffer.subarray(0, read));
      at += read;
    }
  }

  /** The first section whose bytes do not match its checksum, or null. */
  firstCorrupt(): string | null {
    return this.#sections.firstCorrupt();
  }

  [Symbol.dispose](): void {
    this.#sections[Symbol.dispose]();
  }

  #text(section: string): string {
    return new TextDecoder().decode(this.#sections.bytes(section));
  }

  #entry(npi: number, from: number): DetailsView {
    let bytes = Buffer.alloc(Math.min(FIRST_READ_BYTES, this.#bytes - from));
    if (bytes.length < ENTRY_HEADER_BYTES)
      throw damaged("the index points outside the entries");
    this.#sections.readAt("entries", bytes, from);
    const length = bytes.readUInt32LE(4);
    if (bytes.readUInt32LE(0) !== npi || from + length > this.#bytes)
      throw damaged(`the index does not lead to NPI ${npi}`);
    const end = ENTRY_HEADER_BYTES + length;
    if (end > bytes.length) {
      bytes = Buffer.alloc(end);
      this.#sections.readAt("entries", bytes, from);
    }
    if (blobChecksum(bytes, ENTRY_HEADER_BYTES, end) !== bytes.readUInt32LE(8))
      throw damaged(`the entry of NPI ${npi} does not match its checksum`);
    this.#view.open(bytes, ENTRY_HEADER_BYTES, end);
    return this.#view;
  }
}

function aligned(bytes: number): number {
  return Math.ceil(bytes / ENTRY_ALIGNMENT) * ENTRY_ALIGNMENT;
}

function damaged(how: string): SnapshotFormatError {
  return new SnapshotFormatError(
    `The details file is damaged, for ${how}; roll back or import again.`,
  );
}
