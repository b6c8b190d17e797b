import { NO_STATE, STATE_CODES, stateNumber } from "../../contract/states.ts";
import { cityKey } from "../../text/fold.ts";
import { numbersOfCity } from "../filters/field-numbers.ts";
import { codePoints } from "./edit-rows.ts";
import { likeliest, type Candidate } from "./likeliest.ts";
import { nearEntries, type NearEntries } from "./near-entries.ts";
import type { Dictionary } from "../../snapshot/dictionary/dictionary.ts";
import type { NameDictionary } from "../../snapshot/names/name-index.ts";
import type { Postings } from "../../snapshot/postings/postings.ts";
import type { Snapshot } from "../../snapshot/snapshot.ts";

/** A last name, a first name, or a word of organization names. */
export interface NameSuggestion extends Candidate {
  /** The number of providers with the word in each dictionary; `providers` is the sum. */
  readonly providersWith: Readonly<Record<NameDictionary, number>>;
}

/**
 * A compared city (`text/city`), of those that differ only by spaces the nearest to what was typed. Its `providers` are
 * those of all of them in the state that was given, or all.
 */
export interface CitySuggestion extends Candidate {
  /** The states with providers in such a city, those with the most first. Other countries have none. */
  readonly states: readonly StateCount[];
}

interface StateCount {
  /** The two-letter code. */
  readonly state: string;
  readonly providers: number;
}

/** A person's name. */
export interface PersonSuggestion {
  /** Folded. */
  readonly first: string;
  readonly last: string;
  /** From what was typed, of both. */
  readonly edits: number;
  /** The number of providers that are called so. */
  readonly providers: number;
}

const MAX_PEOPLE = 5;
const MOST_EDITS = 2;
const TOO_MANY = 0xff;
/** The edits of the first and of the last name of people, the fewest first. */
const EDITS_OF_PEOPLE = [
  [0, 1],
  [1, 0],
  [0, 2],
  [2, 0],
  [1, 1],
] as const;

interface NameList {
  readonly dictionary: Dictionary;
  readonly docs: Postings;
  /** Finds the entries with at most `most` edits from a folded word. */
  readonly near: (most: number, word: string) => readonly NearEntries[];
}

/** Answers that are kept of each dictionary: one text has the same words in several readings. */
const MOST_RECENT = 32;

const NAME_DICTIONARIES: readonly NameDictionary[] = ["last", "first", "word"];

/**
 * Suggests words of a snapshot for a misspelled one: words with at most two edits (`EditRows`), or with one for a word
 * of three or four characters. A suggestion has at least ten times as many providers as the typed word, and no other
 * suggestion that is as near or nearer has more than a hundred times as many.
 */
export class Spelling {
  readonly #snapshot: Snapshot;
  readonly #names: Readonly<Record<NameDictionary, NameList>>;

  constructor(snapshot: Snapshot) {
    this.#snapshot = snapshot;
    this.#names = {
      last: nameList(snapshot.lastNames, snapshot.nameDocs),
      first: nameList(snapshot.firstNames, snapshot.firstNameDocs),
      word: nameList(
        snapshot.organizationWords,
        snapshot.organizationWordField.docs,
      ),
    };
  }

  /**
   * Suggests at most five words for a folded word, the likeliest first, from all names or only from some dictionaries.
   * Last and first names are compared as a whole. A provider whose first name is also its last name counts twice.
   */
  names(
    word: string,
    dictionaries: readonly NameDictionary[] = NAME_DICTIONARIES,
  ): NameSuggestion[] {
    const typed = typedWord(word);
    if (typed === null) return [];
    const suggestions = new Map<string, NameSuggestion>();
    for (const which of dictionaries) {
      const { dictionary, docs, near: nearTo } = this.#names[which];
      for (const { edits, from, to } of nearTo(typed.mostEdits, word)) {
        const providers = docs.starts[to]! - docs.starts[from]!;
        // A week can leave a word without providers in the dictionary.
        if (providers === 0) continue;
        const near = dictionary.folded(from);
        const known = suggestions.get(near);
        const none = { last: 0, first: 0, word: 0 };
        suggestions.set(near, {
          word: near,
          edits,
          providers: providers + (known?.providers ?? 0),
          providersWith: {
            ...none,
            ...known?.providersWith,
            [which]: providers,
          },
        });
      }
    }
    return likeliest(word, [...suggestions.values()]);
  }

  /**
   * Suggests at most five pairs of a first and a last name that providers have, with at most two edits from two folded
   * words, the fewest edits first, then the most providers.
   */
  people(first: string, last: string): PersonSuggestion[] {
    const { firstName, firstNames, lastNames, name } = this.#snapshot;
    const firsts = this.#nearTo(first, "first");
    const lasts = this.#nearTo(last, "last");
    const editsOfFirst = editsByNumber(firsts, firstNames.count);
    const editsOfLast = editsByNumber(lasts, lastNames.count);
    const suggestions = new Map<string, PersonSuggestion>();
    const add = (firstNumber: number, lastNumber: number, edits: number) => {
      const person = {
        first: firstNames.folded(firstNumber),
        last: lastNames.folded(lastNumber),
      };
      const key = `${person.first} ${person.last}`;
      const providers = (suggestions.get(key)?.providers ?? 0) + 1;
      suggestions.set(key, { ...person, edits, providers });
    };
    for (const [ofFirst, ofLast] of EDITS_OF_PEOPLE) {
      const edits = ofFirst + ofLast;
      if (edits === MOST_EDITS && suggestions.size >= MAX_PEOPLE) break;
      const byFirst = firsts.filter((each) => each.edits === ofFirst);
      const byLast = lasts.filter((each) => each.edits === ofLast);
      const { docs: firstDocs } = this.#names.first;
      const { docs: lastDocs } = this.#names.last;
      if (itemCount(lastDocs, byLast) < itemCount(firstDocs, byFirst))
        eachItem(lastDocs, byLast, (doc, entry) => {
          const other = firstName[doc]!;
          if (editsOfFirst[other] === ofFirst) add(other, entry, edits);
        });
      else
        eachItem(firstDocs, byFirst, (doc, entry) => {
          const other = name[doc]!;
          if (editsOfLast[other] === ofLast) add(entry, other, edits);
        });
    }
    return [...suggestions.values()]
      .sort(
        (one, other) =>
          one.edits - other.edits || other.providers - one.providers,
      )
      .slice(0, MAX_PEOPLE);
  }

  #nearTo(word: string, which: "first" | "last"): readonly NearEntries[] {
    // Code points have one or two units. The word may be very long.
    if (word.length > 2 * MAX_CHARACTERS) return [];
    const { length } = codePoints(word);
    if (length > MAX_CHARACTERS) return [];
    return this.#names[which].near(length > 3 ? MOST_EDITS : 1, word);
  }

  /**
   * Suggests at most five cities for a folded city, the likeliest first. It is compared as a whole compared city. With
   * a state, a code in any case, only cities with providers there are suggested.
   */
  cities(folded: string, state: string | null): CitySuggestion[] {
    const { cities, places } = this.#snapshot;
    const city = cities.folding.foldCity(folded);
    const typed = typedWord(city);
    const only = state === null ? null : stateNumber(state);
    if (typed === null || only === NO_STATE) return [];
    const { characters, mostEdits } = typed;
    const near = nearEntries(cities, characters, mostEdits)
      .sort((a, b) => a.edits - b.edits)
      .map(({ edits, from }) => ({ word: cities.folded(from), edits }));
    const nearest = new Map<string, { word: string; edits: number }>();
    for (const each of [{ word: city, edits: 0 }, ...near]) {
      const key = cityKey(each.word);
      if (!nearest.has(key)) nearest.set(key, each);
    }
    const suggestions = [...nearest.values()].map(({ edits, word }) => {
      const counts = places.countsByState(
        numbersOfCity(cities, { text: word, isPrefix: false }),
      );
      const providers =
        only === null ? sumOf(counts.values()) : (counts.get(only) ?? 0);
      return { word, edits, providers, counts };
    });
    return likeliest(city, suggestions).map(
      ({ counts, edits, providers, word }) => ({
        word,
        edits,
        providers,
        states: statesOf(counts),
      }),
    );
  }
}

