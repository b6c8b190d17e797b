import { EditRows } from "./edit-rows.ts";
import { compareBytes } from "../../snapshot/bytes/string-sort.ts";
import type {
  Dictionary,
  NumberRange,
} from "../../snapshot/dictionary/dictionary.ts";

const MAX_CHARACTER_BYTES = 4;

/** The entries of one folded value, and its edits from the typed word. */
export interface NearEntries extends NumberRange {
  readonly edits: number;
}

/**
 * The folded values of a dictionary with at most `most` edits from a typed word (code points), in the dictionary's
 * order. Walks the sorted entries as a tree: where a prefix has as many edits as allowed, only the next characters of
 * the typed word may follow, and all entries between those are skipped. So it reads some thousands of a million
 * entries, and needs no index. Samples of the entries' first bytes would save a tenth of the time.
 */
export function nearEntries(
  dictionary: Dictionary,
  typed: Int32Array,
  most: number,
): NearEntries[] {
  const { bytes, count, offsets } = dictionary;
  const found: NearEntries[] = [];
  const rows = new EditRows(typed, most);
  /** Where each prefix of the compared text ends in its entry: `ends[i]` bytes after its start. */
  const ends = new Uint32Array(typed.length + most + 2);
  const target = new Uint8Array(ends.length * MAX_CHARACTER_BYTES);
  let compared = 0;
  for (let number = 1; number <= count;) {
    const start = offsets[number]!;
    const shared = sharedBytes(
      bytes,
      compared,
      start,
      Math.min(ends[rows.length]!, offsets[number + 1]! - start),
    );
    while (ends[rows.length]! > shared) rows.length--;
    compared = start;
    const end = dictionary.foldedEnd(number);
    let at = start + ends[rows.length]!;
    let refused = 0;
    while (at < end && refused === 0) {
      const size = characterBytes(bytes[at]!);
      const character = characterAt(bytes, at, size);
      at += size;
      if (rows.add(character)) ends[rows.length] = at - start;
      else refused = character;
    }
    if (refused === 0) {
      const { edits } = rows;
      const to = endOfAlike(dictionary, number);
      if (edits <= most) found.push({ from: number, to, edits });
      number = to;
    } else {
      const prefix = ends[rows.length]!;
      for (let i = 0; i < prefix; i++) target[i] = bytes[start + i]!;
      const length = writeCharacter(rows.nextAfter(refused), target, prefix);
      number = firstNotBefore(dictionary, number + 1, target, length);
    }
  }
  return found;
}

/** How many of `most` bytes from two places are the same. */
function sharedBytes(
  bytes: Uint8Array,
  one: number,
  other: number,
  most: number,
): number {
  let shared = 0;
  while (shared < most && bytes[one + shared] === bytes[other + shared])
    shared++;
  return shared;
}

/** The first entry after `number` with another folded value. */
function endOfAlike(dictionary: Dictionary, number: number): number {
  let end = number + 1;
  while (end <= dictionary.count && dictionary.isFoldedAlike(number, end))
    end++;
  return end;
}

/**
 * The first entry from `number` on that doesn't sort before the first `length` bytes of a target. It is usually one of
 * the next.
 */
function firstNotBefore(
  dictionary: Dictionary,
  number: number,
  target: Uint8Array,
  length: number,
): number {
  const { count } = dictionary;
  let low = number;
  let high = number;
  for (
    let step = 1;
    high <= count && isBefore(dictionary, high, target, length);
    step *= 2
  ) {
    low = high + 1;
    high += step;
  }
  high = Math.min(high, count + 1);
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (isBefore(dictionary, middle, target, length)) low = middle + 1;
    else high = middle;
  }
  return low;
}

function isBefore(
  { bytes, offsets }: Dictionary,
  entry: number,
  target: Uint8Array,
  length: number,
): boolean {
  const start = offsets[entry]!;
  return compareBytes(bytes, start, offsets[entry + 1]!, target, 0, length) < 0;
}

/** The bytes of a character in UTF-8, by its first byte. */
function characterBytes(first: number): number {
  if (first < 0x80) return 1;
  if (first < 0xe0) return 2;
  return first < 0xf0 ? 3 : 4;
}

/** The code point of a character of `size` bytes in UTF-8. */
function characterAt(bytes: Uint8Array, at: number, size: number): number {
  let character = bytes[at]!;
  if (size === 1) return character;
  character &= 0x7f >> size;
  for (let i = 1; i < size; i++)
    character = (character << 6) | (bytes[at + i]! & 0x3f);
  return character;
}

/** Writes a character as UTF-8 and returns the end; for 0, a byte that sorts after all characters. */
function writeCharacter(
  character: number,
  target: Uint8Array,
  at: number,
): number {
  if (character === 0) {
    target[at] = 0xff;
    return at + 1;
  }
  if (character < 0x80) {
    target[at] = character;
    return at + 1;
  }
  const size = character < 0x800 ? 2 : character < 0x1_0000 ? 3 : 4;
  let rest = character;
  for (let i = size - 1; i > 0; i--) {
    target[at + i] = 0x80 | (rest & 0x3f);
    rest >>>= 6;
  }
  target[at] = ((0xff << (8 - size)) & 0xff) | rest;
  return at + size;
}
