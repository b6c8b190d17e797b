import { lowerBound } from "./sorted.ts";
import { varintBytes, writeVarint } from "./varint.ts";
import { NumberSet } from "./number-set.ts";
import type { Dictionary } from "./dictionary.ts";
import type { SectionFile, SectionWriter } from "./section-file.ts";

/**
 * The substring index over a dictionary's folded values (FORMAT.md, "Grams"). A gram is three bytes of one word, as a
 * number: those at each position (zeros stand past the word's end), and for each word an anchor of 0x01 and its first
 * two bytes. So one, two or three bytes anywhere in a word, and one or two at its beginning, are a range of grams.
 */
const SPACE = 0x20;
const ANCHOR = 0x01;

/** The entries that contain a word, and those in which a word begins with it: a subset. Both ascending. */
export interface WordMatches {
  contains: Uint32Array;
  begins: Uint32Array;
}

/** Writes the sections `NAME.grams`, `NAME.gramStarts`, `NAME.gramCounts` and `NAME.gramLists`. */
export function writeGrams(
  writer: SectionWriter,
  name: string,
  dictionary: Dictionary,
): void {
  const table = new GramTable();
  forEachGram(dictionary, (gram, number) => table.measure(gram, number));
  const order = table.sorted();
  const starts = new Uint32Array(order.length + 1);
  const counts = new Uint32Array(order.length);
  order.forEach((slot, index) => {
    starts[index + 1] = starts[index]! + table.bytes[slot]!;
    counts[index] = table.counts[slot]!;
  });
  const lists = new Uint8Array(starts[order.length]!);
  order.forEach((slot, index) => {
    table.bytes[slot] = starts[index]!;
    table.last[slot] = 0;
  });
  forEachGram(dictionary, (gram, number) => table.append(gram, number, lists));
  writer.write(
    `${name}.grams`,
    order.map((slot) => table.keys[slot]!),
  );
  writer.write(`${name}.gramStarts`, starts);
  writer.write(`${name}.gramCounts`, counts);
  writer.write(`${name}.gramLists`, lists);
}

/** Finds the entries that contain a word. */
export class GramIndex {
  readonly #dictionary: Dictionary;
  readonly #grams: Uint32Array;
  readonly #starts: Uint32Array;
  readonly #counts: Uint32Array;
  readonly #lists: Uint8Array;

  constructor(file: SectionFile, name: string, dictionary: Dictionary) {
    this.#dictionary = dictionary;
    this.#grams = file.uint32(`${name}.grams`);
    this.#starts = file.uint32(`${name}.gramStarts`);
    this.#counts = file.uint32(`${name}.gramCounts`);
    this.#lists = file.bytes(`${name}.gramLists`);
  }

  /** The entries whose folded value contains `word`: folded UTF-8, not empty, without a space. */
  matches(word: Uint8Array): WordMatches {
    if (word.length < 3) {
      const first = word[0]!;
      const second = word[1];
      return {
        contains:
          second === undefined
            ? this.#union(first << 16, 16)
            : this.#union((first << 16) | (second << 8), 8),
        begins:
          second === undefined
            ? this.#union((ANCHOR << 16) | (first << 8), 8)
            : this.#union((ANCHOR << 16) | (first << 8) | second, 0),
      };
    }
    return this.#verify(this.#rarest(word), word);
  }

