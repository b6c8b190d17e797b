import {
  readSupplementaryFile,
  type SupplementaryFile,
  type SupplementarySummary,
} from "../registry/details/supplementary-file.ts";
import type { RegistryFile } from "../registry/files/open-file.ts";
import { withoutRoom, withRoom } from "../snapshot/bytes/growable.ts";
import { BitSet } from "../snapshot/bytes/bitset.ts";
import { orderByKey } from "../snapshot/bytes/radix-sort.ts";
import { release } from "../snapshot/bytes/release.ts";

const HASH_FACTOR = 0x9e3779b1;
const NOTHING = -1;
/** Bits per slot of a RowFilter. */
const SLOT_BITS = 4;
const FILES_MASK = (1 << SLOT_BITS) - 1;

/**
 * The records of a supplementary file by NPI, in compact memory: about ten bytes per row in addition to the records.
 */
export class SupplementaryRows {
  readonly file: SupplementaryFile;
  readonly summary: SupplementarySummary;
  readonly bytes: Uint8Array;
  /** The start of each row's record, in file order, and the end of the last one. */
  readonly #starts: Uint32Array;
  /** Row numbers ordered by NPI; rows of one NPI in file order. */
  readonly #order: Uint32Array;
  /** The NPIs of the rows in this order. */
  readonly #npis: Uint32Array;
  /** Hash table of the indexes in `#order` at which an NPI starts, plus one. */
  readonly #table: Uint32Array;
  readonly #shift: number;
  /** The indexes in `#order` of the NPIs that `forEachOf` has visited. */
  readonly #visited: BitSet;
  /** What was read ahead last: a compiler could omit reads that nothing uses. */
  lastRead = 0;

