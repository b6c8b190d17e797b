import type { DetailPart } from "../../contract/detail-parts.ts";
import { rmSync } from "node:fs";
import { basename } from "node:path";
import {
  blobChecksum,
  DETAILS_FILE,
  ENTRIES_FILE,
  ENTRY_ALIGNMENT,
  ENTRY_HEADER_BYTES,
  entriesPath,
  NO_ENTRY,
  type DetailsMetadata,
  type EntriesFile,
} from "./details-file.ts";
import {
  DETAILS_SECTIONS,
  ENTRIES_SECTIONS,
} from "../container/descriptors.ts";
import { ByteCopier } from "../../text/byte-copier.ts";
import { encodeJson } from "../metadata.ts";
import { withRoom } from "../bytes/growable.ts";
import { release } from "../bytes/once.ts";
import {
  type NpiIndex,
  rowsByNpi,
  type RowsByNpi,
} from "../postings/npi-index.ts";
import { SectionFileWriter } from "../container/section-writer.ts";

const FLUSH_BYTES = 1 << 22;
const NOTHING = new Uint32Array(0);

/** The details that an update adds to. */
export interface BaseDetails {
  /** The entry files, which the new details file also lists. */
  readonly files: readonly EntriesFile[];
  /** Positions of the current entries, by rank of NPI. */
  index(): Uint32Array;
  superseded(): Uint32Array;
  /** Used while entries are written, not afterwards. */
  readonly npis: NpiIndex;
}

/**
 * Writes details while rows arrive, in any order: call `begin`, `append` for each part of the blob, then `end`. The
 * last blob of an NPI wins. Blobs go to an entry file next to the details file; `finish` writes the details file. Until
 * then, each entry takes eight bytes of memory.
 */
export class DetailsWriter implements Disposable {
  readonly #path: string;
  readonly #id: string;
  readonly #base: BaseDetails | null;
  readonly #entriesPath: string;
  readonly #writer: SectionFileWriter;
  #buffer: Uint8Array = new Uint8Array(FLUSH_BYTES + FLUSH_BYTES / 4);
  #view = new DataView(this.#buffer.buffer);
  #words = wordsOf(this.#buffer);
  readonly #copier = new ByteCopier();
  /** Start and current end of the entry being written, in the buffer. */
  #start = 0;
  #end = 0;
  /** Offset of the buffer in the entries of all files. */
  #flushed: number;
  #npi = 0;
  #npis: Uint32Array = new Uint32Array(0);
  #places: Uint32Array = new Uint32Array(0);
  /** For an update: the rank of each entry's NPI among the base's, times two, plus one if the base has it. */
  #ranks: Uint32Array = new Uint32Array(0);
  #count = 0;

  /** Creates the details file `path` of snapshot `id`, which adds to the base's details, if any. */
  constructor(path: string, id: string, base: BaseDetails | null = null) {
    this.#path = path;
    this.#id = id;
    this.#base = base;
    this.#flushed = bytesOf(base?.files ?? []);
    this.#entriesPath = entriesPath(path, id);
    this.#writer = new SectionFileWriter(this.#entriesPath, ENTRIES_FILE);
    this.#writer.begin(ENTRIES_SECTIONS.entries);
  }

