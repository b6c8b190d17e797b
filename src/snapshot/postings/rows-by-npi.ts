import { sortByKey } from "../bytes/radix-sort.ts";
import { release } from "../bytes/release.ts";

/** Rows by NPI. Of several with the same one, the last counts. */
export interface RowsByNpi {
  /** The last row of each NPI, in ascending order of NPI. */
  readonly last: Uint32Array;
  /** All other rows. */
  readonly replaced: readonly number[];
}

/** Sorts the rows 0 to `count` - 1 by their NPIs. */
export function rowsByNpi(npis: Uint32Array, count: number): RowsByNpi {
  const { keys, order } = sortByKey(npis, count);
  const replaced: number[] = [];
  let kept = 0;
  for (let i = 0; i < count; i++) {
    const row = order[i]!;
    if (i + 1 === count || keys[i + 1] !== keys[i]) order[kept++] = row;
    else replaced.push(row);
  }
  release(keys);
  return { last: order.subarray(0, kept), replaced };
}
