/** The index of the first value ≥ `value` in the ascending `values[from, to)`; `to` if there is none. */
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

/** The index of a value in an ascending array, or -1. */
export function indexIn(values: Uint32Array, value: number): number {
  const index = lowerBound(values, value);
  return values[index] === value ? index : -1;
}

/** The distinct values of an array, ascending, in the same array. */
export function sortedDistinct(values: Uint32Array): Uint32Array {
  values.sort();
  let kept = 0;
  for (let i = 0; i < values.length; i++) {
    if (i === 0 || values[i] !== values[i - 1]) values[kept++] = values[i]!;
  }
  return values.subarray(0, kept);
}

/** The intersection of two ascending lists, in the first one's array. */
export function inBoth(some: Uint32Array, others: Uint32Array): Uint32Array {
  return compared(some, others, true);
}

/** The values of an ascending list that are not in the other one, in the first one's array. */
export function without(some: Uint32Array, others: Uint32Array): Uint32Array {
  return compared(some, others, false);
}

function compared(
  some: Uint32Array,
  others: Uint32Array,
  isShared: boolean,
): Uint32Array {
  let count = 0;
  let j = 0;
  for (let i = 0; i < some.length; i++) {
    const value = some[i]!;
    while (j < others.length && others[j]! < value) j++;
    if ((others[j] === value) === isShared) some[count++] = value;
  }
  return some.subarray(0, count);
}