  /** All entries in the lists of the grams that equal `gram` but for its lowest `freeBits`. */
  #union(gram: number, freeBits: number): Uint32Array {
    const from = lowerBound(this.#grams, gram);
    const to = lowerBound(this.#grams, gram + (1 << freeBits));
    if (to - from === 0) return new Uint32Array(0);
    if (to - from === 1) return this.#list(from);
    const numbers = new NumberSet(this.#dictionary.count + 1);
    for (let index = from; index < to; index++)
      numbers.addAll(this.#list(index));
    return numbers.toArray();
  }

  /** The index of the word's gram with the shortest list, or -1 when one of its grams is in no entry. */
  #rarest(word: Uint8Array): number {
    let rarest = -1;
    for (let i = 0; i + 2 < word.length; i++) {
      const gram = (word[i]! << 16) | (word[i + 1]! << 8) | word[i + 2]!;
      const index = lowerBound(this.#grams, gram);
      if (this.#grams[index] !== gram) return -1;
      if (rarest < 0 || this.#counts[index]! < this.#counts[rarest]!)
        rarest = index;
    }
    return rarest;
  }

  #verify(index: number, word: Uint8Array): WordMatches {
    if (index < 0)
      return { contains: new Uint32Array(0), begins: new Uint32Array(0) };
    const contains = this.#list(index);
    const begins = new Uint32Array(contains.length);
    let containing = 0;
    let beginning = 0;
    for (let i = 0; i < contains.length; i++) {
      const number = contains[i]!;
      const place = this.#placeOf(number, word);
      if (place !== ABSENT) contains[containing++] = number;
      if (place === AT_WORD) begins[beginning++] = number;
    }
    return {
      contains: contains.subarray(0, containing),
      begins: begins.subarray(0, beginning),
    };
  }

  /** Whether an entry has `word` at the beginning of one of its words, elsewhere, or not at all. */
  #placeOf(number: number, word: Uint8Array): number {
    const { bytes, offsets } = this.#dictionary;
    const start = offsets[number]!;
    const end = offsets[number + 1]!;
    const first = word[0]!;
    let place = ABSENT;
    let previous = SPACE;
    for (let at = start; at < end; at++) {
      const byte = bytes[at]!;
      if (byte === 0) break;
      if (byte === first && isAt(bytes, at, end, word)) {
        if (previous === SPACE) return AT_WORD;
        place = INSIDE;
      }
      previous = byte;
    }
    return place;
  }

  #list(index: number): Uint32Array {
    const lists = this.#lists;
    const numbers = new Uint32Array(this.#counts[index]!);
    let at = this.#starts[index]!;
    let number = 0;
    for (let i = 0; i < numbers.length; i++) {
      let byte = lists[at++]!;
      let delta = byte & 0x7f;
      for (let shift = 7; byte >= 0x80; shift += 7) {
        byte = lists[at++]!;
        delta |= (byte & 0x7f) << shift;
      }
      number += delta;
      numbers[i] = number;
    }
    return numbers;
  }
}

const ABSENT = 0;
const INSIDE = 1;
const AT_WORD = 2;

/** Grams by open addressing; per gram its list's length in bytes and entries, and the entry added last. */
class GramTable {
  keys: Uint32Array = new Uint32Array(1 << 12);
  bytes: Uint32Array = new Uint32Array(1 << 12);
  counts: Uint32Array = new Uint32Array(1 << 12);
  last: Uint32Array = new Uint32Array(1 << 12);
  #size = 0;

  measure(gram: number, number: number): void {
    const slot = this.#slot(gram);
    if (this.last[slot] === number) return;
    this.bytes[slot]! += varintBytes(number - this.last[slot]!);
    this.last[slot] = number;
    if (this.counts[slot]!++ === 0) {
      this.keys[slot] = gram;
      if (++this.#size * 2 > this.keys.length) this.#grow();
    }
  }

  /** Appends an entry to its gram's list; `bytes` now holds where the list goes on. */
  append(gram: number, number: number, lists: Uint8Array): void {
    const slot = this.#slot(gram);
    if (this.last[slot] === number) return;
    this.bytes[slot] = writeVarint(
      lists,
      this.bytes[slot]!,
      number - this.last[slot]!,
    );
    this.last[slot] = number;
  }

  /** The slots in use, by ascending gram. */
  sorted(): Uint32Array {
    const slots = new Uint32Array(this.#size);
    let used = 0;
    for (let slot = 0; slot < this.keys.length; slot++) {
      if (this.keys[slot] !== 0) slots[used++] = slot;
    }
    return slots.sort((a, b) => this.keys[a]! - this.keys[b]!);
  }

  #slot(gram: number): number {
    const mask = this.keys.length - 1;
    let slot = (Math.imul(gram, 0x9e3779b1) >>> 8) & mask;
    while (this.keys[slot] !== 0 && this.keys[slot] !== gram)
      slot = (slot + 1) & mask;
    return slot;
  }

  #grow(): void {
    const { keys, bytes, counts, last } = this;
    this.keys = new Uint32Array(keys.length * 2);
    this.bytes = new Uint32Array(keys.length * 2);
    this.counts = new Uint32Array(keys.length * 2);
    this.last = new Uint32Array(keys.length * 2);
    for (let old = 0; old < keys.length; old++) {
      if (keys[old] === 0) continue;
      const slot = this.#slot(keys[old]!);
      this.keys[slot] = keys[old]!;
      this.bytes[slot] = bytes[old]!;
      this.counts[slot] = counts[old]!;
      this.last[slot] = last[old]!;
    }
  }
}

function forEachGram(
  dictionary: Dictionary,
  visit: (gram: number, number: number) => void,
): void {
  const { bytes, offsets } = dictionary;
  for (let number = 1; number <= dictionary.count; number++) {
    const end = dictionary.foldedEnd(number);
    let previous = SPACE;
    for (let at = offsets[number]!; at < end; at++) {
      const byte = bytes[at]!;
      if (byte !== SPACE) {
        const second =
          at + 1 < end && bytes[at + 1] !== SPACE ? bytes[at + 1]! : 0;
        const third =
          second !== 0 && at + 2 < end && bytes[at + 2] !== SPACE
            ? bytes[at + 2]!
            : 0;
        if (previous === SPACE)
          visit((ANCHOR << 16) | (byte << 8) | second, number);
        visit((byte << 16) | (second << 8) | third, number);
      }
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
