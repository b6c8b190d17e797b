import { release } from "./once.ts";

/** Below this many strings, comparing whole strings is cheaper than partitioning. */
const SMALL = 16;
const KEY_BYTES = 4;

/**
 * Sorts `ids` by the bytes of their strings, which are distinct; a prefix sorts first. String `id` is
 * `arena[offsets[id], offsets[id + 1])`. Multikey quicksort (Bentley and Sedgewick) by four bytes at a time, which are
 * held next to the ids (Ng and Kakehi), so most comparisons don't reach for the strings.
 */
export function sortByBytes(
  ids: Uint32Array,
  arena: Uint8Array,
  offsets: Uint32Array,
): void {
  const strings = new KeyedStrings(ids, arena, offsets);
  const pending: number[] = [];
  /** Sorts a range of strings that have the same first `depth` bytes. */
  const begin = (low: number, high: number, depth: number): void => {
    strings.readKeys(low, high, depth);
    pending.push(low, high, depth);
  };
  begin(0, ids.length, 0);
  while (pending.length > 0) {
    const depth = pending.pop()!;
    const high = pending.pop()!;
    const low = pending.pop()!;
    if (high - low <= SMALL) {
      strings.insertionSort(low, high, depth);
      continue;
    }
    const pivot = strings.pivot(low, high);
    const { keys } = strings;
    let below = low;
    let above = high;
    for (let i = low; i < above;) {
      const key = keys[i]!;
      if (key < pivot) strings.swap(below++, i++);
      else if (key > pivot) strings.swap(i, --above);
      else i++;
    }
    pending.push(low, below, depth, above, high, depth);
    // A key that ends with a zero may be of a string that ends.
    const rest =
      (pivot & 0xff) === 0 ? strings.sortEnded(below, above, depth) : below;
    if (rest < above) begin(rest, above, depth + KEY_BYTES);
  }
  release(strings.keys);
}

/** Strings under sorting. */
class KeyedStrings {
  /** Four bytes of each string from the depth of its range on, the first one highest, with zeros after its end. */
  readonly keys: Uint32Array;
  readonly #ids: Uint32Array;
  readonly #arena: Uint8Array;
  readonly #view: DataView;
  readonly #offsets: Uint32Array;

  constructor(ids: Uint32Array, arena: Uint8Array, offsets: Uint32Array) {
    this.keys = new Uint32Array(ids.length);
    this.#ids = ids;
    this.#arena = arena;
    this.#view = new DataView(arena.buffer, arena.byteOffset, arena.byteLength);
    this.#offsets = offsets;
  }

  readKeys(low: number, high: number, depth: number): void {
    const ids = this.#ids;
    const offsets = this.#offsets;
    for (let i = low; i < high; i++) {
      const id = ids[i]!;
      this.keys[i] = this.#key(offsets[id]! + depth, offsets[id + 1]!);
    }
  }

  /** Picks the median of three keys. */
  pivot(low: number, high: number): number {
    const { keys } = this;
    const a = keys[low]!;
    const b = keys[(low + high) >>> 1]!;
    const c = keys[high - 1]!;
    return Math.max(Math.min(a, b), Math.min(Math.max(a, b), c));
  }

  swap(i: number, j: number): void {
    const ids = this.#ids;
    const { keys } = this;
    const id = ids[i]!;
    const key = keys[i]!;
    ids[i] = ids[j]!;
    keys[i] = keys[j]!;
    ids[j] = id;
    keys[j] = key;
  }

  /**
   * Sorts to the front those of strings with equal keys that end within them, at most four. Returns where the rest
   * start.
   */
  sortEnded(low: number, high: number, depth: number): number {
    const offsets = this.#offsets;
    let rest = low;
    for (let i = low; i < high; i++) {
      const id = this.#ids[i]!;
      if (offsets[id + 1]! - offsets[id]! - depth < KEY_BYTES)
        this.swap(i, rest++);
    }
    this.insertionSort(low, rest, depth);
    return rest;
  }

  insertionSort(low: number, high: number, depth: number): void {
    const ids = this.#ids;
    const { keys } = this;
    for (let i = low + 1; i < high; i++) {
      const id = ids[i]!;
      const key = keys[i]!;
      let j = i;
      for (; j > low; j--) {
        const before = keys[j - 1]!;
        if (before < key) break;
        if (before === key && this.#compare(ids[j - 1]!, id, depth) <= 0) break;
        ids[j] = ids[j - 1]!;
        keys[j] = before;
      }
      ids[j] = id;
      keys[j] = key;
    }
  }

  #compare(one: number, other: number, depth: number): number {
    const arena = this.#arena;
    const offsets = this.#offsets;
    return compareBytes(
      arena,
      offsets[one]! + depth,
      offsets[one + 1]!,
      arena,
      offsets[other]! + depth,
      offsets[other + 1]!,
    );
  }

  #key(start: number, end: number): number {
    if (start + KEY_BYTES <= end) return this.#view.getUint32(start);
    let key = 0;
    for (let at = start; at < start + KEY_BYTES; at++)
      key = (key << 8) | (at < end ? this.#arena[at]! : 0);
    return key >>> 0;
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
