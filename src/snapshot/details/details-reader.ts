import { dirname } from "node:path";
import { DETAILS_SECTIONS } from "../container/descriptors.ts";
import type { Section } from "../container/section.ts";
import {
  DiskSections,
  type CheckedElements,
} from "../container/disk-sections.ts";
import type { SectionEntry } from "../container/section-file.ts";
import {
  blobChecksum,
  DETAILS_FILE,
  ENTRY_ALIGNMENT,
  ENTRY_HEADER_BYTES,
  NO_ENTRY,
  type DetailsMetadata,
  damaged,
  EntryFiles,
} from "./details-file.ts";
import { DetailsView } from "./details-view.ts";
import { sortByKey } from "../bytes/radix-sort.ts";

/** Most entries are shorter, so two reads are enough. */
const FIRST_READ_BYTES = 512;
/** Entries at most this far apart are read together, and how many bytes of them. */
const NEAR_BYTES = 1 << 12;
const WINDOW_BYTES = 1 << 17;
const STREAM_BYTES = 1 << 22;

/** An entry in memory, with its position in the index. Its blob is `bytes[start, end)`; `words` are the same memory. */
interface ReadEntry {
  npi: number;
  place: number;
  bytes: Uint8Array;
  words: Uint32Array;
  start: number;
  end: number;
}

/**
 * A details file and its entry files, opened. Nothing is in memory: a provider's details are read and verified on
 * request. Opening throws SnapshotFormatError if the file is not a details file, and file system errors.
 */
export class DetailsReader implements Disposable {
  readonly metadata: DetailsMetadata;
  /** Display names of taxonomies, by code. */
  readonly taxonomyNames: ReadonlyMap<string, string>;
  readonly #sections: DiskSections;
  readonly #index: CheckedElements;
  readonly #entries: EntryFiles;
  readonly #view = new DetailsView();
  readonly #window: EntryWindow;

  /** Opens a file. With "held", its index is in memory: four bytes for each provider, and one read less per lookup. */
  constructor(path: string, ...held: "held"[]) {
    using opened = new DisposableStack();
    this.#sections = opened.use(new DiskSections(path, DETAILS_FILE));
    const { index } = DETAILS_SECTIONS;
    this.#index = this.#sections.checkedElements(index, ...held);
    // Only DetailsWriter writes this JSON, so its shape is known.
    this.metadata = JSON.parse(this.#text(DETAILS_SECTIONS.metadata));
    const names: [string, string][] = JSON.parse(
      this.#text(DETAILS_SECTIONS.taxonomyNames),
    );
    this.taxonomyNames = new Map(names);
    this.#entries = new EntryFiles(dirname(path), this.metadata.files);
    this.#window = new EntryWindow(this.#entries);
    opened.move();
  }

  /**
   * Reads the details of an NPI with the given rank among the snapshot's NPIs in ascending order; null if there are
   * none. Valid until the next call. Throws SnapshotFormatError if the file is damaged.
   */
  get(npi: number, rank: number): DetailsView | null {
    const place = this.#index.at(rank);
    if (place === NO_ENTRY) return null;
    this.#window.forget();
    return this.#entry(this.#window, npi, (place - 1) * ENTRY_ALIGNMENT, 0);
  }

  /**
   * Calls `visit` with the details of some NPIs, in file order, by index; not for those without any. `ranks` are as for
   * `get`, and ascend. The view is valid during the call. Throws SnapshotFormatError if the files are damaged.
   */
  forEachOf(
    npis: Uint32Array,
    ranks: Uint32Array,
    visit: (index: number, details: DetailsView) => void,
  ): void {
    const places = this.#sections.elementsAt(DETAILS_SECTIONS.index, ranks);
    const { keys, order } = sortByKey(places, places.length);
    const window = new EntryWindow(this.#entries);
    order.forEach((index, at) => {
      const place = keys[at]!;
      if (place === NO_ENTRY) return;
      const from = (place - 1) * ENTRY_ALIGNMENT;
      const next = ((keys[at + 1] ?? Infinity) - 1) * ENTRY_ALIGNMENT;
      const ahead = next - from <= NEAR_BYTES ? WINDOW_BYTES : 0;
      visit(index, this.#entry(window, npis[index]!, from, ahead));
    });
  }

  /**
   * Calls `visit` for every NPI that has details, in file order. The view is valid during the call. Throws
   * SnapshotFormatError if the files are damaged.
   */
  forEach(visit: (npi: number, details: DetailsView) => void): void {
    this.#forEach(({ bytes, end, npi, start }) => {
      this.#view.open(bytes, start, end);
      visit(npi, this.#view);
    });
  }

  /**
   * Calls `visit` for every entry that is not superseded, with its position in the index. Throws SnapshotFormatError if
   * the files are damaged.
   */
  forEachEntry(visit: (npi: number, place: number) => void): void {
    this.#forEach(({ npi, place }) => visit(npi, place));
  }

  /**
   * Calls `visit` for every entry that is not superseded, with a hash of 32 bits of its blob. Throws
   * SnapshotFormatError if the files are damaged.
   */
  forEachHash(visit: (npi: number, hash: number) => void): void {
    this.#forEach(({ end, npi, start, words }) => {
      const to = aligned(end) >>> 2;
      visit(npi, hashOf(words, start >>> 2, to) ^ (end - start));
    });
  }

