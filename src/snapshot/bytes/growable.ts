import { release } from "./once.ts";

/** Arrays of numbers that grow at the end. */

type Growable = Uint8Array | Uint16Array | Uint32Array;

const FIRST_LENGTH = 1024;
/**
 * The factor by which arrays grow. The unused rest of a large new array takes no memory: the system gives pages only
 * when they are written.
 */
const GROWTH = 2;

/** Returns `array` itself if it has `length` elements, or else a longer copy. */
export function withRoom(array: Uint8Array, length: number): Uint8Array;
export function withRoom(array: Uint16Array, length: number): Uint16Array;
export function withRoom(array: Uint32Array, length: number): Uint32Array;
export function withRoom(array: Growable, length: number): Growable {
  if (length <= array.length) return array;
  if (!(array.buffer instanceof ArrayBuffer))
    throw new Error("Shared memory cannot grow");
  const room = Math.max(length, array.length * GROWTH, FIRST_LENGTH);
  const grown = emptyLike(array, room);
  grown.set(array);
  release(array);
  return grown;
}

function emptyLike(array: Growable, length: number): Growable {
  if (array instanceof Uint32Array) return new Uint32Array(length);
  return array instanceof Uint16Array
    ? new Uint16Array(length)
    : new Uint8Array(length);
}

/** Copies the first `length` elements, without room for more. Frees the array. */
export function withoutRoom(array: Uint8Array, length: number): Uint8Array;
export function withoutRoom(array: Uint32Array, length: number): Uint32Array;
export function withoutRoom(
  array: Uint8Array | Uint32Array,
  length: number,
): Uint8Array | Uint32Array {
  const exact = array.slice(0, length);
  release(array);
  return exact;
}

/** A list of 32-bit numbers. */
export class NumberList {
  length = 0;
  #numbers: Uint32Array = new Uint32Array(0);

  push(number: number): void {
    this.#numbers = withRoom(this.#numbers, this.length + 1);
    this.#numbers[this.length++] = number;
  }

  /** The numbers, valid until another one is added. */
  get numbers(): Uint32Array {
    return this.#numbers.subarray(0, this.length);
  }
}
