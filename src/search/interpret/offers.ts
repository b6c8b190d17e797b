import type { InterpretedFilters } from "../../contract/interpret.ts";
import { fold } from "../../text/fold.ts";
import { aliasesOf } from "../aliases/first-name-aliases.ts";
import {
  otherSpellings,
  personsOf,
  specialtiesFor,
  type SpellingSources,
} from "./corrections.ts";
import { isPlaceMissing, type Reading } from "./reading.ts";
import { without, type AskedOperation } from "./total-of.ts";
import type { Vocabulary } from "./vocabulary.ts";

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
/** Miles around a place near which no one is found. */
const WIDER_MILES = 100;
const PERSON_NAMES = ["first_name", "last_name", "name", "name_aliases"];
const LETTER_OR_DIGIT = /[\p{L}\p{N}]/u;
const SPACE_OR_HYPHEN = /[ -]/;

/**
 * Yields what else may be meant than a reading with its total, the likeliest first. `others` are all readings of the
 * text. Corrections are made one after the other, as they take long.
 */
export function* offersFor(
  reading: Reading,
  total: number,
  others: readonly Reading[],
  sources: SpellingSources,
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
  const spellings = otherSpellings(reading, total, sources);
  yield* take(spellings, FIRST_SPELLINGS);
  const unlikely = asked(senses.filter((each) => !isLikely(each)));
  if (total === 0) {
    yield* withoutSpecialtyOrName(reading);
    yield* otherPlaces(reading, sources.vocabulary);
    for (const each of likely.slice(0, LIKELY_READINGS))
      if (each.filters !== reading.filters)
        yield* take(otherSpellings(each, total, sources), FIRST_SPELLINGS);
    yield* unlikely.slice(0, LESS_LIKELY_READINGS);
  }
  yield* take(spellings, MORE_SPELLINGS);
  if (total === 0) {
    yield* withFewerWords(reading);
    yield* elsewhere(reading, sources.vocabulary);
    for (const { filters } of specialtiesFor(reading, sources.vocabulary)) {
      const anywhere = without(filters, ["city", "state", "zip"]);
      yield { operation: "search", filters: anywhere };
    }
  }
  if (reading.operation === "nearby") yield withoutDistance(reading);
  if (total === 0) yield* unlikely.slice(LESS_LIKELY_READINGS);
}

/** True if every word that a reading leaves out is left out by another one too: less of a text is no other sense. */
function leavesOutNoMore({ dropped }: Reading, than: Reading): boolean {
  const known = than.dropped.map(({ text }) => text).join(" ");
  return dropped.every(({ text }) => known.includes(text));
}

/** Takes the next values of a generator, which is not ended. */
function* take<T>(from: Generator<T, void>, most: number): Generator<T, void> {
  for (let count = 0; count < most; count++) {
    const next = from.next();
    if (next.done === true) return;
    yield next.value;
  }
}

/** Returns readings as operations, without those around a place that is missing. */
function asked(readings: readonly Reading[]): AskedOperation[] {
  return readings.flatMap((reading) => {
    const { filters, operation } = reading;
    return operation === null || isPlaceMissing(reading)
      ? []
      : [{ operation, filters }];
  });
}

/** Leaves out the middle initial, for those who are registered without a middle name. */
function withoutInitial({ filters, operation }: Reading): AskedOperation[] {
  const { middle_initial: initial, ...remaining } = filters;
  return initial === undefined || operation === null
    ? []
    : [{ operation, filters: remaining }];
}

/**
 * Adds nicknames and full forms of the first name, which is the first or the last word of a name. Only with a last name
 * that someone has.
 */
function withNicknames(
  { filters, operation }: Reading,
  vocabulary: Vocabulary,
): AskedOperation[] {
  if (operation === null || filters.name_aliases !== undefined) return [];
  const remaining = without(filters, PERSON_NAMES);
  return personsOf(filters)
    .filter(
      ({ first, last }) =>
        aliasesOf(fold(first)).length > 0 &&
        vocabulary.withLastName(fold(last)) > 0,
    )
    .map(({ first, last }) => ({
      operation,
      filters: {
        ...remaining,
        first_name: first,
        last_name: last,
        name_aliases: "true",
      },
    }));
}

