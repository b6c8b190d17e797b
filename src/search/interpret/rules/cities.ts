import type { Draft } from "../draft.ts";
import { JOINING } from "../words/fillers.ts";
import { CREDENTIALS, SUFFIXES } from "../words/titles.ts";
import type { Vocabulary } from "../vocabulary.ts";

/** The most words of a city's name. */
export const MAX_CITY_WORDS = 5;

/** Words after which a city follows, if no other rule took them. */
const BEFORE_CITY = new Set(["IN", "EN"]);
/** How many times as many providers must be in a city as have its name, if it comes before a name. */
const TIMES_BEFORE_NAME = 20;
/** A first name before a city is a name with it, if one provider has the city's name for at most this many in it. */
const IN_CITY_PER_NAMED = 50;
/** Words inside last names. No city follows them. */
const PARTICLES = new Set("DA DE DEL DER DI DU LA LE VAN VON".split(" "));
const LETTERS = /^\p{L}+$/u;

/**
 * Understands a city without a state: after IN or NEAR, at the end, or at the start. At the end of a name it must have
 * more providers than have it as a name; before a name, many more.
 */
export function readCity(draft: Draft, vocabulary: Vocabulary): void {
  const found =
    afterPreposition(draft, vocabulary) ??
    atEnd(draft, vocabulary) ??
    atStart(draft, vocabulary) ??
    unknownCity(draft, vocabulary);
  if (found === null) return;
  const [from, to] = found;
  draft.take(from, to, "city");
  draft.filters.city = draft.typed(from, to);
}

/** Whether more providers are in a city than have its name; `times` as many. */
export function isMoreCityThanName(
  vocabulary: Vocabulary,
  phrase: string,
  times = 1,
): boolean {
  const city = vocabulary.city(phrase);
  if (city === null) return false;
  const named =
    vocabulary.withLastName(phrase) + vocabulary.withFirstName(phrase);
  return city.total > named * times;
}

/** Whether what is before an index says that a place follows. */
export function isAfterPreposition(draft: Draft, at: number): boolean {
  return (
    (draft.isFree(at - 1) && BEFORE_CITY.has(draft.at(at - 1))) ||
    (draft.words[at - 1]?.label === true && draft.at(at - 1) === "CITY") ||
    draft.isUnderstoodAs(at - 1, "operation") ||
    draft.isUnderstoodAs(at - 1, "radius")
  );
}

type Span = readonly [from: number, to: number];

function afterPreposition(draft: Draft, vocabulary: Vocabulary): Span | null {
  for (const from of draft.free().reverse()) {
    if (!isAfterPreposition(draft, from)) continue;
    for (let to = from + MAX_CITY_WORDS; to > from; to--)
      if (isCity(draft, vocabulary, from, to)) return [from, to];
  }
  return null;
}

function atEnd(draft: Draft, vocabulary: Vocabulary): Span | null {
  const names = nameWords(draft);
  const to = (names.at(-1) ?? -1) + 1;
  for (let from = Math.max(0, to - MAX_CITY_WORDS); from < to; from++) {
    if (!isCity(draft, vocabulary, from, to)) continue;
    const phrase = draft.phrase(from, to);
    if (!isMoreCityThanName(vocabulary, phrase)) continue;
    const before = names.filter((at) => at < from);
    if (PARTICLES.has(draft.at(before.at(-1) ?? -1))) continue;
    if (
      before.length === 1 &&
      isNameWith(draft, vocabulary, before[0]!, phrase)
    )
      continue;
    return [from, to];
  }
  return null;
}

/** Whether a single word and a phrase after it are rather a person: AUSTIN DALLAS, JOHN WASHINGTON. */
function isNameWith(
  draft: Draft,
  vocabulary: Vocabulary,
  at: number,
  phrase: string,
): boolean {
  const word = draft.at(at);
  if (draft.isProtected(at) && vocabulary.withLastName(word) > 0) return false;
  if (isMoreCityThanName(vocabulary, word)) return true;
  const providers = vocabulary.city(phrase)?.total ?? 0;
  return (
    vocabulary.withFirstName(word) > vocabulary.withLastName(word) &&
    vocabulary.withLastName(phrase) * IN_CITY_PER_NAMED > providers
  );
}

function atStart(draft: Draft, vocabulary: Vocabulary): Span | null {
  const [from = -1] = nameWords(draft);
  for (let to = from + MAX_CITY_WORDS; to > from; to--)
    if (
      isCity(draft, vocabulary, from, to) &&
      isMoreCityThanName(vocabulary, draft.phrase(from, to), TIMES_BEFORE_NAME)
    )
      return [from, to];
  return null;
}

/** After IN, a single word that is no name is a city, even if no provider is there. */
function unknownCity(draft: Draft, vocabulary: Vocabulary): Span | null {
  const from = draft.free().at(-1) ?? -1;
  return isAfterPreposition(draft, from) &&
    LETTERS.test(draft.at(from)) &&
    !JOINING.has(draft.at(from)) &&
    !vocabulary.isNameWord(draft.at(from))
    ? [from, from + 1]
    : null;
}

function isCity(
  draft: Draft,
  vocabulary: Vocabulary,
  from: number,
  to: number,
): boolean {
  if (!draft.areFree(from, to)) return false;
  for (let at = from; at < to; at++)
    if (draft.isProtected(at) || (at > from && draft.words[at]!.comma))
      return false;
  return vocabulary.city(draft.phrase(from, to)) !== null;
}

/** The free words that may be parts of names or cities. */
export function nameWords(draft: Draft): number[] {
  return draft
    .free()
    .filter(
      (at) =>
        draft.isProtected(at) ||
        !(
          (JOINING.has(draft.at(at)) && draft.at(at) !== "THE") ||
          CREDENTIALS.has(draft.at(at)) ||
          SUFFIXES.has(draft.at(at))
        ),
    );
}
