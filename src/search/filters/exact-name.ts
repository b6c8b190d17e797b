import { numbersOfFolded } from "./field-numbers.ts";
import { NamePairs } from "./name-pairs.ts";
import type { NumberRange } from "../../snapshot/dictionary/dictionary.ts";
import type { NameIndex } from "../../snapshot/names/name-index.ts";
import { words } from "../../text/fold.ts";

/** The rule for the documents that a text filter matches exactly: the folded value is the whole name. */
export interface ExactRule {
  /** At most this many documents are read by `eachList`. */
  readonly bound: number;
  has(doc: number): boolean;
  /** Passes on lists that together contain all documents that match, as `items[from, to)`. */
  eachList(take: (items: Uint32Array, from: number, to: number) => void): void;
}

/** The name of a document is one of some. */
export class ExactName implements ExactRule {
  readonly bound: number;
  readonly #names: readonly NamePairs[];

  constructor(names: readonly NamePairs[]) {
    this.#names = names.filter(({ bound }) => bound > 0);
    this.bound = this.#names.reduce((sum, { bound }) => sum + bound, 0);
  }

  has(doc: number): boolean {
    return this.#names.some((names) => names.has(doc));
  }

  eachList(take: (items: Uint32Array, from: number, to: number) => void): void {
    for (const names of this.#names) names.eachList(take);
  }
}

/**
 * Makes the rule of `name`: the folded value is the whole last, first or organization name, or a person's first and
 * last name in either order.
 */
export function exactName(index: NameIndex, folded: string): ExactName {
  const { firstNames, lastNames } = index;
  const parts = words(folded);
  const names = [
    new NamePairs(index, numbersOfFolded(lastNames, [folded], false), null),
    new NamePairs(index, organizationsNamed(index, folded), null),
    new NamePairs(index, null, numbersOfFolded(firstNames, [folded], false)),
  ];
  for (let split = 1; split < parts.length; split++) {
    const head = parts.slice(0, split).join(" ");
    const tail = parts.slice(split).join(" ");
    for (const [first, last] of [
      [head, tail],
      [tail, head],
    ] as const)
      names.push(
        new NamePairs(
          index,
          numbersOfFolded(lastNames, [last], false),
          numbersOfFolded(firstNames, [first], false),
        ),
      );
  }
  return new ExactName(names);
}

/** Finds organizations with a folded name, as numbers of the column `name`. */
export function organizationsNamed(
  { lastNames, organizations }: NameIndex,
  folded: string,
): NumberRange[] {
  return numbersOfFolded(organizations, [folded], false).map(
    ({ from, to }) => ({
      from: from + lastNames.count,
      to: to + lastNames.count,
    }),
  );
}
