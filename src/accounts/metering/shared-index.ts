/** No place: the id is missing, or there is no space for it. */
export const NOWHERE = -1;

const EMPTY = 0;

/** The memory that a `SharedIndex` works on; all zero at first. */
export interface SharedIndexMemory {
  /** Open addressing: 0, or a place plus one. Its length is a power of two, at least twice that of `ids`. */
  readonly slots: Int32Array<SharedArrayBuffer>;
  /** The id at each place; 0 for a place that was assigned and never used. */
  readonly ids: Int32Array<SharedArrayBuffer>;
  /** One element: how many places are assigned. */
  readonly count: Int32Array<SharedArrayBuffer>;
}

/**
 * Assigns ids (1 to 2³¹ − 1) places numbered from 0 in shared memory, the same in every thread. Places are assigned
 * densely and permanently, so only used memory is touched and one thread can walk all of it.
 */
export class SharedIndex {
  readonly #slots: Int32Array<SharedArrayBuffer>;
  readonly #ids: Int32Array<SharedArrayBuffer>;
  readonly #count: Int32Array<SharedArrayBuffer>;
  readonly #mask: number;

  constructor({ slots, ids, count }: SharedIndexMemory) {
    this.#slots = slots;
    this.#ids = ids;
    this.#count = count;
    this.#mask = slots.length - 1;
  }

  /** The number of places that are assigned. */
  get size(): number {
    return Math.min(Atomics.load(this.#count, 0), this.#ids.length);
  }

  /** Returns the id at a place; 0 if there is none. */
  idAt(place: number): number {
    return Atomics.load(this.#ids, place);
  }

  /** Finds the place of an id, or NOWHERE. */
  find(id: number): number {
    for (let slot = this.#firstSlot(id); ; slot = (slot + 1) & this.#mask) {
      const entry = Atomics.load(this.#slots, slot);
      if (entry === EMPTY) return NOWHERE;
      if (Atomics.load(this.#ids, entry - 1) === id) return entry - 1;
    }
  }

  /** Returns the place of an id, assigned if it has none; NOWHERE if all are taken. */
  claim(id: number): number {
    const found = this.find(id);
    return found === NOWHERE ? this.#insert(id) : found;
  }

  #insert(id: number): number {
    if (!Number.isInteger(id) || id < 1 || id > 0x7fffffff)
      throw new RangeError(`${id} is not an id`);
    if (Atomics.load(this.#count, 0) >= this.#ids.length) return NOWHERE;
    const place = Atomics.add(this.#count, 0, 1);
    if (place >= this.#ids.length) {
      Atomics.sub(this.#count, 0, 1);
      return NOWHERE;
    }
    Atomics.store(this.#ids, place, id);
    for (let slot = this.#firstSlot(id); ; slot = (slot + 1) & this.#mask) {
      const entry = Atomics.compareExchange(
        this.#slots,
        slot,
        EMPTY,
        place + 1,
      );
      if (entry === EMPTY) return place;
      if (Atomics.load(this.#ids, entry - 1) === id) {
        // Another thread published this id first: its place counts, and this one stays unused.
        Atomics.store(this.#ids, place, 0);
        return entry - 1;
      }
    }
  }

  #firstSlot(id: number): number {
    const mixed = Math.imul(id, 0x9e3779b1);
    return (mixed ^ (mixed >>> 15)) & this.#mask;
  }
}
