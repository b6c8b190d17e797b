import { NamePairs } from "./name-pairs.ts";
import type { NumberRange } from "../../snapshot/dictionary/dictionary.ts";
import type { Postings } from "../../snapshot/postings/postings.ts";
import type { NameIndex } from "../../snapshot/names/name-index.ts";

/** Which documents a text filter matches exactly: the folded value is the whole name. */
export interface ExactRule {
  /** Whether no document matches. */
  readonly isEmpty: boolean;
  /** At most this many documents are read by `eachList`. */
  readonly bound: number;
  has(doc: number): boolean;
  /** Passes on lists that together contain all documents that match, as `items[from, to)`. */
  eachList(take: (items: Uint32Array, from: number, to: number) => void): void;
}

/** The value is a whole field, given as a range of the field's numbers. */
export class ExactField implements ExactRule {
  readonly isEmpty: boolean;
  readonly bound: number;
  readonly #column: Uint32Array;
  readonly #postings: Postings;
  readonly #range: NumberRange;

  constructor(column: Uint32Array, postings: Postings, range: NumberRange) {
    this.#column = column;
    this.#postings = postings;
    this.#range = range;
    this.isEmpty = range.from === range.to;
    this.bound = postings.starts[range.to]! - postings.starts[range.from]!;
  }

  has(doc: number): boolean {
    return isIn(this.#range, this.#column[doc]!);
  }

  eachList(take: (items: Uint32Array, from: number, to: number) => void): void {
    const { items, starts } = this.#postings;
    take(items, starts[this.#range.from]!, starts[this.#range.to]!);
  }
}

/**
 * The value of `name` is the whole last, first or organization name, or a person's first and last name in either order.
 */
export class ExactName implements ExactRule {
  readonly isEmpty: boolean;
  readonly bound: number;
  readonly #fields: readonly ExactField[];
  /** First and last names that are the whole value. */
  readonly #fullNames: readonly NamePairs[];

  /** `words` are the words of the folded value. */
  constructor(index: NameIndex, folded: string, words: readonly string[]) {
    const { firstName, firstNameDocs, firstNames, lastNames, name, nameDocs } =
      index;
    const value = Buffer.from(folded);
    this.#fields = [
      new ExactField(name, nameDocs, lastNames.equalTo(value)),
      new ExactField(name, nameDocs, organizationsNamed(index, folded)),
      new ExactField(firstName, firstNameDocs, firstNames.equalTo(value)),
    ].filter((field) => !field.isEmpty);
    this.#fullNames = findFullNames(index, words);
    this.isEmpty = this.#fields.length === 0 && this.#fullNames.length === 0;
    this.bound = 0;
    for (const { bound } of this.#fields) this.bound += bound;
    for (const { bound } of this.#fullNames) this.bound += bound;
  }

  has(doc: number): boolean {
    return (
      this.#fields.some((field) => field.has(doc)) ||
      this.#fullNames.some((names) => names.has(doc))
    );
  }

  eachList(take: (items: Uint32Array, from: number, to: number) => void): void {
    for (const field of this.#fields) field.eachList(take);
    for (const names of this.#fullNames) names.eachList(take);
  }
}

/** Organizations with a folded name, as numbers of the column `name`. */
export function organizationsNamed(
  { lastNames, organizations }: NameIndex,
  folded: string,
): NumberRange {
  const { from, to } = organizations.equalTo(Buffer.from(folded));
  return { from: from + lastNames.count, to: to + lastNames.count };
}

/** All ways to split the words into a first and a last name, in either order, if the registry has both. */
function findFullNames(
  index: NameIndex,
  words: readonly string[],
): NamePairs[] {
  const { firstNames, lastNames } = index;
  const found: NamePairs[] = [];
  for (let split = 1; split < words.length; split++) {
    const head = Buffer.from(words.slice(0, split).join(" "));
    const tail = Buffer.from(words.slice(split).join(" "));
    for (const [first, last] of [
      [firstNames.equalTo(head), lastNames.equalTo(tail)],
      [firstNames.equalTo(tail), lastNames.equalTo(head)],
    ] as const)
      if (first.from < first.to && last.from < last.to)
        found.push(new NamePairs(index, [last], [first]));
  }
  return found;
}

function isIn({ from, to }: NumberRange, number: number): boolean {
  return number >= from && number < to;
}
