import {
  NGRAM_BYTES,
  placeOf,
  WordPlace,
} from "../../snapshot/ngrams/ngram-index.ts";
import { ALL_KINDS, kindMask } from "../../snapshot/postings/kinds.ts";
import { addDocs, ALL_DOCS, eachDocs } from "./docs-of-entries.ts";
import {
  Tier,
  NO_MATCH,
  type TakeDocs,
  type TextFilter,
  type Facts,
} from "./text-filter.ts";
import type { NumberRange } from "../../snapshot/dictionary/dictionary.ts";
import type { BitSet } from "../../snapshot/bytes/bitset.ts";
import type { FrequentNgram } from "../../snapshot/ngrams/frequent-ngrams.ts";
import type { NameField, NameIndex } from "../../snapshot/names/name-index.ts";
import {
  CHUNK,
  type NameChunk,
  type Workspace,
} from "../evaluate/workspace.ts";

/**
 * The place of a word: in any name, or only in organization names. In the second case the sets may contain individuals,
 * which the plan's kinds exclude.
 */
export type WordScope = "any" | "organization";

const ORGANIZATIONS = kindMask("organization", undefined);

const TIER_OF_PLACE: number[] = [];
TIER_OF_PLACE[WordPlace.absent] = NO_MATCH;
TIER_OF_PLACE[WordPlace.inside] = Tier.substring;
TIER_OF_PLACE[WordPlace.atWord] = Tier.wordPrefix;

/** One word of the filters `name` and `organization`: a substring of a name. */
export class WordFilter implements TextFilter {
  readonly bound: number;
  readonly matchCount: number | undefined;
  readonly hasDisjointLists = false;
  readonly hasTiers = true;
  readonly testCost = 100;
  readonly kinds: number;
  readonly key: string;
  readonly startBound: number | undefined;
  /** The stored n-gram of the word in any names; null for rare words and those of more than three bytes. */
  readonly ngram: FrequentNgram | null;
  /** The same for names in which a word starts with it. */
  readonly prefixNgram: FrequentNgram | null;
  readonly #scope: WordScope;
  readonly #word: Uint8Array;
  readonly #index: NameIndex;
  readonly #workspace: Workspace;
  readonly #fields: readonly NameField[];
  readonly #names: NameChunk;

  /** `word` is folded, not empty, and has no spaces. */
  constructor(
    index: NameIndex,
    workspace: Workspace,
    word: string,
    scope: WordScope,
  ) {
    this.#word = Buffer.from(word);
    this.#scope = scope;
    this.#index = index;
    this.#workspace = workspace;
    this.key = `${scope} ${word}`;
    this.kinds = scope === "any" ? ALL_KINDS : ORGANIZATIONS;
    this.#names = workspace.names;
    const {
      firstNameField,
      lastNameField,
      organizationWordField,
      frequentNgrams,
    } = index;
    this.#fields =
      scope === "any"
        ? [lastNameField, firstNameField, organizationWordField]
        : [organizationWordField];
    this.ngram = frequentNgrams.find(this.#word, false);
    this.prefixNgram = frequentNgrams.find(this.#word, true);
    this.matchCount = this.ngram?.docs ? this.ngram.docCount : undefined;
    this.bound =
      scope === "any" && this.ngram !== null
        ? this.ngram.docCount
        : this.#fields.reduce(
            (sum, { ngrams }) => sum + ngrams.docBound(this.#word),
            0,
          );
    if (this.#word.length <= NGRAM_BYTES)
      this.startBound =
        scope === "any" && this.prefixNgram !== null
          ? this.prefixNgram.docCount
          : this.#fields.reduce(
              (sum, { ngrams }) => sum + ngrams.startBound(this.#word),
              0,
            );
  }

  explain(): Facts {
    const { lastNameField, firstNameField } = this.#index;
    const nameOf = (field: NameField) =>
      field === lastNameField
        ? "last names"
        : field === firstNameField
          ? "first names"
          : "words of organization names";
    return {
      filter: `"${Buffer.from(this.#word).toString()}" in ${this.#scope === "any" ? "any name" : "organization names"}`,
      documents_at_most: this.bound,
      is_frequent: this.ngram !== null,
      stored_as_a_set: this.ngram !== null && this.ngram.docs !== null,
      ngrams: this.#fields.map((field) => ({
        dictionary: nameOf(field),
        ...field.ngrams.explain(this.#word),
      })),
    };
  }

  eachList(take: TakeDocs, within: NumberRange = ALL_DOCS): void {
    const placed = this.#fields.map(({ docs, ngrams }) => ({
      docs,
      entries: ngrams.placed(this.#word),
    }));
    for (const { docs, entries } of placed)
      eachDocs(docs, entries.atWord, within, (items, from, to) =>
        take(items, from, to, Tier.wordPrefix),
      );
    for (const { docs, entries } of placed)
      eachDocs(docs, entries.inside, within, (items, from, to) =>
        take(items, from, to, Tier.substring),
      );
  }

  tiersOf(docs: Uint32Array, count: number, tiers: Uint8Array): void {
    for (let start = 0; start < count; start += CHUNK) {
      const size = Math.min(CHUNK, count - start);
      this.#names.read(docs, start, size);
      for (let i = 0; i < size; i++)
        tiers[start + i] = TIER_OF_PLACE[this.#placeIn(i)]!;
    }
  }

  isReady(): boolean {
    return (
      (this.ngram !== null && this.ngram.docs !== null) ||
      this.#workspace.has(this.key)
    );
  }

  isBeginningReady(): boolean {
    return (
      (this.prefixNgram !== null && this.prefixNgram.docs !== null) ||
      this.#workspace.has(`${this.key} prefix`)
    );
  }

  matching(): BitSet {
    return this.#set(this.ngram, this.key, (field) =>
      field.ngrams.containing(this.#word),
    );
  }

  startingWith(): BitSet {
    return this.#set(this.prefixNgram, `${this.key} prefix`, (field) =>
      field.ngrams.startingWith(this.#word),
    );
  }

  #set(
    ngram: FrequentNgram | null,
    key: string,
    entriesOf: (field: NameField) => Uint32Array,
  ): BitSet {
    if (ngram !== null && ngram.docs !== null) return ngram.docs;
    return this.#workspace.made(key, (set) => {
      for (const field of this.#fields)
        addDocs(set, field.docs, entriesOf(field));
    });
  }

  /** Returns where the word is in the name of the document at index `i` of the chunk. */
  #placeIn(i: number): number {
    const { firsts, numbers } = this.#names;
    const { firstNames, lastNames, organizations } = this.#index;
    const number = numbers[i]!;
    if (number > lastNames.count)
      return placeOf(organizations, number - lastNames.count, this.#word);
    if (this.#scope === "organization") return WordPlace.absent;
    const place = placeOf(lastNames, number, this.#word);
    return place === WordPlace.atWord
      ? place
      : Math.max(place, placeOf(firstNames, firsts[i]!, this.#word));
  }
}
