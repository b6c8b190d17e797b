import { EditRows } from "./edit-rows.ts";
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
 * Finds the folded values of a dictionary with at most `most` edits from a typed word (code points), in the
 * dictionary's order. Walks the sorted entries as a tree: where a prefix has as many edits as allowed, only the next
 * characters of the typed word may follow, and all entries between those are skipped. So it reads some thousands of a
 * million entries, and needs no index.
 */
export function nearEntries(
  dictionary: Dictionary,
  typed: Int32Array,
  most: number,
): NearEntries[] {
  const { bytes, count, offsets } = dictionary;
  const near: NearEntries[] = [];
  const rows = new EditRows(typed, most);
  const size = typed.length + most + 2;
  /** The end of each prefix of the compared text in its entry: `ends[i]` bytes after its start. */
  const ends = new Uint32Array(size);
  /** The first entry after those with the same prefix. */
  const limits = new Uint32Array(size);
  limits[0] = count + 1;
  const target = new Uint8Array(MAX_CHARACTER_BYTES);
  for (let number = 1; number <= count;) {
    while (number >= limits[rows.length]!) rows.length--;
    const start = offsets[number]!;
    const end = dictionary.foldedEnd(number);
    let at = start + ends[rows.length]!;
    let refused = 0;
    while (at < end && refused === 0) {
      const length = characterBytes(bytes[at]!);
      const character = characterAt(bytes, at, length);
      const prefix = rows.length;
      if (rows.add(character)) {
        for (let i = 0; i < length; i++) target[i] = bytes[at + i]!;
        target[length - 1]!++;
        limits[prefix + 1] = firstNotBefore(
          dictionary,
          { from: number + 1, to: limits[prefix]! },
          ends[prefix]!,
          target,
          length,
        );
        at += length;
        ends[prefix + 1] = at - start;
      } else refused = character;
    }
    const limit = limits[rows.length]!;
    if (refused === 0) {
      const { edits } = rows;
      const to = endOfAlike(dictionary, number);
      if (edits <= most) near.push({ from: number, to, edits });
      number = to;
      continue;
    }
    const next = rows.nextAfter(refused);
    number =
      next === 0
        ? limit
        : firstNotBefore(
            dictionary,
            { from: number + 1, to: limit },
            ends[rows.length]!,
            target,
            writeCharacter(next, target),
          );
  }
  return near;
}

/** Finds the first entry after `number` with another folded value. */
function endOfAlike(dictionary: Dictionary, number: number): number {
  let end = number + 1;
  while (end <= dictionary.count && dictionary.isFoldedAlike(number, end))
    end++;
  return end;
}

/**
 * Finds the first of some entries, all with the same first `prefix` bytes, whose next bytes don't sort before the first
 * `length` bytes of a target. It is usually one of the next.
 */
function firstNotBefore(
  { bytes, offsets }: Dictionary,
  { from, to }: NumberRange,
  prefix: number,
  target: Uint8Array,
  length: number,
): number {
  const isBefore = (entry: number): boolean => {
    const end = offsets[entry + 1]!;
    let at = offsets[entry]! + prefix;
    for (let i = 0; i < length; i++, at++) {
      if (at === end) return true;
      const difference = bytes[at]! - target[i]!;
      if (difference !== 0) return difference < 0;
    }
    return false;
  };
  let low = from;
  let high = from;
  for (let step = 1; high < to && isBefore(high); step *= 2) {
    low = high + 1;
    high += step;
  }
  high = Math.min(high, to);
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (isBefore(middle)) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Returns how many bytes a character has in UTF-8, by its first byte. */
function characterBytes(first: number): number {
  if (first < 0x80) return 1;
  if (first < 0xe0) return 2;
  return first < 0xf0 ? 3 : 4;
}

/** Decodes a character of `size` bytes in UTF-8 to its code point. */
function characterAt(bytes: Uint8Array, at: number, size: number): number {
  let character = bytes[at]!;
  if (size === 1) return character;
  character &= 0x7f >> size;
  for (let i = 1; i < size; i++)
    character = (character << 6) | (bytes[at + i]! & 0x3f);
  return character;
}

/** Writes a character as UTF-8 and returns its length. */
function writeCharacter(character: number, target: Uint8Array): number {
  if (character < 0x80) {
    target[0] = character;
    return 1;
  }
  const size = character < 0x800 ? 2 : character < 0x1_0000 ? 3 : 4;
  let remaining = character;
  for (let i = size - 1; i > 0; i--) {
    target[i] = 0x80 | (remaining & 0x3f);
    remaining >>>= 6;
  }
  target[0] = ((0xff << (8 - size)) & 0xff) | remaining;
  return size;
}
