import {
  Entity,
  Text,
  type ProviderRow,
} from "../../registry/rows/provider-row.ts";
import { ByteInterner } from "../bytes/byte-interner.ts";
import { release } from "../bytes/once.ts";
import { middleInitial } from "../names/middle-initials.ts";
import { kindOf } from "../postings/kinds.ts";
import { rowsByNpi, type RowsByNpi } from "../postings/npi-index.ts";
import { RecordEncoder, RecordWords } from "../records/record-encoder.ts";

/** Four bytes for the city's number, and four for the ZIP plus one with the state's number above it. */
const KEY_BYTES = 8;
const ZIP_BITS = 17;
const ZIP_MASK = (1 << ZIP_BITS) - 1;

const CHUNK_BITS = 24;
/** A row of 1 MB can become 3 MB of text (from Latin-1), each byte of it a word with a five-byte code. */
const CHUNK_BYTES = 1 << CHUNK_BITS;
/** Addresses count units of four bytes, so 32 bits reach 16 GB. */
const CHUNK_INTS = CHUNK_BYTES / 4;
const MAX_CHUNKS = 2 ** 32 / CHUNK_INTS;
const SEGMENT_BITS = 16;
const SEGMENT_ROWS = 1 << SEGMENT_BITS;

/** The numbers at the start of a row's entry, four bytes each. The record follows. */
export const Entry = {
  npi: 0,
  /** Number of the last name or organization name in its interner. */
  name: 1,
  first: 2,
  /** Number of the (state, city spelling, ZIP) in its interner. */
  place: 3,
  /** The taxonomy's number in the low 16 bits; above it, the index of the row's file. */
  taxonomyAndFile: 4,
  /** The kind (kinds.ts) in the low 3 bits, the record's length in bytes in 24, and the middle initial in 5. */
  kindLengthInitial: 5,
} as const;
export const ENTRY_NUMBERS = 6;
const KIND_BITS = 3;
/** No record is longer than a chunk. */
const LENGTH_BITS = CHUNK_BITS;

/** Unpacks the kind from `kindLengthInitial`; the next two, the other parts. */
export function kindIn(packed: number): number {
  return packed & ((1 << KIND_BITS) - 1);
}

export function lengthIn(packed: number): number {
  return (packed >>> KIND_BITS) & ((1 << LENGTH_BITS) - 1);
}

export function initialIn(packed: number): number {
  return packed >>> (KIND_BITS + LENGTH_BITS);
}

/** A chunk of the store's memory, as numbers and as bytes. */
interface RowChunk {
  numbers: Uint32Array;
  bytes: Uint8Array;
}

/**
 * A snapshot under construction: rows as numbers, and each distinct text once. Rows can be added in any order; the last
 * row added for an NPI wins.
 */
export class SnapshotDraft {
  readonly rows = new RowStore();
  readonly lastNames = new ByteInterner();
  readonly organizations = new ByteInterner();
  readonly firstNames = new ByteInterner();
  readonly taxonomies = new ByteInterner();
  /** City spellings. */
  readonly cities = new ByteInterner();
  readonly places = new SpelledPlaces();
  readonly words = new RecordWords();
  readonly #encoder = new RecordEncoder(this.words);

  /**
   * Adds a row from the file with index `file`. `isCarriedOver`: the registry now withholds the details, and `file` is
   * the one with the deactivation.
   */
  add(row: ProviderRow, file: number, detailsFile: number | null = null): void {
    const isPerson = row.entityType === Entity.individual;
    const name = isPerson
      ? intern(this.lastNames, row, Text.last)
      : intern(this.organizations, row, Text.organization);
    const first = isPerson ? intern(this.firstNames, row, Text.first) : 0;
    const { bytes, end, start } = row;
    const initial = isPerson
      ? middleInitial(bytes, start[Text.middle]!, end[Text.middle]!)
      : 0;
    const taxonomy = intern(this.taxonomies, row, Text.taxonomy);
    const city = intern(this.cities, row, Text.city);
    const place = this.places.number(row.state, city, row.zip + 1);
    const length = this.#encoder.encode(row, detailsFile);
    this.rows.add(
      row.npi,
      kindOf(row.entityType, row.deactivated),
      name,
      first,
      initial,
      taxonomy,
      place,
      file,
      this.#encoder.bytes,
      length,
    );
  }

  /** Frees the memory that only adding needs. No more rows can be added. */
  close(): void {
    const { cities, firstNames, lastNames, organizations, taxonomies } = this;
    for (const texts of [
      cities,
      firstNames,
      lastNames,
      organizations,
      taxonomies,
    ])
      texts.close();
    this.places.close();
    this.words.close();
  }
}

function intern(
  interner: ByteInterner,
  row: ProviderRow,
  text: number,
): number {
  return interner.intern(row.bytes, row.start[text]!, row.end[text]!);
}

