import { NgramTable, type NgramLists } from "./ngram-table.ts";
import { inBoth, indexIn, lowerBound, without } from "../bytes/sorted.ts";
import { BitSet } from "../bytes/bitset.ts";
import { withRoom } from "../bytes/growable.ts";
import type { Dictionary } from "../dictionary/dictionary.ts";
import type { NgramSections } from "../container/descriptors.ts";
import { openGroup, type Sections } from "../container/sections.ts";

/**
 * The substring index of a dictionary's folded values (FORMAT.md, "N-grams"). An n-gram is four bytes of a word as a
 * number: the byte at a position and the next three, with zeros past the word's end. Up to four bytes anywhere in a
 * word are therefore a range of n-grams. The n-grams with which words start have a second index.
 */
export const NGRAM_BYTES = 4;
const SPACE = 0x20;
/** Checking an entry's text costs as much as reading this many entries of a list. */
const CHECK_COST_ENTRIES = 4;
/** Entries per batch. */
const BATCH = 256;
const near = new Uint32Array(BATCH);

/** The two indexes of a dictionary. */
export interface NgramGroups {
  /** N-grams at every position. */
  inside: NgramLists;
  /** N-grams with which words start. */
  begin: NgramLists;
}

export function openNgrams(
  sections: Sections,
  { begin, inside }: NgramSections,
): NgramGroups {
  return {
    inside: openGroup(sections, inside),
    begin: openGroup(sections, begin),
  };
}

/** Lists the n-grams of a dictionary; `docStarts` has the start of each entry's list of documents. */
export function listNgrams(
  dictionary: Dictionary,
  docStarts: Uint32Array,
): NgramGroups {
  const inside = new NgramTable();
  const begin = new NgramTable();
  forEachNgram(dictionary, (ngram, entry, isPrefix) => {
    const docs = docStarts[entry + 1]! - docStarts[entry]!;
    inside.measure(ngram, entry, docs);
    if (isPrefix) begin.measure(ngram, entry, docs);
  });
  const sections = { inside: inside.lists(), begin: begin.lists() };
  forEachNgram(dictionary, (ngram, entry, isPrefix) => {
    inside.append(ngram, entry);
    if (isPrefix) begin.append(ngram, entry);
  });
  return sections;
}

/** The entries that contain a word: those with a word that starts with it, and the rest. */
interface PlacedEntries {
  atWord: Uint32Array;
  inside: Uint32Array;
}

/** Finds the entries that contain a word: folded UTF-8, not empty, without spaces. Results ascend. */
export class NgramIndex {
  readonly #sections: NgramGroups;
  readonly #dictionary: Dictionary;
  /**
   * Memory for the union of lists, kept because fresh memory makes V8 collect garbage. Between calls the set is empty.
   */
  #union: BitSet | null = null;
  #list: Uint32Array = new Uint32Array(0);

  constructor(dictionary: Dictionary, sections: NgramGroups) {
    this.#dictionary = dictionary;
    this.#sections = sections;
  }

  /**
   * Returns an upper bound for the number of documents with an entry that contains the word. Of `NGRAM_BYTES`, it is
   * the total length of the entries' lists.
   */
  docBound(word: Uint8Array): number {
    const { inside } = this.#sections;
    if (word.length > NGRAM_BYTES) {
      const [rarest] = ngramsOf(inside, word);
      return rarest === undefined ? 0 : inside.docs[rarest]!;
    }
    return boundOf(inside, word);
  }