  private constructor(
    file: SupplementaryFile,
    summary: SupplementarySummary,
    rows: RowsRead,
  ) {
    const { count } = rows;
    this.file = file;
    this.summary = summary;
    // These stay while the provider rows are read, when an import has most in memory.
    this.#starts = withoutRoom(rows.starts, count + 1);
    this.bytes = withoutRoom(rows.bytes, this.#starts[count]!);
    this.#order = orderByKey(rows.npis, count);
    const npis = this.#order.map((row) => rows.npis[row]!);
    release(rows.npis);
    this.#npis = npis;
    // At most three quarters full: most NPIs that are not in it never get here (RowFilter).
    const bits = Math.max(1, Math.ceil(Math.log2((count * 4) / 3 + 1)));
    this.#shift = 32 - bits;
    this.#table = new Uint32Array(2 ** bits);
    this.#visited = new BitSet(count);
    for (let place = 0; place < count; place++) {
      const npi = npis[place]!;
      if (place > 0 && npis[place - 1] === npi) continue;
      let slot = this.#slot(npi);
      while (this.#table[slot] !== 0)
        slot = (slot + 1) & (this.#table.length - 1);
      this.#table[slot] = place + 1;
    }
  }

  /** Reads a supplementary file of a zip; null if the zip has none. Throws RegistryFileError if it is broken. */
  static async read(
    file: RegistryFile,
    kind: SupplementaryFile,
    signal?: AbortSignal,
  ): Promise<SupplementaryRows | null> {
    const rows = new RowsRead();
    const summary = await readSupplementaryFile(
      file,
      kind,
      (npi, bytes, end) => rows.add(npi, bytes, end),
      signal,
    );
    return summary === null ? null : new SupplementaryRows(kind, summary, rows);
  }

  /** The NPI of each row, ascending. */
  get npis(): Uint32Array {
    return this.#npis;
  }

  /** Whether the file has a row of an NPI. */
  has(npi: number): boolean {
    return this.#find(npi) !== NOTHING;
  }

  /** Calls `visit` with the range in `bytes` of each record of an NPI, in file order. */
  forEachOf(npi: number, visit: (start: number, end: number) => void): void {
    const first = this.#find(npi);
    if (first === NOTHING) return;
    this.#visited.add(first);
    for (let place = first; this.#npis[place] === npi; place++) {
      const row = this.#order[place]!;
      visit(this.#starts[row]!, this.#starts[row + 1]!);
    }
  }

  /**
   * Reads what `forEachOf` will need of the NPIs `npis[0, count)`, which are overwritten: in steps whose reads don't
   * wait for each other.
   */
  readAhead(npis: Uint32Array, count: number): void {
    const [order, starts] = [this.#order, this.#starts];
    let read = 0;
    for (let at = 0; at < count; at++)
      npis[at] = this.#table[this.#slot(npis[at]!)]!;
    for (let at = 0; at < count; at++) {
      const place = Math.max(npis[at]! - 1, 0);
      read ^= this.#npis[place]!;
      npis[at] = order[place]!;
    }
    for (let at = 0; at < count; at++) npis[at] = starts[npis[at]!]!;
    for (let at = 0; at < count; at++) read ^= this.bytes[npis[at]!]!;
    this.lastRead = read;
  }

  /** The NPIs that `forEachOf` has not visited, ascending. */
  *unvisited(): Generator<number> {
    for (let place = 0; place < this.#order.length; place++) {
      const npi = this.#npis[place]!;
      const isFirst = place === 0 || this.#npis[place - 1] !== npi;
      if (isFirst && !this.#visited.has(place)) yield npi;
    }
  }

  /** Frees all memory. */
  forget(): void {
    release(
      this.bytes,
      this.#starts,
      this.#npis,
      this.#order,
      this.#table,
      this.#visited.bits,
    );
  }

  #find(npi: number): number {
    let slot = this.#slot(npi);
    for (;;) {
      const place = this.#table[slot]! - 1;
      if (place === NOTHING || this.#npis[place] === npi) return place;
      slot = (slot + 1) & (this.#table.length - 1);
    }
  }

  #slot(npi: number): number {
    return Math.imul(npi, HASH_FACTOR) >>> this.#shift;
  }
}

/**
 * Says which of up to four files may have rows of an NPI: one look at little memory, instead of one at the table of
 * each file. A Bloom filter with a single hash, with four to eight slots per row.
 */
export class RowFilter {
  /** Two slots per byte, with one bit per file. */
  readonly #slots: Uint8Array;
  readonly #shift: number;
  #ahead = new Uint32Array(0);

  constructor(files: readonly SupplementaryRows[]) {
    if (files.length > SLOT_BITS) throw new Error("A slot has four bits");
    const rows = files.reduce((sum, { npis }) => sum + npis.length, 0);
    const bits = Math.max(1, Math.ceil(Math.log2(rows * 4 + 1)));
    this.#shift = 32 - bits;
    this.#slots = new Uint8Array(2 ** (bits - 1));
    files.forEach(({ npis }, file) => {
      for (const npi of npis) {
        const slot = this.#slot(npi);
        this.#slots[slot >>> 1]! |= 1 << ((slot & 1) * SLOT_BITS + file);
      }
    });
  }

  /** A bit for each file, by its index: 0 if it has no row of the NPI. */
  filesOf(npi: number): number {
    const slot = this.#slot(npi);
    return (this.#slots[slot >>> 1]! >>> ((slot & 1) * SLOT_BITS)) & FILES_MASK;
  }

  /** Reads what `filesOf`, and then `forEachOf` of the same files, will need of NPIs. */
  readAhead(npis: Uint32Array, files: readonly SupplementaryRows[]): void {
    if (this.#ahead.length < npis.length)
      this.#ahead = new Uint32Array(npis.length);
    files.forEach((rows, file) => {
      let count = 0;
      for (let at = 0; at < npis.length; at++) {
        const npi = npis[at]!;
        this.#ahead[count] = npi;
        count += (this.filesOf(npi) >>> file) & 1;
      }
      rows.readAhead(this.#ahead, count);
    });
  }

  #slot(npi: number): number {
    return Math.imul(npi, HASH_FACTOR) >>> this.#shift;
  }
}

/** Collects rows while the file is read. */
class RowsRead {
  count = 0;
  bytes: Uint8Array = new Uint8Array(0);
  npis: Uint32Array = new Uint32Array(0);
  starts: Uint32Array = new Uint32Array(1);

  add(npi: number, record: Uint8Array, length: number): void {
    const row = this.count++;
    const start = this.starts[row]!;
    const end = start + length;
    this.bytes = withRoom(this.bytes, end);
    for (let at = 0; at < length; at++) this.bytes[start + at] = record[at]!;
    this.npis = withRoom(this.npis, this.count);
    this.npis[row] = npi;
    this.starts = withRoom(this.starts, this.count + 1);
    this.starts[row + 1] = end;
  }
}
