import { initialOf } from "../../../snapshot/names/middle-initials.ts";
import { commonCodesOf } from "../../aliases/common-specialties.ts";
import type { Draft } from "../draft.ts";
import type { Vocabulary } from "../vocabulary.ts";
import { REASONS } from "../words/reasons.ts";
import { firstAfterComma, startsLastName } from "./last-names.ts";

/** What is read as the middle name: a single letter, a word, or nothing. Only its first letter becomes a filter. */
export type MiddleSense = "initial" | "word" | "none";

/** Protects A and I between a first and a last name, or after "last, first": they are letters there, not words. */
export function protectInitials(draft: Draft, vocabulary: Vocabulary): void {
  draft.words.forEach(({ folded }, at) => {
    if (folded !== "A" && folded !== "I") return;
    if (vocabulary.withFirstName(draft.at(at - 1)) === 0) return;
    const next = draft.at(at + 1);
    const isBeforeLast =
      vocabulary.withLastName(next) > 0 && commonCodesOf(next) === null;
    const isAtEnd = next === "" && draft.words[at - 1]!.comma;
    if (isBeforeLast || isAtEnd) draft.protect(at);
  });
}

/** Understands a free word as the middle name, and drops all other single letters after the first name. */
export function readMiddle(
  draft: Draft,
  vocabulary: Vocabulary,
  sense: MiddleSense,
): void {
  const initials = initialsIn(draft, vocabulary);
  const at =
    !vocabulary.hasMiddleInitials || sense === "none"
      ? undefined
      : sense === "initial"
        ? initials.find((each) => initialOf(draft.at(each)) > 0)
        : middleWord(draft, vocabulary);
  const reason = !vocabulary.hasMiddleInitials
    ? REASONS.initialUnknown
    : at === undefined
      ? REASONS.initial
      : REASONS.oneInitial;
  for (const each of initials)
    if (each !== at) draft.drop(each, each + 1, reason);
  if (at === undefined) return;
  draft.take(at, at + 1, "middle_initial");
  draft.filters.middle_initial = draft.at(at).charAt(0);
}

/** The free single letters after a first name. */
function initialsIn(draft: Draft, vocabulary: Vocabulary): number[] {
  const free = draft.free();
  const whole = free.filter((at) => draft.at(at).length > 1);
  const given = firstAfterComma(draft);
  return free
    .slice(1)
    .filter(
      (at) =>
        draft.at(at).length === 1 &&
        !draft.words[at]!.joined &&
        !(draft.isFree(at + 1) && startsLastName(draft, vocabulary, at)) &&
        (whole.length > 1 ||
          free[0] !== whole[0] ||
          (given >= 0 && at > given)),
    );
}

/**
 * The word after the first name, if it is a name itself. The first name is the first word, unless that is rather a last
 * name.
 */
function middleWord(draft: Draft, vocabulary: Vocabulary): number | undefined {
  const free = draft.free();
  const given = firstAfterComma(draft);
  const start = draft.at(free[0] ?? -1);
  const isLastName =
    vocabulary.withLastName(start) > vocabulary.withFirstName(start);
  const first = given >= 0 ? free.indexOf(given) : isLastName ? 1 : 0;
  const at = free[first + 1];
  if (at === undefined || free.length < 3) return undefined;
  const isJoined = draft.words[at]!.joined || draft.words[at + 1]?.joined;
  const word = draft.at(at);
  const isName =
    vocabulary.withFirstName(word) > 0 || vocabulary.withLastName(word) > 0;
  return isName && !isJoined && word.length > 1 && initialOf(word) > 0
    ? at
    : undefined;
}
