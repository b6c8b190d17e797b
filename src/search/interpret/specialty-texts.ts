import { fold } from "../../text/fold.ts";
import {
  commonCodesOf,
  commonTexts,
  singularsOf,
} from "../aliases/common-specialties.ts";
import { codePoints } from "../spelling/edit-rows.ts";
import type { TaxonomyList } from "../taxonomy-list.ts";

/** A text for specialties. */
export interface SpecialtyText {
  readonly folded: string;
  /** As it is written. */
  readonly text: string;
  /** True if it is in the table of everyday words. */
  readonly isEveryday: boolean;
  /** The codes of its taxonomies, in order. */
  readonly codes: string;
  /** The number of active providers that have one of them as the primary taxonomy. */
  readonly providers: number;
}

/** The most words of a specialty's name. */
export const MAX_SPECIALTY_WORDS = 16;
const PHYSICIAN = / Physician$/i;

/**
 * The texts that stand for specialties: our table of everyday words, and for the taxonomies that providers have, NUCC's
 * display names, the same without "Physician", and classifications.
 */
export class SpecialtyTexts {
  /** Everyday words as they are, and official texts. */
  readonly all: readonly SpecialtyText[];
  /** Everyday words with their characters. */
  readonly everyday: readonly { text: string; points: Int32Array }[];
  readonly #taxonomies: TaxonomyList;
  readonly #byText: ReadonlyMap<string, SpecialtyText>;

  constructor(taxonomies: TaxonomyList) {
    this.#taxonomies = taxonomies;
    const official = new Map<string, { text: string; codes: Set<string> }>();
    const add = (text: string, code: string): void => {
      const folded = fold(text);
      const known = official.get(folded) ?? { text, codes: new Set() };
      known.codes.add(code);
      official.set(folded, known);
    };
    const used = taxonomies
      .matching("")
      .filter(({ code }) => this.#providersOf([code]) > 0);
    for (const { classification, code, description } of used) {
      if (classification !== null) add(classification, code);
      if (description === null) continue;
      add(description, code);
      if (PHYSICIAN.test(description))
        add(description.replace(PHYSICIAN, ""), code);
    }
    const texts = new Map(
      Array.from(official, ([folded, { codes, text }]) => [
        folded,
        this.#textOf({ folded, text, codes, isEveryday: false }),
      ]),
    );
    this.everyday = commonTexts().map((text) => ({
      text,
      points: codePoints(text),
    }));
    for (const { text } of this.everyday) {
      const codes = commonCodesOf(text) ?? new Set();
      const known = { folded: text, text, codes, isEveryday: true };
      texts.set(text, this.#textOf(known));
    }
    this.#byText = texts;
    this.all = [...texts.values()];
  }

  /** Returns what a folded phrase is as a specialty, also a plural or a topic; null if it is none. */
  find(folded: string): SpecialtyText | null {
    const known = this.#byText.get(folded);
    if (known?.isEveryday === true) return known;
    const codes = commonCodesOf(folded);
    if (codes !== null)
      return this.#textOf({ folded, text: folded, codes, isEveryday: true });
    const [singular = null] = singularsOf(folded).flatMap(
      (form) => this.#byText.get(form) ?? [],
    );
    return known ?? singular;
  }

  #textOf({
    codes,
    ...text
  }: Omit<SpecialtyText, "codes" | "providers"> & {
    readonly codes: ReadonlySet<string>;
  }): SpecialtyText {
    const providers = this.#providersOf(codes);
    return { ...text, codes: [...codes].sort().join(" "), providers };
  }

  #providersOf(codes: Iterable<string>): number {
    let sum = 0;
    for (const code of codes) {
      const counts = this.#taxonomies.find(code)?.active_providers.primary;
      sum += (counts?.individuals ?? 0) + (counts?.organizations ?? 0);
    }
    return sum;
  }
}
