import type {
  InterpretedFilters,
  InterpretedOperation,
} from "../../contract/interpret.ts";
import { fold } from "../../text/fold.ts";
import type { Spelling } from "../spelling/spelling.ts";
import { aliasesOf } from "../aliases/first-name-aliases.ts";
import {
  likelihoodOf,
  otherNames,
  otherSpellings,
  personsOf,
  specialtiesFor,
  type PersonName,
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
const MAX_LAST_NAMES = 2;
/** A name is too unlikely if another one is more than this many times as likely. */
const TIMES_RARE = 100;
const PERSON_NAMES = ["first_name", "last_name", "name", "name_aliases"];
const NAMES = [...PERSON_NAMES, "organization"];
const PLACE = ["city", "radius", "state", "zip"];
const SPECIALTY = ["specialty", "specialty_scope"];
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
  const { filters, operation } = reading;
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
  const isNameRight =
    total === 0 && isSpelledRight(reading.filters, sources.spelling);
  if (!isNameRight) yield* take(spellings, FIRST_SPELLINGS);
  const unlikely = asked(senses.filter((each) => !isLikely(each)));
  if (total === 0) {
    yield* withoutSpecialty(reading);
    yield* withFewerWords(filters, operation);
    yield* withLastName(filters, operation, sources);
    yield* elsewhere(reading, sources);
    yield* withoutName(reading);
    for (const each of likely.slice(0, LIKELY_READINGS))
      if (each.filters !== filters)
        yield* take(otherSpellings(each, total, sources), FIRST_SPELLINGS);
    yield* unlikely.slice(0, LESS_LIKELY_READINGS);
  }
  yield* take(spellings, MORE_SPELLINGS);
  if (total === 0)
    for (const each of specialtiesFor(reading, sources.vocabulary))
      yield { operation: "search", filters: without(each.filters, PLACE) };
  if (operation === "nearby") yield withoutDistance(reading);
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
function withFewerWords(
  filters: InterpretedFilters,
  operation: InterpretedOperation | null,
): AskedOperation[] {
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

/** Leaves out a specialty that no one of the name has. */
function withoutSpecialty({ filters, operation }: Reading): AskedOperation[] {
  return operation === null || !isNamed(filters) || !("specialty" in filters)
    ? []
    : [{ operation, filters: without(filters, SPECIALTY) }];
}

/** Leaves out the name of a text that has a specialty. */
function withoutName({ filters, operation }: Reading): AskedOperation[] {
  return operation === null || !isNamed(filters) || !("specialty" in filters)
    ? []
    : [{ operation, filters: without(filters, NAMES) }];
}

function isNamed(filters: InterpretedFilters): boolean {
  return NAMES.some((name) => name in filters);
}

/** Offers the last name in the place, by itself and with the initial of the first name, also without the specialty. */
function withLastName(
  filters: InterpretedFilters,
  operation: InterpretedOperation | null,
  sources: SpellingSources,
): AskedOperation[] {
  if (operation === null) return [];
  const named = lastNamesOf(filters, sources).flatMap(({ first, last }) => {
    const [initial] = LETTER_OR_DIGIT.exec(first) ?? [];
    const surname: InterpretedFilters = { last_name: last };
    return initial === undefined
      ? [surname]
      : [surname, { first_name: initial, last_name: last }];
  });
  const rest = without(filters, PERSON_NAMES);
  const rests = "specialty" in rest ? [rest, without(rest, SPECIALTY)] : [rest];
  return rests.flatMap((each) =>
    named.map((name) => ({ operation, filters: { ...each, ...name } })),
  );
}

/**
 * Yields what is searched for in other places: in the city's state, around it and farther from it, in a city of that name
 * elsewhere, and anywhere, there also with another spelling and without the specialty.
 */
function* elsewhere(
  { filters, operation }: Reading,
  sources: SpellingSources,
): Generator<AskedOperation, void> {
  const { spelling, vocabulary } = sources;
  const { city, state, zip } = filters;
  const anywhere = without(filters, PLACE);
  const isEmpty = Object.keys(anywhere).length === 0;
  const isInState = city !== undefined && state !== undefined;
  if (isInState && isNamed(filters)) yield search({ ...anywhere, state });
  const center =
    zip ?? (city === undefined ? null : vocabulary.centerOf(city, state));
  if (center !== null && vocabulary.isLocated(center))
    for (const farther of [{}, { radius: WIDER_MILES }])
      yield {
        operation: "nearby",
        filters: { ...anywhere, zip: center, ...farther },
      };
  if (operation === "search" && isInState) yield search({ ...anywhere, city });
  const isPlaced = (city ?? state ?? zip) !== undefined;
  if (!isEmpty && isPlaced) {
    yield search(anywhere);
    for (const each of take(otherNames(anywhere, spelling), 1))
      yield search(each);
    yield* withFewerWords(anywhere, "search").slice(0, 1);
  }
  if (isNamed(filters) && "specialty" in filters)
    yield search(without(anywhere, SPECIALTY));
  if (isPlaced) yield* withLastName(anywhere, "search", sources);
  if (isInState) yield search({ ...anywhere, state });
}

function search(filters: InterpretedFilters): AskedOperation {
  return { operation: "search", filters };
}

/** Searches in the place instead of around it. */
function withoutDistance({ filters, place }: Reading): AskedOperation {
  const { radius: _, zip: __, ...remaining } = filters;
  return { operation: "search", filters: { ...remaining, ...place } };
}

/** True if the parts of a person's name are spelled as most providers have them. */
function isSpelledRight(
  filters: InterpretedFilters,
  spelling: Spelling,
): boolean {
  const [person] = personsOf(filters);
  return (
    person !== undefined &&
    [person.first, person.last].every(
      (part) => spelling.names(fold(part)).length === 0,
    )
  );
}

/**
 * Returns the last names that may be meant with a person's name in either order, at most two, the likeliest first: as
 * typed if anyone has it, and corrected. Of several words that no one has, it is the outer one.
 */
function lastNamesOf(
  filters: InterpretedFilters,
  { spelling, vocabulary }: SpellingSources,
): PersonName[] {
  const countOf = ({ last }: PersonName): number =>
    vocabulary.withLastName(fold(last));
  const whole = personsOf(filters);
  const outer = whole.map(({ first, last }, index) => ({
    first,
    last: last.split(" ").at(index === 0 ? -1 : 0)!,
  }));
  const typed = whole.some((each) => countOf(each) > 0) ? whole : outer;
  const names = typed.flatMap((person) => {
    const { first, last } = person;
    const [spelled] = spelling.names(fold(last), ["last"]);
    const asTyped = { first, last, weight: countOf(person) };
    return spelled === undefined
      ? [asTyped]
      : [
          asTyped,
          {
            first,
            last: spelled.word.toLowerCase(),
            weight: likelihoodOf(spelled),
          },
        ];
  });
  names.sort((a, b) => b.weight - a.weight);
  const [most] = names;
  return names
    .filter(
      ({ weight }) =>
        weight > 0 && weight * TIMES_RARE >= (most?.weight ?? weight),
    )
    .slice(0, MAX_LAST_NAMES);
}
