import {
  readSupplementaryFile,
  type SupplementaryFile,
  type SupplementarySummary,
} from "../registry/details/supplementary-file.ts";
import type { FileSource } from "../registry/files/file-source.ts";
import { BitSet } from "../snapshot/bytes/bitset.ts";
import { withoutRoom, withRoom } from "../snapshot/bytes/growable.ts";
import { sortByKey } from "../snapshot/bytes/radix-sort.ts";
import { release } from "../snapshot/bytes/once.ts";

const HASH_FACTOR = 0x9e3779b1;
const NOTHING = -1;
/** Bits per slot of a RowFilter. */
const SLOT_BITS = 4;
const FILES_MASK = (1 << SLOT_BITS) - 1;

/** The rows of a supplementary file, sorted by NPI: plain data that can be sent from a thread. */
export interface SortedRows {
  readonly summary: SupplementarySummary;
  /** The records, in file order. */
  readonly bytes: Uint8Array;
  /** The start of each row's record, in file order, and the end of the last one. */
  readonly starts: Uint32Array;
  /** Row numbers ordered by NPI; rows of one NPI in file order. */
  readonly order: Uint32Array;
  /** The NPIs of the rows in this order. */
  readonly npis: Uint32Array;
  /** Hash table of the indexes in `order` at which an NPI starts, plus one. */
  readonly table: Uint32Array;
}

/** Reads and sorts a supplementary file. Throws RegistryFileError if it is broken. */
export async function readSorted(
  source: FileSource,
  kind: SupplementaryFile,
  signal?: AbortSignal,
): Promise<SortedRows> {
  const rows = new RowsRead();
  const summary = await readSupplementaryFile(
    source,
    kind,
    (npi, bytes, start, end) => rows.add(npi, bytes, start, end),
    signal,
  );
  return rows.sorted(summary);
}

/** Returns the slot of an NPI, in a table or filter with this shift. */
function slotOf(npi: number, shift: number): number {
  return Math.imul(npi, HASH_FACTOR) >>> shift;
}

/** Returns the shift for a table whose length is a power of two. */
function shiftOf({ length }: Uint32Array): number {
  return 32 - Math.log2(length);
}

/** Collects rows while the file is read. */
class RowsRead {
  count = 0;
  bytes: Uint8Array = new Uint8Array(0);
  npis: Uint32Array = new Uint32Array(0);
  starts: Uint32Array = new Uint32Array(1);

  add(npi: number, source: Uint8Array, from: number, to: number): void {
    const row = this.count++;
    const start = this.starts[row]!;
    const end = start + to - from;
    this.bytes = withRoom(this.bytes, end);
    for (let at = start; at < end; at++)
      this.bytes[at] = source[from + at - start]!;
    this.npis = withRoom(this.npis, this.count);
    this.npis[row] = npi;
    this.starts = withRoom(this.starts, this.count + 1);
    this.starts[row + 1] = end;
  }

  /** Frees what the result does not have. */
  sorted(summary: SupplementarySummary): SortedRows {
    const { count } = this;
    // These stay while the provider rows are read, when an import has most in memory.
    const starts = withoutRoom(this.starts, count + 1);
    const bytes = withoutRoom(this.bytes, starts[count]!);
    const { keys: npis, order } = sortByKey(this.npis, count);
    release(this.npis);
    // At most three quarters full: most NPIs that are not in it never get here (RowFilter).
    const bits = Math.max(1, Math.ceil(Math.log2((count * 4) / 3 + 1)));
    const table = new Uint32Array(2 ** bits);
    const shift = shiftOf(table);
    for (let place = 0; place < count; place++) {
      const npi = npis[place]!;
      if (place > 0 && npis[place - 1] === npi) continue;
      let slot = slotOf(npi, shift);
      while (table[slot] !== 0) slot = (slot + 1) & (table.length - 1);
      table[slot] = place + 1;
    }
    return { summary, bytes, starts, order, npis, table };
  }
}

/**
 * The records of a supplementary file by NPI, in compact memory: about ten bytes per row in addition to the records.
 */
export class SupplementaryRows {
  readonly file: SupplementaryFile;
  readonly #rows: SortedRows;
  readonly #shift: number;
  /** The places in the order at which NPIs start that `forEachOf` has visited. */
  readonly #visited: BitSet;
  /** The value that was read ahead last: a compiler could omit reads that nothing uses. */
  lastRead = 0;

  constructor(file: SupplementaryFile, rows: SortedRows) {
    this.file = file;
    this.#rows = rows;
    this.#shift = shiftOf(rows.table);
    this.#visited = new BitSet(rows.npis.length);
  }

  get summary(): SupplementarySummary {
    return this.#rows.summary;
  }

  get bytes(): Uint8Array {
    return this.#rows.bytes;
  }

  /** The NPI of each row, ascending. */
  get npis(): Uint32Array {
    return this.#rows.npis;
  }

  /** True if the file has a row of an NPI. */
  has(npi: number): boolean {
    return this.#find(npi) !== NOTHING;
  }

  /** Calls `visit` with the range in `bytes` of each record of an NPI, in file order. */
  forEachOf(npi: number, visit: (start: number, end: number) => void): void {
    const first = this.#find(npi);
    if (first === NOTHING) return;
    this.#visited.add(first);
    const { npis, order, starts } = this.#rows;
    for (let place = first; npis[place] === npi; place++) {
      const row = order[place]!;
      visit(starts[row]!, starts[row + 1]!);
    }
  }

  /**
   * Reads what `forEachOf` will need of the NPIs `npis[0, count)`, which are overwritten: in steps whose reads don't
   * wait for each other.
   */
  readAhead(npis: Uint32Array, count: number): void {
    const { bytes, npis: sorted, order, starts, table } = this.#rows;
    let read = 0;
    for (let at = 0; at < count; at++)
      npis[at] = table[slotOf(npis[at]!, this.#shift)]!;
    for (let at = 0; at < count; at++) {
      const place = Math.max(npis[at]! - 1, 0);
      read ^= sorted[place]!;
      npis[at] = order[place]!;
    }
    for (let at = 0; at < count; at++) npis[at] = starts[npis[at]!]!;
    for (let at = 0; at < count; at++) read ^= bytes[npis[at]!]!;
    this.lastRead = read;
  }

  /** Yields the NPIs that `forEachOf` has not visited, ascending. */
  *unvisited(): Generator<number> {
    const { npis } = this.#rows;
    for (const [place, npi] of npis.entries())
      if (npis[place - 1] !== npi && !this.#visited.has(place)) yield npi;
  }

  /** Frees all memory. */
  forget(): void {
    const { bytes, npis, order, starts, table } = this.#rows;
    release(bytes, starts, npis, order, table, this.#visited.bits);
  }

  #find(npi: number): number {
    const { npis, table } = this.#rows;
    let slot = slotOf(npi, this.#shift);
    for (;;) {
      const place = table[slot]! - 1;
      if (place === NOTHING || npis[place] === npi) return place;
      slot = (slot + 1) & (table.length - 1);
    }
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
        const slot = slotOf(npi, this.#shift);
        this.#slots[slot >>> 1]! |= 1 << ((slot & 1) * SLOT_BITS + file);
      }
    });
  }

  /** Returns a bit for each file, by its index: 0 if it has no row of the NPI. */
  filesOf(npi: number): number {
    const slot = slotOf(npi, this.#shift);
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
}
