import { fold } from "../../text/fold.ts";
import { Has, type RecordReader } from "../records/records.ts";

const LOWER_CASE = 0x20;
const BEFORE_A = 0x40;
const LETTERS = 26;

/** The initial of each document's middle name: 1 for A to 26 for Z; 0 for none, or if it is not such a letter. */
export class MiddleInitials {
  readonly column: Uint8Array;
  /** The documents of each initial; counted on first use. */
  #counts: Uint32Array | null = null;

  constructor(column: Uint8Array) {
    this.column = column;
  }

  /** Returns how many documents have an initial. */
  countOf(initial: number): number {
    return (this.#counts ??= countsIn(this.column))[initial]!;
  }
}

/** Returns the number of a letter from A to Z, in either case; 0 for anything else. */
export function initialOf(letter: string): number {
  return numberOf(letter.charCodeAt(0));
}

/** Returns the initial of the middle name `bytes[start, end)`, which is folded for it. */
export function middleInitial(
  bytes: Uint8Array,
  start: number,
  end: number,
): number {
  if (start === end) return 0;
  // Folding changes nothing else at the start of a name with such a letter there.
  const initial = numberOf(bytes[start]!);
  return initial > 0
    ? initial
    : initialOf(fold(Buffer.from(bytes.subarray(start, end)).toString()));
}

/** Reads the initial of the middle name in the opened record. */
export function initialInRecord(records: RecordReader): number {
  const length = records.gather(Has.middle);
  return middleInitial(records.gathered, 0, length);
}

/** Reads the initials of `count` documents from their records: about 150 ns each. */
export function readMiddleInitials(
  records: RecordReader,
  count: number,
): Uint8Array {
  const column = new Uint8Array(count);
  for (let doc = 0; doc < count; doc++) {
    records.open(doc);
    column[doc] = initialInRecord(records);
  }
  return column;
}

/** Returns the number of a letter's code unit. */
function numberOf(code: number): number {
  const number = (code & ~LOWER_CASE) - BEFORE_A;
  return number > 0 && number <= LETTERS ? number : 0;
}

function countsIn(column: Uint8Array): Uint32Array {
  const counts = new Uint32Array(LETTERS + 1);
  // By index: an iterator takes ten times as long in shared memory.
  for (let doc = 0; doc < column.length; doc++) counts[column[doc]!]!++;
  return counts;
}
