import type { Random } from "./random.ts";

/**
 * Draws indexes by weight in constant time, however many there are: Walker's alias method, in Vose's form. Uses only
 * sums, products and divisions, so the table is the same on every machine.
 */
export class SkewedChoice {
  readonly #threshold: Float64Array;
  readonly #alias: Uint32Array;

  /** `weights` must be at least 0, and one of them greater. */
  constructor(weights: ArrayLike<number>) {
    const count = weights.length;
    const total = Array.from(weights).reduce((sum, weight) => sum + weight, 0);
    if (!(total > 0)) throw new Error("A choice needs a weight above 0.");
    this.#threshold = new Float64Array(count);
    this.#alias = new Uint32Array(count);
    const scaled = Float64Array.from(
      weights,
      (weight) => (weight * count) / total,
    );
    const small: number[] = [];
    const large: number[] = [];
    scaled.forEach((weight, index) => (weight < 1 ? small : large).push(index));
    while (small.length > 0 && large.length > 0) {
      const poor = small.pop()!;
      const rich = large.pop()!;
      this.#threshold[poor] = scaled[poor]!;
      this.#alias[poor] = rich;
      scaled[rich] = scaled[rich]! + scaled[poor]! - 1;
      ((scaled[rich] ?? 0) < 1 ? small : large).push(rich);
    }
    // Entries left over by rounding fill their own column.
    for (const index of [...small, ...large]) this.#threshold[index] = 1;
  }

  draw(random: Random): number {
    const column = random.below(this.#threshold.length);
    return random.fraction() < this.#threshold[column]!
      ? column
      : this.#alias[column]!;
  }
}
