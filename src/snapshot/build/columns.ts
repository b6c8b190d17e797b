import { Entity } from "../../registry/rows/provider-row.ts";
import { release } from "../bytes/once.ts";
import { SECTIONS } from "../container/descriptors.ts";
import type { Section } from "../container/section.ts";
import { countOf } from "../dictionary/dictionary.ts";
import type { MergedDictionary } from "../dictionary/merged-dictionary.ts";
import { readMiddleInitials } from "../names/middle-initials.ts";
import { entityOf } from "../postings/kinds.ts";
import { Entry, initialIn, kindIn, type SnapshotDraft } from "./draft.ts";
import type { MergedDocs } from "./layout.ts";

/** The columns with one number per document (FORMAT.md, "Documents and their order"). */
export interface Columns {
  npi: Uint32Array;
  kind: Uint8Array;
  taxonomy: Uint16Array;
  name: Uint32Array;
  first: Uint32Array;
  middle: Uint8Array;
}

/** The dictionaries that the columns refer to: those of the base, with a draft's spellings added. */
export interface MergedDictionaries {
  taxonomies: MergedDictionary;
  lastNames: MergedDictionary;
  firstNames: MergedDictionary;
  organizations: MergedDictionary;
}

/** Makes columns of zeros. */
export function emptyColumns(count: number): Columns {
  return {
    npi: new Uint32Array(count),
    kind: new Uint8Array(count),
    taxonomy: new Uint16Array(count),
    middle: new Uint8Array(count),
    name: new Uint32Array(count),
    first: new Uint32Array(count),
  };
}

/**
 * Copies the entries of documents `from` to `to` - 1 into the columns. Names and taxonomies have the interners' numbers
 * until `numberColumns`.
 */
export function gatherColumns(
  { first, kind, middle, name, npi, taxonomy }: Columns,
  { rows }: SnapshotDraft,
  entries: Uint32Array,
  from: number,
  to: number,
): void {
  for (let doc = from; doc < to; doc++) {
    const { numbers } = rows.chunkOf(entries[doc]!);
    const at = rows.placeIn(entries[doc]!);
    npi[doc] = numbers[at + Entry.npi]!;
    const packed = numbers[at + Entry.kindLengthInitial]!;
    kind[doc] = kindIn(packed);
    middle[doc] = initialIn(packed);
    name[doc] = numbers[at + Entry.name]!;
    first[doc] = numbers[at + Entry.first]!;
    taxonomy[doc] = numbers[at + Entry.taxonomyAndFile]! & 0xffff;
  }
}

/** Replaces the interners' numbers in the columns with those of the dictionaries. */
export function numberColumns(
  { first, kind, name, taxonomy }: Columns,
  dictionaries: MergedDictionaries,
): void {
  const { firstNames, lastNames, organizations, taxonomies } = dictionaries;
  const lastCount = countOf(lastNames);
  for (let doc = 0; doc < name.length; doc++) {
    taxonomy[doc] = taxonomies.numbers[taxonomy[doc]!]!;
    first[doc] = firstNames.numbers[first[doc]!]!;
    const id = name[doc]!;
    if (id === 0) continue;
    name[doc] =
      entityOf(kind[doc]!) === Entity.individual
        ? lastNames.numbers[id]!
        : lastCount + organizations.numbers[id]!;
  }
}

/** Merges the columns of the base's documents and the rows. Frees the base's columns. */
export function mergeColumns(
  merged: MergedDocs,
  added: Columns,
  { firstNames, lastNames, organizations, taxonomies }: MergedDictionaries,
): Columns {
  const { base, runs } = merged;
  const columns = emptyColumns(runs.count);
  const { first, kind, middle, name, npi, taxonomy } = columns;
  runs.copy(npi, base.npi, added.npi);
  runs.copy(kind, base.kinds.column, added.kind);
  // Earlier versions imported no initials.
  const initials =
    base.middleInitials?.column ?? readMiddleInitials(base.records, base.count);
  runs.copy(middle, initials, added.middle);
  release(initials);
  base.forget();
  mergeNumbers(
    taxonomy,
    merged,
    SECTIONS.taxonomy,
    taxonomies.fromBase,
    added.taxonomy,
  );
  mergeNumbers(first, merged, SECTIONS.first, firstNames.fromBase, added.first);
  const names = nameNumbers(lastNames, organizations);
  mergeNumbers(name, merged, SECTIONS.name, names, added.name);
  return columns;
}

/** Finds the new number of each number in the base's `name` column, where organizations follow the last names. */
function nameNumbers(
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
 * Fills `target`, a column of dictionary numbers: the base's `section`, with its numbers replaced by those in
 * `fromBase`, merged with the rows'.
 */
function mergeNumbers<T extends Uint16Array | Uint32Array>(
  target: T,
  { base, runs }: MergedDocs,
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
