import type { BitSet } from "../../snapshot/bytes/bitset.ts";
import type { NumberRange } from "../../snapshot/dictionary/dictionary.ts";
import type { Postings } from "../../snapshot/postings/postings.ts";
import type { NumberedDocs } from "./namesakes.ts";

/** How many documents of a set have the numbers of a range. */
export function countMembers(
  { items, starts }: Postings,
  { bits }: BitSet,
  { from, to }: NumberRange,
): number {
  const end = starts[to]!;
  let count = 0;
  for (let at = starts[from]!; at < end; at++) {
    const doc = items[at]!;
    count += (bits[doc >>> 5]! >>> (doc & 31)) & 1;
  }
  return count;
}

/** The documents of a set, at most `most`, with numbers in ascending ranges. */
export function membersOf(
  { items, starts }: Postings,
  { bits }: BitSet,
  ranges: readonly NumberRange[],
  most: number,
): NumberedDocs {
  const docs = new Uint32Array(most);
  const numbers = new Uint32Array(most);
  let count = 0;
  for (const { from, to } of ranges) {
    for (let number = from; number < to; number++) {
      for (let at = starts[number]!; at < starts[number + 1]!; at++) {
        const doc = items[at]!;
        if (((bits[doc >>> 5]! >>> (doc & 31)) & 1) === 0) continue;
        docs[count] = doc;
        numbers[count++] = number;
      }
    }
  }
  return { docs: docs.subarray(0, count), numbers: numbers.subarray(0, count) };
}
