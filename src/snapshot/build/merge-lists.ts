import {
  nameNumbers,
  type Columns,
  type MergedDictionaries,
} from "./columns.ts";
import { SECTIONS, type PostingsSections } from "../container/descriptors.ts";
import { openGroup } from "../container/sections.ts";
import { Dictionary } from "../dictionary/dictionary.ts";
import { openNgrams } from "../ngrams/ngram-index.ts";
import { mergeNgrams } from "../ngrams/merge-ngrams.ts";
import type { MergeLayout } from "./merge-layout.ts";
import { NOWHERE, numbersIn } from "../dictionary/merged-dictionary.ts";
import { mergePostings } from "../postings/merge-postings.ts";
import { listNames, type NameLists } from "../names/name-index.ts";
import type { OrganizationWords } from "../names/organization-words.ts";
import type { Postings } from "../postings/postings.ts";
import { release } from "../bytes/release.ts";

/** The lists of names: those of the base, moved, with the rows' among them. */
export function mergedLists(
  merged: MergeLayout,
  added: Columns,
  words: OrganizationWords,
  { firstNames, lastNames, organizations }: MergedDictionaries,
): NameLists {
  const ofRows = listNames(
    { ...added, firstNames, lastNames, organizations },
    words,
  );
  const rowNames = ofRows.names();
  const { sections } = merged.base;
  const dictionary = new Dictionary(words.words);
  const fromBase = {
    last: lastNames.fromBase,
    first: firstNames.fromBase,
    word: numbersIn(
      dictionary,
      Dictionary.open(sections, SECTIONS.organizationWords),
    ),
  };
  if (fromBase.word.includes(NOWHERE))
    throw new Error("A word of the base is in no organization's name");
  const dictionaries = {
    last: new Dictionary(lastNames),
    first: new Dictionary(firstNames),
    word: dictionary,
  };
  return {
    names: () =>
      mergeLists(
        merged,
        SECTIONS.nameDocs,
        nameNumbers(lastNames, organizations),
        rowNames,
      ),
    firstNames: () =>
      mergeLists(
        merged,
        SECTIONS.firstDocs,
        fromBase.first,
        ofRows.firstNames(),
      ),
    words: () =>
      mergeLists(
        merged,
        SECTIONS.wordDocs,
        fromBase.word,
        ofRows.words(rowNames.starts),
      ),
    grams: (of, docStarts) =>
      mergeNgrams(
        openNgrams(sections, SECTIONS.ngrams[of]),
        fromBase[of],
        dictionaries[of],
        docStarts,
      ),
  };
}

/** The lists of a section of the base, read for this alone, with those of rows among them. */
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
