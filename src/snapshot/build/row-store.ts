import { release } from "../bytes/release.ts";

const CHUNK_BITS = 24;
/** A row of a megabyte may become 3 MB of text (Latin-1), and each byte of it a word with a code of five bytes. */
const CHUNK_BYTES = 1 << CHUNK_BITS;
/** Addresses count four bytes, so that 32 bits reach over 16 GB. */
const CHUNK_INTS = CHUNK_BYTES / 4;
const MOST_CHUNKS = 2 ** 32 / CHUNK_INTS;
const SEGMENT_BITS = 16;
const SEGMENT_ROWS = 1 << SEGMENT_BITS;

/** The numbers at the beginning of a row's entry, four bytes each; its record follows them. */
export const Entry = {
  npi: 0,
  /** Number of the last name or organization name in its interner. */
  name: 1,
  first: 2,
  /** Number of the (state, city's spelling, ZIP) in its interner. */
  place: 3,
  /** Number of the taxonomy in the low 16 bits, and above them the index of the file that the row came from. */
  taxonomyAndFile: 4,
  /** The record's bytes, times eight, and the kind (kinds.ts). */
  lengthAndKind: 5,
} as const;
export const ENTRY_NUMBERS = 6;

/** A piece of the store's memory, as numbers and as bytes. */
export interface RowChunk {
  numbers: Uint32Array;
  bytes: Uint8Array;
}

/**
 * The rows of an import in the order in which they came: a few numbers and a record each, in one entry, so that a row
 * is met in one place of the memory when the rows are laid out in another order. Memory is taken in chunks and never moved.
 */
export class RowStore {
  count = 0;
  readonly #chunks: RowChunk[] = [];
  /** The addresses of the entries by row, a segment for each 65,536 rows. */
  #addresses: Uint32Array[] = [];
  /** Where in the last chunk the next entry begins, in numbers. */
  #next = CHUNK_INTS;

  /** Adds a row whose record is `record[0, length)`. */
  add(
    npi: number,
    kind: number,
    name: number,
    first: number,
    taxonomy: number,
    place: number,
    file: number,
    record: Uint8Array,
    length: number,
  ): void {
    const needed = ENTRY_NUMBERS + ((length + 3) >>> 2);
    if (needed > CHUNK_INTS)
      throw new RangeError(`A record of ${length} bytes is too long`);
    if (this.#next + needed > CHUNK_INTS) this.#addChunk();
    const { bytes, numbers } = this.#chunks.at(-1)!;
    const at = this.#next;
    numbers[at + Entry.npi] = npi;
    numbers[at + Entry.name] = name;
    numbers[at + Entry.first] = first;
    numbers[at + Entry.place] = place;
    numbers[at + Entry.taxonomyAndFile] = (taxonomy & 0xffff) | (file << 16);
    numbers[at + Entry.lengthAndKind] = (length << 3) | kind;
    let to = (at + ENTRY_NUMBERS) * 4;
    for (let from = 0; from < length; from++) bytes[to++] = record[from]!;
    this.#next = at + needed;
    if (this.count % SEGMENT_ROWS === 0)
      this.#addresses.push(new Uint32Array(SEGMENT_ROWS));
    this.#addresses[this.count >>> SEGMENT_BITS]![this.count % SEGMENT_ROWS] =
      (this.#chunks.length - 1) * CHUNK_INTS + at;
    this.count++;
  }

  /** Where a row's entry begins: see `chunkOf` and `placeIn`. */
  addressOf(row: number): number {
    return this.#addresses[row >>> SEGMENT_BITS]![row % SEGMENT_ROWS]!;
  }

  /** The chunk that holds the entry at an address, and where in its `numbers` the entry begins. */
  chunkOf(address: number): RowChunk {
    return this.#chunks[Math.floor(address / CHUNK_INTS)]!;
  }

  placeIn(address: number): number {
    return address % CHUNK_INTS;
  }

  /** One of the entries' numbers, by row. */
  column(which: number): Uint32Array {
    const column = new Uint32Array(this.count);
    for (let row = 0; row < this.count; row++) {
      const address = this.addressOf(row);
      column[row] =
        this.#chunks[Math.floor(address / CHUNK_INTS)]!.numbers[
          (address % CHUNK_INTS) + which
        ]!;
    }
    return column;
  }

  /** Turns rows into the addresses of their entries, in place, and forgets what rows are: the memory of that is needed elsewhere. */
  toAddresses(rows: Uint32Array): Uint32Array {
    for (let i = 0; i < rows.length; i++) rows[i] = this.addressOf(rows[i]!);
    this.#addresses = [];
    return rows;
  }

  /** Gives all memory back. */
  clear(): void {
    for (const { bytes } of this.#chunks) release(bytes);
    this.#chunks.length = 0;
  }

  #addChunk(): void {
    if (this.#chunks.length === MOST_CHUNKS)
      throw new RangeError("The rows take more than 16 GB");
    const buffer = new ArrayBuffer(CHUNK_BYTES);
    this.#chunks.push({
      numbers: new Uint32Array(buffer),
      bytes: new Uint8Array(buffer),
    });
    this.#next = 0;
  }
}
