import { compareBytes } from "../bytes/string-sort.ts";
import { Dictionary, type DictionaryDraft } from "./dictionary.ts";

/** A dictionary with added spellings. */
export interface MergedDictionary extends DictionaryDraft {
  /** New number per number of the base, ascending. */
  fromBase: Uint32Array;
}

/**
 * Adds a draft's spellings to a dictionary, if there is one, whose folding they must have. `numbers` are those of the
 * draft's interner.
 */
export function mergeDictionary(
  base: Dictionary | null,
  draft: DictionaryDraft,
): MergedDictionary {
  if (base === null) return { ...draft, fromBase: new Uint32Array(1) };
  const added = new Dictionary(draft);
  if (added.folding !== base.folding)
    throw new Error("The spellings are not folded as the base's");
  const bytes = new Uint8Array(base.bytes.length + draft.bytes.length);
  const offsets = new Uint32Array(base.count + added.count + 2);
  offsets[0] = base.folding.number;
  const fromBase = new Uint32Array(base.count + 1);
  const fromDraft = new Uint32Array(added.count + 1);
  let next = 1;
  let inserted = 0;
  let to = 0;
  const copyUpTo = (end: number): void => {
    const start = base.offsets[next]!;
    bytes.set(base.bytes.subarray(start, base.offsets[end]), to);
    for (let number = next; number < end; number++) {
      fromBase[number] = number + inserted;
      offsets[number + inserted] = to + base.offsets[number]! - start;
    }
    to += base.offsets[end]! - start;
    next = end;
  };
  for (let number = 1; number <= added.count; number++) {
    const entry = added.entry(number);
    copyUpTo(base.firstEntryFrom(entry));
    fromDraft[number] = next + inserted;
    if (next <= base.count && Buffer.compare(base.entry(next), entry) === 0)
      continue;
    offsets[next + inserted] = to;
    bytes.set(entry, to);
    to += entry.length;
    inserted++;
  }
  copyUpTo(base.count + 1);
  offsets[base.count + inserted + 1] = to;
  return {
    bytes: bytes.subarray(0, to),
    offsets: offsets.subarray(0, base.count + inserted + 2),
    numbers: draft.numbers.map((number) => fromDraft[number]!),
    fromBase,
  };
}

/** Marks an entry that only one of two dictionaries has. */
export const NOWHERE = 0xffff_ffff;

/** Finds the number of each entry of a dictionary in another one. Both are sorted by their bytes. */
export function numbersIn(other: Dictionary, own: Dictionary): Uint32Array {
  const numbers = new Uint32Array(own.count + 1).fill(NOWHERE);
  numbers[0] = 0;
  let next = 1;
  for (let number = 1; number <= own.count; number++) {
    let order = -1;
    while (next <= other.count && order < 0) {
      order = compareBytes(
        other.bytes,
        other.offsets[next]!,
        other.offsets[next + 1]!,
        own.bytes,
        own.offsets[number]!,
        own.offsets[number + 1]!,
      );
      if (order < 0) next++;
    }
    if (order === 0) numbers[number] = next;
  }
  return numbers;
}
