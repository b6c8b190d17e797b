import { Entity } from "../../registry/rows/provider-row.ts";
import type { DictionaryDraft } from "../dictionary/dictionary.ts";
import { entityOf } from "../postings/kinds.ts";
import { Entry, type RowStore } from "./row-store.ts";

/** What a snapshot holds of each document as a number of its own, by document (FORMAT.md, "Documents and their order"). */
export interface Columns {
  npi: Uint32Array;
  kind: Uint8Array;
  taxonomy: Uint16Array;
  name: Uint32Array;
  first: Uint32Array;
}

/** The dictionaries made of a draft's interners. */
interface DraftDictionaries {
  taxonomies: DictionaryDraft;
  lastNames: DictionaryDraft;
  firstNames: DictionaryDraft;
  organizations: DictionaryDraft;
}

/** Columns of zeros. */
export function emptyColumns(count: number): Columns {
  return {
    npi: new Uint32Array(count),
    kind: new Uint8Array(count),
    taxonomy: new Uint16Array(count),
    ...emptyNames(count),
  };
}

/** Columns of names, in shared memory for the thread that counts pieces. */
export function emptyNames(count: number): Pick<Columns, "first" | "name"> {
  return {
    name: new Uint32Array(new SharedArrayBuffer(count * 4)),
    first: new Uint32Array(new SharedArrayBuffer(count * 4)),
  };
}

/**
 * Takes the numbers of the entries of documents `from` to `to` - 1 into the columns: names and taxonomies by their numbers
 * in the interners, which `numberColumns` makes those of the dictionaries.
 */
export function gatherColumns(
  { first, kind, name, npi, taxonomy }: Columns,
  rows: RowStore,
  entries: Uint32Array,
  from: number,
  to: number,
): void {
  for (let doc = from; doc < to; doc++) {
    const { numbers } = rows.chunkOf(entries[doc]!);
    const at = rows.placeIn(entries[doc]!);
    npi[doc] = numbers[at + Entry.npi]!;
    kind[doc] = numbers[at + Entry.lengthAndKind]! & 7;
    name[doc] = numbers[at + Entry.name]!;
    first[doc] = numbers[at + Entry.first]!;
    taxonomy[doc] = numbers[at + Entry.taxonomyAndFile]! & 0xffff;
  }
}

/** Makes the interners' numbers in the columns those of the dictionaries. */
export function numberColumns(
  { first, kind, name, taxonomy }: Omit<Columns, "npi">,
  dictionaries: DraftDictionaries,
): void {
  const { firstNames, lastNames, organizations, taxonomies } = dictionaries;
  const lastCount = lastNames.offsets.length - 2;
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