  /** Returns the position of each NPI's entry, by rank. */
  index(): Uint32Array {
    return this.#sections.get(DETAILS_SECTIONS.index);
  }

  superseded(): Uint32Array {
    return this.#sections.get(DETAILS_SECTIONS.superseded);
  }

  /** Links the entry files into another folder. */
  linkEntries(folder: string): void {
    this.#entries.linkInto(folder);
  }

  /** Returns the section tables of the details file and of each entry file, with their checksums. */
  checksumLists(): (readonly SectionEntry[])[] {
    return [this.#sections.entries, ...this.#entries.checksumLists()];
  }

  /** Finds the first section of the details file with a wrong checksum, or null. */
  firstCorrupt(): string | null {
    return this.#sections.firstCorrupt();
  }

  /** Finds the name of the first entry file with a wrong checksum, or null. */
  firstCorruptEntries(): string | null {
    return this.#entries.firstCorrupt();
  }

  [Symbol.dispose](): void {
    this.#sections[Symbol.dispose]();
    this.#entries[Symbol.dispose]();
  }

  #text(section: Section<Uint8Array>): string {
    return new TextDecoder().decode(this.#sections.getChecked(section));
  }

  /** Opens the entry at `from`. If the window lacks it, reads it, and `ahead` bytes if these are more. */
  #entry(
    window: EntryWindow,
    npi: number,
    from: number,
    ahead: number,
  ): DetailsView {
    window.need(from, FIRST_READ_BYTES, ahead);
    const maxBytes = this.#entries.endAfter(from) - from;
    const end = window.entryEnd(npi, from, maxBytes);
    window.need(from, aligned(end), 0);
    const start = from - window.from;
    refuseDamaged(window.words, start, npi);
    this.#view.open(window.bytes, start + ENTRY_HEADER_BYTES, start + end);
    return this.#view;
  }

  /** Calls `visit` for every entry that is not superseded. The entry is valid during the call. */
  #forEach(visit: (entry: Readonly<ReadEntry>) => void): void {
    const entries = this.#entries;
    const superseded = this.#sections.get(DETAILS_SECTIONS.superseded);
    let next = 0;
    let buffer = Buffer.alloc(STREAM_BYTES);
    let words = wordsOf(buffer);
    // One object for all: there are millions.
    const entry = { npi: 0, place: 0, bytes: buffer, words, start: 0, end: 0 };
    let filled = 0;
    let at = 0;
    /** Offset of the buffer in the entries. */
    let origin = 0;
    const need = (bytes: number): void => {
      if (filled - at >= bytes) return;
      const larger =
        bytes > buffer.length ? Buffer.alloc(aligned(bytes * 2)) : buffer;
      buffer.copy(larger, 0, at, filled);
      origin += at;
      filled -= at;
      at = 0;
      buffer = larger;
      words = wordsOf(buffer);
      entry.bytes = buffer;
      entry.words = words;
      filled += entries.readAt(buffer.subarray(filled), origin + filled);
      if (filled < bytes) throw damaged("an entry is cut off");
    };
    while (origin + at < entries.bytes) {
      need(ENTRY_HEADER_BYTES);
      const npi = words[at >>> 2]!;
      const length = words[(at >>> 2) + 1]!;
      if (length > entries.bytes) throw damaged("an entry is too long");
      need(aligned(ENTRY_HEADER_BYTES + length));
      const place = (origin + at) / ENTRY_ALIGNMENT + 1;
      const entryAt = at;
      const start = at + ENTRY_HEADER_BYTES;
      at = aligned(start + length);
      if (superseded[next] === place) {
        next++;
        continue;
      }
      refuseDamaged(words, entryAt, npi);
      entry.npi = npi;
      entry.place = place;
      entry.start = start;
      entry.end = start + length;
      visit(entry);
    }
  }
}

