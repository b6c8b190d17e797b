import type { BaseSnapshot } from "../base-snapshot.ts";
import type { Columns } from "./columns.ts";
import { SECTIONS, type PostingsSections } from "../container/descriptors.ts";
import { openGroup } from "../container/sections.ts";
import { countOf, Dictionary, dictionaryOf } from "../dictionary/dictionary.ts";
import { openGrams } from "../ngrams/ngram-index.ts";
import { mergeGrams } from "../ngrams/merge-ngrams.ts";
import type { MergeLayout } from "./merge-layout.ts";
import { mergePostings, numbersIn } from "../postings/merge-postings.ts";
import type { MergedDictionary } from "../dictionary/merged-dictionary.ts";
import { listNames, type NameLists } from "../names/name-index.ts";
import type { OrganizationWords } from "../names/organization-words.ts";
import type { Postings } from "../postings/postings.ts";
import { release } from "../bytes/release.ts";

/** The dictionaries that the columns refer to, merged. */
export interface MergedDictionaries {
  taxonomies: MergedDictionary;
  lastNames: MergedDictionary;
  firstNames: MergedDictionary;
  organizations: MergedDictionary;
}

/** Where lists come from, and where their documents are now. */
export interface ListsToMerge extends Pick<MergeLayout, "docOfRow" | "moved"> {
  base: BaseSnapshot;
}

/** The lists of names: those of the base, moved, with the rows' among them. */
export function mergedLists(
  where: ListsToMerge,
  added: Columns,
  words: OrganizationWords,
  { firstNames, lastNames, organizations }: MergedDictionaries,
): NameLists {
  const ofRows = listNames(
    { ...added, firstNames, lastNames, organizations },
    words,
  );
  const rowNames = ofRows.names();
  const { sections } = where.base;
  const dictionary = dictionaryOf(words.words);
  const fromBase = {
    last: lastNames.fromBase,
    first: firstNames.fromBase,
    word: numbersIn(
      dictionary,
      Dictionary.open(sections, SECTIONS.organizationWords),
    ),
  };
  const dictionaries = {
    last: dictionaryOf(lastNames),
    first: dictionaryOf(firstNames),
    word: dictionary,
  };
  return {
    names: () =>
      mergeLists(
        where,
        SECTIONS.nameDocs,
        nameNumbers(lastNames, organizations),
        rowNames,
      ),
    firstNames: () =>
      mergeLists(
        where,
        SECTIONS.firstDocs,
        fromBase.first,
        ofRows.firstNames(),
      ),
    words: () =>
      mergeLists(
        where,
        SECTIONS.wordDocs,
        fromBase.word,
        ofRows.words(rowNames.starts),
      ),
    grams: (of, docStarts) =>
      mergeGrams(
        openGrams(sections, SECTIONS.ngrams[of]),
        fromBase[of],
        dictionaries[of],
        docStarts,
      ),
  };
}

/** The lists of a section of the base, read for this alone, with those of rows among them. */
export function mergeLists(
  { base, docOfRow, moved }: ListsToMerge,
  group: PostingsSections,
  fromBase: Uint32Array,
  rows: Postings,
): Postings {
  const before = openGroup(base.sections, group);
  const merged = mergePostings(before, fromBase, rows, moved, docOfRow);
  release(before.starts, before.items);
  return merged;
}

/** Per number of the base's column `name`, in which organizations stand behind the last names, its number now. */
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
