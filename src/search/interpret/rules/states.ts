import { isAfterPreposition, isMoreCityThanName, nameWords } from "./cities.ts";
import type { Draft } from "../draft.ts";
import { JOINING } from "../words/fillers.ts";
import {
  AMBIGUOUS_CODES,
  MAX_STATE_WORDS,
  stateCodeOf,
} from "../words/states.ts";
import { PROFESSIONS } from "../words/titles.ts";
import type { Vocabulary } from "../vocabulary.ts";

/**
 * A first name before a state is a name with it, if one provider has the state's name for at most this many in it. More
 * than for a city (`cities.ts`), because a state has more providers.
 */
const IN_STATE_PER_NAMED = 500;
const MIN_CITY_LETTERS = 3;
/** Those who mean the state say "new york state", or NY. */
const RATHER_CITIES = new Set(["NEW YORK"]);

/** Understands a state without a city that the snapshot has there, and a misspelled city before it. */
export function readState(draft: Draft, vocabulary: Vocabulary): void {
  for (const from of draft.free().reverse())
    for (let size = MAX_STATE_WORDS; size > 0; size--) {
      const to = from + size;
      if (!draft.areFree(from, to) || draft.isProtected(from)) continue;
      const phrase = draft.phrase(from, to);
      const code = stateCodeOf(phrase);
      if (code === null) continue;
      const isState =
        phrase.length === 2
          ? isStateCode(draft, vocabulary, from)
          : isStateName(draft, vocabulary, from, to, code);
      if (!isState) continue;
      takeState(draft, from, to, code);
      readUnknownCity(draft, vocabulary, from);
      return;
    }
}

function takeState(draft: Draft, from: number, to: number, code: string): void {
  const hasBefore = draft.phrase(Math.max(0, from - 2), from) === "STATE OF";
  const hasAfter = draft.at(to) === "STATE" && draft.isFree(to);
  const start = hasBefore && draft.isFree(from - 2) ? from - 2 : from;
  draft.take(start, to + (hasAfter ? 1 : 0), "state");
  draft.filters.state = code;
}

function isStateName(
  draft: Draft,
  vocabulary: Vocabulary,
  from: number,
  to: number,
  code: string,
): boolean {
  if (draft.at(to) === "STATE" && draft.isFree(to)) return true;
  const phrase = draft.phrase(from, to);
  if (draft.phrase(Math.max(0, from - 2), from) === "STATE OF") return true;
  if (RATHER_CITIES.has(phrase) || isPartOfMore(draft, vocabulary, from, to))
    return false;
  if (isAfterPreposition(draft, from)) return true;
  const names = nameWords(draft);
  const others = names.filter((at) => at < from || at >= to);
  if (others.length === 0) return true;
  const named =
    vocabulary.withLastName(phrase) + vocabulary.withFirstName(phrase);
  const isLast = others.every((at) => at < from);
  if (!isLast) return named === 0;
  const [first = -1] = others;
  return !(
    others.length === 1 &&
    vocabulary.withFirstName(draft.at(first)) >
      vocabulary.withLastName(draft.at(first)) &&
    named * IN_STATE_PER_NAMED > vocabulary.inState(code)
  );
}

/** Whether the words and some around them are a city, or another state: KANSAS CITY, WEST VIRGINIA. */
function isPartOfMore(
  draft: Draft,
  vocabulary: Vocabulary,
  from: number,
  to: number,
): boolean {
  if (
    draft.isFree(from - 1) &&
    stateCodeOf(draft.phrase(from - 1, to)) !== null
  )
    return true;
  for (let start = from; start > from - MAX_STATE_WORDS; start--)
    for (let end = to; end < to + MAX_STATE_WORDS; end++) {
      if (end - start === to - from || !draft.areFree(start, end)) continue;
      if (vocabulary.city(draft.phrase(start, end)) !== null) return true;
    }
  return false;
}

function isStateCode(
  draft: Draft,
  vocabulary: Vocabulary,
  at: number,
): boolean {
  const word = draft.words[at]!;
  const isWord = JOINING.has(word.folded) && !word.capitals;
  const names = nameWords(draft).filter((each) => each !== at);
  const isLast = !draft.isFree(at + 1);
  if (!AMBIGUOUS_CODES.has(word.folded)) return isLast || word.comma;
  if (PROFESSIONS.has(word.folded) && draft.free().length === 1)
    return draft.filters.specialty !== undefined;
  if (draft.words.length === 1) return !isWord;
  if (!isLast) return false;
  if (names.length === 0)
    return draft.isFree(at - 1)
      ? isAfterPreposition(draft, at) && word.capitals
      : !isWord && at > 0;
  return draft.isFree(at - 1) && isUnknownCity(draft, vocabulary, at - 1);
}

/** Whether a word is no name: a misspelled city, or one of another state. */
function isUnknownCity(
  draft: Draft,
  vocabulary: Vocabulary,
  at: number,
): boolean {
  const word = draft.at(at);
  return (
    draft.isFree(at) &&
    !draft.isProtected(at) &&
    !JOINING.has(word) &&
    word.length >= MIN_CITY_LETTERS &&
    (isMoreCityThanName(vocabulary, word) || !vocabulary.isNameWord(word))
  );
}

/** Understands the word before a state as a city if it is one elsewhere, or no name. */
function readUnknownCity(
  draft: Draft,
  vocabulary: Vocabulary,
  state: number,
): void {
  const at = state - 1;
  if (!isUnknownCity(draft, vocabulary, at)) return;
  draft.take(at, at + 1, "city");
  draft.filters.city = draft.typed(at, at + 1);
}
