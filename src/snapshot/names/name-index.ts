import {
  countOf,
  Dictionary,
  dictionaryOf,
  writeDictionary,
  type DictionaryEntries,
} from "../dictionary/dictionary.ts";
import {
  GramIndex,
  listGrams,
  openGrams,
  writeGrams,
  type GramSections,
} from "../ngrams/ngram-index.ts";
import type { NameField } from "./name-field.ts";
import { docsByWord, type OrganizationWords } from "./organization-words.ts";
import { Pieces } from "../ngrams/frequent-ngrams.ts";
import {
  groupItems,
  openPostings,
  writePostings,
} from "../postings/postings.ts";
import type { Postings } from "../postings/postings.ts";
import { release } from "../bytes/release.ts";
import type { SectionFile } from "../container/section-file.ts";
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
  writeDictionary(writer, "last", lastNames);
  writeDictionary(writer, "first", firstNames);
  writeDictionary(writer, "organization", organizations);

  const nameDocs = lists.names();
  writer.write("name", name);
  writePostings(writer, "name.docs", nameDocs);
  release(nameDocs.items);
  const firstDocs = lists.firstNames();
  writer.write("first", first);
  writePostings(writer, "first.docs", firstDocs);
  release(firstDocs.items);
  const wordDocs = lists.words(nameDocs.starts);
  writeDictionary(writer, "word", words);
  writePostings(writer, "word.docs", wordDocs);
  release(wordDocs.items);

  writeGrams(writer, "last", lists.grams("last", nameDocs.starts));
  writeGrams(writer, "first", lists.grams("first", firstDocs.starts));
  writeGrams(writer, "word", lists.grams("word", wordDocs.starts));
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

  constructor(file: SectionFile) {
    this.name = file.uint32("name");
    this.count = this.name.length;
    this.nameDocs = openPostings(file, "name.docs");
    this.lastNames = Dictionary.open(file, "last");
    this.lastNameField = {
      grams: new GramIndex(this.lastNames, openGrams(file, "last")),
      docs: this.nameDocs,
    };
    this.organizations = Dictionary.open(file, "organization");
    this.organizationWords = Dictionary.open(file, "word");
    this.organizationWordField = {
      grams: new GramIndex(this.organizationWords, openGrams(file, "word")),
      docs: openPostings(file, "word.docs"),
    };
    this.firstName = file.uint32("first");
    this.firstNameDocs = openPostings(file, "first.docs");
    this.firstNames = Dictionary.open(file, "first");
    this.firstNameField = {
      grams: new GramIndex(this.firstNames, openGrams(file, "first")),
      docs: this.firstNameDocs,
    };
    this.pieces = new Pieces(file, this.count);
  }
}
