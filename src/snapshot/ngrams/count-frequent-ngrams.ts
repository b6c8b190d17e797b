import { countOf } from "../dictionary/dictionary.ts";
import { withRoom } from "../bytes/growable.ts";
import { BitSet, ones, wordsFor } from "../bytes/bitset.ts";
import type { Names } from "../names/name-index.ts";
import type {
  OrganizationWords,
  WordUses,
} from "../names/organization-words.ts";
import { NgramTree, type NgramField, type EntryNgrams } from "./ngram-tree.ts";
import {
  blocksFor,
  COUNTED_SHARE,
  isCounted,
  isListed,
  NGRAM_BLOCK,
  type NumberedNgram,
} from "./frequent-ngrams.ts";

/** Words of a set per block. */
const BLOCK_WORDS = wordsFor(NGRAM_BLOCK);
/** Documents whose entries are looked up together: a part of a block. */
const BATCH = 256;

/** Finds the n-grams to store, ascending; `words` are the words of organization names. */
export function countFrequentNgrams(
  names: Names,
  words: OrganizationWords,
): NumberedNgram[] {
  const docCount = names.name.length;
  const tree = NgramTree.collect(
    fieldsOf(names, words),
    docCount / COUNTED_SHARE,
  );
  const blocks = blocksFor(docCount);
  const counts = new Uint16Array(tree.size * blocks);
  const sets = tree.bounds.map((bound) =>
    isListed(bound, docCount) ? new BitSet(docCount) : null,
  );
  const listed = sets.flatMap((set, ngram) =>
    set === null ? [] : [{ ngram, set }],
  );
  const block = new Block(names, words, tree);
  for (let number = 0; number < blocks; number++) {
    block.read(number);
    for (let ngram = 0; ngram < tree.size; ngram++)
      counts[ngram * blocks + number] = block.count(ngram);
    for (const { ngram, set } of listed) block.copy(ngram, set, number);
  }
  return tree.numbers
    .map((number, ngram) => {
      const own = counts.subarray(ngram * blocks, (ngram + 1) * blocks);
      const found = own.reduce((sum, count) => sum + count, 0);
      const docs = isListed(found, docCount) ? sets[ngram]! : null;
      return { number, ngram: { docCount: found, counts: own, docs } };
    })
    .filter(({ ngram }) => isCounted(ngram.docCount, docCount))
    .sort((a, b) => a.number - b.number);
}

/** Returns the three dictionaries with the number of documents of each entry; for a word, an upper bound. */
function fieldsOf(
  { first, firstNames, lastNames, name }: Names,
  { uses, words }: OrganizationWords,
): NgramField[] {
  const lastCount = countOf(lastNames);
  const nameDocs = new Uint32Array(lastCount + uses.starts.length);
  const firstDocs = new Uint32Array(countOf(firstNames) + 1);
  const wordDocs = new Uint32Array(countOf(words) + 1);
  for (let doc = 0; doc < name.length; doc++) {
    nameDocs[name[doc]!]!++;
    firstDocs[first[doc]!]!++;
  }
  for (let number = 1; number < uses.starts.length - 1; number++) {
    const docs = nameDocs[lastCount + number]!;
    const past = uses.starts[number + 1]!;
    for (let use = uses.starts[number]!; use < past; use++)
      wordDocs[uses.words[use]!]! += docs;
  }
  return [
    { ...lastNames, docs: nameDocs },
    { ...firstNames, docs: firstDocs },
    { ...words, docs: wordDocs },
  ];
}

/** The n-grams of the documents of one block: few enough bits to stay in the processor's cache. */
class Block {
  /** One set of the block's documents per n-gram. */
  readonly #bits: Uint32Array;
  readonly #tree: NgramTree;
  readonly #names: Names;
  readonly #uses: WordUses;
  readonly #lists: EntryNgrams;
  /** The entries of a batch of documents, as indexes in the lists, and the document of each, relative to the block. */
  #entries: Uint32Array = new Uint32Array(0);
  #docs: Uint16Array = new Uint16Array(0);
  /** Start and end of each entry's n-grams. */
  #firsts: Uint32Array = new Uint32Array(0);
  #ends: Uint32Array = new Uint32Array(0);

  constructor(
    names: Names,
    { uses, words }: OrganizationWords,
    tree: NgramTree,
  ) {
    this.#names = names;
    this.#uses = uses;
    this.#tree = tree;
    this.#lists = tree.lists([names.lastNames, names.firstNames, words]);
    this.#bits = new Uint32Array(tree.size * BLOCK_WORDS);
  }

