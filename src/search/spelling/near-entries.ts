import { EditRows } from "./edit-rows.ts";
import type {
  Dictionary,
  NumberRange,
} from "../../snapshot/dictionary/dictionary.ts";

/** The entries of one folded value, and its edits from the typed word. */
export interface NearEntries extends NumberRange {
  readonly edits: number;
}

/**
 * The folded values of a dictionary with at most `most` edits from a typed word (code points), in the dictionary's
 * order. Walks the sorted entries as a tree: as soon as a prefix has too many edits, all entries with it are
 * skipped. So it reads some ten thousand of a million entries, and needs no index.
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
    let isNear = true;
    while (at < end) {
      const size = characterBytes(bytes[at]!);
      isNear = rows.add(characterAt(bytes, at, size));
      at += size;
      if (!isNear) break;
      ends[rows.length] = at - start;
    }
    if (isNear) {
      const { edits } = rows;
      const to = endOfAlike(dictionary, number);
      if (edits <= most) found.push({ from: number, to, edits });
      number = to;
    } else {
      number = endOfPrefix(dictionary, number, at - start);
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

/** The first entry after `number` that doesn't start with the same `length` bytes. It is usually one of the next. */
function endOfPrefix(
  { bytes, count, offsets }: Dictionary,
  number: number,
  length: number,
): number {
  const start = offsets[number]!;
  const has = (entry: number): boolean => {
    const from = offsets[entry]!;
    if (offsets[entry + 1]! - from < length) return false;
    // Neighbors differ late rather than early.
    for (let i = length - 1; i >= 0; i--)
      if (bytes[from + i] !== bytes[start + i]) return false;
    return true;
  };
  let low = number;
  let high = number + 1;
  for (let step = 2; high <= count && has(high); step *= 2) {
    low = high;
    high += step;
  }
  high = Math.min(high, count + 1);
  while (high - low > 1) {
    const middle = (low + high) >>> 1;
    if (has(middle)) low = middle;
    else high = middle;
  }
  return high;
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