/** Shortens a name of three words or more: if more, to the first and last one; then by one, a middle one first. */
function withFewerWords({ filters, operation }: Reading): AskedOperation[] {
  const {
    first_name: first,
    last_name: last,
    name_aliases: _,
    name = [first, last].filter((part) => part !== undefined).join(" "),
    organization,
    ...remaining
  } = filters;
  const parts = (organization ?? name).split(SPACE_OR_HYPHEN);
  if (operation === null || parts.length < MIN_NAME_WORDS) return [];
  const end = parts.length - 1;
  const middle = [...parts.keys()].slice(1, end);
  const isPerson = organization === undefined;
  const leftOut = (isPerson ? [...middle, 0, end] : [end, ...middle, 0]).map(
    (left) => [left],
  );
  if (isPerson && middle.length > 1) leftOut.unshift(middle);
  return leftOut.map((left) => ({
    operation,
    filters: {
      ...remaining,
      [isPerson ? "name" : "organization"]: parts
        .filter((_part, index) => !left.includes(index))
        .join(" "),
    },
  }));
}

/** Offers the name without a specialty that no one of that name has, and the specialty without the name. */
function withoutSpecialtyOrName({
  filters,
  operation,
}: Reading): AskedOperation[] {
  const { specialty, specialty_scope: scope = "common", ...named } = filters;
  const remaining = without(named, [...PERSON_NAMES, "organization"]);
  const isNamed = Object.keys(named).length > Object.keys(remaining).length;
  return operation === null || specialty === undefined || !isNamed
    ? []
    : [named, { ...remaining, specialty, specialty_scope: scope }].map(
        (each) => ({
          operation,
          filters: each,
        }),
      );
}

/** Looks around a city instead of in it, in one of that name elsewhere, in its state, and farther from a place. */
function otherPlaces(
  { filters, operation }: Reading,
  vocabulary: Vocabulary,
): AskedOperation[] {
  const { city, radius: _, state, zip, ...remaining } = filters;
  const center =
    zip ?? (city === undefined ? null : vocabulary.centerOf(city, state));
  const offers: AskedOperation[] = [];
  if (center !== null && vocabulary.isLocated(center)) {
    const around = { ...remaining, zip: center };
    offers.push({ operation: "nearby", filters: around });
    offers.push({
      operation: "nearby",
      filters: { ...around, radius: WIDER_MILES },
    });
  }
  if (operation !== "search" || city === undefined || state === undefined)
    return offers;
  const inCity = { operation, filters: { ...remaining, city } };
  const inState = { operation, filters: { ...remaining, state } };
  return personsOf(filters).length > 0
    ? [...offers, inCity]
    : [...offers, inCity, inState];
}

/** Offers the last name in the place, with the initial of the first name before that, and all in other places. */
function elsewhere(
  { filters, operation }: Reading,
  vocabulary: Vocabulary,
): AskedOperation[] {
  if (operation !== "search") return [];
  const [person] = personsOf(filters).toSorted(
    (a, b) =>
      vocabulary.withLastName(fold(b.last)) -
      vocabulary.withLastName(fold(a.last)),
  );
  const remaining = without(filters, PERSON_NAMES);
  const offers: InterpretedFilters[] = [];
  if (person !== undefined) {
    const { first, last } = person;
    for (const initial of LETTER_OR_DIGIT.exec(first) ?? [])
      offers.push({ ...remaining, first_name: initial, last_name: last });
    offers.push({ ...remaining, last_name: last });
  }
  const { city, state, zip, ...withoutPlace } = filters;
  const { specialty, specialty_scope: _, ...named } = withoutPlace;
  if ((city ?? state ?? zip) !== undefined) offers.push(withoutPlace);
  if (specialty !== undefined) offers.push(named);
  return offers
    .filter((each) => Object.keys(each).length > 0)
    .map((each) => ({ operation, filters: each }));
}

/** Searches in the place instead of around it. */
function withoutDistance({ filters, place }: Reading): AskedOperation {
  const { radius: _, zip: __, ...remaining } = filters;
  return { operation: "search", filters: { ...remaining, ...place } };
}
