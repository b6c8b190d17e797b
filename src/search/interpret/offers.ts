import type { InterpretedFilters } from "../../contract/interpret.ts";
import { fold, words } from "../../text/fold.ts";
import { aliasesOf } from "../aliases/first-name-aliases.ts";
import { EditRows } from "../spelling/edit-rows.ts";
import type { Spelling } from "../spelling/spelling.ts";
import { isPlaceMissing, type Reading } from "./reading.ts";
import type { AskedOperation } from "./total-of.ts";
import type { Vocabulary } from "./vocabulary.ts";

/** Sources of offers. */
export interface OfferSources {
  readonly vocabulary: Vocabulary;
  readonly spelling: Spelling;
}

/** A reading that finds as many providers is not checked for misspelled words. */
const MANY = 100;
/** The most that a reading's score is less to be offered before other spellings. */
const RIVAL = 10;
/** Other spellings that are tried before less likely readings, and after them. */
const FIRST_SPELLINGS = 2;
const MORE_SPELLINGS = 4;
/** Other readings of which spellings are tried, and less likely ones that are tried before the rest. */
const LIKELY_READINGS = 2;
const LESS_LIKELY_READINGS = 2;
/** With fewer words, a name without one of them is another name. */
const MIN_NAME_WORDS = 3;
/** Words of a name that are compared with others, at most. */
const MAX_CORRECTED_WORDS = 3;
const MIN_SPECIALTY_LETTERS = 6;
const MAX_SPECIALTY_EDITS = 2;

/**
 * What else may be meant than a reading with its total, the likeliest first. `others` are all readings of the text.
 * Corrections are made one after the other, as they take long.
 */
export function* offersFor(
  reading: Reading,
  total: number,
  others: readonly Reading[],
  sources: OfferSources,
): Generator<AskedOperation, void> {
  yield* withoutInitial(reading);
  const senses = others.filter(
    (each) => total === 0 || leavesOutNoMore(each, reading),
  );
  const isLikely = ({ score }: Reading): boolean =>
    score >= reading.score - RIVAL;
  const likely = senses.filter(isLikely);
  for (const each of [...likely, reading])
    yield* withNicknames(each, sources.vocabulary);
  yield* asked(likely);
  const spellings =
    total < MANY ? otherSpellings(reading, total, sources) : null;
  if (spellings !== null) yield* take(spellings, FIRST_SPELLINGS);
  const unlikely = asked(senses.filter((each) => !isLikely(each)));
  if (total === 0) {
    yield* withoutName(reading);
    yield* around(reading, sources.vocabulary);
    for (const each of likely.slice(0, LIKELY_READINGS))
      if (each.filters !== reading.filters)
        yield* take(otherSpellings(each, total, sources), FIRST_SPELLINGS);
    yield* unlikely.slice(0, LESS_LIKELY_READINGS);
  }
  if (spellings !== null) yield* take(spellings, MORE_SPELLINGS);
  if (total === 0) {
    yield* withFewerWords(reading);
    yield* elsewhere(reading, sources.vocabulary);
  }
  if (reading.operation === "nearby") yield withoutDistance(reading);
  if (total === 0) yield* unlikely.slice(LESS_LIKELY_READINGS);
}

/** True if every word that a reading leaves out is left out by another one too: less of a text is no other sense. */
function leavesOutNoMore({ dropped }: Reading, than: Reading): boolean {
  const known = than.dropped.map(({ text }) => text).join(" ");
  return dropped.every(({ text }) => known.includes(text));
}

/** The next values of a generator, which is not ended. */
function* take<T>(from: Generator<T, void>, most: number): Generator<T, void> {
  for (let count = 0; count < most; count++) {
    const next = from.next();
    if (next.done === true) return;
    yield next.value;
  }
}

/** Readings as operations, without those around a place that is missing. */
function asked(readings: readonly Reading[]): AskedOperation[] {
  return readings.flatMap((reading) => {
    const { filters, operation } = reading;
    return operation === null || isPlaceMissing(reading)
      ? []
      : [{ operation, filters }];
  });
}

/** The same without its middle initial, for those who are registered without a middle name. */
function withoutInitial({ filters, operation }: Reading): AskedOperation[] {
  const { middle_initial: initial, ...rest } = filters;
  return initial === undefined || operation === null
    ? []
    : [{ operation, filters: rest }];
}

/** A first and a last name. */
interface PersonName {
  readonly first: string;
  readonly last: string;
}

/** The names that two or more words of a name may be, in the order typed first. */
function personsOf({
  first_name: first,
  last_name: last,
  name = "",
}: InterpretedFilters): PersonName[] {
  if (last !== undefined) return [{ first: first ?? "", last }];
  const parts = name.split(" ");
  if (parts.length < 2) return [];
  return [
    { first: parts[0]!, last: parts.slice(1).join(" ") },
    { first: parts.at(-1)!, last: parts.slice(0, -1).join(" ") },
  ];
}

