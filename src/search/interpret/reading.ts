import { MAX_TEXT_CHARACTERS } from "../../contract/filters.ts";
import type {
  InterpretedFilters,
  InterpretedOperation,
  Interpretation,
} from "../../contract/interpret.ts";
import { bestCovers } from "./cover.ts";
import { Draft } from "./draft.ts";
import { stateCodeOf } from "./lexicon.ts";
import { readNumbers, type NumbersRead } from "./numbers.ts";
import { decideOperation } from "./operation.ts";
import { REASONS } from "./reasons.ts";
import { isAbbreviation, MAX_WORDS, readWords, type Word } from "./sentence.ts";
import type { Note } from "./span.ts";
import { spansOf } from "./spans.ts";
import type { Vocabulary } from "./vocabulary.ts";

/** A word of a reading, as typed. */
export interface ReadWord {
  readonly text: string;
  /** The filter that it is in; null if it is left out because no one is found with it. */
  readonly filter: string | null;
}

/** A sense of a whole text, without totals. */
export interface Reading {
  readonly operation: InterpretedOperation | null;
  readonly filters: InterpretedFilters;
  readonly understood: Interpretation["understood"];
  readonly dropped: Interpretation["dropped"];
  /** The words of names, specialties, and cities, and those that are left out, in order. */
  readonly words: readonly ReadWord[];
  /** The place of a nearby search as filters of a search, as typed. */
  readonly place: InterpretedFilters;
  /** An NPI with a wrong check digit; null if none was typed. */
  readonly wrongNpi: string | null;
  /** The score of its cover (`cover.ts`). */
  readonly score: number;
}

/** The readings of a text, at most. */
const MAX_READINGS = 12;
/** A reading takes the place of a likelier one that finds no one if its score is at most this much less. */
const RIVAL = 4;
/** Covers whose score is less than the best one's by more are no readings. */
const UNLIKELY = 25;
const MAX_COVERS = 40;
const LIMITED = [
  "name",
  "first_name",
  "last_name",
  "organization",
  "city",
] as const satisfies readonly (keyof InterpretedFilters)[];
/** Filters whose words may be misspelled. */
const IN_WORDS = new Set(["name", "specialty", "city"]);
const LETTER_OR_DIGIT = /[\p{L}\p{N}]/u;
/** Letters with periods between them, as J.Q of J.Q. SMITH. */
const INITIALS = /^[A-Z]\.[A-Z](?:\.[A-Z])?$/i;

/** Reads a text in all likely senses, the likeliest first. There is always one. Each is made when it is wanted. */
export function* readingsOf(
  typed: string,
  vocabulary: Vocabulary,
): Generator<Reading, void> {
  const numbers = readNumbers(typed);
  const words = splitInitials(readWords(numbers.remaining), vocabulary);
  const kept = words.slice(0, MAX_WORDS);
  const notes = [...numbers.notes];
  if (words.length > MAX_WORDS)
    notes.push({
      start: words[MAX_WORDS]!.start,
      end: words.at(-1)!.end,
      reason: REASONS.tooMany,
    });
  if (numbers.npi !== null) {
    yield npiReading(typed, numbers, kept, notes);
    return;
  }
  const covers = bestCovers(kept, spansOf(kept, vocabulary), MAX_COVERS);
  const seen = new Set<string>();
  for (const cover of covers) {
    if (cover.score < covers[0]!.score - UNLIKELY) return;
    const draft = new Draft(kept, vocabulary, cover);
    const reading = readingOf(typed, draft, notes, cover.score);
    const key = JSON.stringify([reading.operation, reading.filters]);
    if (seen.has(key)) continue;
    seen.add(key);
    yield reading;
    if (seen.size === MAX_READINGS) return;
  }
}

function readingOf(
  typed: string,
  draft: Draft,
  notes: readonly Note[],
  score: number,
): Reading {
  const operation = decideOperation(draft);
  const { filters, place } = draft;
  for (const filter of longTexts(filters)) {
    delete filters[filter];
    draft.dropUnderstood(filter, REASONS.tooLong);
  }
  const isEmpty = Object.keys(filters).length === 0;
  return {
    // Around a place that is missing, there may be no filters.
    operation: isEmpty && operation === "search" ? null : operation,
    filters,
    place,
    ...partsOf(typed, [...notes, ...draft.notes]),
    words: wordsOf(draft),
    wrongNpi: null,
    score,
  };
}

/**
 * Chooses the likeliest reading that finds someone, of those that are about as likely as the first one, with its total.
 * `count` returns null for a reading that is not counted: it is taken as it is.
 */
