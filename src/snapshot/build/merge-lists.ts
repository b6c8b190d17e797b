import {
  nameNumbers,
  type Columns,
  type MergedDictionaries,
} from "./columns.ts";
import { SECTIONS, type PostingsSections } from "../container/descriptors.ts";
import { openGroup } from "../container/sections.ts";
import {
  Dictionary,
  type DictionaryEntries,
} from "../dictionary/dictionary.ts";
import { openNgrams } from "../ngrams/ngram-index.ts";
import { mergeNgrams } from "../ngrams/merge-ngrams.ts";
import type { MergeLayout } from "./merge-layout.ts";
import { NOWHERE, numbersIn } from "../dictionary/merged-dictionary.ts";
import { mergePostings } from "../postings/merge-postings.ts";
import type { NameMerge } from "../names/name-index.ts";
import type { Postings } from "../postings/postings.ts";
import { release } from "../bytes/release.ts";

/** Merges the base's names into the lists of rows; `words` are the words of all organization names. */
export function mergerOfNames(
  merged: MergeLayout,
  rows: Columns,
  words: DictionaryEntries,
  { firstNames, lastNames, organizations }: MergedDictionaries,
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
        openNgrams(sections, SECTIONS.ngrams[of]),
        fromBase[of],
        dictionary,
        docStarts,
      ),
  };
}

/** A section's lists, merged with those of the rows. The section is read from the base only here. */
export function mergeLists(
  { base, docOfRow, moved }: MergeLayout,
  group: PostingsSections,
  fromBase: Uint32Array,
  rows: Postings,
): Postings {
  const before = openGroup(base.sections, group);
  const merged = mergePostings(before, fromBase, rows, moved, docOfRow);
  release(before.starts, before.items);
  return merged;
}
