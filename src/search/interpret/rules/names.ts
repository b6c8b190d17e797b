import { MAX_TEXT_CHARACTERS } from "../../../contract/filters.ts";
import { initialOf } from "../../../snapshot/names/middle-initials.ts";
import type { Draft } from "../draft.ts";
import { REASONS } from "../words/reasons.ts";
import { firstAfterComma, NAME_STARTS, startsLastName } from "./last-names.ts";
import { professionOf, takeSpecialty } from "./specialties.ts";
import {
  CREDENTIAL_NAMES,
  CREDENTIAL_PARTS,
  CREDENTIALS,
  SUFFIXES,
} from "../words/titles.ts";
import type { Vocabulary } from "../vocabulary.ts";

/** Not Latin: the registry has only Latin letters. */
const OTHER_LETTERS = /(?!\p{Script=Latin})\p{L}/u;
const POSSESSIVE = /['’]s$/i;
/** What providers have: SMITH'S OFFICE. */
const OWNED = new Set(
  "OFFICE PRACTICE NPI PHONE FAX NUMBER ADDRESS LICENSE".split(" "),
);

/** Drops words in other alphabets. */
export function dropOtherLetters(draft: Draft): void {
  for (const at of draft.free())
    if (OTHER_LETTERS.test(draft.at(at)))
      draft.drop(at, at + 1, REASONS.letters);
}

/**
 * Drops credentials and suffixes after names. A credential without a name before it is a specialty, if it stands for
 * one.
 */
export function readCredentials(draft: Draft, vocabulary: Vocabulary): void {
  for (const at of draft.free()) {
    const word = draft.at(at);
    if (!draft.isFree(at) || draft.isProtected(at)) continue;
    const names = namesBefore(draft, at);
    if (SUFFIXES.has(word)) {
      if (names.length > 0) draft.drop(at, at + 1, REASONS.suffix);
      continue;
    }
    if (!CREDENTIALS.has(word)) continue;
    const isName = CREDENTIAL_NAMES.has(word);
    const hasPart =
      draft.isFree(at + 1) &&
      draft.words[at + 1]!.joined &&
      CREDENTIAL_PARTS.has(draft.at(at + 1));
    const to = at + (hasPart ? 2 : 1);
    if (names.length > 0) {
      if (isName && isSurnameAfter(draft, vocabulary, at, names)) continue;
      draft.drop(at, to, REASONS.credential);
      continue;
    }
    if (isName && draft.isFree(at + 1)) continue;
    // MD ANDERSON.
    if (
      draft.areFree(at, at + 2) &&
      vocabulary.startsOrganization(draft.phrase(at, at + 2))
    )
      continue;
    const profession = professionOf(word);
    if (profession === null) draft.drop(at, to, REASONS.credential);
    else takeSpecialty(draft, at, to, profession);
  }
}

/** The words of a name right before an index, without credentials and suffixes. */
function namesBefore(draft: Draft, at: number): number[] {
  const found: number[] = [];
  for (let each = at - 1; each >= 0; each--) {
    const word = draft.at(each);
    const isPart = CREDENTIALS.has(word) || SUFFIXES.has(word);
    if (draft.isFree(each)) {
      if (!isPart || draft.isProtected(each)) found.push(each);
    } else if (!isPart) {
      break;
    }
  }
  return found;
}

/** Whether a credential is rather the last name of a single first name: MINH DO. */
function isSurnameAfter(
  draft: Draft,
  vocabulary: Vocabulary,
  at: number,
  names: readonly number[],
): boolean {
  const [only = -1] = names;
  const first = draft.at(only);
  return (
    names.length === 1 &&
    !draft.words[at]!.comma &&
    vocabulary.withFirstName(first) > vocabulary.withLastName(first)
  );
}

/** Understands all words that are left as a name. */
export function readName(draft: Draft, vocabulary: Vocabulary): void {
  if (readLastAndFirst(draft) || readInitialAndLast(draft, vocabulary)) return;
  const kept: string[] = [];
  let length = 0;
  let last = -1;
  for (const at of draft.free()) {
    const text = nameText(draft, at);
    const isJoined = last === at - 1 && draft.words[at]!.joined;
    length += text.length + 1;
    if (length > MAX_TEXT_CHARACTERS) {
      draft.drop(at, at + 1, REASONS.tooLong);
      continue;
    }
    kept.push(kept.length === 0 ? text : `${isJoined ? "-" : " "}${text}`);
    draft.take(at, at + 1, "name");
    last = at;
  }
  if (kept.length > 0) draft.filters.name = kept.join("");
}

/** The name of a word: SMITH of "Smith's office". */
function nameText(draft: Draft, at: number): string {
  const { text } = draft.words[at]!;
  return OWNED.has(draft.at(at + 1)) ? text.replace(POSSESSIVE, "") : text;
}

/** Drops free words that were said before. Initials can be equal. */
export function dropRepeated(draft: Draft): void {
  const seen = new Set<string>();
  for (const at of draft.free()) {
    const word = draft.at(at);
    if (word.length > 1 && seen.has(word)) draft.drop(at, at + 1, REASONS.said);
    seen.add(word);
  }
}

/** Understands "last, first"; false if it isn't that. In that order, nicknames of the first name are found too. */
function readLastAndFirst(draft: Draft): boolean {
  const free = draft.free();
  const first = firstAfterComma(draft);
  const last = free[0] ?? -1;
  if (
    first < 0 ||
    draft.filters.organization !== undefined ||
    NAME_STARTS.has(draft.at(last))
  )
    return false;
  const lastName = textOf(
    draft,
    free.filter((at) => at < first),
  );
  const firstName = textOf(
    draft,
    free.filter((at) => at >= first),
  );
  if (Math.max(lastName.length, firstName.length) > MAX_TEXT_CHARACTERS)
    return false;
  for (const at of free)
    draft.take(at, at + 1, at < first ? "last_name" : "first_name");
  draft.filters.last_name = lastName;
  draft.filters.first_name = firstName;
  draft.filters.name_aliases = "true";
  return true;
}

/** Understands "first initial, last name" if a middle initial says that it's a person; false if it isn't that. */
function readInitialAndLast(draft: Draft, vocabulary: Vocabulary): boolean {
  const { middle_initial: middle, organization } = draft.filters;
  const [first = -1, ...rest] = draft.free();
  const isInitial =
    initialOf(draft.at(first)) > 0 &&
    draft.at(first).length === 1 &&
    !startsLastName(draft, vocabulary, first);
  const lastName = textOf(draft, rest);
  if (
    middle === undefined ||
    organization !== undefined ||
    !isInitial ||
    rest.length === 0 ||
    lastName.length > MAX_TEXT_CHARACTERS
  )
    return false;
  draft.filters.first_name = textOf(draft, [first]);
  draft.filters.last_name = lastName;
  draft.take(first, first + 1, "first_name");
  for (const at of rest) draft.take(at, at + 1, "last_name");
  return true;
}

function textOf(draft: Draft, indexes: readonly number[]): string {
  return indexes
    .map((at, index) => {
      const isJoined = index > 0 && draft.words[at]!.joined;
      return `${index === 0 ? "" : isJoined ? "-" : " "}${nameText(draft, at)}`;
    })
    .join("");
}
