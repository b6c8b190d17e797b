/** Below this many strings, comparing whole strings is cheaper than partitioning by one byte. */
const SMALL = 16;

/**
 * Sorts `ids` by the bytes of their strings; a prefix sorts first. String `id` is `arena[offsets[id], offsets[id +
 * 1])`. Three-way radix quicksort (Bentley and Sedgewick): each distinguishing byte is read about once.
 */
export function sortByBytes(
  ids: Uint32Array,
  arena: Uint8Array,
  offsets: Uint32Array,
): void {
  const pending: number[] = [0, ids.length, 0];
  while (pending.length > 0) {
    const depth = pending.pop()!;
    const high = pending.pop()!;
    const low = pending.pop()!;
    if (high - low <= SMALL) {
      insertionSort(ids, low, high, depth, arena, offsets);
      continue;
    }
    const pivot = middle(
      byteAt(ids[low]!, depth, arena, offsets),
      byteAt(ids[(low + high) >>> 1]!, depth, arena, offsets),
      byteAt(ids[high - 1]!, depth, arena, offsets),
    );
    let below = low;
    let above = high;
    for (let i = low; i < above;) {
      const byte = byteAt(ids[i]!, depth, arena, offsets);
      if (byte < pivot) swap(ids, below++, i++);
      else if (byte > pivot) swap(ids, i, --above);
      else i++;
    }
    pending.push(low, below, depth, above, high, depth);
    if (pivot >= 0) pending.push(below, above, depth + 1);
  }
}

/** Compares `a[startA, endA)` with `b[startB, endB)`, a prefix sorting first: negative, 0 or positive. */
export function compareBytes(
  a: Uint8Array,
  startA: number,
  endA: number,
  b: Uint8Array,
  startB: number,
  endB: number,
): number {
  let i = startA;
  let j = startB;
  while (i < endA && j < endB) {
    const difference = a[i++]! - b[j++]!;
    if (difference !== 0) return difference;
  }
  return endA - i - (endB - j);
}

/** The byte at `depth`, or -1 past the end. */
function byteAt(
  id: number,
  depth: number,
  arena: Uint8Array,
  offsets: Uint32Array,
): number {
  const at = offsets[id]! + depth;
  return at < offsets[id + 1]! ? arena[at]! : -1;
}

function insertionSort(
  ids: Uint32Array,
  low: number,
  high: number,
  depth: number,
  arena: Uint8Array,
  offsets: Uint32Array,
): void {
  for (let i = low + 1; i < high; i++) {
    const id = ids[i]!;
    const start = offsets[id]! + depth;
    const end = offsets[id + 1]!;
    let j = i;
    for (; j > low; j--) {
      const before = ids[j - 1]!;
      const from = offsets[before]! + depth;
      const to = offsets[before + 1]!;
      if (compareBytes(arena, from, to, arena, start, end) <= 0) break;
      ids[j] = before;
    }
    ids[j] = id;
  }
}

function middle(a: number, b: number, c: number): number {
  return Math.max(Math.min(a, b), Math.min(Math.max(a, b), c));
}

function swap(ids: Uint32Array, i: number, j: number): void {
  const id = ids[i]!;
  ids[i] = ids[j]!;
  ids[j] = id;
}
