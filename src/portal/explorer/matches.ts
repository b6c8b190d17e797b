import type { ComparedTexts } from "../../contract/explorer/notes.ts";
import { fold, words } from "../../text/fold.ts";
import { useCallback, useSyncExternalStore } from "react";

/** A part of a text, from one offset to another. */
export type MatchRange = readonly [from: number, to: number];

/** The parts of a name that a search matched; none for a part without a text. */
export interface NameMatches {
  readonly organization: readonly MatchRange[];
  readonly first: readonly MatchRange[];
  readonly last: readonly MatchRange[];
}

/** A name as the service compares it; null for a part that it doesn't have. */
export interface ComparableName {
  readonly organization: string | null;
  readonly first: string | null;
  readonly last: string | null;
}

/** Finds what a search matched in the names and specialties of its results, by the service's own folding. */
export interface Matcher {
  inName(name: ComparableName): NameMatches;
  /** Finds matches in the middle name of a record. */
  inMiddleName(middle: string): MatchRange[];
  /** Finds none unless all words of the filter are in it. */
  inSpecialty(displayName: string): MatchRange[];
}

const PARTS = ["organization", "first", "last"] as const;

/** Reads the texts of a search. */
export function matcherOf(
  parameters: ReadonlyMap<string, string>,
  { aliases, specialty_words: specialtyWords }: ComparedTexts,
): Matcher {
  const folded = (name: string) => fold(parameters.get(name) ?? "");
  const anyWords = words(folded("name"));
  const organizationWords = words(folded("organization"));
  const firstName = folded("first_name");
  const lastName = folded("last_name");
  const initial = folded("middle_initial");
  return {
    inName(name) {
      const found = {
        organization: new Array<MatchRange>(),
        first: new Array<MatchRange>(),
        last: new Array<MatchRange>(),
      };
      const texts = PARTS.map((part) => foldWithOffsets(name[part] ?? ""));
      const add = (word: string, isOf: (part: string) => boolean) => {
        const places = texts.map((text, index) =>
          isOf(PARTS[index] ?? "") ? placesOf(text, word) : NOWHERE,
        );
        // If a word starts with it anywhere, other places have nothing to do with the match.
        const isAtStart = places.some(({ atStart }) => atStart.length > 0);
        for (const [index, { atStart, inside }] of places.entries())
          found[PARTS[index] ?? "last"].push(...(isAtStart ? atStart : inside));
      };
      for (const word of anyWords) add(word, () => true);
      for (const word of organizationWords)
        add(word, (part) => part === "organization");
      const [, first, last] = texts;
      if (first) {
        found.first.push(...prefixOf(first, firstName));
        if (aliases.includes(first.folded))
          found.first.push([0, name.first?.length ?? 0]);
      }
      if (last) found.last.push(...prefixOf(last, lastName));
      return found;
    },
    inMiddleName: (middle) => prefixOf(foldWithOffsets(middle), initial),
    inSpecialty(displayName) {
      const text = foldWithOffsets(displayName);
      return specialtyWords.every((word) => text.folded.includes(word))
        ? specialtyWords.flatMap((word) => {
            const { atStart, inside } = placesOf(text, word);
            return atStart.length > 0 ? atStart : inside;
          })
        : [];
    },
  };
}

/** A folded text, and where each of its characters is in the text. */
export interface FoldedText {
  readonly folded: string;
  readonly offsets: readonly MatchRange[];
}

/** Folds a text as `fold` does, character by character. */
export function foldWithOffsets(text: string): FoldedText {
  let folded = "";
  const offsets: MatchRange[] = [];
  let at = 0;
  let isGap = false;
  for (const character of text) {
    const end = at + character.length;
    // Between letters, so that a space at an end is kept, too.
    for (const letter of fold(`A${character}A`).slice(1, -1)) {
      if (letter === " ") {
        isGap = true;
        continue;
      }
      if (isGap && folded !== "") {
        folded += " ";
        offsets.push([at, at]);
      }
      isGap = false;
      folded += letter;
      for (let unit = 0; unit < letter.length; unit++) offsets.push([at, end]);
    }
    at = end;
  }
  return { folded, offsets };
}

interface Places {
  readonly atStart: readonly MatchRange[];
  readonly inside: readonly MatchRange[];
}

const NOWHERE: Places = { atStart: [], inside: [] };

/** Finds a word, which isn't empty, in a text: at the start of its words, and inside them. */
function placesOf(text: FoldedText, word: string): Places {
  const atStart: MatchRange[] = [];
  const inside: MatchRange[] = [];
  const { folded } = text;
  let at = folded.indexOf(word);
  while (at >= 0) {
    const isAtStart = at === 0 || folded[at - 1] === " ";
    (isAtStart ? atStart : inside).push(rangeOf(text, at, word.length));
    at = folded.indexOf(word, at + 1);
  }
  return { atStart, inside };
}

function prefixOf(text: FoldedText, prefix: string): MatchRange[] {
  return prefix !== "" && text.folded.startsWith(prefix)
    ? [rangeOf(text, 0, prefix.length)]
    : [];
}

function rangeOf(
  { offsets }: FoldedText,
  at: number,
  length: number,
): MatchRange {
  return [offsets[at]?.[0] ?? 0, offsets[at + length - 1]?.[1] ?? 0];
}

/** Sorts ranges, and joins those that overlap. */
export function mergeRanges(ranges: readonly MatchRange[]): MatchRange[] {
  const merged: MatchRange[] = [];
  for (const [from, to] of ranges.toSorted((a, b) => a[0] - b[0])) {
    const last = merged.at(-1);
    if (last !== undefined && from <= last[1])
      merged[merged.length - 1] = [last[0], Math.max(last[1], to)];
    else merged.push([from, to]);
  }
  return merged;
}

/**
 * The marks of the list and the map for each other: the entry that the user points at, and the entries at the chosen
 * points. Outside of React's state, so that a mark draws one entry again and not the whole list.
 */
let pointed: string | null = null;
let chosen: ReadonlySet<string> = new Set();
const watchers = new Set<() => void>();

/** Marks the point of an entry on the map, by NPI; null for none. */
export function pointAt(npi: string | null): void {
  if (npi === pointed) return;
  pointed = npi;
  for (const changed of watchers) changed();
}

/** Marks the entries of these NPIs in the list. */
export function choose(npis: readonly string[]): void {
  if (npis.length === 0 && chosen.size === 0) return;
  chosen = new Set(npis);
  for (const changed of watchers) changed();
}

/** Returns the NPI of the entry that the user points at; null if there is none. */
export function usePointed(): string | null {
  return useSyncExternalStore(watch, () => pointed);
}

/** True if an entry is at one of the chosen points. */
export function useIsChosen(npi: string): boolean {
  const isChosen = useCallback(() => chosen.has(npi), [npi]);
  return useSyncExternalStore(watch, isChosen);
}

function watch(changed: () => void): () => void {
  watchers.add(changed);
  return () => watchers.delete(changed);
}
