import { GRAM_BYTES, gramOf } from "./grams.ts";
import { addDocs, type NameField } from "./name-field.ts";
import { NumberSet, wordsFor } from "./number-set.ts";
import { lowerBound } from "./sorted.ts";
import type { SectionFile, SectionWriter } from "./section-file.ts";

/**
 * Pieces (FORMAT.md, "Pieces"): words of one to three bytes, or beginnings of words, that so many documents' names contain
 * that gathering the documents from lists would take long. For each of them it is stored how many documents of each block
 * have it; for the most common ones the documents too, as a set.
 */

/** A piece that fewer than one in so many documents have is not stored. */
const COUNTED_SHARE = 128;
/** A piece that at least one in so many documents have is stored with its set. */
const LISTED_SHARE = 16;
/** Counts are of blocks of so many documents. */
export const PIECE_BLOCK = 2048;
/** A piece of one, two or three bytes is the gram of these, which leaves the lowest bit to mark the beginning of words. */
const MAX_BYTES = 3;
const BEGIN = 1;

/** How often a piece occurs. */
export interface Piece {
  /** How many documents have it. */
  docCount: number;
  /** Per block of documents how many of them have it. */
  counts: Uint16Array;
  /** The documents that have it, when they are stored. */
  docs: NumberSet | null;
}

/** Writes the sections `piece.numbers`, `piece.docs`, `piece.counts` and `piece.sets`. */
export function writePieces(
  writer: SectionWriter,
  docCount: number,
  fields: readonly NameField[],
): void {
  const numbers: number[] = [];
  const pieces: Piece[] = [];
  writer.begin("piece.sets", 4);
  for (const { number, piece } of countPieces(docCount, fields)) {
    numbers.push(number);
    pieces.push({ ...piece, docs: null });
    if (piece.docs !== null)
      writer.append(new Uint8Array(piece.docs.bits.buffer));
  }
  writer.end();
  writer.write("piece.numbers", Uint32Array.from(numbers));
  writer.write(
    "piece.docs",
    Uint32Array.from(pieces, (piece) => piece.docCount),
  );
  writer.begin("piece.counts", 2);
  for (const { counts } of pieces) writer.append(new Uint8Array(counts.buffer));
  writer.end();
}

/** The pieces to store with their numbers, ascending. The set of a piece is that of the next one when that is asked for. */
export function* countPieces(
  docCount: number,
  fields: readonly NameField[],
): Generator<{ number: number; piece: Piece }> {
  const set = new NumberSet(docCount);
  for (const number of candidates(fields, docCount)) {
    set.clear();
    addPiece(set, fields, number);
    const counts = countBlocks(set, docCount);
    const found = counts.reduce((sum, count) => sum + count, 0);
    if (isCounted(found, docCount))
      yield {
        number,
        piece: {
          docCount: found,
          counts,
          docs: isListed(found, docCount) ? set : null,
        },
      };
  }
}

/** Reads the pieces of a snapshot. */
export class Pieces {
  /** The stored pieces, ascending. */
  readonly #numbers: Uint32Array;
  readonly #docCount: number;
  readonly #docs: Uint32Array;
  readonly #counts: Uint16Array;
  /** Per piece its set, or null. */
  readonly #sets: readonly (NumberSet | null)[];

  constructor(file: SectionFile, docCount: number) {
    this.#docCount = docCount;
    this.#numbers = file.uint32("piece.numbers");
    this.#docs = file.uint32("piece.docs");
    this.#counts = file.uint16("piece.counts");
    const bits = file.uint32("piece.sets");
    const words = wordsFor(docCount);
    let at = 0;
    this.#sets = Array.from(this.#docs, (docs) => {
      if (!isListed(docs, docCount)) return null;
      const set = new NumberSet(docCount, bits.subarray(at, at + words));
      at += words;
      return set;
    });
  }

  /** All stored pieces, ascending. */
  *all(): Generator<{ number: number; piece: Piece }, undefined> {
    for (let index = 0; index < this.#numbers.length; index++)
      yield { number: this.#numbers[index]!, piece: this.#at(index) };
  }

  /** What is stored of a word as a piece, or of the beginning of words, null when it is not stored. */
  find(word: Uint8Array, isBegin: boolean): Piece | null {
    const piece = pieceOf(word, isBegin);
    if (piece === null) return null;
    const index = lowerBound(this.#numbers, piece);
    if (this.#numbers[index] !== piece) return null;
    return this.#at(index);
  }

  #at(index: number): Piece {
    const blocks = blocksFor(this.#docCount);
    return {
      docCount: this.#docs[index]!,
      counts: this.#counts.subarray(index * blocks, (index + 1) * blocks),
      docs: this.#sets[index]!,
    };
  }
}

function isCounted(docs: number, docCount: number): boolean {
  return docs * COUNTED_SHARE >= docCount;
}

function isListed(docs: number, docCount: number): boolean {
  return docs * LISTED_SHARE >= docCount;
}

/** How many blocks of documents are counted. */
export function blocksFor(docCount: number): number {
  return Math.ceil(docCount / PIECE_BLOCK);
}

/** The number of a word as a piece, or of the beginning of words; null where it is too long for one. */
function pieceOf(word: Uint8Array, isBegin: boolean): number | null {
  if (word.length > MAX_BYTES) return null;
  return gramOf(word) + (isBegin ? BEGIN : 0);
}

/** The pieces of all fields that may be common enough, ascending. */
function candidates(
  fields: readonly NameField[],
  docCount: number,
): Uint32Array {
  const bounds = new Map<number, number>();
  for (const { grams } of fields) {
    for (const [lists, mark] of [
      [grams.sections.inside, 0],
      [grams.sections.begin, BEGIN],
    ] as const) {
      lists.grams.forEach((gram, index) => {
        const docs = lists.docs[index]!;
        for (let length = 1; length <= MAX_BYTES; length++) {
          const piece = firstBytes(gram, length) + mark;
          bounds.set(piece, (bounds.get(piece) ?? 0) + docs);
          // What follows is the same piece: the word ends there.
          if (firstBytes(gram, length) === gram) break;
        }
      });
    }
  }
  return Uint32Array.from(bounds.keys())
    .filter((piece) => isCounted(bounds.get(piece)!, docCount))
    .sort();
}

/** A gram with its first bytes alone. */
function firstBytes(gram: number, length: number): number {
  const free = 8 * (GRAM_BYTES - length);
  return ((gram >>> free) << free) >>> 0;
}

/** Adds the documents that have a piece. */
function addPiece(
  set: NumberSet,
  fields: readonly NameField[],
  piece: number,
): void {
  const isBegin = (piece & BEGIN) !== 0;
  const bytes = Buffer.alloc(GRAM_BYTES);
  bytes.writeUInt32BE(piece - (isBegin ? BEGIN : 0));
  const word = bytes.subarray(0, bytes.indexOf(0));
  for (const { docs, grams } of fields)
    addDocs(
      set,
      docs,
      isBegin ? grams.beginning(word) : grams.containing(word),
    );
}

/** How many members of a set of documents are in each block. */
export function countBlocks(set: NumberSet, docCount: number): Uint16Array {
  return new Uint16Array(blocksFor(docCount)).map((_, block) =>
    set.count(
      block * PIECE_BLOCK,
      Math.min(docCount, (block + 1) * PIECE_BLOCK),
    ),
  );
}