  begin(npi: number): void {
    if (this.#end >= FLUSH_BYTES) this.#flush();
    this.#npi = npi;
    this.#start = this.#end;
    this.#end += ENTRY_HEADER_BYTES;
  }

  /** Adds the bytes `[start, end)` to the blob. */
  append(bytes: Uint8Array, start: number, end: number): void {
    const to = this.#end;
    const needed = to + end - start + ENTRY_ALIGNMENT;
    if (needed > this.#buffer.length) {
      this.#buffer = withRoom(this.#buffer, needed);
      this.#view = new DataView(this.#buffer.buffer);
      this.#words = wordsOf(this.#buffer);
    }
    this.#copier.copy(bytes, start, end, this.#buffer, to);
    this.#end = to + end - start;
  }

  /** Ends the blob. An empty blob makes no entry: the NPI then has no details. */
  end(): void {
    const start = this.#start;
    const blob = start + ENTRY_HEADER_BYTES;
    const length = this.#end - blob;
    if (length === 0) {
      this.#end = start;
      this.#note(NO_ENTRY);
      return;
    }
    while (this.#end % ENTRY_ALIGNMENT !== 0) this.#buffer[this.#end++] = 0;
    const checksum = blobChecksum(this.#words, blob >>> 2, this.#end >>> 2);
    this.#view.setUint32(start, this.#npi, true);
    this.#view.setUint32(start + 4, length, true);
    this.#view.setUint32(start + 8, checksum, true);
    this.#note((this.#flushed + start) / ENTRY_ALIGNMENT + 1);
  }

  /**
   * Completes both files and flushes them to disk. An empty entry file is removed. Returns the number of NPIs that the
   * snapshot must have. Frees the memory of entries. `rows` has the blobs, in the order in
   * which they were begun, by NPI, if that is known.
   */
  finish(
    parts: DetailPart[],
    taxonomyNames: Iterable<[code: string, name: string]>,
    rows: RowsByNpi = rowsByNpi(this.#npis, this.#count),
  ): number {
    const files = [...(this.#base?.files ?? []), ...this.#finishEntries()];
    const { index, superseded } = this.#index(rows);
    using writer = new SectionFileWriter(this.#path, DETAILS_FILE);
    const metadata: DetailsMetadata = { id: this.#id, parts, files };
    writer.writeGroup(DETAILS_SECTIONS, {
      index,
      superseded,
      taxonomyNames: encodeJson([...taxonomyNames]),
      metadata: encodeJson(metadata),
    });
    writer.finish();
    release(this.#buffer, this.#npis, this.#places, this.#ranks);
    return index.length;
  }

  [Symbol.dispose](): void {
    this.#writer[Symbol.dispose]();
  }

  #finishEntries(): EntriesFile[] {
    this.#flush();
    this.#writer.end();
    const bytes = this.#flushed - bytesOf(this.#base?.files ?? []);
    if (bytes === 0) {
      rmSync(this.#entriesPath);
      return [];
    }
    this.#writer.finish();
    return [{ name: basename(this.#entriesPath), bytes }];
  }

  #note(place: number): void {
    const at = this.#count++;
    this.#npis = withRoom(this.#npis, this.#count);
    this.#places = withRoom(this.#places, this.#count);
    this.#npis[at] = this.#npi;
    this.#places[at] = place;
    if (this.#base === null) return;
    const { npis } = this.#base;
    const rank = npis.rank(this.#npi);
    this.#ranks = withRoom(this.#ranks, this.#count);
    this.#ranks[at] = rank < 0 ? npis.firstFrom(this.#npi) * 2 : rank * 2 + 1;
  }

  #flush(): void {
    this.#writer.append(this.#buffer.subarray(0, this.#end));
    this.#flushed += this.#end;
    this.#end = 0;
  }

  /** Finds the position of the last entry of each NPI, by rank, and the positions of all others. */
  #index({ last, replaced }: RowsByNpi): {
    index: Uint32Array;
    superseded: Uint32Array;
  } {
    if (last.length + replaced.length !== this.#count)
      throw new Error("The rows are not those of the details");
    const places = this.#places;
    const baseIndex = this.#base?.index() ?? NOTHING;
    const superseded = [...(this.#base?.superseded() ?? NOTHING)];
    for (const at of replaced)
      if (places[at] !== NO_ENTRY) superseded.push(places[at]!);
    const index = new Uint32Array(baseIndex.length + last.length);
    let to = 0;
    let next = 0;
    const copyUpTo = (rank: number): void => {
      if (rank === next) return;
      index.set(baseIndex.subarray(next, rank), to);
      to += rank - next;
      next = rank;
    };
    for (let i = 0; i < last.length; i++) {
      const at = last[i]!;
      const rank = this.#base === null ? 0 : this.#ranks[at]!;
      copyUpTo(rank >>> 1);
      if ((rank & 1) === 1) {
        const before = baseIndex[next++]!;
        if (before !== NO_ENTRY) superseded.push(before);
      }
      const place = places[at]!;
      index[to++] = place;
    }
    copyUpTo(baseIndex.length);
    return {
      index: index.subarray(0, to),
      superseded: Uint32Array.from(superseded).sort(),
    };
  }
}

function bytesOf(files: readonly EntriesFile[]): number {
  return files.reduce((sum, { bytes }) => sum + bytes, 0);
}

function wordsOf({ buffer }: Uint8Array): Uint32Array {
  return new Uint32Array(buffer, 0, buffer.byteLength >>> 2);
}
