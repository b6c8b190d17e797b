import {
  AMBIGUOUS_SHORT_FORMS,
  CITY_SHORT_FORMS,
} from "../words/city-short-forms.ts";
import { MAX_CITY_WORDS, readCity } from "./cities.ts";
import type { Draft } from "../draft.ts";
import { readState } from "./states.ts";
import {
  CREDENTIAL_CODES,
  AMBIGUOUS_CODES,
  MAX_STATE_WORDS,
  stateCodeOf,
} from "../words/states.ts";
import type { Vocabulary } from "../vocabulary.ts";

/** A city with its state, as words `[from, state)` and `[state, to)`. */
interface Pair {
  readonly from: number;
  readonly state: number;
  readonly to: number;
  readonly city: string;
  readonly code: string;
}

/**
 * Understands where: a city with its state, the last one that is typed; else short forms such as NYC; else a state, and
 * a city. A word that is a name as well is a city only where that is the more likely sense.
 */
export function readPlaces(draft: Draft, vocabulary: Vocabulary): void {
  const pair = lastPair(draft, vocabulary);
  if (pair !== null) {
    draft.take(pair.from, pair.state, "city");
    draft.take(pair.state, pair.to, "state");
    draft.filters.city = pair.city;
    draft.filters.state = pair.code;
    return;
  }
  readShortForm(draft);
  if (draft.filters.city !== undefined) return;
  readState(draft, vocabulary);
  if (draft.filters.city === undefined) readCity(draft, vocabulary);
}

/** The last city with a state after it in which the snapshot has that city; of several, the longest. */
function lastPair(draft: Draft, vocabulary: Vocabulary): Pair | null {
  for (let to = draft.words.length; to > 1; to--)
    for (let size = MAX_STATE_WORDS; size > 0; size--) {
      const state = to - size;
      if (state < 1 || !draft.areFree(state, to)) continue;
      const code = stateCodeOf(draft.phrase(state, to));
      if (code === null) continue;
      if (size === 1 && !mayBeState(draft, state)) continue;
      const start = Math.max(0, state - MAX_CITY_WORDS);
      for (let from = start; from < state; from++) {
        const city = cityInState(draft, vocabulary, from, state, code);
        if (city !== null) return { from, state, to, city, code };
      }
    }
  return null;
}

/** Whether an ambiguous code is at an end: IN before a name is no state. */
function mayBeState(draft: Draft, at: number): boolean {
  return (
    !AMBIGUOUS_CODES.has(draft.at(at)) ||
    !draft.isFree(at + 1) ||
    draft.words[at + 1]!.comma
  );
}

/** The city of `[from, to)` as it is sent, if it is one in a state; else null. */
function cityInState(
  draft: Draft,
  vocabulary: Vocabulary,
  from: number,
  to: number,
  code: string,
): string | null {
  if (!isPhrase(draft, from, to)) return null;
  const phrase = draft.phrase(from, to);
  const name = CITY_SHORT_FORMS.get(phrase)?.city ?? draft.typed(from, to);
  const providers = vocabulary.city(name)?.states.get(code) ?? 0;
  if (providers === 0) return null;
  const isName =
    CREDENTIAL_CODES.has(draft.at(to)) &&
    vocabulary.withLastName(phrase) > providers;
  if (isName) return null;
  // Of a name after a title, only all of it can be a city: DR WASHINGTON DC.
  const isProtected = [...Array(to - from).keys()].some((each) =>
    draft.isProtected(from + each),
  );
  const isAll = draft.free().every((at) => at >= from && at <= to + 2);
  return isProtected && !isAll ? null : name;
}

/** Whether words are free, with no comma inside. */
function isPhrase(draft: Draft, from: number, to: number): boolean {
  return (
    draft.areFree(from, to) &&
    !draft.words.slice(from + 1, to).some(({ comma }) => comma)
  );
}

/** Understands the first short form of a city. */
function readShortForm(draft: Draft): void {
  const free = draft.free();
  for (const from of free)
    for (let to = from + MAX_STATE_WORDS; to > from; to--) {
      const phrase = draft.phrase(from, to);
      const form = CITY_SHORT_FORMS.get(phrase);
      if (form === undefined || !isPhrase(draft, from, to)) continue;
      if (draft.isProtected(from)) continue;
      if (AMBIGUOUS_SHORT_FORMS.has(phrase) && free.length > to - from)
        continue;
      draft.take(from, to, "city");
      draft.filters.city = form.city;
      if (form.state !== undefined) draft.filters.state = form.state;
      return;
    }
}
