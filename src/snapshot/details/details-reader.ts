import { basename, dirname } from "node:path";
import { DETAILS_SECTIONS, type Section } from "../container/descriptors.ts";
import {
  DiskSections,
  type CheckedElements,
} from "../container/disk-sections.ts";
import {
  blobChecksum,
  DETAILS_FILE,
  entriesPath,
  ENTRY_ALIGNMENT,
  ENTRY_HEADER_BYTES,
  NO_ENTRY,
  type DetailsMetadata,
} from "./details-file.ts";
import { DetailsView } from "./details-view.ts";
import { damaged, EntryFiles } from "./entry-files.ts";
import { lowerBound } from "../bytes/sorted.ts";

/** Most entries fit this, so that two reads are enough. */
const FIRST_READ_BYTES = 512;
const STREAM_BYTES = 1 << 22;

/**
 * A details file and the files of entries beside it, opened: nothing of them is in memory, each provider's details are read
 * when they are asked for, and checked then. Opening throws SnapshotFormatError where it is no such file, and the file system's own errors.
 */
export class DetailsReader implements Disposable {
  readonly metadata: DetailsMetadata;
  /** The display names of taxonomies, by code. */
  readonly taxonomyNames: ReadonlyMap<string, string>;
  readonly #sections: DiskSections;
  readonly #index: CheckedElements;
  readonly #entries: EntryFiles;
  /** The name of the file of entries that the snapshot's own import wrote, if it wrote any. */
  readonly #ownFile: string;
  readonly #view = new DetailsView();

  constructor(path: string) {
    using opened = new DisposableStack();
    this.#sections = opened.use(new DiskSections(path, DETAILS_FILE));
    this.#index = this.#sections.checkedElements(DETAILS_SECTIONS.index);
    // What the JSON was written from stands for its shape.
    this.metadata = JSON.parse(this.#text(DETAILS_SECTIONS.metadata));
    const names: [string, string][] = JSON.parse(
      this.#text(DETAILS_SECTIONS.taxonomyNames),
    );
    this.taxonomyNames = new Map(names);
    this.#entries = new EntryFiles(dirname(path), this.metadata.files);
    this.#ownFile = basename(entriesPath(path, this.metadata.id));
    opened.move();
  }

  /**
   * The details of an NPI, which stands at place `rank` among the snapshot's NPIs in ascending order; null when none are
   * held. They hold until the next call. Throws SnapshotFormatError where the file is damaged.
   */
  get(npi: number, rank: number): DetailsView | null {
    const place = this.#index.at(rank);
    if (place === NO_ENTRY) return null;
    return this.#entry(npi, (place - 1) * ENTRY_ALIGNMENT);
  }

  /**
   * Calls `visit` for every NPI that has more than one taxonomy, another name or another location, in the order of the
   * files; with "own", only those that the import brought which made the snapshot. The view holds during the call. Throws
   * SnapshotFormatError where the files are damaged.
   */
  forEach(
    visit: (npi: number, details: DetailsView) => void,
    which: "all" | "own" = "all",
  ): void {
    const from = which === "own" ? this.#entries.beginOf(this.#ownFile) : 0;
    this.#forEachFrom(from, (npi, bytes, start, end) => {
      this.#view.open(bytes, start, end);
      if (this.#view.isSearchable) visit(npi, this.#view);
    });
  }

  /**
   * Calls `visit` for every entry that counts, with its place as the index has it. Throws SnapshotFormatError where the
   * files are damaged.
   */
  forEachEntry(visit: (npi: number, place: number) => void): void {
    this.#forEachFrom(0, (npi, _bytes, _start, _end, place) =>
      visit(npi, place),
    );
  }

  /** Which place each NPI's entry has, by rank. */
  index(): Uint32Array {
    return this.#sections.get(DETAILS_SECTIONS.index);
  }

  superseded(): Uint32Array {
    return this.#sections.get(DETAILS_SECTIONS.superseded);
  }

  /** Puts the files of entries into another folder too. */
  linkEntries(folder: string): void {
    this.#entries.linkInto(folder);
  }

  /** The first section of the details file itself whose bytes do not match its checksum, or null. */
  firstCorrupt(): string | null {
    return this.#sections.firstCorrupt();
  }

  /** The name of the first file of entries whose bytes do not match its checksum, or null. */
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

  #entry(npi: number, from: number): DetailsView {
    const most = this.#entries.endAfter(from) - from;
    let entry = Buffer.alloc(Math.min(FIRST_READ_BYTES, most));
    this.#entries.readAt(entry, from);
    const length =
      entry.length < ENTRY_HEADER_BYTES ? 0 : entry.readUInt32LE(4);
    const end = ENTRY_HEADER_BYTES + length;
    if (length === 0 || entry.readUInt32LE(0) !== npi || end > most)
      throw damaged(`the index does not lead to NPI ${npi}`);
    if (end > entry.length) {
      entry = Buffer.alloc(aligned(end));
      this.#entries.readAt(entry, from);
    }
    refuseDamaged(wordsOf(entry), 0, npi);
    this.#view.open(entry, ENTRY_HEADER_BYTES, end);
    return this.#view;
  }

  /** Calls `visit` for every entry that counts, from a place on, with its blob `bytes[start, end)`. */
  #forEachFrom(
    from: number,
    visit: (
      npi: number,
      bytes: Uint8Array,
      start: number,
      end: number,
      place: number,
    ) => void,
  ): void {
    const entries = this.#entries;
    const superseded = this.#sections.get(DETAILS_SECTIONS.superseded);
    let next = lowerBound(superseded, from / ENTRY_ALIGNMENT + 1);
    let buffer = Buffer.alloc(STREAM_BYTES);
    let words = wordsOf(buffer);
    let filled = 0;
    let at = 0;
    /** Where the buffer begins among the entries. */
    let origin = from;
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
      refuseDamaged(words, at, npi);
      const start = at + ENTRY_HEADER_BYTES;
      at = aligned(start + length);
      if (superseded[next] === place) next++;
      else visit(npi, buffer, start, start + length, place);
    }
  }
}

/** Refuses the entry that begins at byte `at` of the words, where its blob is another than its checksum says. */
function refuseDamaged(words: Uint32Array, at: number, npi: number): void {
  const blob = (at + ENTRY_HEADER_BYTES) >>> 2;
  const end = aligned(at + ENTRY_HEADER_BYTES + words[(at >>> 2) + 1]!) >>> 2;
  if (blobChecksum(words, blob, end) !== words[(at >>> 2) + 2])
    throw damaged(`the entry of NPI ${npi} does not match its checksum`);
}

/** A buffer's memory as words: it begins with the buffer and has whole words. */
function wordsOf({ buffer, byteOffset, length }: Buffer): Uint32Array {
  return new Uint32Array(buffer, byteOffset, length >>> 2);
}

function aligned(bytes: number): number {
  return (bytes + ENTRY_ALIGNMENT - 1) & -ENTRY_ALIGNMENT;
}
