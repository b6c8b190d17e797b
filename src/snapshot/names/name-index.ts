import {
  countOf,
  Dictionary,
  type DictionaryEntries,
} from "../dictionary/dictionary.ts";
import { NgramIndex, listNgrams, openNgrams } from "../ngrams/ngram-index.ts";
import { docsByWord, type OrganizationWords } from "./organization-words.ts";
import { FrequentNgrams } from "../ngrams/frequent-ngrams.ts";
import { groupItems } from "../postings/postings.ts";
import type { Postings } from "../postings/postings.ts";
import { release } from "../bytes/once.ts";
import { SECTIONS, type DictionarySections } from "../container/descriptors.ts";
import { openGroup, type Sections } from "../container/sections.ts";
import type { Folding } from "../../text/foldings.ts";
import type { SectionWriter } from "../container/section-writer.ts";

/** The names of items: the columns `name` and `first`, and the dictionaries that they refer to. */
export interface Names {
  name: Uint32Array;
  first: Uint32Array;
  lastNames: DictionaryEntries;
  firstNames: DictionaryEntries;
  organizations: DictionaryEntries;
}

/**
 * A field that the filter `name` searches: last names, first names, or the words of organization names. `docs` has the
 * documents of each entry in the field's dictionary.
 */
export interface NameField {
  ngrams: NgramIndex;
  docs: Postings;
}

/** The dictionaries with n-grams, by section name. */
export type NameDictionary = "first" | "last" | "word";

/** Writes all name sections except frequent n-grams (FORMAT.md, "Dictionaries", "Postings", "N-grams"). */
export function writeNameIndex(
  writer: SectionWriter,
  names: Names,
  { uses, words }: OrganizationWords,
): void {
  const { first, firstNames, lastNames, name, organizations } = names;
  writer.writeGroup(SECTIONS.lastNames, lastNames);
  writer.writeGroup(SECTIONS.firstNames, firstNames);
  writer.writeGroup(SECTIONS.organizations, organizations);

  const lastCount = countOf(lastNames);
  const nameDocs = groupItems(name, lastCount + countOf(organizations));
  writer.write(SECTIONS.name, name);
  writer.writeGroup(SECTIONS.nameDocs, nameDocs);
  release(nameDocs.items);
  const firstDocs = groupItems(first, countOf(firstNames));
  writer.write(SECTIONS.first, first);
  writer.writeGroup(SECTIONS.firstDocs, firstDocs);
  release(firstDocs.items);
  const wordDocs = docsByWord(uses, words, name, nameDocs.starts, lastCount);
  writer.writeGroup(SECTIONS.organizationWords, words);
  writer.writeGroup(SECTIONS.wordDocs, wordDocs);
  release(wordDocs.items);

  const writeNgrams = (
    of: NameDictionary,
    entries: DictionaryEntries,
    { starts }: Postings,
  ): void => {
    const dictionary = new Dictionary(entries);
    const groups = listNgrams(dictionary, starts);
    writer.writeGroup(SECTIONS.ngrams[of].inside, groups.inside);
    writer.writeGroup(SECTIONS.ngrams[of].begin, groups.begin);
    releaseAll(groups);
  };
  writeNgrams("last", lastNames, nameDocs);
  writeNgrams("first", firstNames, firstDocs);
  writeNgrams("word", words, wordDocs);
}

/**
 * The names of numbered items, and the structures that find items by name. In a snapshot, items are documents with one
 * name each; in `other-names.ts`, they are other names of documents. "Documents" in the lists below means these items.
 */
export class NameIndex<S extends Sections = Sections> {
  readonly sections: S;
  #name: Uint32Array | undefined;
  #nameDocs: Postings | undefined;
  #lastNames: Dictionary | undefined;
  #lastNameField: NameField | undefined;
  #organizations: Dictionary | undefined;
  #organizationWords: Dictionary | undefined;
  #organizationWordField: NameField | undefined;
  #firstName: Uint32Array | undefined;
  #firstNames: Dictionary | undefined;
  #firstNameField: NameField | undefined;
  #frequentNgrams: FrequentNgrams | undefined;

  constructor(sections: S) {
    this.sections = sections;
  }

  /** The number of items. */
  get count(): number {
    return this.name.length;
  }

  /** Per item: the number of its last name, or of its organization name plus `lastNames.count`; 0 for none. */
  get name(): Uint32Array {
    return (this.#name ??= this.sections.get(SECTIONS.name));
  }

  /** The folding of the names, with which texts that are compared with them are folded. */
  get folding(): Folding {
    return this.lastNames.folding;
  }

  get nameDocs(): Postings {
    return (this.#nameDocs ??= openGroup(this.sections, SECTIONS.nameDocs));
  }

  get lastNames(): Dictionary {
    return (this.#lastNames ??= this.dictionary(SECTIONS.lastNames));
  }

  get lastNameField(): NameField {
    return (this.#lastNameField ??= {
      ngrams: this.#ngrams(this.lastNames, "last"),
      docs: this.nameDocs,
    });
  }

  get organizations(): Dictionary {
    return (this.#organizations ??= this.dictionary(SECTIONS.organizations));
  }

  /** The distinct words of organization names. */
  get organizationWords(): Dictionary {
    return (this.#organizationWords ??= this.dictionary(
      SECTIONS.organizationWords,
    ));
  }

  get organizationWordField(): NameField {
    return (this.#organizationWordField ??= {
      ngrams: this.#ngrams(this.organizationWords, "word"),
      docs: openGroup(this.sections, SECTIONS.wordDocs),
    });
  }

  /** Per item: the number of its first name; 0 for none. */
  get firstName(): Uint32Array {
    return (this.#firstName ??= this.sections.get(SECTIONS.first));
  }

  get firstNames(): Dictionary {
    return (this.#firstNames ??= this.dictionary(SECTIONS.firstNames));
  }

  get firstNameField(): NameField {
    return (this.#firstNameField ??= {
      ngrams: this.#ngrams(this.firstNames, "first"),
      docs: openGroup(this.sections, SECTIONS.firstDocs),
    });
  }

  get firstNameDocs(): Postings {
    return this.firstNameField.docs;
  }

  /** Frequent n-grams of all three fields. */
  get frequentNgrams(): FrequentNgrams {
    return (this.#frequentNgrams ??= new FrequentNgrams(
      this.sections,
      this.count,
    ));
  }

  /** Frees the dictionaries, which are read again on request. Only for sections on disk. */
  forgetDictionaries(): void {
    releaseAll(this.#lastNames, this.#organizations, this.#firstNames);
    this.#lastNames = this.#organizations = this.#firstNames = undefined;
  }

  /** Frees everything that maps items to names. */
  forget(): void {
    this.forgetDictionaries();
    releaseAll(this.#name, this.#firstName);
    this.#name = this.#firstName = undefined;
  }

  protected dictionary(group: DictionarySections): Dictionary {
    return Dictionary.open(this.sections, group);
  }

  #ngrams(dictionary: Dictionary, name: NameDictionary): NgramIndex {
    const sections = openNgrams(this.sections, SECTIONS.ngrams[name]);
    return new NgramIndex(dictionary, sections);
  }
}

/** Frees the memory of arrays, and of objects that contain arrays. */
export function releaseAll(...objects: unknown[]): void {
  for (const each of objects) {
    if (ArrayBuffer.isView(each)) release(each);
    else if (typeof each === "object" && each !== null)
      releaseAll(...Object.values(each));
  }
}