  /** Returns the same for entries with a word that starts with the given one, which has at most `NGRAM_BYTES`. */
  startBound(word: Uint8Array): number {
    return boundOf(this.#sections.begin, word);
  }

  /** Describes the n-grams that find the word: the range that it is, or its rarest ones. */
  explain(word: Uint8Array): {
    readonly ngrams: number;
    readonly rarest: string | null;
    readonly entries: number;
    readonly documents_at_most: number;
  } {
    const { inside } = this.#sections;
    const { counts, ngrams } = inside;
    if (word.length > NGRAM_BYTES) {
      const own = ngramsOf(inside, word);
      const [rarest] = own;
      return {
        ngrams: own.length,
        rarest: rarest === undefined ? null : textOf(ngrams[rarest]!),
        entries: rarest === undefined ? 0 : counts[rarest]!,
        documents_at_most: this.docBound(word),
      };
    }
    const { from, to } = rangeOf(inside, word);
    let entries = 0;
    for (let index = from; index < to; index++) entries += counts[index]!;
    return {
      ngrams: to - from,
      rarest: null,
      entries,
      documents_at_most: this.docBound(word),
    };
  }

  /** Finds the entries that contain the word, by its place. */
  placed(word: Uint8Array): PlacedEntries {
    const { begin, inside } = this.#sections;
    if (word.length <= NGRAM_BYTES) {
      const atWord = this.#inRange(begin, word);
      return { atWord, inside: without(this.#inRange(inside, word), atWord) };
    }
    const entries = inAllLists(inside, word);
    const places = this.#placesOf(entries, word);
    const at = (place: number) => within(entries, places, place, place);
    return { atWord: at(WordPlace.atWord), inside: at(WordPlace.inside) };
  }

  /** Finds the entries that contain the word. */
  containing(word: Uint8Array): Uint32Array {
    const { inside } = this.#sections;
    return word.length <= NGRAM_BYTES
      ? this.#inRange(inside, word)
      : this.#verified(inAllLists(inside, word), word, WordPlace.inside);
  }

  /** Finds the entries with a word that starts with the given one. */
  startingWith(word: Uint8Array): Uint32Array {
    const { begin, inside } = this.#sections;
    return word.length <= NGRAM_BYTES
      ? this.#inRange(begin, word)
      : this.#verified(inAllLists(inside, word), word, WordPlace.atWord);
  }

  /** Unites the entries of all n-grams that start with up to four bytes. */
  #inRange(lists: NgramLists, bytes: Uint8Array): Uint32Array {
    const { from, to } = rangeOf(lists, bytes);
    if (to - from === 0) return new Uint32Array(0);
    if (to - from === 1) return listOf(lists, from);
    const union = (this.#union ??= new BitSet(this.#dictionary.count + 1));
    for (let index = from; index < to; index++) {
      const count = lists.counts[index]!;
      this.#list = withRoom(this.#list, count);
      readList(lists, index, this.#list);
      union.addAll(this.#list, 0, count);
    }
    const entries = union.toArray();
    union.clear();
    return entries;
  }

  /** Keeps the `entries` in which the word occurs at `least` or better. */
  #verified(
    entries: Uint32Array,
    word: Uint8Array,
    least: number,
  ): Uint32Array {
    const places = this.#placesOf(entries, word);
    return within(entries, places, least, WordPlace.atWord);
  }

  /** Returns where the word occurs in each entry. */
  #placesOf(entries: Uint32Array, word: Uint8Array): Uint8Array {
    const dictionary = this.#dictionary;
    const places = new Uint8Array(entries.length);
    for (let base = 0; base < entries.length; base += BATCH) {
      const past = Math.min(entries.length, base + BATCH);
      bringNear(dictionary, entries, base, past);
      for (let i = base; i < past; i++)
        places[i] = placeOf(dictionary, entries[i]!, word);
    }
    return places;
  }
}

/** Keeps the entries whose place is from `least` to `most`. */
function within(
  entries: Uint32Array,
  places: Uint8Array,
  least: number,
  most: number,
): Uint32Array {
  const found = new Uint32Array(entries.length);
  const span = most - least;
  let count = 0;
  // No branch depends on the places.
  for (let i = 0; i < entries.length; i++) {
    found[count] = entries[i]!;
    count += (places[i]! - least) >>> 0 <= span ? 1 : 0;
  }
  return found.subarray(0, count);
}

/**
 * Reads the first byte of entries that are far apart in memory, to load them: the processor waits for several reads in
 * parallel.
 */
function bringNear(
  { bytes, offsets }: Dictionary,
  entries: Uint32Array,
  from: number,
  to: number,
): void {
  for (let i = from; i < to; i++) near[i - from] = offsets[entries[i]!]!;
  for (let i = from; i < to; i++) near[i - from] = bytes[near[i - from]!]!;
}

/** The place of a word in an entry: not at all, inside a word, or at the start of a word. */
export const WordPlace = { absent: 0, inside: 1, atWord: 2 } as const;

/** Returns where `word` occurs in an entry's folded value. The start of a word wins over the inside of another. */
export function placeOf(
  { bytes, offsets }: Dictionary,
  number: number,
  word: Uint8Array,
): number {
  const end = offsets[number + 1]!;
  const first = word[0]!;
  let place: number = WordPlace.absent;
  let previous = SPACE;
  for (let at = offsets[number]!; at < end; at++) {
    const byte = bytes[at]!;
    if (byte === 0) break;
    if (byte === first && isAt(bytes, at, end, word)) {
      if (previous === SPACE) return WordPlace.atWord;
      place = WordPlace.inside;
    }
    previous = byte;
  }
  return place;
}

/** Returns the first four bytes of a word as an n-gram. */
export function ngramOf(word: Uint8Array): number {
  return ngramAt(word, 0, word.length);
}

/** Reads the n-gram at a position of bytes; the word ends at or before `end`. */
function ngramAt(bytes: Uint8Array, at: number, end: number): number {
  let ngram = 0;
  let i = at;
  for (; i < at + NGRAM_BYTES && i < end && bytes[i] !== SPACE; i++)
    ngram = (ngram << 8) | bytes[i]!;
  return (ngram << (8 * (at + NGRAM_BYTES - i))) >>> 0;
}

/** Returns the bytes of an n-gram as text. */
function textOf(ngram: number): string {
  const bytes = Buffer.alloc(NGRAM_BYTES);
  bytes.writeUInt32BE(ngram);
  return bytes.toString();
}

/** Finds the n-grams that start with the given bytes. */
function rangeOf(
  { ngrams }: NgramLists,
  bytes: Uint8Array,
): { from: number; to: number } {
  const first = ngramOf(bytes);
  const past = first + 2 ** (8 * (NGRAM_BYTES - bytes.length));
  return { from: lowerBound(ngrams, first), to: lowerBound(ngrams, past) };
}

/** Returns how many documents the n-grams that start with the given bytes have, with repetitions. */
function boundOf(lists: NgramLists, bytes: Uint8Array): number {
  const { from, to } = rangeOf(lists, bytes);
  let bound = 0;
  for (let index = from; index < to; index++) bound += lists.docs[index]!;
  return bound;
}

/** Finds the indexes of a long word's n-grams, rarest first; empty if one of them has no entry. */
function ngramsOf({ counts, ngrams }: NgramLists, word: Uint8Array): number[] {
  const indexes: number[] = [];
  for (let i = 0; i + NGRAM_BYTES <= word.length; i++) {
    const index = indexIn(ngrams, ngramAt(word, i, word.length));
    if (index < 0) return [];
    indexes.push(index);
  }
  return indexes.sort((a, b) => counts[a]! - counts[b]!);
}

/**
 * Returns the entries in the list of a long word's rarest n-gram, intersected with those of the next ones while reading
 * a list costs less than checking the entries that it would rule out.
 */
function inAllLists(lists: NgramLists, word: Uint8Array): Uint32Array {
  const [rarest, ...others] = ngramsOf(lists, word);
  if (rarest === undefined) return new Uint32Array(0);
  let entries = listOf(lists, rarest);
  for (const index of others) {
    if (lists.counts[index]! > entries.length * CHECK_COST_ENTRIES) break;
    entries = inBoth(entries, listOf(lists, index));
  }
  return entries;
}

/** Reads the entries of an n-gram, by its index. */
function listOf(lists: NgramLists, index: number): Uint32Array {
  const entries = new Uint32Array(lists.counts[index]!);
  readList(lists, index, entries);
  return entries;
}

/** Reads the entries of an n-gram into `target`, which has room for them. */
function readList(
  { counts, lists, starts }: NgramLists,
  index: number,
  target: Uint32Array,
): void {
  const count = counts[index]!;
  let at = starts[index]!;
  let entry = 0;
  // Varints as `ByteReader` reads them, without a call for each: twice as fast.
  for (let i = 0; i < count; i++) {
    let byte = lists[at++]!;
    let step = byte & 0x7f;
    for (let shift = 7; byte >= 0x80; shift += 7) {
      byte = lists[at++]!;
      step |= (byte & 0x7f) << shift;
    }
    entry += step;
    target[i] = entry;
  }
}

function forEachNgram(
  dictionary: Dictionary,
  visit: (ngram: number, entry: number, isPrefix: boolean) => void,
): void {
  const { bytes, offsets } = dictionary;
  for (let entry = 1; entry <= dictionary.count; entry++) {
    const end = dictionary.foldedEnd(entry);
    let previous = SPACE;
    for (let at = offsets[entry]!; at < end; at++) {
      const byte = bytes[at]!;
      if (byte !== SPACE)
        visit(ngramAt(bytes, at, end), entry, previous === SPACE);
      previous = byte;
    }
  }
}

function isAt(
  bytes: Uint8Array,
  at: number,
  end: number,
  word: Uint8Array,
): boolean {
  if (at + word.length > end) return false;
  for (let i = 1; i < word.length; i++) {
    if (bytes[at + i] !== word[i]) return false;
  }
  return true;
}
