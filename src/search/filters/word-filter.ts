import { placeOf, WordPlace } from "../../snapshot/ngrams/ngram-index.ts";
import { addDocs, eachDocs } from "./docs-of-entries.ts";
import { without } from "../../snapshot/bytes/sorted.ts";
import {
  Tier,
  NO_MATCH,
  type TakeDocs,
  type TextFilter,
} from "./text-filter.ts";
import type { BitSet } from "../../snapshot/bytes/bitset.ts";
import type { FrequentNgram } from "../../snapshot/ngrams/frequent-ngrams.ts";
import type { NameField, NameIndex } from "../../snapshot/names/name-index.ts";
import {
  CHUNK,
  type NameChunk,
  type Workspace,
} from "../evaluate/workspace.ts";

/**
 * Where a word may be: in any name, or in organization names alone. In the second case the sets may hold individuals too:
 * the plan's kinds rule them out.
 */
export type WordScope = "any" | "organization";

const TIER_OF_PLACE: number[] = [];
TIER_OF_PLACE[WordPlace.absent] = NO_MATCH;
TIER_OF_PLACE[WordPlace.inside] = Tier.substring;
TIER_OF_PLACE[WordPlace.atWord] = Tier.wordPrefix;

/** One word of the filters `name` and `organization`: a substring of a name. */
export class WordFilter implements TextFilter {
  readonly bound: number;
  readonly hasDisjointLists = false;
  readonly testCost = 100;
  readonly scope: WordScope;
  readonly key: string;
  readonly word: Uint8Array;
  /** How often the word occurs in any names, by block; null for rarer words and for those of more than three bytes. */
  readonly piece: FrequentNgram | null;
  /** The same for names in which a word begins with it. */
  readonly beginPiece: FrequentNgram | null;
  readonly #index: NameIndex;
  readonly #workspace: Workspace;
  readonly #fields: readonly NameField[];
  readonly #names: NameChunk;

  /** `word` is folded, not empty, without a space. */
  constructor(
    index: NameIndex,
    workspace: Workspace,
    word: string,
    scope: WordScope,
  ) {
    this.word = Buffer.from(word);
    this.scope = scope;
    this.#index = index;
    this.#workspace = workspace;
    this.key = `${scope} ${word}`;
    this.#names = workspace.names;
    const { firstNameField, lastNameField, organizationWordField, pieces } =
      index;
    this.#fields =
      scope === "any"
        ? [lastNameField, firstNameField, organizationWordField]
        : [organizationWordField];
    this.piece = pieces.find(this.word, false);
    this.beginPiece = pieces.find(this.word, true);
    this.bound =
      scope === "any" && this.piece !== null
        ? this.piece.docCount
        : this.#fields.reduce(
            (sum, { grams }) => sum + grams.docBound(this.word),
            0,
          );
  }

  eachList(take: TakeDocs): void {
    const begins = this.#fields.map(({ grams }) => grams.beginning(this.word));
    this.#fields.forEach(({ docs }, index) =>
      eachDocs(docs, begins[index]!, (items, from, to) =>
        take(items, from, to, Tier.wordPrefix),
      ),
    );
    this.#fields.forEach(({ docs, grams }, index) =>
      eachDocs(
        docs,
        without(grams.containing(this.word), begins[index]!),
        (items, from, to) => take(items, from, to, Tier.substring),
      ),
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
      (this.piece !== null && this.piece.docs !== null) ||
      this.#workspace.has(this.key)
    );
  }

  isBeginningReady(): boolean {
    return (
      (this.beginPiece !== null && this.beginPiece.docs !== null) ||
      this.#workspace.has(`${this.key} begins`)
    );
  }

  matching(): BitSet {
    return this.#set(this.piece, this.key, (field) =>
      field.grams.containing(this.word),
    );
  }

  beginning(): BitSet {
    return this.#set(this.beginPiece, `${this.key} begins`, (field) =>
      field.grams.beginning(this.word),
    );
  }

  #set(
    piece: FrequentNgram | null,
    key: string,
    entriesOf: (field: NameField) => Uint32Array,
  ): BitSet {
    if (piece !== null && piece.docs !== null) return piece.docs;
    return this.#workspace.made(key, (set) => {
      for (const field of this.#fields)
        addDocs(set, field.docs, entriesOf(field));
    });
  }

  /** Where the word stands in the names of the document at a place of the chunk that was read. */
  #placeIn(i: number): number {
    const { firsts, numbers } = this.#names;
    const { firstNames, lastNames, organizations } = this.#index;
    const number = numbers[i]!;
    if (number > lastNames.count)
      return placeOf(organizations, number - lastNames.count, this.word);
    if (this.scope === "organization") return WordPlace.absent;
    const place = placeOf(lastNames, number, this.word);
    return place === WordPlace.atWord
      ? place
      : Math.max(place, placeOf(firstNames, firsts[i]!, this.word));
  }
}
