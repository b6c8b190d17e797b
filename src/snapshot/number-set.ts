/** A set of the numbers 0 to `size` - 1 as bits. `bits[n >>> 5]` bit `n & 31` may be read directly in hot loops. */
export class NumberSet {
  readonly bits: Uint32Array;

  constructor(size: number) {
    this.bits = new Uint32Array((size >>> 5) + 1);
  }

  /** The set of the given numbers. */
  static of(size: number, numbers: Uint32Array): NumberSet {
    const set = new NumberSet(size);
    set.addAll(numbers);
    return set;
  }

  add(number: number): void {
    this.bits[number >>> 5]! |= 1 << (number & 31);
  }

  has(number: number): boolean {
    return ((this.bits[number >>> 5]! >>> (number & 31)) & 1) === 1;
  }

  addAll(numbers: Uint32Array): void {
    const bits = this.bits;
    for (let i = 0; i < numbers.length; i++) {
      const number = numbers[i]!;
      bits[number >>> 5]! |= 1 << (number & 31);
    }
  }

  /** The members in ascending order. */
  toArray(): Uint32Array {
    const bits = this.bits;
    let count = 0;
    for (let i = 0; i < bits.length; i++) count += ones(bits[i]!);
    const numbers = new Uint32Array(count);
    let at = 0;
    for (let i = 0; i < bits.length; i++) {
      for (let rest = bits[i]!; rest !== 0; rest &= rest - 1)
        numbers[at++] = (i << 5) + 31 - Math.clz32(rest & -rest);
    }
    return numbers;
  }
}

function ones(word: number): number {
  const pairs = word - ((word >>> 1) & 0x55555555);
  const fours = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333);
  return Math.imul((fours + (fours >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}
