import { withRoom } from "./growable.ts";
import { release } from "./once.ts";

const FIRST_STRINGS = 512;
/**
 * A table slot has four numbers: the string's key; its number (0 in an empty slot); and for a string of up to eight
 * bytes the bytes themselves, for a longer one its start and end in the arena. Most lookups therefore access memory
 * once.
 */
const SLOT = 4;
const SHORT = 8;
/** A key is a hash with the string's length in its low bits, LONG for all longer ones. */
const LENGTH_MASK = 15;
const LONG = 15;

/**
 * Numbers distinct byte strings in order of first occurrence, from 1; the empty string is 0. Open addressing over one
 * byte arena, four bytes at a time: a lookup creates no object and no string.
 */
export class ByteInterner {
  /** The distinct strings, concatenated; string `id` is `arena[offsets[id], offsets[id + 1])`. */
  arena: Uint8Array = new Uint8Array(1 << 12);
  offsets: Uint32Array = new Uint32Array(FIRST_STRINGS);
  /** The number of numbers that are used, including 0 for the empty string. */
  size = 1;
  #table: Uint32Array;
  #arenaView = viewOf(this.arena);
  /** The array of the last lookup; the next one usually uses the same. */
  #source: Uint8Array = this.arena;
  #sourceView: DataView = this.#arenaView;

  /** Makes room for this many strings, so that the table need not grow. */
  constructor(expected: number = FIRST_STRINGS) {
    this.#table = new Uint32Array(
      2 ** Math.ceil(Math.log2(expected * 2)) * SLOT,
    );
  }

  /** Returns the number of `source[start, end)`. */
  intern(source: Uint8Array, start: number, end: number): number {
    if (start === end) return 0;
    if (source !== this.#source) {
      this.#source = source;
      this.#sourceView = viewOf(source);
    }
    return end - start <= SHORT
      ? this.#internShort(source, start, end)
      : this.#internLong(source, start, end);
  }

  /** True if `source[start, end)` has this number. */
  is(id: number, source: Uint8Array, start: number, end: number): boolean {
    const { arena } = this;
    let at = this.offsets[id]!;
    if (this.offsets[id + 1]! - at !== end - start) return false;
    for (let from = start; from < end; from++)
      if (arena[at++] !== source[from]) return false;
    return true;
  }

  /** Frees the memory that only `intern` needs. `intern` must not be called afterwards. */
  close(): void {
    release(this.#table);
    this.#table = new Uint32Array(0);
  }

  /** Frees all memory. */
  free(): void {
    release(this.#table, this.arena, this.offsets);
  }

  #internShort(source: Uint8Array, start: number, end: number): number {
    const view = this.#sourceView;
    let first = 0;
    let second = 0;
    let at = start;
    if (at + 4 <= end) {
      first = view.getUint32(at, true);
      at += 4;
      if (at + 4 <= end) second = view.getUint32(at, true);
      else second = rest(source, at, end);
    } else first = rest(source, at, end);
    const key = keyOf(mixed(mixed(0, first), second), end - start);
    const table = this.#table;
    const mask = table.length - SLOT;
    let slot = slotOf(key) & mask;
    for (let id = table[slot + 1]!; id !== 0; id = table[slot + 1]!) {
      if (
        table[slot] === key &&
        table[slot + 2] === first &&
        table[slot + 3] === second
      )
        return id;
      slot = (slot + SLOT) & mask;
    }
    const id = this.#append(source, start, end);
    this.#fill(slot, key, id, first, second);
    return id;
  }

  #internLong(source: Uint8Array, start: number, end: number): number {
    const key = keyOf(this.#hash(source, start, end), LONG);
    const table = this.#table;
    const mask = table.length - SLOT;
    let slot = slotOf(key) & mask;
    for (let id = table[slot + 1]!; id !== 0; id = table[slot + 1]!) {
      if (
        table[slot] === key &&
        this.#equals(table[slot + 2]!, table[slot + 3]!, source, start, end)
      )
        return id;
      slot = (slot + SLOT) & mask;
    }
    const id = this.#append(source, start, end);
    this.#fill(slot, key, id, this.offsets[id]!, this.offsets[id + 1]!);
    return id;
  }

  #hash(source: Uint8Array, start: number, end: number): number {
    const view = this.#sourceView;
    let hash = end - start;
    let at = start;
    for (; at + 4 <= end; at += 4) hash = mixed(hash, view.getInt32(at, true));
    return mixed(hash, rest(source, at, end));
  }

  #equals(
    arenaStart: number,
    arenaEnd: number,
    source: Uint8Array,
    start: number,
    end: number,
  ): boolean {
    if (end - start !== arenaEnd - arenaStart) return false;
    const arena = this.arena;
    const sourceView = this.#sourceView;
    const arenaView = this.#arenaView;
    let at = start;
    let to = arenaStart;
    for (; at + 4 <= end; at += 4, to += 4) {
      if (sourceView.getInt32(at, true) !== arenaView.getInt32(to, true))
        return false;
    }
    for (; at < end; at++, to++) {
      if (source[at] !== arena[to]) return false;
    }
    return true;
  }

  #append(source: Uint8Array, start: number, end: number): number {
    const id = this.size++;
    const at = this.offsets[id]!;
    const arena = withRoom(this.arena, at + end - start);
    if (arena !== this.arena) {
      this.arena = arena;
      this.#arenaView = viewOf(arena);
    }
    for (let i = start, to = at; i < end; i++) arena[to++] = source[i]!;
    this.offsets = withRoom(this.offsets, this.size + 1);
    this.offsets[this.size] = at + end - start;
    return id;
  }

  #fill(
    slot: number,
    key: number,
    id: number,
    third: number,
    fourth: number,
  ): void {
    this.#table[slot] = key;
    this.#table[slot + 1] = id;
    this.#table[slot + 2] = third;
    this.#table[slot + 3] = fourth;
    if (this.size * SLOT * 3 > this.#table.length * 2) this.#rehash();
  }

  #rehash(): void {
    const old = this.#table;
    const table = new Uint32Array(old.length * 2);
    const mask = table.length - SLOT;
    for (let from = 0; from < old.length; from += SLOT) {
      if (old[from + 1] === 0) continue;
      let slot = slotOf(old[from]!) & mask;
      while (table[slot + 1] !== 0) slot = (slot + SLOT) & mask;
      for (let i = 0; i < SLOT; i++) table[slot + i] = old[from + i]!;
    }
    this.#table = table;
  }
}

function mixed(hash: number, four: number): number {
  const product = Math.imul(hash ^ four, 0x9e3779b1);
  return product ^ (product >>> 15);
}

function keyOf(hash: number, length: number): number {
  let key = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  key = Math.imul(key ^ (key >>> 13), 0xc2b2ae35);
  return (((key ^ (key >>> 16)) & ~LENGTH_MASK) | length) >>> 0;
}

/** Returns the first slot to probe, before it is reduced to the table's length. */
function slotOf(key: number): number {
  return Math.imul(key >>> 4, SLOT);
}

/** Reads the last bytes of a string, zero to three of them, as a number. */
function rest(source: Uint8Array, at: number, end: number): number {
  let number = 0;
  if (at < end) number = source[at]!;
  if (at + 1 < end) number |= source[at + 1]! << 8;
  if (at + 2 < end) number |= source[at + 2]! << 16;
  return number;
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
