/** The number of sets that one pass can intersect. The result is then written and counted once. */
export const MAX_INTERSECTED = 5;
/** Words that are intersected and counted together. */
const BLOCK_WORDS = 16_384;

/**
 * A set of the integers 0 to `size` - 1 as bits. Hot loops may read `bits` directly: n is bit `n & 31` of `bits[n >>>
 * 5]`.
 */
export class BitSet {
  readonly bits: Uint32Array;

  /** Makes an empty set, or one over existing bits: at least `wordsFor(size)` words. */
  constructor(
    size: number,
    bits: Uint32Array = new Uint32Array(wordsFor(size)),
  ) {
    this.bits = bits;
  }

  /** Makes the set of the given numbers. */
  static of(size: number, numbers: Uint32Array): BitSet {
    const set = new BitSet(size);
    set.addAll(numbers, 0, numbers.length);
    return set;
  }

  clear(): void {
    this.bits.fill(0);
  }

  has(number: number): boolean {
    return ((this.bits[number >>> 5]! >>> (number & 31)) & 1) === 1;
  }

  add(number: number): void {
    this.bits[number >>> 5]! |= 1 << (number & 31);
  }

  /** Adds `numbers[from, to)`. */
  addAll(numbers: Uint32Array, from: number, to: number): void {
    const bits = this.bits;
    for (let i = from; i < to; i++) {
      const number = numbers[i]!;
      bits[number >>> 5]! |= 1 << (number & 31);
    }
  }

  /** Removes `numbers[from, to)`. */
  removeAll(numbers: Uint32Array, from: number, to: number): void {
    const bits = this.bits;
    for (let i = from; i < to; i++) {
      const number = numbers[i]!;
      bits[number >>> 5]! &= ~(1 << (number & 31));
    }
  }

  /** Adds the numbers `from` to `to` - 1. */
  addRange(from: number, to: number): void {
    if (from >= to) return;
    const bits = this.bits;
    const first = from >>> 5;
    const last = to >>> 5;
    const head = ~lowBits(from & 31);
    const tail = lowBits(to & 31);
    if (first === last) {
      bits[first]! |= head & tail;
      return;
    }
    bits[first]! |= head;
    bits.fill(0xffff_ffff, first + 1, last);
    if (last < bits.length) bits[last]! |= tail;
  }

  /**
   * Zeroes every word that contains one of `numbers[from, to)`. Use it only to empty a set that contains nothing else.
   */
  forget(numbers: Uint32Array, from: number, to: number): void {
    for (let i = from; i < to; i++) this.bits[numbers[i]! >>> 5] = 0;
  }

  copy(other: BitSet): void {
    this.bits.set(other.bits);
  }

  remove(number: number): void {
    this.bits[number >>> 5]! &= ~(1 << (number & 31));
  }

  /** Removes all members that are not in the other set. */
  intersect(other: BitSet): void {
    const bits = this.bits;
    const others = other.bits;
    for (let i = 0; i < bits.length; i++) bits[i]! &= others[i]!;
  }

  /**
   * Replaces the members with the intersection of up to `MAX_INTERSECTED` sets, which may include this one. Returns
   * their number.
   */
  assignCommon(sets: readonly BitSet[]): number {
    const [
      first,
      second = first,
      third = first,
      fourth = first,
      fifth = first,
    ] = sets;
    if (first === undefined || sets.length > MAX_INTERSECTED)
      throw new Error(`An intersection takes 1 to ${MAX_INTERSECTED} sets`);
    const bits = this.bits;
    const a = first.bits;
    const b = second!.bits;
    const c = third!.bits;
    const d = fourth!.bits;
    const e = fifth!.bits;
    let count = 0;
    // A block is counted while it is in the processor's cache.
    for (let from = 0; from < bits.length; from += BLOCK_WORDS) {
      const to = Math.min(bits.length, from + BLOCK_WORDS);
      let i = from;
      // Four words at a time are faster for two sets, but not for more.
      if (sets.length === 2)
        for (; i + 3 < to; i += 4) {
          bits[i] = a[i]! & b[i]!;
          bits[i + 1] = a[i + 1]! & b[i + 1]!;
          bits[i + 2] = a[i + 2]! & b[i + 2]!;
          bits[i + 3] = a[i + 3]! & b[i + 3]!;
        }
      // Reading the same set several times costs as much as reading several.
      if (sets.length <= 3) for (; i < to; i++) bits[i] = a[i]! & b[i]! & c[i]!;
      else for (; i < to; i++) bits[i] = a[i]! & b[i]! & c[i]! & d[i]! & e[i]!;
      count += onesOf(bits, from, to);
    }
    return count;
  }

  subtract(other: BitSet): void {
    const bits = this.bits;
    const others = other.bits;
    for (let i = 0; i < bits.length; i++) bits[i]! &= ~others[i]!;
  }

