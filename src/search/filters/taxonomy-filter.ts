import { fold, words } from "../../text/fold.ts";
import { commonCodesOf } from "../aliases/common-specialties.ts";
import type { Snapshot } from "../../snapshot/snapshot.ts";

/** The conditions for a taxonomy; null for any. */
export interface TaxonomyCriteria {
  /** In upper case. */
  code: string | null;
  /** Folded. Each word must be in the display name. */
  specialty: string | null;
  /** True if the specialty can instead be everyday words that stand for codes. */
  takesCommonWords: boolean;
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

  /** Finds the numbers of codes in upper case, ascending. */
  ofCodes(codes: ReadonlySet<string>): Uint32Array {
    const numbers = this.#codes.map((code, number) =>
      number > 0 && codes.has(code) ? number : 0,
    );
    return Uint32Array.from(numbers.filter((number) => number > 0));
  }

  /** Finds the numbers that match, ascending. */
  numbers(criteria: TaxonomyCriteria): Uint32Array {
    const { code } = criteria;
    const specialty = criteria.specialty ?? "";
    const common = criteria.takesCommonWords ? commonCodesOf(specialty) : null;
    const parts = common === null ? words(specialty) : [];
    const matching: number[] = [];
    for (let number = 1; number < this.#codes.length; number++) {
      const taxonomyCode = this.#codes[number]!;
      if (code !== null && taxonomyCode !== code) continue;
      if (common?.has(taxonomyCode) === false) continue;
      const name = this.#foldedNames[number]!;
      if (parts.every((part) => name.includes(part))) matching.push(number);
    }
    return Uint32Array.from(matching);
  }
}
