import type { Draft } from "../draft.ts";
import {
  BEFORE_NAME,
  BEFORE_PLACE,
  JOINING,
  MAX_FILLER_WORDS,
  reasonToDrop,
} from "../words/fillers.ts";
import { REASONS } from "../words/reasons.ts";
import { commonCodesOf } from "../../aliases/common-specialties.ts";
import { ANY_PHYSICIAN, CREDENTIALS, TITLES } from "../words/titles.ts";

/** Joining words that are names too. */
const JOINING_NAMES = new Set("AN MY NO TOP BEST GOOD SO DO".split(" "));
const KINDS = new Map<string, "individual" | "organization">([
  ["ORGANIZATION", "organization"],
  ["ORGANIZATIONS", "organization"],
  ["INDIVIDUAL", "individual"],
  ["INDIVIDUALS", "individual"],
  ["PEOPLE", "individual"],
  ["PERSON", "individual"],
  ["PERSONS", "individual"],
]);
/** Names of fields, as forms and programs have them. */
const FIELDS = new Set([
  "FIRST NAME",
  "LAST NAME",
  "PROVIDER NAME",
  "ORGANIZATION NAME",
  "NAME",
  "PROVIDER",
  "CITY",
  "STATE",
  "SPECIALTY",
  "TAXONOMY",
]);
const ANY_DOCTOR = new Set([
  ...ANY_PHYSICIAN,
  ..."DR DRS SPECIALIST SPECIALISTS".split(" "),
]);

/** Drops phrases that are in no filter, unless a title is before them. */
export function dropFillers(draft: Draft): void {
  for (let from = 0; from < draft.words.length; from++) {
    if (TITLES.has(draft.at(from - 1)) || draft.isProtected(from)) continue;
    for (let to = from + MAX_FILLER_WORDS; to > from; to--) {
      if (!draft.areFree(from, to)) continue;
      const reason = reasonToDrop(draft.phrase(from, to));
      if (reason === null || isInitial(draft, from, to)) continue;
      draft.drop(from, to, reason);
      break;
    }
  }
}

/** Drops names of fields: CITY of `city=chicago`, LAST NAME also without a sign after it. */
export function dropLabels(draft: Draft): void {
  for (let from = 0; from < draft.words.length; from++) {
    const to = FIELDS.has(draft.phrase(from, from + 2)) ? from + 2 : from + 1;
    const isField =
      to > from + 1 || (FIELDS.has(draft.at(from)) && draft.words[from]!.label);
    if (isField && draft.areFree(from, to)) draft.drop(from, to, REASONS.label);
  }
}

/** Whether a phrase is the letter I in capitals with names around it. */
function isInitial(draft: Draft, from: number, to: number): boolean {
  const word = draft.words[from]!;
  return (
    to === from + 1 &&
    draft.at(from) === "I" &&
    word.capitals &&
    draft.isFree(from - 1)
  );
}

/** Drops titles, and protects the words after them as names. */
export function dropTitles(draft: Draft): void {
  for (let at = 0; at < draft.words.length; at++) {
    if (BEFORE_NAME.has(draft.at(at)) && draft.isFree(at + 1))
      draft.protect(at + 1);
    if (!TITLES.has(draft.at(at)) || !draft.isFree(at)) continue;
    if (!startsSomething(draft, at)) continue;
    const next = draft.at(at + 1);
    if (!draft.isFree(at + 1) || BEFORE_PLACE.has(next)) continue;
    draft.drop(at, at + 1, REASONS.title);
    if (!TITLES.has(next) && !isSpecialty(draft, at + 1)) draft.protect(at + 1);
  }
}

function startsSomething(draft: Draft, at: number): boolean {
  return (
    !draft.isFree(at - 1) ||
    draft.words[at]!.comma ||
    JOINING.has(draft.at(at - 1))
  );
}

function isSpecialty(draft: Draft, from: number): boolean {
  for (let to = from + 3; to > from; to--) {
    const phrase = draft.phrase(from, to);
    if (
      draft.areFree(from, to) &&
      !CREDENTIALS.has(phrase) &&
      commonCodesOf(phrase) !== null
    )
      return true;
  }
  return false;
}

/** Understands that only organizations, or only people, are wanted: where it is said first. */
export function readKind(draft: Draft): void {
  const first = draft.free().find((at) => !JOINING.has(draft.at(at))) ?? -1;
  const kind = KINDS.get(draft.at(first));
  if (kind === undefined || draft.isProtected(first)) return;
  draft.take(first, first + 1, "entity_type");
  draft.filters.entity_type = kind;
}

/** Drops words that join others, and words for any doctor. */
export function dropJoining(draft: Draft): void {
  const { words } = draft;
  for (let at = 0; at < words.length; at++) {
    if (!draft.isFree(at) || draft.isProtected(at)) continue;
    const word = draft.at(at);
    const isLastOfName =
      JOINING_NAMES.has(word) &&
      draft.isFree(at - 1) &&
      !JOINING.has(draft.at(at - 1)) &&
      !draft.isFree(at + 1);
    if (JOINING.has(word) && !isLastOfName)
      draft.drop(at, at + 1, REASONS.joining);
    else if (ANY_DOCTOR.has(word)) draft.drop(at, at + 1, REASONS.anyDoctor);
  }
}