/**
 * The same with nicknames and full forms of the first name, which is the first or the last word of a name. Only with a
 * last name that someone has.
 */
function withNicknames(
  { filters, operation }: Reading,
  vocabulary: Vocabulary,
): AskedOperation[] {
  if (operation === null || filters.name_aliases !== undefined) return [];
  const { first_name: _, last_name: __, name: ___, ...rest } = filters;
  return personsOf(filters)
    .filter(
      ({ first, last }) =>
        aliasesOf(fold(first)).length > 0 &&
        vocabulary.withLastName(fold(last)) > 0,
    )
    .map(({ first, last }) => ({
      operation,
      filters: {
        ...rest,
        first_name: first,
        last_name: last,
        name_aliases: "true",
      },
    }));
}

/** A name of three words or more without one of them: a middle one first. */
function withFewerWords({ filters, operation }: Reading): AskedOperation[] {
  const filter = filters.name === undefined ? "organization" : "name";
  const parts = filters[filter]?.split(" ") ?? [];
  if (operation === null || parts.length < MIN_NAME_WORDS) return [];
  const last = parts.length - 1;
  const middle = [...parts.keys()].slice(1, last);
  const order = filter === "name" ? [...middle, 0, last] : [last, ...middle, 0];
  return order.map((left) => ({
    operation,
    filters: {
      ...filters,
      [filter]: parts.filter((_, index) => index !== left).join(" "),
    },
  }));
}

/** The specialty without the words that were read as a name. */
function withoutName({ filters, operation }: Reading): AskedOperation[] {
  const { name, organization, ...rest } = filters;
  return operation === null ||
    (name ?? organization) === undefined ||
    rest.specialty === undefined
    ? []
    : [{ operation, filters: rest }];
}

/** A search around a city instead of in it. */
function around(
  { filters, operation }: Reading,
  vocabulary: Vocabulary,
): AskedOperation[] {
  const { city, state, ...rest } = filters;
  if (operation !== "search" || city === undefined) return [];
  const zip = vocabulary.centerOf(city, state);
  return zip === null || !vocabulary.isLocated(zip)
    ? []
    : [{ operation: "nearby", filters: { ...rest, zip } }];
}

/** The last name in the place, with the initial of the first name before that, and the whole name in other states. */
function elsewhere(
  { filters, operation }: Reading,
  vocabulary: Vocabulary,
): AskedOperation[] {
  const persons = personsOf(filters);
  const [person] = persons.toSorted(
    (a, b) =>
      vocabulary.withLastName(fold(b.last)) -
      vocabulary.withLastName(fold(a.last)),
  );
  if (operation !== "search" || person === undefined) return [];
  const {
    first_name: _,
    last_name: __,
    name: ___,
    name_aliases: ____,
    ...rest
  } = filters;
  const { city, state, zip, ...withoutPlace } = filters;
  const { first, last } = person;
  const [initial = ""] = fold(first);
  const found: InterpretedFilters[] = [
    { ...rest, first_name: initial, last_name: last },
    { ...rest, last_name: last },
  ];
  if ((city ?? state ?? zip) !== undefined) found.push(withoutPlace);
  return found.map((each) => ({ operation, filters: each }));
}

/** A search in the place instead of around it. */
function withoutDistance({ filters, place }: Reading): AskedOperation {
  const { radius: _, zip: __, ...rest } = filters;
  return { operation: "search", filters: { ...rest, ...place } };
}

/** Other spellings of a reading, the likeliest first: of its specialty, its name, and its city. */
function* otherSpellings(
  { filters, operation }: Reading,
  total: number,
  { spelling, vocabulary }: OfferSources,
): Generator<AskedOperation, void> {
  if (operation !== "search" && operation !== "nearby") return;
  // A specialty at a ZIP code is wanted around it.
  const { city: _, state: __, ...aroundZip } = filters;
  const isAround =
    operation === "nearby" || vocabulary.isLocated(filters.zip ?? "");
  for (const each of specialtiesFor(isAround ? aroundZip : filters, vocabulary))
    yield { operation: isAround ? "nearby" : "search", filters: each };
  if (total === 0)
    for (const each of peopleFor(filters, spelling))
      yield { operation, filters: each };
  for (const each of namesFor(filters, spelling))
    yield { operation, filters: each };
  // A nearby search has no city.
  if (operation === "search" && filters.zip === undefined)
    for (const each of citiesFor(filters, spelling))
      yield { operation, filters: each };
}

