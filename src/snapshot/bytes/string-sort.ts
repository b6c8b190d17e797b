/** Below this many strings, comparing whole strings is cheaper than partitioning by one byte. */
const SMALL = 16;

/**
 * Sorts `ids` by their strings' bytes: string `id` is `arena[offsets[id], offsets[id + 1])`, a prefix comes first.
 * Three-way radix quicksort (Bentley and Sedgewick): it looks at each distinguishing byte about once.
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

/** Compares two strings of an arena by their bytes from `depth` on: negative, 0 or positive. */
export function compareBytes(
  a: number,
  b: number,
  depth: number,
  arena: Uint8Array,
  offsets: Uint32Array,
): number {
  const endA = offsets[a + 1]!;
  const endB = offsets[b + 1]!;
  let i = offsets[a]! + depth;
  let j = offsets[b]! + depth;
  while (i < endA && j < endB) {
    const difference = arena[i++]! - arena[j++]!;
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
    let j = i;
    while (
      j > low &&
      compareBytes(ids[j - 1]!, id, depth, arena, offsets) > 0
    ) {
      ids[j] = ids[j - 1]!;
      j--;
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