function nameList(dictionary: Dictionary, docs: Postings): NameList {
  const near = recent(MOST_RECENT, (most: number, word: string) =>
    nearEntries(dictionary, codePoints(word), most),
  );
  return { dictionary, docs, near };
}

/** Counts the items of some entries. */
function itemCount(
  { starts }: Postings,
  entries: readonly NearEntries[],
): number {
  return entries.reduce(
    (sum, { from, to }) => sum + starts[to]! - starts[from]!,
    0,
  );
}

/** Passes on each item of some entries, with the first entry of its text. */
function eachItem(
  { items, starts }: Postings,
  entries: readonly NearEntries[],
  take: (item: number, entry: number) => void,
): void {
  for (const { from, to } of entries)
    // By index: an iterator takes ten times as long in shared memory.
    for (let at = starts[from]!; at < starts[to]!; at++) take(items[at]!, from);
}

/** Lists the edits of each number of a dictionary. */
function editsByNumber(
  near: readonly NearEntries[],
  count: number,
): Uint8Array {
  const edits = new Uint8Array(count + 1).fill(TOO_MANY);
  for (const each of near) edits.fill(each.edits, each.from, each.to);
  return edits;
}

function statesOf(counts: ReadonlyMap<number, number>): StateCount[] {
  return [...counts]
    .filter(([state]) => state !== NO_STATE)
    .map(([state, providers]) => ({
      state: STATE_CODES[state - 1]!,
      providers,
    }))
    .sort((a, b) => b.providers - a.providers || (a.state < b.state ? -1 : 1));
}

function sumOf(numbers: Iterable<number>): number {
  let sum = 0;
  for (const number of numbers) sum += number;
  return sum;
}

/** Longer words get no suggestions: no name that many have is so long. */
export const MAX_CHARACTERS = 30;
/** Shorter words get none either: too many others are near. */
const MIN_CHARACTERS = 3;
/** Up to this many characters, one edit; beyond, two. */
const MAX_CHARACTERS_FOR_ONE_EDIT = 4;

/** A word as the dictionaries are compared with it. */
export interface TypedWord {
  /** Code points. */
  readonly characters: Int32Array;
  /** The most edits of a suggestion. */
  readonly mostEdits: number;
}

/** Prepares a word, which is folded; null if it gets no suggestions. */
export function typedWord(folded: string): TypedWord | null {
  // Code points have one or two units. The word may be very long.
  if (folded.length > 2 * MAX_CHARACTERS) return null;
  const characters = codePoints(folded);
  const count = characters.length;
  if (count < MIN_CHARACTERS || count > MAX_CHARACTERS) return null;
  return { characters, mostEdits: count > MAX_CHARACTERS_FOR_ONE_EDIT ? 2 : 1 };
}

/** Makes a function that keeps at most `most` of its last answers, and forgets all of them for another one. */
export function recent<Asked extends readonly (number | string)[], T>(
  most: number,
  find: (...asked: Asked) => T,
): (...asked: Asked) => T {
  const known = new Map<string, T>();
  return (...asked) => {
    const key = asked.join(" ");
    let answer = known.get(key);
    if (answer === undefined) {
      answer = find(...asked);
      if (known.size === most) known.clear();
      known.set(key, answer);
    }
    return answer;
  };
}
