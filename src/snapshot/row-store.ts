import { withRoom } from "./growable.ts";

/** A row of a megabyte may become 3 MB of text (Latin-1), and each byte of it a word with a code of five bytes. */
const CHUNK_BITS = 24;
const CHUNK_BYTES = 1 << CHUNK_BITS;
const MAX_BYTES = 2 ** 32 - 2 * CHUNK_BYTES;

/** The rows of an import as columns of numbers, in the order in which they came, and their records one after the other. */
export class RowStore {
  count = 0;
  npi: Uint32Array = new Uint32Array(0);
  kind: Uint8Array = new Uint8Array(0);
  /** Number of the last name or organization name in its interner. */
  name: Uint32Array = new Uint32Array(0);
  first: Uint32Array = new Uint32Array(0);
  taxonomy: Uint32Array = new Uint32Array(0);
  /** Number of the (state, city, ZIP) in the place interner; 0 for a row without a known state. */
  place: Uint32Array = new Uint32Array(0);
  /** Number of the city's spelling in its interner. */
  city: Uint32Array = new Uint32Array(0);
  /** The ZIP plus one of a U.S. address, 0 for none. */
  zip: Uint32Array = new Uint32Array(0);
  /** Index of the file that the row came from. */
  file: Uint16Array = new Uint16Array(0);
  #record: Uint32Array = new Uint32Array(0);
  readonly #chunks: Uint8Array[] = [];
  #end = 0;

  /** Makes room for one more row and for a record of at most `recordBytes`; `append` then adds it. */
  reserve(recordBytes: number): { chunk: Uint8Array; at: number } {
    const row = this.count;
    if (row === this.npi.length) this.#grow();
    if (recordBytes > CHUNK_BYTES)
      throw new RangeError(`A record of ${recordBytes} bytes is too long`);
    if (this.#end > MAX_BYTES)
      throw new RangeError("The records take more than 4 GB");
    const left = this.#chunks.length * CHUNK_BYTES - this.#end;
    if (left < recordBytes) {
      this.#end = this.#chunks.length * CHUNK_BYTES;
      this.#chunks.push(new Uint8Array(CHUNK_BYTES));
    }
    this.#record[row] = this.#end;
    return { chunk: this.#chunks.at(-1)!, at: this.#end % CHUNK_BYTES };
  }

  /** Ends the record of the row just reserved at `end` in its chunk and counts the row. */
  commit(end: number): void {
    this.#end = (this.#chunks.length - 1) * CHUNK_BYTES + end;
    this.count++;
  }

  /** The chunk that holds a row's record. */
  chunkOf(row: number): Uint8Array {
    return this.#chunks[Math.floor(this.#record[row]! / CHUNK_BYTES)]!;
  }

  /** Where a row's record begins in its chunk. */
  recordAt(row: number): number {
    return this.#record[row]! % CHUNK_BYTES;
  }

  /** The most bytes that a row's record may have. */
  recordBytes(row: number): number {
    const end = row + 1 < this.count ? this.#record[row + 1]! : this.#end;
    return end - this.#record[row]!;
  }

  #grow(): void {
    const length = Math.max(1024, this.npi.length * 2);
    this.npi = withRoom(this.npi, length);
    this.kind = withRoom(this.kind, length);
    this.name = withRoom(this.name, length);
    this.first = withRoom(this.first, length);
    this.taxonomy = withRoom(this.taxonomy, length);
    this.place = withRoom(this.place, length);
    this.city = withRoom(this.city, length);
    this.zip = withRoom(this.zip, length);
    this.file = withRoom(this.file, length);
    this.#record = withRoom(this.#record, length);
  }
}
