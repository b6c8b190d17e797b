import type { Random } from "./random.ts";
import { SkewedChoice } from "./skewed-choice.ts";

/** Words to draw from, each with its weight. */
export class Words {
  readonly list: readonly string[];
  readonly #choice: SkewedChoice;

  constructor(list: readonly string[], weights: readonly number[]) {
    this.list = list;
    this.#choice = new SkewedChoice(weights);
  }

  draw(random: Random): string {
    return this.list[this.#choice.draw(random)]!;
  }
}

/**
 * Reads a table such as `20 NORTH_STAR HARBOR 5 ""`: a number is the weight of the words after it (1 before the first
 * number), `_` is a space, and `""` is nothing.
 */
export function words(table: string): Words {
  const list: string[] = [];
  const weights: number[] = [];
  let weight = 1;
  for (const token of table.trim().split(/\s+/)) {
    if (/^[0-9.]+$/.test(token)) {
      weight = Number(token);
      continue;
    }
    list.push(wordOf(token));
    weights.push(weight);
  }
  return new Words(list, weights);
}

/** A word of a table: `_` is a space, and `""` is nothing. */
export function wordOf(token: string): string {
  return token === '""' ? "" : token.replaceAll("_", " ");
}
