import { withRoom } from "./growable.ts";

const FIRST_SLOTS = 1024;

/**
 * Gives every distinct byte string a number, in the order of first sight, starting at 1; the empty string is 0.
 * Open addressing over one byte arena: a look-up makes no object and no string.
 */
export class ByteInterner {
  /** The distinct strings one after the other; string `id` is `arena[offsets[id], offsets[id + 1])`. */
  arena: Uint8Array = new Uint8Array(1 << 16);
  offsets: Uint32Array = new Uint32Array(FIRST_SLOTS);
  /** How many numbers are given, the empty string's 0 included. */
  size = 1;
  #hashes: Uint32Array = new Uint32Array(FIRST_SLOTS);
  #slots: Uint32Array = new Uint32Array(FIRST_SLOTS);

  /** The number of `source[start, end)`. */
  intern(source: Uint8Array, start: number, end: number): number {
    if (start === end) return 0;
    let hash = 0x811c9dc5;
    for (let i = start; i < end; i++)
      hash = Math.imul(hash ^ source[i]!, 0x01000193);
    hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d) >>> 0;
    const mask = this.#slots.length - 1;
    let slot = hash & mask;
    for (let id = this.#slots[slot]!; id !== 0; id = this.#slots[slot]!) {
      if (this.#hashes[id] === hash && this.#equals(id, source, start, end))
        return id;
      slot = (slot + 1) & mask;
    }
    return this.#add(slot, hash, source, start, end);
  }

  #equals(id: number, source: Uint8Array, start: number, end: number): boolean {
    const arena = this.arena;
    let at = this.offsets[id]!;
    if (this.offsets[id + 1]! - at !== end - start) return false;
    for (let i = start; i < end; i++) {
      if (arena[at++] !== source[i]) return false;
    }
    return true;
  }

  #add(
    slot: number,
    hash: number,
    source: Uint8Array,
    start: number,
    end: number,
  ): number {
    const id = this.size++;
    const at = this.offsets[id]!;
    this.arena = withRoom(this.arena, at + end - start);
    for (let i = start, to = at; i < end; i++) this.arena[to++] = source[i]!;
    this.offsets = withRoom(this.offsets, this.size + 1);
    this.offsets[this.size] = at + end - start;
    this.#hashes = withRoom(this.#hashes, this.size);
    this.#hashes[id] = hash;
    this.#slots[slot] = id;
    if (this.size * 2 > this.#slots.length) this.#rehash();
    return id;
  }

  #rehash(): void {
    const slots = new Uint32Array(this.#slots.length * 2);
    const mask = slots.length - 1;
    for (let id = 1; id < this.size; id++) {
      let slot = this.#hashes[id]! & mask;
      while (slots[slot] !== 0) slot = (slot + 1) & mask;
      slots[slot] = id;
    }
    this.#slots = slots;
  }
}
