import type { TaxonomyList } from "../taxonomy-list.ts";
import { commonCodesOf, commonTexts } from "../aliases/common-specialties.ts";
import { fold } from "../../text/fold.ts";
import { most, type Proposal } from "./proposal.ts";
import type { TypedEnd } from "./typed-end.ts";

const MOST = 4;
/** What folding leaves of a possessive: CHILDREN S DOCTOR. */
const BROKEN = / S /;
/** Names such as Family Medicine Physician: the everyday words say the same in fewer. */
const PHYSICIAN = / Physician$/;

/** A text for taxonomies, and how many active providers have them. */
interface SpecialtyText {
  readonly folded: string;
  readonly text: string;
  /** The codes that it stands for. */
  readonly codes: string;
  readonly providers: number;
}

/** Everyday words for specialties, and the names of taxonomies. */
export class SpecialtyTexts {
  /** The shortest first. */
  readonly #texts: readonly SpecialtyText[];
  readonly #isRead: (text: string) => boolean;
  /** What `isRead` said: asking it of all texts would delay the first suggestions. */
  readonly #known = new Map<string, boolean>();

  /** `isRead` says whether a text is read as a specialty. */
  constructor(taxonomies: TaxonomyList, isRead: (text: string) => boolean) {
    const providersOf = (codes: Iterable<string>): number => {
      let sum = 0;
      for (const code of codes) {
        const counts = taxonomies.find(code)?.active_providers.primary;
        sum += (counts?.individuals ?? 0) + (counts?.organizations ?? 0);
      }
      return sum;
    };
    const everyday = commonTexts()
      .filter((text) => !BROKEN.test(text))
      .map((text) => ({ text, codes: [...(commonCodesOf(text) ?? [])] }));
    const names = taxonomies.matching("").map(({ code, description }) => ({
      text: description ?? "",
      codes: [code],
    }));
    this.#texts = [...everyday, ...names]
      .filter(({ text }) => !PHYSICIAN.test(text))
      .map(({ codes, text }) => ({
        folded: fold(text),
        text,
        codes: codes.sort().join(" "),
        providers: providersOf(codes),
      }))
      .filter(({ providers }) => providers > 0)
      .sort((a, b) => a.text.length - b.text.length);
    this.#isRead = isRead;
  }

  /** Those that start with the typed phrase. Of texts for the same taxonomies, the shortest. */
  startingWith(end: TypedEnd): Proposal[] {
    const found = new Map<string, SpecialtyText>();
    for (const each of this.#texts) {
      const isNew =
        each.folded.startsWith(end.phrase) && !found.has(each.codes);
      if (isNew && this.#isReadAs(each.text)) found.set(each.codes, each);
    }
    return most(
      Array.from(found.values(), ({ providers, text }) => ({
        kind: "specialty",
        end,
        text,
        providers,
        filters: { specialty: text },
      })),
      MOST,
    );
  }

  #isReadAs(text: string): boolean {
    let isRead = this.#known.get(text);
    if (isRead === undefined) {
      isRead = this.#isRead(text);
      this.#known.set(text, isRead);
    }
    return isRead;
  }
}
