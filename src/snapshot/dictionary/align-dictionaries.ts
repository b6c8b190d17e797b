import type { Dictionary } from "./dictionary.ts";

/** Stands for what only one of two snapshots has. */
const NOWHERE = 0xffff_ffff;

/** Per number of a dictionary the number of the same entry in another one; both are in the order of their bytes. */
export function numbersIn(other: Dictionary, own: Dictionary): Uint32Array {
  const numbers = new Uint32Array(own.count + 1).fill(NOWHERE);
  numbers[0] = 0;
  let next = 1;
  for (let number = 1; number <= own.count; number++) {
    let order = -1;
    while (next <= other.count && order < 0) {
      order = compareEntries(other, next, own, number);
      if (order < 0) next++;
    }
    if (order === 0) numbers[number] = next;
  }
  return numbers;
}

function compareEntries(
  a: Dictionary,
  i: number,
  b: Dictionary,
  j: number,
): number {
  const aBytes = a.bytes;
  const bBytes = b.bytes;
  let at = a.offsets[i]!;
  let bAt = b.offsets[j]!;
  const end = a.offsets[i + 1]!;
  const bEnd = b.offsets[j + 1]!;
  for (; at < end && bAt < bEnd; at++, bAt++) {
    const order = aBytes[at]! - bBytes[bAt]!;
    if (order !== 0) return order;
  }
  return end - at - (bEnd - bAt);
}
