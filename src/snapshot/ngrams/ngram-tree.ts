import { countOf, type DictionaryEntries } from "../dictionary/dictionary.ts";
import { withRoom } from "../bytes/growable.ts";

/**
 * A tree of n-grams that may be frequent: a node's row has the child for each next byte. Row 0 is the root for n-grams
 * inside words, row 1 for those at the start of words.
 */

/** Maximum length of a frequent n-gram. As an n-gram of four bytes, it leaves the lowest bits free. */
export const MAX_FREQUENT_NGRAM_BYTES = 3;
/** Marks the number of an n-gram at the start of words. */
export const PREFIX = 1;
const SPACE = 0x20;
const SEPARATOR = 0;
const BYTES = 256;
const ROOTS = 2;

/** A dictionary whose words are searched for n-grams, and the number of documents of each entry. */
export interface NgramField extends DictionaryEntries {
  docs: Uint32Array;
}

/**
 * Per entry the longest n-gram at each position of its words, and the longest one at the start of each word: entry `n`
 * has `ngrams[starts[n], starts[n + 1])`, with possible repetitions. Its other n-grams are contained in these.
 */
export interface EntryNgrams {
  starts: Uint32Array;
  ngrams: Uint16Array | Uint32Array;
}

export class NgramTree {
  /** The n-grams' numbers (FORMAT.md), in tree order. */
  readonly numbers: number[] = [];
  /** Per n-gram, an upper bound for the number of documents that have it. */
  readonly bounds: number[] = [];
  /**
   * Per n-gram, the index of the one without its last byte, and, for a start of words, of the same bytes inside words:
   * every document with the n-gram has these as well. They precede it. If there is none, the n-gram's own index.
   */
  readonly shorter: number[] = [];
  readonly inside: number[] = [];
  /** Index by n-gram number. */
  readonly #places = new Map<number, number>();
  /**
   * Per row and byte, the index of the n-gram found there, plus one; 0 for none. An n-gram's row is its index plus 2.
   */
  #next: Uint32Array = new Uint32Array(ROOTS * BYTES);

  get size(): number {
    return this.numbers.length;
  }

  /** Collects the n-grams that at least `least` documents may have. */
  static collect(fields: readonly NgramField[], least: number): NgramTree {
    const tree = new NgramTree();
    let first = 0;
    for (let length = 1; length <= MAX_FREQUENT_NGRAM_BYTES; length++) {
      const past = tree.size + ROOTS;
      const counts = new Float64Array((past - first) * BYTES);
      for (const field of fields) tree.#count(field, length, first, counts);
      tree.#addNodes(counts, length, first, least);
      first = past;
    }
    return tree;
  }

  /** Lists the n-grams of dictionary entries. Entry `n` of the second dictionary follows those of the first. */
  lists(dictionaries: readonly DictionaryEntries[]): EntryNgrams {
    const entries = sum(dictionaries.map(countOf));
    const starts = new Uint32Array(entries + 2);
    const room = sum(dictionaries.map(maxNgrams));
    const ngrams =
      this.size > 0xffff ? new Uint32Array(room) : new Uint16Array(room);
    let entry = 1;
    let to = 0;
    for (const dictionary of dictionaries) {
      const count = countOf(dictionary);
      for (let number = 1; number <= count; number++) {
        starts[entry++] = to;
        to = this.#list(dictionary, number, ngrams, to);
      }
    }
    starts[entry] = to;
    return { starts, ngrams };
  }

