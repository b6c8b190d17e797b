/** The index of the first value ≥ `value` in `values[from, to)`, which ascend; `to` when there is none. */
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

/** The distinct values of an array, ascending, in the same array. */
export function sortedDistinct(values: Uint32Array): Uint32Array {
  values.sort();
  let kept = 0;
  for (let i = 0; i < values.length; i++) {
    if (i === 0 || values[i] !== values[i - 1]) values[kept++] = values[i]!;
  }
  return values.subarray(0, kept);
}
