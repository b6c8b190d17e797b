import type { NumberRange } from "../../snapshot/dictionary/dictionary.ts";
import type { Postings } from "../../snapshot/postings/postings.ts";
import type { NameIndex } from "../../snapshot/names/name-index.ts";

/** Which documents a text filter matches exactly: the folded value is the whole name. */
export interface ExactRule {
  /** Whether no document matches. */
  readonly isEmpty: boolean;
  has(doc: number): boolean;
  /** Passes on lists that together contain all documents that match, as `items[from, to)`. */
  eachList(take: (items: Uint32Array, from: number, to: number) => void): void;
}

/** The value is a whole field, given as a range of the field's numbers. */
export class ExactField implements ExactRule {
  readonly isEmpty: boolean;
  readonly #column: Uint32Array;
  readonly #postings: Postings;
  readonly #range: NumberRange;

  constructor(column: Uint32Array, postings: Postings, range: NumberRange) {
    this.#column = column;
    this.#postings = postings;
    this.#range = range;
    this.isEmpty = range.from === range.to;
  }

  has(doc: number): boolean {
    return isIn(this.#range, this.#column[doc]!);
  }

  eachList(take: (items: Uint32Array, from: number, to: number) => void): void {
    const { items, starts } = this.#postings;
    take(items, starts[this.#range.from]!, starts[this.#range.to]!);
  }
}

/** A first name and a last name that are the whole value. */
interface FullName {
  first: NumberRange;
  last: NumberRange;
}

/**
 * The value of `name` is the whole last, first or organization name, or a person's first and last name in either order.
 */
export class ExactName implements ExactRule {
  readonly isEmpty: boolean;
  readonly #index: NameIndex;
  readonly #fields: readonly ExactField[];
  readonly #fullNames: readonly FullName[];

  /** `words` are the words of the folded value. */
  constructor(index: NameIndex, folded: string, words: readonly string[]) {
    const { firstName, firstNameDocs, firstNames, lastNames, name, nameDocs } =
      index;
    const value = Buffer.from(folded);
    this.#index = index;
    this.#fields = [
      new ExactField(name, nameDocs, lastNames.equalTo(value)),
      new ExactField(name, nameDocs, organizationsNamed(index, folded)),
      new ExactField(firstName, firstNameDocs, firstNames.equalTo(value)),
    ].filter((field) => !field.isEmpty);
    this.#fullNames = findFullNames(index, words);
    this.isEmpty = this.#fields.length === 0 && this.#fullNames.length === 0;
  }

  has(doc: number): boolean {
    const { firstName, name } = this.#index;
    return (
      this.#fields.some((field) => field.has(doc)) ||
      this.#fullNames.some(
        ({ first, last }) =>
          isIn(last, name[doc]!) && isIn(first, firstName[doc]!),
      )
    );
  }

  eachList(take: (items: Uint32Array, from: number, to: number) => void): void {
    for (const field of this.#fields) field.eachList(take);
    const { firstName, nameDocs } = this.#index;
    const { items, starts } = nameDocs;
    for (const { first, last } of this.#fullNames) {
      for (let at = starts[last.from]!; at < starts[last.to]!; at++) {
        if (isIn(first, firstName[items[at]!]!)) take(items, at, at + 1);
      }
    }
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
  { firstNames, lastNames }: NameIndex,
  words: readonly string[],
): FullName[] {
  const found: FullName[] = [];
  for (let split = 1; split < words.length; split++) {
    const head = Buffer.from(words.slice(0, split).join(" "));
    const tail = Buffer.from(words.slice(split).join(" "));
    found.push({
      first: firstNames.equalTo(head),
      last: lastNames.equalTo(tail),
    });
    found.push({
      first: firstNames.equalTo(tail),
      last: lastNames.equalTo(head),
    });
  }
  return found.filter(
    ({ first, last }) => first.from < first.to && last.from < last.to,
  );
}

function isIn({ from, to }: NumberRange, number: number): boolean {
  return number >= from && number < to;
}