/** Part of the entries of all files, in memory. */
class EntryWindow {
  /** Its start. */
  from = 0;
  bytes = Buffer.alloc(0);
  words: Uint32Array = new Uint32Array(0);
  readonly #entries: EntryFiles;
  #filled = 0;

  constructor(entries: EntryFiles) {
    this.#entries = entries;
  }

  /**
   * Reads `bytes` from `from` on, unless it has them; if it reads, then `ahead` bytes if these are more. Fewer at the
   * end of a file.
   */
  need(from: number, bytes: number, ahead: number): void {
    const end = Math.min(from + bytes, this.#entries.endAfter(from));
    if (from >= this.from && end <= this.from + this.#filled) return;
    const length = Math.max(bytes, ahead);
    if (this.bytes.length < length) {
      this.bytes = Buffer.alloc(aligned(length));
      this.words = wordsOf(this.bytes);
    }
    this.from = from;
    this.#filled = 0;
    const target = this.bytes.subarray(0, length);
    this.#filled = this.#entries.readAt(target, from);
  }

  /** Makes the next `need` read. */
  forget(): void {
    this.#filled = 0;
  }

  /** Finds the end of the entry at `from`, of which the header is in memory, relative to `from`. */
  entryEnd(npi: number, from: number, maxBytes: number): number {
    return entryEnd(this.words, from - this.from, npi, maxBytes);
  }
}

/**
 * Throws unless the entry at byte `at` of the words is one of an NPI that has at most `maxBytes`. Returns its bytes.
 */
function entryEnd(
  words: Uint32Array,
  at: number,
  npi: number,
  maxBytes: number,
): number {
  const length = maxBytes < ENTRY_HEADER_BYTES ? 0 : words[(at >>> 2) + 1]!;
  const end = ENTRY_HEADER_BYTES + length;
  if (length === 0 || words[at >>> 2] !== npi || end > maxBytes)
    throw damaged(`the index does not lead to NPI ${npi}`);
  return end;
}

/** Throws if the blob of the entry at byte `at` of the words does not match its checksum. */
function refuseDamaged(words: Uint32Array, at: number, npi: number): void {
  const blob = (at + ENTRY_HEADER_BYTES) >>> 2;
  const end = aligned(at + ENTRY_HEADER_BYTES + words[(at >>> 2) + 1]!) >>> 2;
  if (blobChecksum(words, blob, end) !== words[(at >>> 2) + 2])
    throw damaged(`the entry of NPI ${npi} does not match its checksum`);
}

/** Hashes words. The checksum would keep a difference in the last byte of each word in its own last byte. */
function hashOf(words: Uint32Array, from: number, to: number): number {
  let hash = 0;
  for (let at = from; at < to; at++) {
    const product = Math.imul(hash ^ words[at]!, 0x9e3779b1);
    hash = product ^ (product >>> 15);
  }
  return hash;
}

/** Returns a buffer's memory as words. It must start at the buffer's start and have whole words. */
function wordsOf({ buffer, byteOffset, length }: Buffer): Uint32Array {
  return new Uint32Array(buffer, byteOffset, length >>> 2);
}

function aligned(bytes: number): number {
  return (bytes + ENTRY_ALIGNMENT - 1) & -ENTRY_ALIGNMENT;
}