/**
 * Numbers the distinct (state, city spelling, ZIP) of rows from 1. Several can become one place of the snapshot,
 * because places use compared cities, not spellings.
 */
class SpelledPlaces {
  readonly #interner = new ByteInterner();
  readonly #key = new Uint8Array(KEY_BYTES);
  readonly #keyView = new DataView(this.#key.buffer);

  /** The number of numbers that are used, including 0 for none. */
  get size(): number {
    return this.#interner.size;
  }

  /** Returns the number for a state's number, a city spelling's number and a ZIP plus one, each 0 for none. */
  number(state: number, city: number, zip: number): number {
    if (state === 0 && city === 0 && zip === 0) return 0;
    this.#keyView.setUint32(0, city, true);
    this.#keyView.setUint32(4, (state << ZIP_BITS) | zip, true);
    return this.#interner.intern(this.#key, 0, KEY_BYTES);
  }

  /** Returns state, city and ZIP by number. */
  columns(): { state: Uint8Array; city: Uint32Array; zip: Uint32Array } {
    const { arena, size } = this.#interner;
    const view = new DataView(arena.buffer, arena.byteOffset);
    const state = new Uint8Array(size);
    const city = new Uint32Array(size);
    const zip = new Uint32Array(size);
    for (let place = 1; place < size; place++) {
      const at = (place - 1) * KEY_BYTES;
      const stateAndZip = view.getUint32(at + 4, true);
      city[place] = view.getUint32(at, true);
      state[place] = stateAndZip >>> ZIP_BITS;
      zip[place] = stateAndZip & ZIP_MASK;
    }
    return { state, city, zip };
  }

  /** Frees the memory that only `number` needs. `number` must not be called afterwards. */
  close(): void {
    this.#interner.close();
  }
}

/**
 * The rows of an import in order of arrival. Each row's numbers and record are in one entry, so laying out rows in
 * another order touches memory once per row. Memory is allocated in chunks and never moved.
 */
class RowStore {
  count = 0;
  readonly #chunks: RowChunk[] = [];
  /** Entry addresses by row, in segments of 65,536 rows. */
  #addresses: Uint32Array[] = [];
  /** The start of the next entry in the last chunk, in numbers. */
  #next = CHUNK_INTS;
  #byNpi: RowsByNpi | null = null;

  /** Adds a row whose record is `record[0, length)`. */
  add(
    npi: number,
    kind: number,
    name: number,
    first: number,
    initial: number,
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
    numbers[at + Entry.kindLengthInitial] =
      (initial << (KIND_BITS + LENGTH_BITS)) | (length << KIND_BITS) | kind;
    let to = (at + ENTRY_NUMBERS) * 4;
    for (let from = 0; from < length; from++) bytes[to++] = record[from]!;
    this.#next = at + needed;
    if (this.count % SEGMENT_ROWS === 0)
      this.#addresses.push(new Uint32Array(SEGMENT_ROWS));
    this.#addresses[this.count >>> SEGMENT_BITS]![this.count % SEGMENT_ROWS] =
      (this.#chunks.length - 1) * CHUNK_INTS + at;
    this.count++;
  }

  /** Address of a row's entry: see `chunkOf` and `placeIn`. */
  addressOf(row: number): number {
    return this.#addresses[row >>> SEGMENT_BITS]![row % SEGMENT_ROWS]!;
  }

  /** Returns the chunk with the entry at an address. */
  chunkOf(address: number): RowChunk {
    return this.#chunks[Math.floor(address / CHUNK_INTS)]!;
  }

  placeIn(address: number): number {
    return address % CHUNK_INTS;
  }

  /** Collects one of the entry numbers of all rows. */
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

  /** Orders all rows by NPI, once no more are added. Only the first call sorts. */
  byNpi(): RowsByNpi {
    if (this.#byNpi === null) {
      const npis = this.column(Entry.npi);
      this.#byNpi = rowsByNpi(npis, this.count);
      release(npis);
    }
    return this.#byNpi;
  }

  /** Replaces rows with the addresses of their entries, in place, and frees the row table. */
  toAddresses(rows: Uint32Array): Uint32Array {
    for (let i = 0; i < rows.length; i++) rows[i] = this.addressOf(rows[i]!);
    this.#addresses = [];
    this.#byNpi = null;
    return rows;
  }

  /** Frees all memory. */
  clear(): void {
    for (const { bytes } of this.#chunks) release(bytes);
    this.#chunks.length = 0;
  }

  #addChunk(): void {
    if (this.#chunks.length === MAX_CHUNKS)
      throw new RangeError("The rows need more than 16 GB");
    const buffer = new ArrayBuffer(CHUNK_BYTES);
    this.#chunks.push({
      numbers: new Uint32Array(buffer),
      bytes: new Uint8Array(buffer),
    });
    this.#next = 0;
  }
}