export function bestReading<Total extends number | null>(
  readings: Iterable<Reading>,
  count: (reading: Reading) => Total,
): { reading: Reading; total: Total | 0 } {
  const rivals: Reading[] = [];
  const empty = new Set<Reading>();
  for (const reading of readings) {
    const [first = reading] = rivals;
    const { operation, score } = reading;
    const isRival = score >= first.score - RIVAL;
    // If no one is found, a reading without a middle initial is wanted.
    if (!isRival && !rivals.every(hasInitial)) break;
    rivals.push(reading);
    if (!isRival) continue;
    if (operation === null) break;
    // A search around a place is taken as it is, and in the place of no other.
    const isNearby = operation === "nearby";
    if (isNearby && reading !== first) continue;
    const total = count(reading);
    if (total !== 0 || isNearby) return { reading, total };
    empty.add(reading);
  }
  const [first] = rivals;
  if (first === undefined) throw new Error("A text without a reading");
  const { middle_initial: _, ...rest } = first.filters;
  const parts = Object.keys(rest).join();
  const others = rivals.filter((each) => !hasInitial(each));
  const same = others.find(
    ({ filters }) => Object.keys(filters).join() === parts,
  );
  const reading = same ?? others[0] ?? first;
  const isEmpty = reading.operation === null || empty.has(reading);
  return { reading, total: isEmpty ? 0 : count(reading) };
}

function hasInitial({ filters }: Reading): boolean {
  return filters.middle_initial !== undefined;
}

/** True if the place of a nearby search isn't typed. */
export function isPlaceMissing({ filters, operation }: Reading): boolean {
  return operation === "nearby" && filters.zip === undefined;
}

/** Makes the reading of a text with an NPI, which decides; nothing else counts. */
function npiReading(
  typed: string,
  { npi }: NumbersRead,
  words: readonly Word[],
  notes: Note[],
): Reading {
  const isValid = npi?.isValid === true;
  for (const { end, start } of words)
    notes.push({ start, end, reason: REASONS.npiDecides });
  return {
    operation: isValid ? "lookup" : null,
    filters: isValid ? { npi: npi.npi } : {},
    place: {},
    ...partsOf(typed, notes),
    words: [],
    wrongNpi: npi === null || isValid ? null : npi.npi,
    score: 0,
  };
}

function wordsOf({ notes, words }: Draft): ReadWord[] {
  return words.flatMap(({ end, start, text }) => {
    const note = notes.find((each) => each.start <= start && each.end >= end);
    const { filter = null, reason = "" } = note ?? {};
    return (filter === null ? reason === REASONS.leftOut : IN_WORDS.has(filter))
      ? [{ text, filter }]
      : [];
  });
}

/** Splits initials into words of one letter: of J.Q. SMITH and of SMITH, J.Q. */
function splitInitials(words: readonly Word[], vocabulary: Vocabulary): Word[] {
  return words.flatMap((word, at) => {
    const { comma, folded, start, text } = word;
    const before = words[at - 1]?.folded ?? "";
    const next = words[at + 1];
    const isName =
      comma && before !== ""
        ? vocabulary.withLastName(before) > 0 && stateCodeOf(folded) === null
        : next?.comma === false &&
          vocabulary.withLastName(next.folded) > 0 &&
          vocabulary.startingOrganization(`${folded} ${next.folded}`) === 0;
    if (!INITIALS.test(text) || isAbbreviation(folded) || !isName)
      return [word];
    return Array.from(folded, (letter, index) => ({
      ...word,
      folded: letter,
      text: text.charAt(2 * index),
      start: start + 2 * index,
      end: start + 2 * index + 1,
      comma: comma && index === 0,
      joined: false,
    }));
  });
}

/** Makes the parts of a text, in its order. Neighbors that became the same are one. */
function partsOf(
  typed: string,
  notes: readonly Note[],
): Pick<Reading, "dropped" | "understood"> {
  const parts: Note[] = [];
  for (const each of notes.toSorted((a, b) => a.start - b.start)) {
    const last = parts.at(-1);
    // A number between the words of a phrase.
    if (last !== undefined && last.start < each.start && each.end < last.end) {
      parts.pop();
      parts.push({ ...last, end: each.start }, each);
      parts.push({ ...last, start: each.end });
      continue;
    }
    // A symbol such as ℀ is two words.
    const note = { ...each, start: Math.max(each.start, last?.end ?? 0) };
    if (note.start >= note.end) continue;
    const isSame =
      last?.filter === note.filter &&
      last?.reason === note.reason &&
      !LETTER_OR_DIGIT.test(typed.slice(last?.end, note.start));
    if (last !== undefined && isSame)
      parts[parts.length - 1] = { ...last, end: Math.max(last.end, note.end) };
    else parts.push(note);
  }
  const understood: Interpretation["understood"] = [];
  const dropped: Interpretation["dropped"] = [];
  for (const { end, filter, reason = "", start } of parts) {
    const text = typed.slice(start, end).trim();
    if (filter === undefined) dropped.push({ text, reason });
    else understood.push({ text, filter });
  }
  return { dropped, understood };
}

/** Lists the filters whose text is longer than a parameter may be, in UTF-16 units: never fewer than its characters. */
export function longTexts(
  filters: InterpretedFilters,
): (typeof LIMITED)[number][] {
  return LIMITED.filter(
    (name) => (filters[name] ?? "").length > MAX_TEXT_CHARACTERS,
  );
}