  /** Writes an entry's n-grams from `from` on: at most two for each of its bytes. Returns the end. */
  #list(
    { bytes, offsets }: DictionaryEntries,
    entry: number,
    ngrams: Uint16Array | Uint32Array,
    from: number,
  ): number {
    const next = this.#next;
    const past = offsets[entry + 1]!;
    let to = from;
    let previous = SPACE;
    for (let at = offsets[entry]!; at < past; at++) {
      const byte = bytes[at]!;
      if (byte === SEPARATOR) break;
      if (byte !== SPACE) {
        let beginEnd = at;
        if (previous === SPACE) {
          let row = PREFIX;
          for (
            ;
            beginEnd < past && beginEnd < at + MAX_FREQUENT_NGRAM_BYTES;
            beginEnd++
          ) {
            const ngram = next[row * BYTES + bytes[beginEnd]!]!;
            if (ngram === 0) break;
            row = ngram - 1 + ROOTS;
          }
          if (beginEnd > at) ngrams[to++] = row - ROOTS;
        }
        let row = 0;
        let insideEnd = at;
        for (
          ;
          insideEnd < past && insideEnd < at + MAX_FREQUENT_NGRAM_BYTES;
          insideEnd++
        ) {
          const ngram = next[row * BYTES + bytes[insideEnd]!]!;
          if (ngram === 0) break;
          row = ngram - 1 + ROOTS;
        }
        if (insideEnd > beginEnd) ngrams[to++] = row - ROOTS;
      }
      previous = byte;
    }
    return to;
  }

  /**
   * Adds to `counts` the documents of each n-gram of `length` bytes, indexed by its row, relative to `firstRow`, and
   * last byte.
   */
  #count(
    { bytes, docs, offsets }: NgramField,
    length: number,
    firstRow: number,
    counts: Float64Array,
  ): void {
    const next = this.#next;
    const before = length - 1;
    for (let entry = 1; entry <= offsets.length - 2; entry++) {
      const entryDocs = docs[entry]!;
      const past = offsets[entry + 1]!;
      let previous = SPACE;
      for (let at = offsets[entry]!; at + before < past; at++) {
        const byte = bytes[at]!;
        if (byte === SEPARATOR) break;
        const last = bytes[at + before]!;
        if (byte !== SPACE && last !== SPACE && last !== SEPARATOR) {
          const roots = previous === SPACE ? ROOTS : 1;
          for (let root = 0; root < roots; root++) {
            let row = root;
            let i = at;
            for (; i < at + before; i++) {
              const ngram = next[row * BYTES + bytes[i]!]!;
              if (ngram === 0) break;
              row = ngram - 1 + ROOTS;
            }
            if (i === at + before)
              counts[(row - firstRow) * BYTES + last]! += entryDocs;
          }
        }
        previous = byte;
      }
    }
  }

  #addNodes(
    counts: Float64Array,
    length: number,
    firstRow: number,
    least: number,
  ): void {
    const cells: number[] = [];
    counts.forEach((docs, cell) => {
      if (docs > 0 && docs >= least) cells.push(cell);
    });
    for (const cell of cells) {
      const row = firstRow + Math.floor(cell / BYTES);
      const before = row < ROOTS ? row * PREFIX : this.numbers[row - ROOTS]!;
      const byte = cell % BYTES;
      const shift = 8 * (MAX_FREQUENT_NGRAM_BYTES + 1 - length);
      const number = before + byte * 2 ** shift;
      this.#add(row, byte, number, counts[cell]!);
    }
  }

  /** Adds the n-gram that follows a row's one with a byte. */
  #add(row: number, byte: number, number: number, bound: number): void {
    const place = this.size;
    this.shorter.push(row < ROOTS ? place : row - ROOTS);
    this.inside.push(
      (number & PREFIX) === 0 ? place : this.#places.get(number - PREFIX)!,
    );
    this.#places.set(number, place);
    this.numbers.push(number);
    this.bounds.push(bound);
    this.#next = withRoom(this.#next, (ROOTS + this.size) * BYTES);
    this.#next[row * BYTES + byte] = this.size;
  }
}

/** Limits the n-grams of a dictionary: at each byte, at most one inside words and one at the start. */
function maxNgrams({ bytes }: DictionaryEntries): number {
  return bytes.length * 2;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
