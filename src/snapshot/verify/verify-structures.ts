import {
  allSections,
  type Item,
  type SectionTree,
} from "../container/section.ts";
import type { Sections } from "../container/sections.ts";
import type { Dictionary } from "../dictionary/dictionary.ts";
import { groupItems, type Postings } from "../postings/postings.ts";

/** Whether all sections of a file with one element per document, place, … have the same length. */
export function haveOneLength(sections: Sections, tree: SectionTree): boolean {
  const lengths = new Map<Item, number>();
  return allSections(tree).every((section) => {
    if (section.per === null || !sections.has(section)) return true;
    const { length } = sections.get(section);
    const known = lengths.get(section.per) ?? length;
    lengths.set(section.per, known);
    return length === known;
  });
}

export function isSorted(dictionary: Dictionary): boolean {
  for (let number = 2; number <= dictionary.count; number++) {
    const before = dictionary.entry(number - 1);
    if (Buffer.compare(before, dictionary.entry(number)) >= 0) return false;
  }
  return true;
}

/** Whether the lists have each document once, ascending, under its number in the column. */
export function areListsOf(
  lists: Postings,
  column: Uint32Array | Uint16Array,
): boolean {
  return isSameGroup(lists, groupItems(column, lists.starts.length - 2));
}

/** Whether two groups of arrays are equal. */
export function isSameGroup<
  T extends Record<keyof T, Uint8Array | Uint32Array>,
>(some: T, others: T): boolean {
  for (const name in some) if (!isSame(some[name], others[name])) return false;
  return true;
}

export function isSame(
  some: Uint8Array | Uint16Array | Uint32Array,
  others: Uint8Array | Uint16Array | Uint32Array,
): boolean {
  if (some.length !== others.length) return false;
  for (let i = 0; i < some.length; i++) if (some[i] !== others[i]) return false;
  return true;
}

/** Whether the values ascend (repetitions allowed) and are less than `end`. */
export function areAscending(values: Uint32Array, end: number): boolean {
  return values.every(
    (value, at) => value < end && (at === 0 || values[at - 1]! <= value),
  );
}
