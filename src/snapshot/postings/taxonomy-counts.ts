import { Entity } from "../../registry/rows/provider-row.ts";
import type { Dictionary } from "../dictionary/dictionary.ts";
import { KIND_COUNT, kindMask, kindOf } from "./kinds.ts";
import { itemsOf, type Postings } from "./postings.ts";

/** The section `taxonomy.counts` has this many numbers per taxonomy: active individuals, then active organizations. */
export const COUNTS_PER_TAXONOMY = 2;

const ACTIVE_INDIVIDUAL = kindOf(Entity.individual, false);
const ACTIVE_ORGANIZATION = kindOf(Entity.organization, false);
const DEACTIVATED = kindMask(undefined, "deactivated");

/**
 * Counts the active providers with each primary taxonomy, for the section `taxonomy.counts`. Spellings of a code that
 * differ only in case count as the first of them. `column` has the taxonomy of each document, `kinds` its kind. Takes
 * 10 to 20 ms for the whole registry.
 */
export function countPrimaryTaxonomies(
  codes: Dictionary,
  column: Uint16Array,
  kinds: Uint8Array,
): Uint32Array {
  const byKind = new Uint32Array((codes.count + 1) * KIND_COUNT);
  for (let doc = 0; doc < column.length; doc++)
    byKind[column[doc]! * KIND_COUNT + kinds[doc]!]!++;
  const sum = (numbers: readonly number[], kind: number): number =>
    numbers.reduce((all, each) => all + byKind[each * KIND_COUNT + kind]!, 0);
  return countsOf(codes, (spellings) => [
    sum(spellings, ACTIVE_INDIVIDUAL),
    sum(spellings, ACTIVE_ORGANIZATION),
  ]);
}

/**
 * Counts the same for taxonomies in other slots, of which a document can have several: each provider counts once. Takes
 * a tenth of a second for the whole registry, so only imports do it.
 */
export function countOtherTaxonomies(
  codes: Dictionary,
  taxonomyDocs: Postings,
  kinds: Uint8Array,
): Uint32Array {
  const byKind = new Uint32Array(KIND_COUNT);
  return countsOf(codes, (spellings) => {
    const docs = docsOf(taxonomyDocs, spellings);
    byKind.fill(0);
    for (let i = 0; i < docs.length; i++) byKind[kinds[docs[i]!]!]!++;
    return [byKind[ACTIVE_INDIVIDUAL]!, byKind[ACTIVE_ORGANIZATION]!];
  });
}

/**
 * Counts those of the documents with some taxonomies, `total` in all, that have a kind in `mask` (`kindMask`). `counts`
 * is what `countPrimaryTaxonomies` returns. It doesn't separate deactivated individuals from organizations, so both are
 * counted if `mask` has one of the two.
 */
export function countOfKinds(
  counts: Uint32Array,
  taxonomies: Uint32Array,
  total: number,
  mask: number,
): number {
  let individuals = 0;
  let organizations = 0;
  for (const number of taxonomies) {
    individuals += counts[number * COUNTS_PER_TAXONOMY]!;
    organizations += counts[number * COUNTS_PER_TAXONOMY + 1]!;
  }
  let count = 0;
  if ((mask & (1 << ACTIVE_INDIVIDUAL)) !== 0) count += individuals;
  if ((mask & (1 << ACTIVE_ORGANIZATION)) !== 0) count += organizations;
  if ((mask & DEACTIVATED) !== 0) count += total - individuals - organizations;
  return count;
}

function countsOf(
  codes: Dictionary,
  count: (
    spellings: readonly number[],
  ) => [individuals: number, organizations: number],
): Uint32Array {
  const counts = new Uint32Array((codes.count + 1) * COUNTS_PER_TAXONOMY);
  for (const spellings of spellingsByCode(codes).values())
    counts.set(count(spellings), spellings[0]! * COUNTS_PER_TAXONOMY);
  return counts;
}

/** Finds the numbers of each code in upper case: usually one, more if its spellings differ in case. */
export function spellingsByCode(codes: Dictionary): Map<string, number[]> {
  const numbers = Array.from({ length: codes.count }, (_, index) => index + 1);
  return Map.groupBy(
    numbers,
    (number) => codes.spelling(number)?.toUpperCase() ?? "",
  );
}

/** Collects the documents with any of the taxonomies, each once. */
function docsOf(postings: Postings, numbers: readonly number[]): Uint32Array {
  const [first, ...more] = numbers.map((number) => itemsOf(postings, number));
  if (first !== undefined && more.length === 0) return first;
  const all = new Set<number>();
  for (const list of [first ?? [], ...more])
    for (const doc of list) all.add(doc);
  return Uint32Array.from(all);
}
