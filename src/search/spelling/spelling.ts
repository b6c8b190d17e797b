import { NO_STATE, STATE_CODES, stateNumber } from "../../contract/states.ts";
import { cityKey } from "../../text/city.ts";
import { numbersOfCity } from "../filters/field-numbers.ts";
import { likeliest, type Candidate } from "./likeliest.ts";
import { nearEntries } from "./near-entries.ts";
import { typedWord } from "./typed-word.ts";
import type { Dictionary } from "../../snapshot/dictionary/dictionary.ts";
import type { NameDictionary } from "../../snapshot/names/name-index.ts";
import type { Postings } from "../../snapshot/postings/postings.ts";
import type { Snapshot } from "../../snapshot/snapshot.ts";

/** A last name, a first name, or a word of organization names. */
export interface NameSuggestion extends Candidate {
  /** How many providers have the word in each dictionary; `providers` is the sum. */
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

interface NameList {
  readonly dictionary: Dictionary;
  readonly docs: Postings;
}

const NAME_DICTIONARIES: readonly NameDictionary[] = ["last", "first", "word"];

/**
 * Suggests words of a snapshot for a misspelled one: words with at most two edits (`EditRows`), or with one for a word
 * of three or four characters. A suggestion has at least ten times as many providers as the typed word, and no other
 * suggestion that is as near or nearer has more than a hundred times as many. Keeps nothing in memory.
 */
export class Spelling {
  readonly #snapshot: Snapshot;
  readonly #names: Readonly<Record<NameDictionary, NameList>>;

  constructor(snapshot: Snapshot) {
    this.#snapshot = snapshot;
    this.#names = {
      last: { dictionary: snapshot.lastNames, docs: snapshot.nameDocs },
      first: { dictionary: snapshot.firstNames, docs: snapshot.firstNameDocs },
      word: {
        dictionary: snapshot.organizationWords,
        docs: snapshot.organizationWordField.docs,
      },
    };
  }

  /**
   * At most five suggestions for a folded word, the likeliest first, from all names or only from some dictionaries.
   * Last and first names are compared as a whole. A provider whose first name is also its last name counts twice.
   */
  names(
    word: string,
    dictionaries: readonly NameDictionary[] = NAME_DICTIONARIES,
  ): NameSuggestion[] {
    const typed = typedWord(word);
    if (typed === null) return [];
    const found = new Map<string, NameSuggestion>();
    for (const which of dictionaries) {
      const { dictionary, docs } = this.#names[which];
      const { characters, mostEdits } = typed;
      for (const { edits, from, to } of nearEntries(
        dictionary,
        characters,
        mostEdits,
      )) {
        const providers = docs.starts[to]! - docs.starts[from]!;
        // A week can leave a word without providers in the dictionary.
        if (providers === 0) continue;
        const near = dictionary.folded(from);
        const known = found.get(near);
        const none = { last: 0, first: 0, word: 0 };
        found.set(near, {
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
    return likeliest(word, [...found.values()]);
  }

  /**
   * At most five suggestions for a folded city, the likeliest first. It is compared as a whole compared city. With a
   * state, a code in any case, only cities with providers there are suggested.
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
    const found = [...nearest.values()].map(({ edits, word }) => {
      const counts = places.countsByState(
        numbersOfCity(cities, { text: word, isPrefix: false }),
      );
      const providers =
        only === null ? sumOf(counts.values()) : (counts.get(only) ?? 0);
      return { word, edits, providers, counts };
    });
    return likeliest(city, found).map(({ counts, edits, providers, word }) => ({
      word,
      edits,
      providers,
      states: statesOf(counts),
    }));
  }
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
