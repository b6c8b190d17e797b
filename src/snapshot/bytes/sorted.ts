/** Finds the index of the first value ≥ `value` in the ascending `values[from, to)`; `to` if there is none. */
export function lowerBound(
  values: Uint32Array,
  value: number,
  from = 0,
  to: number = values.length,
): number {
  let low = from;
  let high = to;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (values[middle]! < value) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Finds the first of 0 to `count` - 1 that `isBefore` is false for, as for all that follow; `count` if none is. */
export function firstNotBefore(
  count: number,
  isBefore: (at: number) => boolean,
): number {
  let low = 0;
  let high = count;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (isBefore(middle)) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Finds the index of a value in an ascending array, or -1. */
export function indexIn(values: Uint32Array, value: number): number {
  const index = lowerBound(values, value);
  return values[index] === value ? index : -1;
}

/** Returns the distinct values of an array, ascending, in the same array. */
export function sortedDistinct(values: Uint32Array): Uint32Array {
  values.sort();
  let kept = 0;
  for (let i = 0; i < values.length; i++) {
    if (i === 0 || values[i] !== values[i - 1]) values[kept++] = values[i]!;
  }
  return values.subarray(0, kept);
}

/** Intersects two ascending lists, in the first one's array. */
export function inBoth(some: Uint32Array, others: Uint32Array): Uint32Array {
  let count = 0;
  let j = 0;
  for (let i = 0; i < some.length; i++) {
    const value = some[i]!;
    while (j < others.length && others[j]! < value) j++;
    if (others[j] === value) some[count++] = value;
  }
  return some.subarray(0, count);
}

/**
 * Returns the values of an ascending list that are not in `some`, an ascending part of it, in its array. Values are
 * less than 2³¹.
 */
export function without(all: Uint32Array, some: Uint32Array): Uint32Array {
  let count = 0;
  let j = 0;
  // No branch depends on the values.
  for (let i = 0; i < all.length; i++) {
    const value = all[i]!;
    all[count] = value;
    const ahead = (some[j] ?? value + 1) - value;
    const isOther = -ahead >>> 31;
    count += isOther;
    j += 1 - isOther;
  }
  return all.subarray(0, count);
}
