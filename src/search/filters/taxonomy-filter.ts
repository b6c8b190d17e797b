import { fold } from "../../text/fold.ts";
import type { Snapshot } from "../../snapshot/snapshot.ts";

/** The conditions for a taxonomy; null for any. */
export interface TaxonomyCriteria {
  /** In upper case. */
  code: string | null;
  /** Folded words that must all be in the display name. */
  words: readonly string[] | null;
}

/** Resolves the filters `taxonomy` and `specialty` to numbers of taxonomies. */
export class TaxonomyFilter {
  readonly #codes: readonly string[];
  readonly #foldedNames: readonly string[];

  constructor({
    taxonomies,
    taxonomyNames,
  }: Pick<Snapshot, "taxonomies" | "taxonomyNames">) {
    this.#codes = taxonomyNames.map(
      (_, number) => taxonomies.spelling(number)?.toUpperCase() ?? "",
    );
    this.#foldedNames = taxonomyNames.map((name) => fold(name ?? ""));
  }

  /** The numbers of codes in upper case, ascending. */
  ofCodes(codes: ReadonlySet<string>): Uint32Array {
    const numbers = this.#codes.map((code, number) =>
      number > 0 && codes.has(code) ? number : 0,
    );
    return Uint32Array.from(numbers.filter((number) => number > 0));
  }

  /** The numbers that match, ascending. */
  numbers({ code, words: parts }: TaxonomyCriteria): Uint32Array {
    const matching: number[] = [];
    for (let number = 1; number < this.#codes.length; number++) {
      if (code !== null && this.#codes[number] !== code) continue;
      const name = this.#foldedNames[number]!;
      if (parts === null || parts.every((part) => name.includes(part)))
        matching.push(number);
    }
    return Uint32Array.from(matching);
  }
}

/** The number of documents with one of the given taxonomies. */
export function countTaxonomies(
  { taxonomyDocs: { starts } }: Snapshot,
  taxonomies: Uint32Array,
): number {
  let count = 0;
  for (const number of taxonomies)
    count += starts[number + 1]! - starts[number]!;
  return count;
}