/** The name, or some of its words, as a misspelled specialty, if there is none yet. */
export function specialtiesFor(
  filters: InterpretedFilters,
  vocabulary: Vocabulary,
): InterpretedFilters[] {
  const { name, ...rest } = filters;
  if (rest.specialty !== undefined || name === undefined) return [];
  const parts = name.split(" ");
  if (parts.length > 2 * MAX_CORRECTED_WORDS) return [];
  for (let size = MAX_CORRECTED_WORDS; size > 0; size--)
    for (let from = 0; from + size <= parts.length; from++) {
      const typed = fold(parts.slice(from, from + size).join(" "));
      const specialty = nearestSpecialty(typed, vocabulary);
      if (specialty === null) continue;
      const left = [...parts.slice(0, from), ...parts.slice(from + size)];
      const named = left.length === 0 ? {} : { name: left.join(" ") };
      return [{ ...rest, ...named, specialty, specialty_scope: "common" }];
    }
  return [];
}

/** The everyday words for specialties that are nearest to a folded text; null if none are near. */
function nearestSpecialty(
  typed: string,
  { specialties }: Vocabulary,
): string | null {
  if (typed.length < MIN_SPECIALTY_LETTERS) return null;
  const rows = new EditRows(points(typed), MAX_SPECIALTY_EDITS);
  let nearest: string | null = null;
  let most = MAX_SPECIALTY_EDITS + 1;
  for (const { isEveryday, text } of specialties.all) {
    if (!isEveryday || Math.abs(text.length - typed.length) >= most) continue;
    rows.length = 0;
    const isNear = points(text).every((point) => rows.add(point));
    if (!isNear || rows.edits >= most) continue;
    most = rows.edits;
    nearest = text.toLowerCase();
  }
  return nearest;
}

/** The code points of a text. */
function points(text: string): Int32Array {
  return Int32Array.from(text, (each) => each.codePointAt(0)!);
}

/** The city, or the end of the name if no city is typed, as a misspelled city. */
function citiesFor(
  filters: InterpretedFilters,
  spelling: Spelling,
): InterpretedFilters[] {
  const { city, name, ...base } = filters;
  const corrected = (typed: string, named: string): InterpretedFilters[] =>
    spelling
      .cities(fold(typed), filters.state ?? null)
      .slice(0, 2)
      .map(({ word }) =>
        Object.assign({}, base, named === "" ? {} : { name: named }, {
          city: word.toLowerCase(),
        }),
      );
  if (city !== undefined) return corrected(city, name ?? "");
  const parts = name?.split(" ") ?? [];
  for (
    let size = Math.min(parts.length, MAX_CORRECTED_WORDS);
    size > 0;
    size--
  ) {
    const found = corrected(
      parts.slice(-size).join(" "),
      parts.slice(0, -size).join(" "),
    );
    if (found.length > 0) return found;
  }
  return [];
}

/** The people who have nearly a first and a last name, which may be typed in either order. */
function* peopleFor(
  filters: InterpretedFilters,
  spelling: Spelling,
): Generator<InterpretedFilters, void> {
  const isSplit = filters.last_name !== undefined;
  if (!isSplit && filters.name?.split(" ").length !== 2) return;
  const people = personsOf(filters)
    .flatMap(({ first, last }) => spelling.people(fold(first), fold(last)))
    .sort((a, b) => a.edits - b.edits);
  for (const person of people) {
    const first = person.first.toLowerCase();
    const last = person.last.toLowerCase();
    yield isSplit
      ? { ...filters, first_name: first, last_name: last }
      : { ...filters, name: `${first} ${last}` };
  }
}

/** A name with its misspelled words corrected. */
function* namesFor(
  filters: InterpretedFilters,
  spelling: Spelling,
): Generator<InterpretedFilters, void> {
  const { name, organization } = filters;
  if (organization !== undefined)
    for (const text of corrections(organization, (word) =>
      spelling.names(word, ["word"]),
    ))
      yield { ...filters, organization: text };
  if (name !== undefined)
    for (const text of corrections(name, (word) => spelling.names(word)))
      yield { ...filters, name: text };
}

/** A text with its misspelled words corrected: all of them, and then each, if they are several. */
function corrections(
  text: string,
  suggest: (word: string) => readonly { readonly word: string }[],
): string[] {
  const parts = text.split(" ");
  const found = new Map<number, string>();
  parts.slice(0, MAX_CORRECTED_WORDS).forEach((part, index) => {
    const folded = fold(part);
    const [best] = words(folded).length === 1 ? suggest(folded) : [];
    if (best !== undefined) found.set(index, best.word.toLowerCase());
  });
  if (found.size === 0) return [];
  const all = parts.map((part, index) => found.get(index) ?? part).join(" ");
  return found.size === 1
    ? [all]
    : [
        all,
        ...[...found].map(([index, word]) => parts.with(index, word).join(" ")),
      ];
}
