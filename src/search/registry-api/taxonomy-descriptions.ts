import type { TaxonomyEntry } from "../../contract/answers.ts";
import { fold } from "../../text/fold.ts";
import type { FieldText } from "./registry-query.ts";
import type { TaxonomyList } from "../taxonomy-list.ts";

/** How the registry's API describes taxonomies, and finds them by description. */
export class TaxonomyDescriptions {
  readonly #taxonomies: TaxonomyList;
  /** The folded texts of each taxonomy: its specialization, its classification, and its description. */
  readonly #texts: readonly (readonly [code: string, texts: string[]])[];

  constructor(taxonomies: TaxonomyList) {
    this.#taxonomies = taxonomies;
    this.#texts = taxonomies.matching("").map((entry) => [
      entry.code,
      [entry.specialization, entry.classification, described(entry)]
        .filter((text) => text !== null)
        .map(fold)
        .filter((text) => text !== ""),
    ]);
  }

  /** "Classification, Specialization"; null if the code is unknown. */
  of(code: string): string | null {
    const entry = this.#taxonomies.find(code);
    return entry && described(entry);
  }

  /** The codes whose classification, specialization, or description equals a text or starts with it. */
  codesOf({ isPrefix, text }: FieldText): string[] {
    const wanted = fold(text);
    return this.#texts
      .filter(([, texts]) =>
        texts.some((each) =>
          isPrefix ? each.startsWith(wanted) : each === wanted,
        ),
      )
      .map(([code]) => code);
  }
}

/** NUCC's display name if the table has no levels. */
function described(entry: TaxonomyEntry): string | null {
  const { classification, description, specialization } = entry;
  if (classification === null) return description;
  return specialization === null
    ? classification
    : `${classification}, ${specialization}`;
}
