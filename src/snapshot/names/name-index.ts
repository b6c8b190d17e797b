import {
  countOf,
  Dictionary,
  dictionaryOf,
  type DictionaryEntries,
} from "../dictionary/dictionary.ts";
import {
  GramIndex,
  listGrams,
  openGrams,
  type GramSections,
} from "../ngrams/ngram-index.ts";
import type { NameField } from "./name-field.ts";
import { docsByWord, type OrganizationWords } from "./organization-words.ts";
import { Pieces } from "../ngrams/frequent-ngrams.ts";
import { groupItems } from "../postings/postings.ts";
import type { Postings } from "../postings/postings.ts";
import { release } from "../bytes/release.ts";
import { SECTIONS } from "../container/descriptors.ts";
import { openGroup, type Sections } from "../container/sections.ts";
import type { SectionWriter } from "../container/section-writer.ts";

/** The names of items: what the columns `name` and `first` say, and the dictionaries that they refer to. */
export interface Names {
  name: Uint32Array;
  first: Uint32Array;
  lastNames: DictionaryEntries;
  firstNames: DictionaryEntries;
  organizations: DictionaryEntries;
}

/** Makes the lists of items, each when it is asked for, so that not all of them are in memory. */
export interface NameLists {
  names(): Postings;
  firstNames(): Postings;
  /** `nameStarts` are those of the lists of names. */
  words(nameStarts: Uint32Array): Postings;
  /** The grams of a dictionary; `docStarts` are those of its lists of items. */
  grams(name: NameDictionary, docStarts: Uint32Array): GramSections;
}

/** The dictionaries that have grams, by the names of their sections. */
export type NameDictionary = "last" | "first" | "word";

/** The lists as the columns have them. */
export function listNames(
  { first, firstNames, lastNames, name, organizations }: Names,
  { uses, words }: OrganizationWords,
): NameLists {
  const lastCount = countOf(lastNames);
  const dictionaries = { last: lastNames, first: firstNames, word: words };
  return {
    names: () => groupItems(name, lastCount + countOf(organizations)),
    firstNames: () => groupItems(first, countOf(firstNames)),
    words: (nameStarts) => docsByWord(uses, words, name, nameStarts, lastCount),
    grams: (of, docStarts) =>
      listGrams(dictionaryOf(dictionaries[of]), docStarts),
  };
}

/** Writes every section of names but those of pieces (FORMAT.md, "Dictionaries", "Postings", "Grams"). */
export function writeNameIndex(
  writer: SectionWriter,
  { first, firstNames, lastNames, name, organizations }: Names,
  words: DictionaryEntries,
  lists: NameLists,
): void {
  writer.writeGroup(SECTIONS.lastNames, lastNames);
  writer.writeGroup(SECTIONS.firstNames, firstNames);
  writer.writeGroup(SECTIONS.organizations, organizations);

  const nameDocs = lists.names();
  writer.write(SECTIONS.name, name);
  writer.writeGroup(SECTIONS.nameDocs, nameDocs);
  release(nameDocs.items);
  const firstDocs = lists.firstNames();
  writer.write(SECTIONS.first, first);
  writer.writeGroup(SECTIONS.firstDocs, firstDocs);
  release(firstDocs.items);
  const wordDocs = lists.words(nameDocs.starts);
  writer.writeGroup(SECTIONS.organizationWords, words);
  writer.writeGroup(SECTIONS.wordDocs, wordDocs);
  release(wordDocs.items);

  const { starts } = nameDocs;
  for (const [of, docStarts] of [
    ["last", starts],
    ["first", firstDocs.starts],
    ["word", wordDocs.starts],
  ] as const) {
    const { begin, inside } = lists.grams(of, docStarts);
    writer.writeGroup(SECTIONS.ngrams[of].inside, inside);
    writer.writeGroup(SECTIONS.ngrams[of].begin, begin);
  }
}

/**
 * The names of numbered items and all that finds items by them. In a snapshot the items are its documents, one name each;
 * in `other-names.ts` they are the further names of documents. "Documents" in the lists below are these items.
 */
export class NameIndex {
  /** How many items there are. */
  readonly count: number;
  /** Per item: its last name's number, or of an organization's name its number plus `lastNames.count`; 0 for none. */
  readonly name: Uint32Array;
  readonly nameDocs: Postings;
  readonly lastNames: Dictionary;
  readonly lastNameField: NameField;
  readonly organizations: Dictionary;
  /** The distinct words of organization names. */
  readonly organizationWords: Dictionary;
  readonly organizationWordField: NameField;
  /** Per item: the number of its first name, 0 for none. */
  readonly firstName: Uint32Array;
  readonly firstNameDocs: Postings;
  readonly firstNames: Dictionary;
  readonly firstNameField: NameField;
  /** Pieces of names, over all three fields. */
  readonly pieces: Pieces;

  constructor(sections: Sections) {
    this.name = sections.get(SECTIONS.name);
    this.count = this.name.length;
    this.nameDocs = openGroup(sections, SECTIONS.nameDocs);
    this.lastNames = Dictionary.open(sections, SECTIONS.lastNames);
    this.lastNameField = {
      grams: new GramIndex(
        this.lastNames,
        openGrams(sections, SECTIONS.ngrams.last),
      ),
      docs: this.nameDocs,
    };
    this.organizations = Dictionary.open(sections, SECTIONS.organizations);
    this.organizationWords = Dictionary.open(
      sections,
      SECTIONS.organizationWords,
    );
    this.organizationWordField = {
      grams: new GramIndex(
        this.organizationWords,
        openGrams(sections, SECTIONS.ngrams.word),
      ),
      docs: openGroup(sections, SECTIONS.wordDocs),
    };
    this.firstName = sections.get(SECTIONS.first);
    this.firstNameDocs = openGroup(sections, SECTIONS.firstDocs);
    this.firstNames = Dictionary.open(sections, SECTIONS.firstNames);
    this.firstNameField = {
      grams: new GramIndex(
        this.firstNames,
        openGrams(sections, SECTIONS.ngrams.first),
      ),
      docs: this.firstNameDocs,
    };
    this.pieces = new Pieces(sections, this.count);
  }
}
