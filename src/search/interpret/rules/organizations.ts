import { CITY_SHORT_FORMS } from "../words/city-short-forms.ts";
import type { Draft } from "../draft.ts";
import { JOINING } from "../words/fillers.ts";
import {
  LEGAL_FORMS,
  ORGANIZATION_WORDS,
  WEAK_WORDS,
} from "../words/organization-words.ts";
import { REASONS } from "../words/reasons.ts";
import type { Word } from "../sentence.ts";
import { MAX_CITY_WORDS } from "./cities.ts";
import type { SpecialtySpan } from "./specialties.ts";
import { stateCodeOf } from "../words/states.ts";
import { CREDENTIALS } from "../words/titles.ts";
import type { Vocabulary } from "../vocabulary.ts";

/** Specialties of people, not of places. */
const OF_PEOPLE =
  /(?:ISTS?|IANS?|DOCTORS?|SURGEONS?|NURSES?|PRACTITIONERS?|ASSISTANTS?|WORKERS?|COUNSELORS?)$/;
/** Joining words inside names of organizations. */
const INSIDE = new Set(["OF", "AND", "THE", "FOR"]);
const DIGITS = /^\d+$/;

/**
 * Understands the name of an organization: the words before and with CLINIC, HOSPITAL, LLC and the like. Words that are
 * only a specialty, or a specialty and a city, are not a name, unless an organization is called exactly that.
 */
export function readOrganization(
  draft: Draft,
  vocabulary: Vocabulary,
  specialties: readonly SpecialtySpan[],
): void {
  for (let at = draft.words.length - 1; at >= 0; at--) {
    if (!draft.isFree(at) || !ORGANIZATION_WORDS.has(draft.at(at))) continue;
    const span = specialties.find(({ from, to }) => at >= from && at < to);
    if (
      span !== undefined &&
      (WEAK_WORDS.has(draft.at(at)) || at + 1 < span.to)
    )
      continue;
    const from = startOf(draft, span?.from ?? at, specialties);
    const to = endOf(draft, at + 1, vocabulary);
    if (span !== undefined && isKindAndPlace(draft, vocabulary, from, to, span))
      continue;
    takeName(draft, from, to);
    readStateAfter(draft, vocabulary, to);
    return;
  }
}

/** Where the name that reaches an organization word starts. */
function startOf(
  draft: Draft,
  word: number,
  specialties: readonly SpecialtySpan[],
): number {
  let from = word;
  while (from > 0 && continues(draft, from, specialties)) from--;
  while (from < word && JOINING.has(draft.at(from)) && draft.at(from) !== "THE")
    from++;
  return from;
}

/** Whether the word before an index belongs to the same name. */
function continues(
  draft: Draft,
  from: number,
  specialties: readonly SpecialtySpan[],
): boolean {
  const before = from - 1;
  const word = draft.at(before);
  if (!draft.isFree(before) || draft.isProtected(before)) return false;
  if (draft.words[from]!.comma && !LEGAL_FORMS.has(draft.at(from)))
    return false;
  if (JOINING.has(word) && !INSIDE.has(word)) return false;
  return !specialties.some(
    (span) =>
      span.to === from && OF_PEOPLE.test(draft.phrase(span.from, span.to)),
  );
}

/** Where the name ends: after further words of organizations, numbers of stores, and OF with a city. */
function endOf(draft: Draft, after: number, vocabulary: Vocabulary): number {
  let to = after;
  while (
    draft.isFree(to) &&
    (ORGANIZATION_WORDS.has(draft.at(to)) || DIGITS.test(draft.at(to)))
  )
    to++;
  if (draft.at(to) !== "OF" || !draft.isFree(to)) return to;
  for (let end = to + 1 + MAX_CITY_WORDS; end > to + 1; end--)
    if (
      draft.areFree(to, end) &&
      vocabulary.city(draft.phrase(to + 1, end)) !== null
    )
      return end;
  return to;
}

/** Understands the state after a name that ends in one of its cities: OF PHILADELPHIA PA. */
function readStateAfter(
  draft: Draft,
  vocabulary: Vocabulary,
  to: number,
): void {
  const code = stateCodeOf(draft.at(to));
  if (code === null || !draft.isFree(to)) return;
  for (let from = to - 1; from >= to - MAX_CITY_WORDS; from--) {
    const isAfterOf = draft.at(from - 1) === "OF";
    const city = vocabulary.city(draft.phrase(from, to));
    if (!isAfterOf || city?.states.has(code) !== true) continue;
    draft.take(to, to + 1, "state");
    draft.filters.state = code;
    return;
  }
}

/** Whether `[from, to)` is a specialty, perhaps with a city before it, and not the name of an organization. */
function isKindAndPlace(
  draft: Draft,
  vocabulary: Vocabulary,
  from: number,
  to: number,
  span: SpecialtySpan,
): boolean {
  if (span.to !== to) return false;
  if (span.from === from) return true;
  const before = draft.phrase(from, span.from);
  if (vocabulary.city(before) === null && !CITY_SHORT_FORMS.has(before))
    return false;
  return !vocabulary.hasOrganization(draft.phrase(from, to));
}

function isLegalForm({ folded }: Word): boolean {
  return LEGAL_FORMS.has(folded);
}

function takeName(draft: Draft, from: number, to: number): void {
  const typed = draft.words.slice(from, to);
  const hasLegalForm = typed.some(isLegalForm);
  // LLC INC by itself is all that there is of the name.
  const isAll = typed.every(isLegalForm);
  const kept: string[] = [];
  for (let at = from; at < to; at++) {
    const word = draft.at(at);
    if (LEGAL_FORMS.has(word) && !isAll) {
      draft.drop(at, at + 1, REASONS.legalForm);
    } else if (hasLegalForm && at > from && CREDENTIALS.has(word)) {
      draft.drop(at, at + 1, REASONS.credential);
    } else {
      kept.push(draft.typed(at, at + 1));
      draft.take(at, at + 1, "organization");
    }
  }
  draft.filters.organization = kept.join(" ");
}
