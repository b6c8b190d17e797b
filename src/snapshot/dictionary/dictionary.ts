import { compareBytes, sortByBytes } from "../bytes/string-sort.ts";
import { withRoom } from "../bytes/growable.ts";
import { release } from "../bytes/once.ts";
import {
  FOLDING,
  FOLDINGS,
  type FoldBytes,
  type Folding,
} from "../../text/foldings.ts";
import type { ByteInterner } from "../bytes/byte-interner.ts";
import type { DictionarySections } from "../container/descriptors.ts";
import type { ArraysOf } from "../container/section.ts";
import { SnapshotFormatError } from "../container/section-file.ts";
import { openGroup, type Sections } from "../container/sections.ts";

/**
 * A dictionary (FORMAT.md, "Dictionaries"): distinct spellings, numbered from 1 in the order of their folded values, so
 * the spellings of one folded value, and of all values with one prefix, are a range of numbers. An entry is the folded
 * value; if the spelling differs, a zero byte and the spelling follow.
 */
export const SEPARATOR = 0;
const SPACE = 0x20;
/** Folding lengthens a character's UTF-8 by at most this factor (U+FDFA, 3 bytes, becomes 33). */
const FOLDING_GROWTH = 12;

/** A range of numbers, `from` ≤ number < `to`. */
export interface NumberRange {
  from: number;
  to: number;
}

/** Entries as written to the file. */
export type DictionaryEntries = ArraysOf<DictionarySections>;

/** Counts the entries. Their numbers are 1 to this. */
export function countOf({ offsets }: DictionaryEntries): number {
  return offsets.length - 2;
}

/** The entries of an interner's spellings, and the entry number of each interned spelling. */
export interface DictionaryDraft extends DictionaryEntries {
  numbers: Uint32Array;
}

/** Sorts an interner's spellings into a dictionary, and frees the interner. Added to a base, it needs its folding. */
export function draftDictionary(
  spellings: ByteInterner,
  folding: Folding = FOLDING,
  foldEntry: FoldBytes = folding.foldBytes,
): DictionaryDraft {
  spellings.close();
  const { arena, offsets: spans, size } = spellings;
  let unsorted: Uint8Array = new Uint8Array(arena.length * 2);
  const starts = new Uint32Array(size + 1);
  let at = 0;
  for (let id = 1; id < size; id++) {
    starts[id] = at;
    unsorted = withRoom(
      unsorted,
      at + (spans[id + 1]! - spans[id]!) * (FOLDING_GROWTH + 1) + 1,
    );
    at = encodeEntry(
      arena,
      spans[id]!,
      spans[id + 1]!,
      unsorted,
      at,
      foldEntry,
    );
  }
  starts[size] = at;
  spellings.free();

  const order = new Uint32Array(size - 1).map((_, index) => index + 1);
  sortByBytes(order, unsorted, starts);
  const bytes = new Uint8Array(at);
  const offsets = new Uint32Array(size + 1);
  offsets[0] = folding.number;
  const numbers = new Uint32Array(size);
  let to = 0;
  for (let index = 0; index < order.length; index++) {
    const id = order[index]!;
    numbers[id] = index + 1;
    offsets[index + 1] = to;
    for (let from = starts[id]!; from < starts[id + 1]!; from++)
      bytes[to++] = unsorted[from]!;
  }
  offsets[size] = to;
  release(unsorted, starts, order);
  return { bytes, offsets, numbers };
}

/** Reads a dictionary of a snapshot. */
export class Dictionary {
  /** The number of entries. Their numbers are 1 to `count`. */
  readonly count: number;
  readonly bytes: Uint8Array;
  readonly offsets: Uint32Array;
  /** The folding of its values. */
  readonly folding: Folding;
  readonly #text: Buffer;

  constructor({ bytes, offsets }: DictionaryEntries) {
    this.bytes = bytes;
    this.offsets = offsets;
    this.folding = foldingIn(offsets);
    this.count = offsets.length - 2;
    this.#text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  static open(sections: Sections, group: DictionarySections): Dictionary {
    return new Dictionary(openGroup(sections, group));
  }

  /** Returns the spelling of an entry; null for 0. */
  spelling(number: number): string | null {
    if (number === 0) return null;
    const start = this.spellingStart(number);
    return this.#text.toString("utf8", start, this.offsets[number + 1]);
  }

