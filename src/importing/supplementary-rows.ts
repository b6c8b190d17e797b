import type {
  SupplementaryFile,
  SupplementarySummary,
} from "../registry/details/supplementary-file.ts";
import { BitSet } from "../snapshot/bytes/bitset.ts";
import { release } from "../snapshot/bytes/release.ts";
import { shiftOf, slotOf, type SortedRows } from "./sorted-rows.ts";

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
  readonly #starts: Uint32Array;
  readonly #order: Uint32Array;
  readonly #npis: Uint32Array;
  readonly #table: Uint32Array;
  readonly #shift: number;
  /** The indexes in `#order` of the NPIs that `forEachOf` has visited. */
  readonly #visited: BitSet;
  /** What was read ahead last: a compiler could omit reads that nothing uses. */
  lastRead = 0;

  constructor(
    file: SupplementaryFile,
    { bytes, npis, order, starts, summary, table }: SortedRows,
  ) {
    this.file = file;
    this.summary = summary;
    this.bytes = bytes;
    this.#starts = starts;
    this.#order = order;
    this.#npis = npis;
    this.#table = table;
    this.#shift = shiftOf(table);
    this.#visited = new BitSet(npis.length);
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
    return slotOf(npi, this.#shift);
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
    return slotOf(npi, this.#shift);
  }
}
