import type { Random } from "./random.ts";

/**
 * Draws items by weight in constant time, however many there are: Walker's alias method, in Vose's form. Uses only
 * sums, products and divisions, so the table is the same on every machine.
 */
export class Choice<T> {
  readonly #items: readonly T[];
  readonly #threshold: Float64Array;
  readonly #alias: Uint32Array;

  /** `weights` must be at least 0, and one of them greater. */
  constructor(items: readonly T[], weights: readonly number[]) {
    const count = items.length;
    const total = weights.reduce((sum, weight) => sum + weight, 0);
    if (!(total > 0)) throw new Error("A choice needs a weight above 0.");
    this.#items = items;
    this.#threshold = new Float64Array(count);
    this.#alias = new Uint32Array(count);
    const scaled = weights.map((weight) => (weight * count) / total);
    const small: number[] = [];
    const large: number[] = [];
    scaled.forEach((weight, index) => (weight < 1 ? small : large).push(index));
    while (small.length > 0 && large.length > 0) {
      const poor = small.pop()!;
      const rich = large.pop()!;
      this.#threshold[poor] = scaled[poor]!;
      this.#alias[poor] = rich;
      scaled[rich] = scaled[rich]! + scaled[poor]! - 1;
      (scaled[rich] < 1 ? small : large).push(rich);
    }
    // Entries left over by rounding fill their own column.
    for (const index of [...small, ...large]) this.#threshold[index] = 1;
  }

  draw(random: Random): T {
    const at = random.fraction() * this.#threshold.length;
    const column = Math.floor(at);
    return this.#items[
      at - column < this.#threshold[column]! ? column : this.#alias[column]!
    ]!;
  }
}

/** Draws numbers from 1, each by its weight. */
export function numbersBy(weights: readonly number[]): Choice<number> {
  return new Choice(
    weights.map((_, index) => index + 1),
    weights,
  );
}

/** Values of references to no list, such as a city's name. */
export type Given = Readonly<Record<string, string>>;

/** A text to draw: one of a list of words, some of which are drawn from other lists. */
export class Words {
  readonly #table: string;
  readonly #listOf: (name: string) => Words | undefined;
  #choice: Choice<string | Part[]> | null = null;

  constructor(table: string, listOf: (name: string) => Words | undefined) {
    this.#table = table;
    this.#listOf = listOf;
  }

  draw(random: Random, given?: Given): string {
    const word = (this.#choice ??= this.#read()).draw(random);
    if (typeof word === "string") return word;
    let text = "";
    for (const part of word)
      if (typeof part === "string") text += part;
      else if ("given" in part) text += given?.[part.given] ?? "";
      else text += part.draw(random, given);
    return text;
  }

  #read(): Choice<string | Part[]> {
    const items: (string | Part[])[] = [];
    const weights: number[] = [];
    let weight = 1;
    for (const token of this.#table.trim().split(/\s+/)) {
      if (/^[0-9.]+$/.test(token)) {
        weight = Number(token);
        continue;
      }
      const pieces = wordOf(token).split(/[{}]/);
      const [text = ""] = pieces;
      items.push(pieces.length === 1 ? text : this.#parts(pieces));
      weights.push(weight);
    }
    return new Choice(items, weights);
  }

  /** Resolves every second piece, which is a reference. */
  #parts(pieces: readonly string[]): Part[] {
    return pieces
      .map((piece, at) =>
        at % 2 === 0 ? piece : (this.#listOf(piece) ?? { given: piece }),
      )
      .filter((part) => part !== "");
  }
}

type Part = string | Words | { given: string };

/** Reads a list such as `20 NORTH_STAR HARBOR 5 ""`: a number weights the words after it; 1 before the first. */
export function words(table: string): Words {
  return new Words(table, () => undefined);
}

/**
 * Reads the named lists that `names` has, with spaces between them. Each is lines that start with its name: `clinic:
 * {surname}_CLINIC {city}_CLINIC`. A word in braces is one of the list with that name, here or in `others`, or the
 * given value.
 */
export function lists<Names extends string>(
  names: Names,
  table: string,
  others: Readonly<Record<string, Words>> = {},
): Record<NameIn<Names>, Words> {
  const all = new Map(Object.entries(others));
  for (const text of table.trim().split(/\n(?=\w+: )/)) {
    const [name = "", ...list] = text.split(": ");
    all.set(name, new Words(list.join(": "), (other) => all.get(other)));
  }
  const found = Object.fromEntries(all);
  if (hasAll(found, names)) return found;
  throw new Error(`The table does not have all of ${names}.`);
}

function hasAll<Names extends string>(
  found: Record<string, Words>,
  names: Names,
): found is Record<NameIn<Names>, Words> {
  return names.split(" ").every((name) => name in found);
}

type NameIn<Names extends string> = Names extends `${infer Name} ${infer Rest}`
  ? Name | NameIn<Rest>
  : Names;

/** Reads a word of a table: `_` is a space, and `""` is nothing. */
export function wordOf(token: string): string {
  return token === '""' ? "" : token.replaceAll("_", " ");
}

/** Reads the rows of a table, each of words: `CA 209 213; CO 303`. */
export function rowsOf(table: string): string[][] {
  return table.split(";").map((row) => row.trim().split(/\s+/).map(wordOf));
}