  /** Reads the documents of a block. */
  read(number: number): void {
    this.#bits.fill(0);
    const from = number * NGRAM_BLOCK;
    const to = Math.min(this.#names.name.length, from + NGRAM_BLOCK);
    for (let at = from; at < to; at += BATCH) {
      const count = this.#findEntries(from, at, Math.min(to, at + BATCH));
      this.#findLists(count);
      this.#mark(count);
    }
    this.#spread();
  }

  /** Returns how many of the block's documents have an n-gram. */
  count(ngram: number): number {
    const bits = this.#bits;
    const past = (ngram + 1) * BLOCK_WORDS;
    let count = 0;
    for (let at = ngram * BLOCK_WORDS; at < past; at++)
      count += ones(bits[at]!);
    return count;
  }

  /** Adds the block's documents that have an n-gram to a set of all documents. */
  copy(ngram: number, set: BitSet, number: number): void {
    const from = ngram * BLOCK_WORDS;
    const to = number * BLOCK_WORDS;
    const length = Math.min(BLOCK_WORDS, set.bits.length - to);
    set.bits.set(this.#bits.subarray(from, from + length), to);
  }

  /** Collects the entries of documents `from` to `to` - 1. Returns how many there are. */
  #findEntries(blockFrom: number, from: number, to: number): number {
    const { first, firstNames, lastNames, name } = this.#names;
    const { starts, words } = this.#uses;
    const lastCount = countOf(lastNames);
    const wordsFrom = lastCount + countOf(firstNames);
    this.#makeRoom(2 * BATCH);
    let entries = this.#entries;
    let docs = this.#docs;
    let count = 0;
    for (let doc = from; doc < to; doc++) {
      const number = name[doc]!;
      if (number <= lastCount) {
        entries[count] = number;
        docs[count++] = doc - blockFrom;
        const firstName = first[doc]!;
        entries[count] = firstName === 0 ? 0 : lastCount + firstName;
        docs[count++] = doc - blockFrom;
        continue;
      }
      const past = starts[number - lastCount + 1]!;
      let use = starts[number - lastCount]!;
      this.#makeRoom(count + past - use + 2 * BATCH);
      entries = this.#entries;
      docs = this.#docs;
      for (; use < past; use++) {
        entries[count] = wordsFrom + words[use]!;
        docs[count++] = doc - blockFrom;
      }
    }
    return count;
  }

  /**
   * Looks up the entries' lists, which are far apart in memory, several at a time: the processor loads them in
   * parallel.
   */
  #findLists(count: number): void {
    const { ngrams, starts } = this.#lists;
    const entries = this.#entries;
    const firsts = this.#firsts;
    const ends = this.#ends;
    for (let i = 0; i < count; i++) {
      firsts[i] = starts[entries[i]!]!;
      ends[i] = starts[entries[i]! + 1]!;
    }
    // Reads one element of each list to load it. Storing it keeps the read from being optimized away.
    for (let i = 0; i < count; i++) entries[i] = ngrams[firsts[i]!]!;
  }

  #mark(count: number): void {
    const bits = this.#bits;
    const firsts = this.#firsts;
    const docs = this.#docs;
    const ends = this.#ends;
    const { ngrams } = this.#lists;
    for (let i = 0; i < count; i++) {
      const bit = 1 << (docs[i]! & 31);
      const word = docs[i]! >>> 5;
      const end = ends[i]!;
      for (let at = firsts[i]!; at < end; at++)
        bits[ngrams[at]! * BLOCK_WORDS + word]! |= bit;
    }
  }

  /** Adds to each n-gram's documents those of the longer n-grams that contain it. */
  #spread(): void {
    const bits = this.#bits;
    const { inside, numbers, shorter } = this.#tree;
    for (let ngram = numbers.length - 1; ngram >= 0; ngram--) {
      const from = ngram * BLOCK_WORDS;
      addWords(bits, from, shorter[ngram]! * BLOCK_WORDS);
      addWords(bits, from, inside[ngram]! * BLOCK_WORDS);
    }
  }

  #makeRoom(length: number): void {
    if (length <= this.#entries.length) return;
    this.#entries = withRoom(this.#entries, length);
    const room = this.#entries.length;
    this.#docs = withRoom(this.#docs, room);
    this.#firsts = withRoom(this.#firsts, room);
    this.#ends = withRoom(this.#ends, room);
  }
}

function addWords(bits: Uint32Array, from: number, to: number): void {
  if (from === to) return;
  for (let i = 0; i < BLOCK_WORDS; i++) bits[to + i]! |= bits[from + i]!;
}