  /** Removes the numbers `from` to `to` - 1. */
  removeRange(from: number, to: number): void {
    if (from >= to) return;
    const bits = this.bits;
    const first = from >>> 5;
    const last = to >>> 5;
    const below = lowBits(from & 31);
    const above = ~lowBits(to & 31);
    if (first === last) {
      bits[first]! &= below | above;
      return;
    }
    bits[first]! &= below;
    bits.fill(0, first + 1, last);
    if (last < bits.length) bits[last]! &= above;
  }

  /** Counts the members that another set has, too. */
  countCommon(other: BitSet): number {
    const bits = this.bits;
    const others = other.bits;
    let count = 0;
    for (let i = 0; i < bits.length; i++) count += ones(bits[i]! & others[i]!);
    return count;
  }

  /** Counts the members among `from` to `to` - 1. */
  count(from: number, to: number): number {
    if (from >= to) return 0;
    const bits = this.bits;
    const first = from >>> 5;
    const last = to >>> 5;
    const head = ~lowBits(from & 31);
    if (first === last) return ones(bits[first]! & head & lowBits(to & 31));
    let count = ones(bits[first]! & head);
    count += onesOf(bits, first + 1, last);
    return (to & 31) === 0
      ? count
      : count + ones(bits[last]! & lowBits(to & 31));
  }

  /** Lists the members among `from` to `to` - 1, ascending, after skipping `skip`; at most `limit`. */
  slice(from: number, to: number, skip: number, limit: number): number[] {
    const bits = this.bits;
    const members: number[] = [];
    let toSkip = skip;
    for (let i = from >>> 5; i << 5 < to && members.length < limit; i++) {
      let left = bits[i]!;
      if (i === from >>> 5) left &= ~lowBits(from & 31);
      if (left === 0) continue;
      const count = ones(left);
      if (count <= toSkip) {
        toSkip -= count;
        continue;
      }
      for (; left !== 0 && members.length < limit; left &= left - 1) {
        const member = (i << 5) + 31 - Math.clz32(left & -left);
        if (member >= to) return members;
        if (toSkip-- <= 0) members.push(member);
      }
    }
    return members;
  }

  /** Lists the members in ascending order; `most` is their number, or more. */
  toArray(most: number = this.count(0, this.bits.length * 32)): Uint32Array {
    const bits = this.bits;
    const numbers = new Uint32Array(most);
    let at = 0;
    // Skipping four empty words at once is slower where the processor can't guess whether they are empty.
    const skipped = most * 8 < bits.length ? bits.length - 3 : 0;
    for (let i = 0; i < bits.length; i++) {
      while (
        i < skipped &&
        (bits[i]! | bits[i + 1]! | bits[i + 2]! | bits[i + 3]!) === 0
      )
        i += 4;
      if (i === bits.length) break;
      for (let left = bits[i]!; left !== 0; left &= left - 1)
        numbers[at++] = (i << 5) + 31 - Math.clz32(left & -left);
    }
    return at === most ? numbers : numbers.subarray(0, at);
  }
}

/** Counts the 32-bit words of a set of 0 to `size` - 1. */
export function wordsFor(size: number): number {
  return (size + 31) >>> 5;
}

/** Makes a word with its lowest `count` bits set; `count` is less than 32. */
function lowBits(count: number): number {
  return (1 << count) - 1;
}

/**
 * Counts the set bits in `words[from, to)`. Bits of eight words are added as in a chain of adders, so only one word in
 * eight is counted on its own.
 */
function onesOf(words: Uint32Array, from: number, to: number): number {
  const past = to - ((to - from) & 7);
  let one = 0;
  let two = 0;
  let four = 0;
  let eights = 0;
  for (let i = from; i < past; i += 8) {
    let a = words[i]!;
    let b = words[i + 1]!;
    let odd = one ^ a;
    const carryA = (one & a) | (odd & b);
    one = odd ^ b;
    a = words[i + 2]!;
    b = words[i + 3]!;
    odd = one ^ a;
    const carryB = (one & a) | (odd & b);
    one = odd ^ b;
    odd = two ^ carryA;
    const foursA = (two & carryA) | (odd & carryB);
    two = odd ^ carryB;
    a = words[i + 4]!;
    b = words[i + 5]!;
    odd = one ^ a;
    const carryC = (one & a) | (odd & b);
    one = odd ^ b;
    a = words[i + 6]!;
    b = words[i + 7]!;
    odd = one ^ a;
    const carryD = (one & a) | (odd & b);
    one = odd ^ b;
    odd = two ^ carryC;
    const foursB = (two & carryC) | (odd & carryD);
    two = odd ^ carryD;
    odd = four ^ foursA;
    eights += ones((four & foursA) | (odd & foursB));
    four = odd ^ foursB;
  }
  let count = 8 * eights + 4 * ones(four) + 2 * ones(two) + ones(one);
  for (let i = past; i < to; i++) count += ones(words[i]!);
  return count;
}

/** Counts the set bits in a word. */
export function ones(word: number): number {
  const pairs = word - ((word >>> 1) & 0x55555555);
  const fours = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333);
  return Math.imul((fours + (fours >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}
