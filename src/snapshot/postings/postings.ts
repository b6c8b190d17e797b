import type { PostingsSections } from "../container/descriptors.ts";
import type { ArraysOf } from "../container/section.ts";

/**
 * Postings (FORMAT.md, "Postings"): per number from 1 to `count`, the items that have it, ascending:
 * `items[starts[number], starts[number + 1])`. Number 0 ("none") has no list.
 */
export type Postings = Readonly<ArraysOf<PostingsSections>>;

/** Groups the items 0, 1, 2, … by number; `count` is the greatest number. */
export function groupItems(
  numbers: Uint32Array | Uint16Array,
  count: number,
): Postings {
  const starts = new Uint32Array(count + 2);
  for (let item = 0; item < numbers.length; item++) {
    const number = numbers[item]!;
    if (number !== 0) starts[number + 1]!++;
  }
  for (let number = 1; number <= count + 1; number++)
    starts[number]! += starts[number - 1]!;
  const items = new Uint32Array(starts[count + 1]!);
  const next = starts.slice();
  for (let item = 0; item < numbers.length; item++) {
    const number = numbers[item]!;
    if (number !== 0) items[next[number]!++] = item;
  }
  return { starts, items };
}

/**
 * Groups items by the index, from 1, of their values in an ascending list of small numbers such as ZIPs. Values that
 * are not in it have no group.
 */
export function groupValues(
  values: Uint32Array,
  distinct: Uint32Array,
): Postings {
  const numberOf = new Uint32Array((distinct.at(-1) ?? 0) + 1);
  distinct.forEach((value, index) => {
    numberOf[value] = index + 1;
  });
  const numbers = values.map((value) => numberOf[value] ?? 0);
  return groupItems(numbers, distinct.length);
}

/** Returns the list of one number. */
export function itemsOf(postings: Postings, number: number): Uint32Array {
  return postings.items.subarray(
    postings.starts[number],
    postings.starts[number + 1],
  );
}
