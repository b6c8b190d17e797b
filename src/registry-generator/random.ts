/** The seed if none is given. */
export const DEFAULT_SEED = 1;

/** 2⁻³², exactly. */
const UNIT = 1 / 0x1_0000_0000;

/**
 * Pseudo-random numbers with only 32-bit integer arithmetic (sfc32, seeded through a mixing function), so a seed gives
 * the same numbers on every machine. Each row starts its own sequence, so any row can be generated without those before
 * it.
 */
export class Random {
  #a = 0;
  #b = 0;
  #c = 0;
  #count = 0;

  /** Starts the sequence of these three numbers. */
  restart(seed: number, stream: number, index: number): void {
    this.#a = mix(seed ^ 0x9e3779b9);
    this.#b = mix(this.#a ^ stream);
    this.#c = mix(this.#b + index);
    this.#count = 1;
    for (let i = 0; i < 6; i++) this.next();
  }

  /** Returns the next number, 0 to 2³² − 1. */
  next(): number {
    const result = (this.#a + this.#b + this.#count) | 0;
    this.#count = (this.#count + 1) | 0;
    this.#a = this.#b ^ (this.#b >>> 9);
    this.#b = (this.#c + (this.#c << 3)) | 0;
    this.#c = (((this.#c << 21) | (this.#c >>> 11)) + result) | 0;
    return result >>> 0;
  }

  /** Draws an integer from 0 to `bound` − 1; `bound` is at most 2³². */
  below(bound: number): number {
    return Math.floor(this.next() * UNIT * bound);
  }

  /** Draws a number from 0 (inclusive) to 1 (exclusive), with 32 random bits. */
  fraction(): number {
    return this.next() * UNIT;
  }

  /** True with the given probability. */
  chance(probability: number): boolean {
    return this.fraction() < probability;
  }
}

/** Maps 32 bits to 32 bits, one to one (the finisher of MurmurHash3). */
export function mix(value: number): number {
  let bits = value | 0;
  bits = Math.imul(bits ^ (bits >>> 16), 0x85ebca6b);
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35);
  return bits ^ (bits >>> 16);
}
