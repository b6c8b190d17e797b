import { commonCodesOf } from "../../aliases/common-specialties.ts";
import type { Draft } from "../draft.ts";
import type { Vocabulary } from "../vocabulary.ts";
import { REASONS } from "../words/reasons.ts";
import { ANY_PHYSICIAN, CREDENTIALS, PROFESSIONS } from "../words/titles.ts";
import { nameWords } from "./cities.ts";

/** Words that stand for a specialty. */
export interface SpecialtySpan {
  readonly from: number;
  readonly to: number;
  /** The specialty as it is sent. */
  readonly specialty: string;
  /** How many of the words, at the end, are not needed for it: CENTER of URGENT CARE CENTER. */
  readonly unneeded: number;
}

const MAX_SPECIALTY_WORDS = 6;
/** A code of NUCC's table, which ends in X. */
const TAXONOMY_CODE = /^\d{3}[A-Z\d]{6}X$/;
/** Parts of joined credentials: PA-C, OTR/L. */
const PARTS = new Set(["C", "L"]);
const PLACES_OF_SPECIALTY = new Set(
  "CENTER CENTERS CENTRE CLINIC CLINICS OFFICE OFFICES".split(" "),
);

/** The free words that stand for specialties, from left to right; of those that overlap, the longest. */
export function findSpecialties(
  draft: Draft,
  vocabulary: Vocabulary,
): SpecialtySpan[] {
  const found: SpecialtySpan[] = [];
  const covered = new Set<number>();
  for (let size = MAX_SPECIALTY_WORDS; size > 0; size--) {
    for (let from = 0; from + size <= draft.words.length; from++) {
      const to = from + size;
      const ofWords = specialtyOf(draft, vocabulary, from, to);
      const ofKind = ofWords ?? specialtyOfPlace(draft, vocabulary, from, to);
      if (ofKind === null) continue;
      const indexes = Array.from({ length: size }, (_, each) => from + each);
      if (indexes.some((index) => covered.has(index))) continue;
      for (const index of indexes) covered.add(index);
      const unneeded = ofWords === null ? 1 : 0;
      found.push({ from, to, specialty: ofKind, unneeded });
    }
  }
  return found.sort((a, b) => a.from - b.from);
}

/** Understands the first NUCC code of a taxonomy. */
export function readTaxonomy(draft: Draft): void {
  for (const at of draft.free()) {
    if (!TAXONOMY_CODE.test(draft.at(at))) continue;
    const isNamed = draft.isFree(at - 1) && draft.at(at - 1) === "TAXONOMY";
    const from = isNamed ? at - 1 : at;
    if (draft.filters.taxonomy !== undefined)
      draft.drop(from, at + 1, REASONS.oneSpecialty);
    else {
      draft.take(from, at + 1, "taxonomy");
      draft.filters.taxonomy = draft.at(at);
    }
  }
}

/** Understands the first of some specialties, and drops all other ones. */
export function readSpecialties(
  draft: Draft,
  spans: readonly SpecialtySpan[],
): void {
  for (const { from, specialty, to, unneeded } of spans) {
    if (!draft.areFree(from, to)) continue;
    takeSpecialty(draft, from, to - unneeded, specialty);
    if (unneeded > 0) draft.drop(to - unneeded, to, REASONS.placeOfSpecialty);
  }
}

/** Understands DOCTOR as all physicians if there is neither a specialty nor a name: with a name it is a title. */
export function readAnyPhysician(draft: Draft): void {
  const { filters } = draft;
  const { organization, specialty, taxonomy } = filters;
  if ((organization ?? specialty ?? taxonomy) !== undefined) return;
  const [at = -1, ...others] = nameWords(draft).filter(
    (each) => !draft.isProtected(each),
  );
  const isOnly = others.length === 0 && nameWords(draft).length === 1;
  if (isOnly && ANY_PHYSICIAN.has(draft.at(at)))
    takeSpecialty(draft, at, at + 1, draft.typed(at, at + 1));
}

/** Understands words as a specialty, or drops them if there is one. */
export function takeSpecialty(
  draft: Draft,
  from: number,
  to: number,
  specialty: string,
): void {
  const known = draft.filters.taxonomy ?? draft.filters.specialty;
  if (known === undefined) {
    draft.take(from, to, "specialty");
    draft.filters.specialty = specialty;
  } else
    draft.drop(
      from,
      to,
      known === specialty ? REASONS.said : REASONS.oneSpecialty,
    );
}

/** The specialty that a credential stands for without a name; null if it stands for none. */
export function professionOf(credential: string): string | null {
  return (
    PROFESSIONS.get(credential) ??
    (commonCodesOf(credential) === null ? null : credential.toLowerCase())
  );
}

/** The specialty of URGENT CARE CENTERS and the like: what is before the word for a place; null if that is none. */
function specialtyOfPlace(
  draft: Draft,
  vocabulary: Vocabulary,
  from: number,
  to: number,
): string | null {
  return PLACES_OF_SPECIALTY.has(draft.at(to - 1)) && draft.isFree(to - 1)
    ? specialtyOf(draft, vocabulary, from, to - 1)
    : null;
}

function specialtyOf(
  draft: Draft,
  vocabulary: Vocabulary,
  from: number,
  to: number,
): string | null {
  if (!draft.areFree(from, to)) return null;
  const words = draft.words.slice(from, to);
  const inner = words.slice(1);
  // A list, as in "ear, nose and throat".
  if (words.length < 3 && inner.some(({ comma }) => comma)) return null;
  for (let index = from; index < to; index++)
    if (draft.isProtected(index)) return null;
  if (words.every(({ folded }) => CREDENTIALS.has(folded) || PARTS.has(folded)))
    return null;
  const phrase = draft.phrase(from, to).replace(/ (?:DR|DOC)$/, " DOCTOR");
  const profession = PROFESSIONS.get(phrase);
  if (profession !== undefined) return profession;
  if (words.length === 1 && ANY_PHYSICIAN.has(phrase)) return null;
  const isKnown =
    commonCodesOf(phrase) !== null ||
    (words.length > 1 && vocabulary.isSpecialty(phrase));
  if (!isKnown) return null;
  return phrase.endsWith(" DOCTOR") || inner.some(({ comma }) => comma)
    ? phrase.toLowerCase()
    : draft.typed(from, to);
}
