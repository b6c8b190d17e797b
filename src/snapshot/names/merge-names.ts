import { SECTIONS, type PostingsSections } from "../container/descriptors.ts";
import type { Section } from "../container/section.ts";
import { openGroup, type Sections } from "../container/sections.ts";
import {
  countOf,
  Dictionary,
  type DictionaryEntries,
} from "../dictionary/dictionary.ts";
import { openNgrams } from "../ngrams/ngram-index.ts";
import { mergeNgrams } from "../ngrams/merge-ngrams.ts";
import type { DocRuns } from "../postings/doc-runs.ts";
import {
  NOWHERE,
  numbersIn,
  type MergedDictionary,
} from "../dictionary/merged-dictionary.ts";
import { mergePostings, type MovedDocs } from "../postings/merge-postings.ts";
import type { NameMerge } from "./name-index.ts";
import type { Postings } from "../postings/postings.ts";
import { release } from "../bytes/release.ts";

/** Items of a base, in order, with rows in between: the documents of a snapshot, or other names. */
export interface MergedItems {
  base: { readonly sections: Sections };
  /** The items by their sources: the base, and the rows. */
  runs: DocRuns;
  moved: MovedDocs;
  /** The item of each row. */
  docOfRow: Uint32Array;
}

/** The dictionaries of names: those of the base, with the rows' spellings added. */
export type MergedNames = Record<
  "firstNames" | "lastNames" | "organizations",
  MergedDictionary
>;

/** The lists of the documents of a dictionary's entries. */
const LISTS = {
  last: "nameDocs",
  first: "firstDocs",
  word: "wordDocs",
} as const;

/** Merges the base's names into the lists of rows; `words` are the words of all organization names. */
export function mergerOfNames(
  merged: MergedItems,
  rows: NameMerge["rows"],
  words: DictionaryEntries,
  { firstNames, lastNames, organizations }: MergedNames,
): NameMerge {
  const { sections } = merged.base;
  const fromBase = {
    name: nameNumbers(lastNames, organizations),
    last: lastNames.fromBase,
    first: firstNames.fromBase,
    word: numbersIn(
      new Dictionary(words),
      Dictionary.open(sections, SECTIONS.organizationWords),
    ),
  };
  if (fromBase.word.includes(NOWHERE))
    throw new Error("A word of the base is not in any organization name");
  return {
    rows,
    lists: (of, lists) =>
      mergeLists(merged, SECTIONS[`${of}Docs`], fromBase[of], lists),
    ngrams: (of, dictionary, docStarts) =>
      mergeNgrams(
        {
          ngrams: openNgrams(sections, SECTIONS.ngrams[of]),
          docStarts: sections.get(SECTIONS[LISTS[of]].starts),
          fromBase: fromBase[of],
        },
        dictionary,
        docStarts,
      ),
  };
}

/** A section's lists, merged with those of the rows. The section is read from the base only here. */
export function mergeLists(
  { base, docOfRow, moved }: MergedItems,
  group: PostingsSections,
  fromBase: Uint32Array,
  rows: Postings,
): Postings {
  const before = openGroup(base.sections, group);
  const merged = mergePostings(before, fromBase, rows, moved, docOfRow);
  release(before.starts, before.items);
  return merged;
}

/** New number per number in the base's `name` column, where organizations follow the last names. */
export function nameNumbers(
  lastNames: MergedDictionary,
  organizations: MergedDictionary,
): Uint32Array {
  const countBefore = lastNames.fromBase.length - 1;
  const count = countOf(lastNames);
  const numbers = new Uint32Array(countBefore + organizations.fromBase.length);
  numbers.set(lastNames.fromBase);
  for (let number = 1; number < organizations.fromBase.length; number++)
    numbers[countBefore + number] = count + organizations.fromBase[number]!;
  return numbers;
}

/**
 * A column of dictionary numbers: the base's `section`, with its numbers replaced by those in `fromBase`, merged with the
 * rows' into `target`. Returns the numbers of the base's items that are gone.
 */
export function mergeNumbers<T extends Uint16Array | Uint32Array>(
  target: T,
  { base, runs }: MergedItems,
  section: Section<T>,
  fromBase: Uint32Array,
  rows: T,
): Uint32Array {
  const before = base.sections.get(section);
  for (let item = 0; item < before.length; item++)
    before[item] = fromBase[before[item]!]!;
  runs.copy(target, before, rows);
  const gone = runs.gone().map((item) => before[item]!);
  release(before);
  return gone;
}