  folded(number: number): string {
    return this.#text.toString(
      "utf8",
      this.offsets[number],
      this.foldedEnd(number),
    );
  }

  /** Returns the bytes of an entry. */
  entry(number: number): Uint8Array {
    return this.bytes.subarray(this.offsets[number], this.offsets[number + 1]);
  }

  /** Finds the first entry that does not sort before the given bytes; `count` + 1 if all do. */
  firstEntryFrom(entry: Uint8Array): number {
    return this.#firstNot(
      (number) => Buffer.compare(this.entry(number), entry) < 0,
    );
  }

  /** Interns an entry's spelling and returns its number; 0 for 0. */
  internInto(interner: ByteInterner, number: number): number {
    if (number === 0) return 0;
    return interner.intern(
      this.bytes,
      this.spellingStart(number),
      this.offsets[number + 1]!,
    );
  }

  /** Returns where an entry's spelling starts in `bytes`. It ends where the next entry starts. */
  spellingStart(number: number): number {
    const foldedEnd = this.foldedEnd(number);
    return foldedEnd === this.offsets[number + 1]!
      ? this.offsets[number]!
      : foldedEnd + 1;
  }

  /** Returns where an entry's folded value ends in `bytes`. */
  foldedEnd(number: number): number {
    const bytes = this.bytes;
    const end = this.offsets[number + 1]!;
    let at = this.offsets[number]!;
    while (at < end && bytes[at] !== SEPARATOR) at++;
    return at;
  }

  /** True if two entries have the same folded value. */
  isFoldedAlike(one: number, other: number): boolean {
    const { bytes, offsets } = this;
    const [end, otherEnd] = [this.foldedEnd(one), this.foldedEnd(other)];
    const [start, from] = [offsets[one]!, offsets[other]!];
    return compareBytes(bytes, start, end, bytes, from, otherEnd) === 0;
  }

  /** Finds the entries whose folded value starts with the given bytes (not empty). */
  withPrefix(prefix: Uint8Array): NumberRange {
    return this.#withPrefix(prefix, { from: 1, to: this.count + 1 });
  }

  /** Finds the entries whose folded value equals the given bytes (not empty), the first of those with the prefix. */
  equalTo(folded: Uint8Array): NumberRange {
    return this.#wholes(this.withPrefix(folded), folded.length);
  }

  /**
   * Finds the entries whose folded value without spaces equals the given bytes (not empty), or starts with them, as
   * ascending ranges. Each byte, with or without a space before it, narrows the range.
   */
  withoutSpaces(bytes: Uint8Array, isPrefix: boolean): NumberRange[] {
    const ranges: NumberRange[] = [];
    const prefix = new Uint8Array(bytes.length * 2);
    const narrow = (at: number, length: number, within: NumberRange): void => {
      if (within.from === within.to) return;
      if (at === bytes.length) {
        const range = isPrefix ? within : this.#wholes(within, length);
        if (range.from < range.to) ranges.push(range);
        return;
      }
      const next = (end: number): void => {
        prefix[end - 1] = bytes[at]!;
        narrow(at + 1, end, this.#withPrefix(prefix.subarray(0, end), within));
      };
      if (at > 0) {
        prefix[length] = SPACE;
        next(length + 2);
      }
      next(length + 1);
    };
    narrow(0, 0, { from: 1, to: this.count + 1 });
    return ranges;
  }

  /** Narrows a range of entries that start with `length` bytes to those whose folded value has no more. */
  #wholes({ from, to }: NumberRange, length: number): NumberRange {
    let end = from;
    while (end < to && this.foldedEnd(end) === this.offsets[end]! + length)
      end++;
    return { from, to: end };
  }

  #withPrefix(prefix: Uint8Array, { from, to }: NumberRange): NumberRange {
    return {
      from: this.#firstNot(
        (number) => this.#comparePrefix(number, prefix) < 0,
        from,
        to,
      ),
      to: this.#firstNot(
        (number) => this.#comparePrefix(number, prefix) <= 0,
        from,
        to,
      ),
    };
  }

  /** Finds the first entry from `low` to `high` for which `holds` is false; it is true for all entries before it. */
  #firstNot(
    holds: (number: number) => boolean,
    low = 1,
    high = this.count + 1,
  ): number {
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (holds(middle)) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** Compares an entry with a prefix; 0 if it starts with it. */
  #comparePrefix(number: number, prefix: Uint8Array): number {
    const start = this.offsets[number]!;
    const end = Math.min(this.offsets[number + 1]!, start + prefix.length);
    return compareBytes(this.bytes, start, end, prefix, 0, prefix.length);
  }
}

function foldingIn(offsets: Uint32Array): Folding {
  const folding = FOLDINGS[offsets[0]!];
  if (folding === undefined)
    throw new SnapshotFormatError(
      "The snapshot compares texts by a rule that this version does not know",
      "install the version that made it, or import a full file again",
    );
  return folding;
}

function encodeEntry(
  source: Uint8Array,
  start: number,
  end: number,
  target: Uint8Array,
  at: number,
  foldEntry: FoldBytes,
): number {
  const foldedEnd = foldEntry(source, start, end, target, at);
  if (compareBytes(source, start, end, target, at, foldedEnd) === 0)
    return foldedEnd;
  target[foldedEnd] = SEPARATOR;
  let to = foldedEnd + 1;
  for (let from = start; from < end; from++) target[to++] = source[from]!;
  return to;
}
