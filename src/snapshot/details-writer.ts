import {
  blobChecksum,
  DETAILS_FILE,
  ENTRY_ALIGNMENT,
  ENTRY_HEADER_BYTES,
  NO_ENTRY,
  type DetailsMetadata,
} from "./details-file.ts";
import { withRoom } from "./growable.ts";
import { orderByKey } from "./radix-sort.ts";
import { SectionWriter } from "./section-writer.ts";

const FLUSH_BYTES = 1 << 22;
const NOTHING = new Uint32Array(0);

/** What is copied from an older details file: its entries, and their places by rank of `npis`, which ascend. */
export interface CopiedEntries {
  npis: Uint32Array;
  index: Uint32Array;
  superseded: Uint32Array;
}

const NOTHING_COPIED: CopiedEntries = {
  npis: NOTHING,
  index: NOTHING,
  superseded: NOTHING,
};

/**
 * Writes a details file while rows arrive, in any order: `begin`, `append` the pieces of the blob, `end`. Of several blobs
 * of one NPI the last one counts. In memory is eight bytes per entry, until `finish`.
 */
export class DetailsWriter implements Disposable {
  readonly #writer: SectionWriter;
  #buffer: Uint8Array = new Uint8Array(FLUSH_BYTES + FLUSH_BYTES / 4);
  #view = new DataView(this.#buffer.buffer);
  /** Where the entry that is being written begins in the buffer, and where it ends so far. */
  #start = 0;
  #end = 0;
  #flushed = 0;
  #npi = 0;
  #npis: Uint32Array = new Uint32Array(0);
  #places: Uint32Array = new Uint32Array(0);
  #count = 0;

  constructor(path: string) {
    this.#writer = new SectionWriter(path, DETAILS_FILE);
    this.#writer.begin("entries", 1);
  }

  /** Takes over bytes of an older file's entries, from their beginning on; before any other entry. */
  copy(bytes: Uint8Array): void {
    this.#writer.append(bytes);
    this.#flushed += bytes.length;
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
    }
    const buffer = this.#buffer;
    const shift = to - start;
    for (let at = start; at < end; at++) buffer[at + shift] = bytes[at]!;
    this.#end = end + shift;
  }

  /** Ends the blob. One without bytes is no entry: the NPI then has no details. */
  end(): void {
    const start = this.#start;
    const blob = start + ENTRY_HEADER_BYTES;
    const length = this.#end - blob;
    if (length === 0) {
      this.#end = start;
      this.#note(NO_ENTRY);
      return;
    }
    this.#view.setUint32(start, this.#npi, true);
    this.#view.setUint32(start + 4, length, true);
    this.#view.setUint32(
      start + 8,
      blobChecksum(this.#buffer, blob, this.#end),
      true,
    );
    while (this.#end % ENTRY_ALIGNMENT !== 0) this.#buffer[this.#end++] = 0;
    this.#note((this.#flushed + start) / ENTRY_ALIGNMENT + 1);
  }

  /**
   * Completes the file for a snapshot with these NPIs, which ascend, and flushes it to the disk. `copied` says what was
   * taken over.
   */
  finish(
    metadata: DetailsMetadata,
    taxonomyNames: Iterable<[code: string, name: string]>,
    npis: Uint32Array,
    copied: CopiedEntries | null,
  ): void {
    this.#flush();
    this.#writer.end();
    const { index, superseded } = this.#index(npis, copied ?? NOTHING_COPIED);
    this.#writer.write("index", index);
    this.#writer.write("superseded", superseded);
    this.#writeJson("taxonomy.names", [...taxonomyNames]);
    this.#writeJson("metadata", metadata);
    this.#writer.finish();
  }

  [Symbol.dispose](): void {
    this.#writer[Symbol.dispose]();
  }

  #writeJson(section: string, value: unknown): void {
    this.#writer.write(
      section,
      new TextEncoder().encode(JSON.stringify(value)),
    );
  }

  #note(place: number): void {
    const at = this.#count++;
    this.#npis = withRoom(this.#npis, this.#count);
    this.#places = withRoom(this.#places, this.#count);
    this.#npis[at] = this.#npi;
    this.#places[at] = place;
  }

  #flush(): void {
    this.#writer.append(this.#buffer.subarray(0, this.#end));
    this.#flushed += this.#end;
    this.#end = 0;
  }

  /** The place of the last entry of each NPI, and the places of all others. */
  #index(
    npis: Uint32Array,
    copied: CopiedEntries,
  ): { index: Uint32Array; superseded: Uint32Array } {
    const order = orderByKey(this.#npis, this.#count);
    const written = this.#npis;
    const places = this.#places;
    const index = new Uint32Array(npis.length);
    const superseded = [...copied.superseded];
    let nextCopied = 0;
    let next = 0;
    for (let rank = 0; rank < npis.length; rank++) {
      const npi = npis[rank]!;
      let place = NO_ENTRY;
      if (copied.npis[nextCopied] === npi) place = copied.index[nextCopied++]!;
      for (; next < order.length && written[order[next]!] === npi; next++) {
        if (place !== NO_ENTRY) superseded.push(place);
        place = places[order[next]!]!;
      }
      index[rank] = place;
    }
    if (nextCopied < copied.npis.length || next < order.length)
      throw new Error("Details are held of an NPI that the snapshot lacks");
    return { index, superseded: Uint32Array.from(superseded).sort() };
  }
}
