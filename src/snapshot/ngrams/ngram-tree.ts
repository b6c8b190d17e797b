import { countOf, type DictionaryEntries } from "../dictionary/dictionary.ts";
import { withRoom } from "../bytes/growable.ts";

/**
 * The pieces of words that may be common, as a tree over their bytes: a node's row has the node of each next byte. Row 0
 * leads to the pieces inside of words, row 1 to the beginnings of words.
 */

/** A piece has at most so many bytes: as a gram of four they leave the lowest bits free. */
export const MAX_FREQUENT_NGRAM_BYTES = 3;
/** Marks in a piece's number that it is a beginning of words. */
export const PREFIX = 1;
const SPACE = 0x20;
const SEPARATOR = 0;
const BYTES = 256;
const ROOTS = 2;

/** A dictionary in whose words pieces are looked for, and per entry how many documents have it. */
export interface NgramField extends DictionaryEntries {
  docs: Uint32Array;
}

/**
 * Per entry the longest piece at each place of its words, and the longest beginning of each word: those of `n` are
 * `pieces[starts[n], starts[n + 1])`, some of them perhaps more than once. Its other pieces are what these contain.
 */
export interface EntryNgrams {
  starts: Uint32Array;
  ngrams: Uint16Array | Uint32Array;
}

export class NgramTree {
  /** The pieces' numbers (FORMAT.md), in the order of the tree. */
  readonly numbers: number[] = [];
  /** Per piece at most how many documents have it. */
  readonly bounds: number[] = [];
  /**
   * Per piece the one that has its bytes but the last, and of a beginning the same bytes inside of words: whoever has the
   * piece has these too. They stand before it; for none there is the place of the piece itself.
   */
  readonly shorter: number[] = [];
  readonly inside: number[] = [];
  /** Per number of a piece its place. */
  readonly #places = new Map<number, number>();
  /** Per row and byte the piece found there, plus one; 0 for none. The row of a piece is its place plus 2. */
  #next: Uint32Array = new Uint32Array(ROOTS * BYTES);

  get size(): number {
    return this.numbers.length;
  }

  /** The pieces that at least `least` documents may have. */
  constructor(fields: readonly NgramField[], least: number) {
    let first = 0;
    for (let length = 1; length <= MAX_FREQUENT_NGRAM_BYTES; length++) {
      const past = this.numbers.length + ROOTS;
      const counts = new Float64Array((past - first) * BYTES);
      for (const field of fields) this.#count(field, length, first, counts);
      this.#addNodes(counts, length, first, least);
      first = past;
    }
  }

  /** Lists the pieces of dictionaries' entries: entry `n` of the second one is `n` plus the number of the first one's. */
  lists(dictionaries: readonly DictionaryEntries[]): EntryNgrams {
    const entries = sum(dictionaries.map(countOf));
    const room = sum(dictionaries.map(mostNgrams));
    const starts = new Uint32Array(entries + 2);
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

  /** Writes an entry's pieces from `to` on and returns where they end. */
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

  /** Adds to `counts` the documents of each piece of `length` bytes, by its row, counted from `firstRow`, and last byte. */
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
    const shift = 8 * (MAX_FREQUENT_NGRAM_BYTES + 1 - length);
    const cells: number[] = [];
    counts.forEach((docs, cell) => {
      if (docs > 0 && docs >= least) cells.push(cell);
    });
    const rows = ROOTS + this.numbers.length + cells.length;
    this.#next = withRoom(this.#next, rows * BYTES);
    for (const cell of cells) {
      const row = firstRow + Math.floor(cell / BYTES);
      const before = row < ROOTS ? row * PREFIX : this.numbers[row - ROOTS]!;
      const number = before + (cell % BYTES) * 2 ** shift;
      const place = this.numbers.length;
      this.shorter.push(row < ROOTS ? place : row - ROOTS);
      this.inside.push(
        (number & PREFIX) === 0 ? place : this.#places.get(number - PREFIX)!,
      );
      this.#places.set(number, place);
      this.numbers.push(number);
      this.bounds.push(counts[cell]!);
      this.#next[row * BYTES + (cell % BYTES)] = this.numbers.length;
    }
  }
}

/** At each byte of a dictionary there is at most one piece and a beginning. */
function mostNgrams({ bytes }: DictionaryEntries): number {
  return bytes.length * 2;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
