import {
  readSupplementaryFile,
  type SupplementaryFile,
  type SupplementarySummary,
} from "../registry/details/supplementary-file.ts";
import type { FileSource } from "../registry/files/file-source.ts";
import { withoutRoom, withRoom } from "../snapshot/bytes/growable.ts";
import { sortByKey } from "../snapshot/bytes/radix-sort.ts";
import { release } from "../snapshot/bytes/release.ts";

const HASH_FACTOR = 0x9e3779b1;

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

/** The slot of an NPI, in a table or filter with this shift. */
export function slotOf(npi: number, shift: number): number {
  return Math.imul(npi, HASH_FACTOR) >>> shift;
}

/** The shift for a table whose length is a power of two. */
export function shiftOf({ length }: Uint32Array): number {
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
