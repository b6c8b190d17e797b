import { release } from "./once.ts";

const DIGIT_BITS = 11;
const DIGITS = 1 << DIGIT_BITS;

/** Indexes in ascending order of their keys, and the keys in this order. */
export interface SortedKeys {
  order: Uint32Array;
  keys: Uint32Array;
}

/** Sorts the indexes 0 to `count` - 1 by `keys`, ascending; equal keys stay in index order. */
export function orderByKey(keys: Uint32Array, count: number): Uint32Array {
  const sorted = sortByKey(keys, count);
  release(sorted.keys);
  return sorted.order;
}

/**
 * Sorts like orderByKey, and returns the sorted keys, too: reaching for them through the order costs a read from far
 * memory each. Keys move with their indexes, so memory is read in order; digits that all keys share cost no move.
 */
export function sortByKey(keys: Uint32Array, count: number): SortedKeys {
  let order = new Uint32Array(count);
  for (let i = 0; i < count; i++) order[i] = i;
  let sorted: Uint32Array = keys;
  let nextOrder = new Uint32Array(count);
  let nextSorted: Uint32Array = new Uint32Array(count);
  for (let shift = 0; shift < 32; shift += DIGIT_BITS) {
    const next = new Uint32Array(DIGITS + 1);
    for (let i = 0; i < count; i++)
      next[((keys[i]! >>> shift) & (DIGITS - 1)) + 1]!++;
    if (next.includes(count)) continue;
    for (let digit = 0; digit < DIGITS; digit++)
      next[digit + 1]! += next[digit]!;
    for (let i = 0; i < count; i++) {
      const key = sorted[i]!;
      const to = next[(key >>> shift) & (DIGITS - 1)]!++;
      nextOrder[to] = order[i]!;
      nextSorted[to] = key;
    }
    const spare = sorted === keys ? new Uint32Array(count) : sorted;
    [order, nextOrder] = [nextOrder, order];
    [sorted, nextSorted] = [nextSorted, spare];
  }
  release(nextOrder, nextSorted);
  return { order, keys: sorted === keys ? keys.slice(0, count) : sorted };
}

/** Sorts a copy of `order` stably by the keys of its items: to sort by several keys, start with the last one. */
export function sortedBy(
  keys: Uint32Array | Uint8Array,
  order: Uint32Array,
): Uint32Array {
  const sorted = orderByKey(
    order.map((item) => keys[item]!),
    order.length,
  );
  return sorted.map((index) => order[index]!);
}

/** Finds the start of each group 0 to `groups` - 1 among items sorted by group, and the end of the last one. */
export function groupStarts(
  items: Uint32Array,
  groupOf: Uint32Array,
  groups: number,
): Uint32Array {
  const starts = new Uint32Array(groups + 1);
  for (let i = 0; i < items.length; i++) starts[groupOf[items[i]!]! + 1]!++;
  for (let group = 0; group < groups; group++)
    starts[group + 1]! += starts[group]!;
  return starts;
}

/** Returns `items` sorted by `groupOf[item]`, stable; `starts` comes from groupStarts. */
export function orderByGroup(
  items: Uint32Array,
  groupOf: Uint32Array,
  starts: Uint32Array,
): Uint32Array {
  const next = starts.slice();
  const order = new Uint32Array(items.length);
  for (let i = 0; i < items.length; i++) {
    const item = items[i]!;
    order[next[groupOf[item]!]!++] = item;
  }
  return order;
}
