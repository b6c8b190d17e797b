import type { PostingsSections } from "../container/descriptors.ts";
import type { Section } from "../container/section.ts";
import { openGroup, type Sections } from "../container/sections.ts";
import { countOf } from "../dictionary/dictionary.ts";
import type { DocRuns } from "../postings/doc-runs.ts";
import type { MergedDictionary } from "../dictionary/merged-dictionary.ts";
import { mergePostings, type MovedDocs } from "../postings/merge-postings.ts";
import type { Postings } from "../postings/postings.ts";
import { release } from "../bytes/release.ts";

/** Items of a base, in order, with rows in between: the documents of a snapshot, or other names. */
export interface MergedItems {
  base: { readonly sections: Sections };
  /** The items by their sources: the base, and the rows. */
  runs: DocRuns;
  moved: MovedDocs;
  /** The item of each row. */
  docOfRow: Uint32Array;
}

/** The dictionaries of names: those of the base, with the rows' spellings added. */
export type MergedNames = Record<
  "firstNames" | "lastNames" | "organizations",
  MergedDictionary
>;

/** A section's lists, merged with those of the rows. The section is read from the base only here. */
export function mergeLists(
  { base, docOfRow, moved }: MergedItems,
  group: PostingsSections,
  fromBase: Uint32Array,
  rows: Postings,
): Postings {
  const before = openGroup(base.sections, group);
  const merged = mergePostings(before, fromBase, rows, moved, docOfRow);
  release(before.starts, before.items);
  return merged;
}

/** New number per number in the base's `name` column, where organizations follow the last names. */
export function nameNumbers(
  lastNames: MergedDictionary,
  organizations: MergedDictionary,
): Uint32Array {
  const countBefore = lastNames.fromBase.length - 1;
  const count = countOf(lastNames);
  const numbers = new Uint32Array(countBefore + organizations.fromBase.length);
  numbers.set(lastNames.fromBase);
  for (let number = 1; number < organizations.fromBase.length; number++)
    numbers[countBefore + number] = count + organizations.fromBase[number]!;
  return numbers;
}

/**
 * A column of dictionary numbers: the base's `section`, with its numbers replaced by those in `fromBase`, merged with the
 * rows' into `target`.
 */
export function mergeNumbers<T extends Uint16Array | Uint32Array>(
  target: T,
  { base, runs }: Pick<MergedItems, "base" | "runs">,
  section: Section<T>,
  fromBase: Uint32Array,
  rows: T,
): void {
  const before = base.sections.get(section);
  for (let item = 0; item < before.length; item++)
    before[item] = fromBase[before[item]!]!;
  runs.copy(target, before, rows);
  release(before);
}
