import type { InterpretedFilters } from "../../contract/interpret.ts";
import { fold, words } from "../../text/fold.ts";
import { codePoints, EditRows } from "../spelling/edit-rows.ts";
import type { Candidate } from "../spelling/likeliest.ts";
import type { Spelling } from "../spelling/spelling.ts";
import type { ReadWord, Reading } from "./reading.ts";
import type { AskedOperation } from "./total-of.ts";
import type { Vocabulary } from "./vocabulary.ts";

/** Sources of other spellings. */
export interface SpellingSources {
  readonly vocabulary: Vocabulary;
  readonly spelling: Spelling;
}

/** A first and a last name. */
export interface PersonName {
  readonly first: string;
  readonly last: string;
}

/** Words that are corrected together, at most. */
const MAX_CORRECTED_WORDS = 3;
/** A reading that finds as many providers is right, and so is a name that as many have. */
const MANY = 100;
const MIN_SPECIALTY_LETTERS = 6;
const MAX_SPECIALTY_EDITS = 2;
/** The most that a reading's score is less to take the place of one with an unknown city. */
const LESS_LIKELY = 10;
/** The factor by which a spelling is less likely for each edit. */
const LESS_PER_EDIT = 100;

/** Returns the names that two or more words of a name may be, in the order typed first. */
export function personsOf({
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

/** Yields other spellings of a reading, the likeliest first: of its specialty, its name, and its city. */
export function* otherSpellings(
  reading: Reading,
  total: number,
  { spelling, vocabulary }: SpellingSources,
): Generator<AskedOperation, void> {
  const { filters, operation } = reading;
  if (operation !== "search" && operation !== "nearby") return;
  // NURSE PRACTITONER is read as all nurses.
  const leavesOut = reading.words.some(({ filter }) => filter === null);
  if (total < MANY || leavesOut) yield* specialtiesFor(reading, vocabulary);
  if (total >= MANY) return;
  if (total === 0)
    for (const each of peopleFor(filters, spelling))
      yield { operation, filters: each };
  // If someone is found, a name that many have is no typing error.
  const isRight = (word: string): boolean =>
    total > 0 && vocabulary.withName(word) >= MANY;
  const corrected = [
    namesFor(filters, spelling, isRight),
    // A nearby search has no city.
    operation === "search" && filters.zip === undefined
      ? citiesFor(reading, spelling)
      : [],
  ];
  if (isRatherCity(filters.name ?? "", filters.state, spelling))
    corrected.reverse();
  for (const some of corrected)
    for (const each of some) yield { operation, filters: each };
}

/** True if a word is rather a misspelled city than a name: more providers are in a city like it. */
function isRatherCity(
  word: string,
  state: string | undefined,
  spelling: Spelling,
): boolean {
  const folded = fold(word);
  const [city] = spelling.cities(folded, state ?? null);
  const [name] = spelling.names(folded);
  return likelihoodOf(city) > likelihoodOf(name);
}

/** Returns how likely a spelling is meant, as a number of providers. */
export function likelihoodOf(
  spelled: Pick<Candidate, "edits" | "providers"> | undefined,
): number {
  return spelled === undefined
    ? 0
    : spelled.providers / LESS_PER_EDIT ** spelled.edits;
}

/**
 * Returns a reading that finds no one, or if it has a word as a city that is rather a misspelled name, the likeliest
 * one that has it as a name.
 */
export function withLikelierName(
  reading: Reading,
  readings: readonly Reading[],
  { spelling, vocabulary }: SpellingSources,
): Reading {
  const { city = "", state } = reading.filters;
  const isUnknown = city !== "" && vocabulary.city(city) === null;
  const hasName = spelling.names(fold(city)).length > 0;
  if (!isUnknown || !hasName || isRatherCity(city, state, spelling))
    return reading;
  const named = readings.find(
    ({ filters, score }) =>
      score >= reading.score - LESS_LIKELY &&
      !("city" in filters) &&
      filters.state === state &&
      words(fold(filters.name ?? "")).includes(fold(city)),
  );
  return named ?? reading;
}

/**
 * Reads the words that were read as a specialty or a name, or left out, or some of them, as a misspelled specialty. At
 * a ZIP code, it is wanted around that.
 */
export function specialtiesFor(
  { filters, operation, words: read }: Reading,
  vocabulary: Vocabulary,
): AskedOperation[] {
  const open = read.filter(({ filter }) => filter !== "city");
  const isAround =
    operation === "nearby" || vocabulary.isLocated(filters.zip ?? "");
  for (let size = MAX_CORRECTED_WORDS; size > 0; size--)
    for (let from = 0; from + size <= open.length; from++) {
      const some = open.slice(from, from + size);
      const remaining = [...open.slice(0, from), ...open.slice(from + size)];
      if (some.every(isSpecialty) || remaining.some(isSpecialty)) continue;
      const specialty = nearestSpecialty(fold(textOf(some)), vocabulary);
      if (specialty === null) continue;
      const named = textOf(remaining.filter(({ filter }) => filter === "name"));
      const { name: _, ...rest } = filters;
      const corrected: InterpretedFilters = {
        ...rest,
        ...(named === "" ? {} : { name: named }),
        specialty,
        specialty_scope: "common",
      };
      if (isAround) {
        delete corrected.city;
        delete corrected.state;
      }
      return [
        { operation: isAround ? "nearby" : "search", filters: corrected },
      ];
    }
  return [];
}

/** Finds the everyday words for specialties that are nearest to a folded text; null if none are near. */
function nearestSpecialty(
  typed: string,
  { specialties }: Vocabulary,
): string | null {
  if (typed.length < MIN_SPECIALTY_LETTERS) return null;
  const rows = new EditRows(codePoints(typed), MAX_SPECIALTY_EDITS);
  let nearest: string | null = null;
  let most = MAX_SPECIALTY_EDITS + 1;
  for (const { points, text } of specialties.everyday) {
    if (Math.abs(text.length - typed.length) >= most) continue;
    rows.length = 0;
    const isNear = points.every((point) => rows.add(point));
    if (!isNear || rows.edits >= most) continue;
    most = rows.edits;
    nearest = text.toLowerCase();
  }
  return nearest;
}

/** Reads the city with words before it, or the end of the name if no city is typed, as a misspelled city. */
function citiesFor(
  { filters, words: read }: Reading,
  spelling: Spelling,
): InterpretedFilters[] {
  const { city, name: _, ...base } = filters;
  const at = read.findIndex(({ filter }) => filter === "city");
  const before = at < 0 ? read : read.slice(0, at);
  const most = MAX_CORRECTED_WORDS - (city === undefined ? 0 : 1);
  for (
    let size = Math.min(before.length, most);
    size >= (city === undefined ? 1 : 0);
    size--
  ) {
    const start = before.length - size;
    const some = before.slice(start);
    if (some.some(isSpecialty)) continue;
    const left = [...before.slice(0, start), ...(at < 0 ? [] : read.slice(at))];
    const named = textOf(left.filter(({ filter }) => filter === "name"));
    const typed = [textOf(some), city ?? ""].join(" ").trim();
    const corrected = spelling
      .cities(fold(typed), filters.state ?? null)
      .slice(0, 2)
      .map(({ word }) =>
        Object.assign({}, base, named === "" ? {} : { name: named }, {
          city: word.toLowerCase(),
        }),
      );
    if (corrected.length > 0) return corrected;
  }
  return [];
}

function isSpecialty({ filter }: ReadWord): boolean {
  return filter === "specialty";
}

function textOf(read: readonly ReadWord[]): string {
  return read.map(({ text }) => text).join(" ");
}

/** Yields other spellings of a name that providers have, of a person's two words first as those of one person. */
export function* otherNames(
  filters: InterpretedFilters,
  spelling: Spelling,
): Generator<InterpretedFilters, void> {
  yield* peopleFor(filters, spelling);
  yield* namesFor(filters, spelling, () => false);
}

/** Yields the people who have nearly a first and a last name, which may be typed in either order. */
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

/** Yields a name with its misspelled words corrected. */
function* namesFor(
  filters: InterpretedFilters,
  spelling: Spelling,
  isRight: (word: string) => boolean,
): Generator<InterpretedFilters, void> {
  for (const filter of ["organization", "name"] as const) {
    const dictionaries = filter === "name" ? undefined : (["word"] as const);
    for (const text of corrections(filters[filter] ?? "", (word) =>
      isRight(word) ? [] : spelling.names(word, dictionaries),
    ))
      yield { ...filters, [filter]: text };
  }
}

/** Corrects the misspelled words of a text: all of them, and then each, if they are several. */
function corrections(
  text: string,
  suggest: (word: string) => readonly { readonly word: string }[],
): string[] {
  const parts = text.split(" ");
  const corrected = new Map<number, string>();
  parts.slice(0, MAX_CORRECTED_WORDS).forEach((part, index) => {
    const folded = fold(part);
    const [best] = words(folded).length === 1 ? suggest(folded) : [];
    if (best !== undefined) corrected.set(index, best.word.toLowerCase());
  });
  if (corrected.size === 0) return [];
  const all = parts
    .map((part, index) => corrected.get(index) ?? part)
    .join(" ");
  return corrected.size === 1
    ? [all]
    : [
        all,
        ...[...corrected].map(([index, word]) =>
          parts.with(index, word).join(" "),
        ),
      ];
}
