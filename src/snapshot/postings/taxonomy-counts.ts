import { Entity } from "../../registry/rows/provider-row.ts";
import type { Dictionary } from "../dictionary/dictionary.ts";
import { kindOf } from "./kinds.ts";
import { itemsOf, type Postings } from "./postings.ts";

/** The section `taxonomy.counts` has this many numbers per taxonomy: active individuals, then active organizations. */
export const COUNTS_PER_TAXONOMY = 2;

const ACTIVE_INDIVIDUAL = kindOf(Entity.individual, false);
const ACTIVE_ORGANIZATION = kindOf(Entity.organization, false);

/**
 * Counts the active providers with each taxonomy, for the section `taxonomy.counts`. Spellings of a code that differ
 * only in case count as the first of them, each provider once. `kinds` has the kind of each document. Takes about 30 ms
 * for the whole registry.
 */
export function countActiveProviders(
  codes: Dictionary,
  taxonomyDocs: Postings,
  kinds: Uint8Array,
): Uint32Array {
  const counts = new Uint32Array((codes.count + 1) * COUNTS_PER_TAXONOMY);
  for (const spellings of spellingsByCode(codes).values()) {
    const docs = docsOf(taxonomyDocs, spellings);
    let individuals = 0;
    let organizations = 0;
    for (let i = 0; i < docs.length; i++) {
      const kind = kinds[docs[i]!];
      if (kind === ACTIVE_INDIVIDUAL) individuals++;
      else if (kind === ACTIVE_ORGANIZATION) organizations++;
    }
    counts.set(
      [individuals, organizations],
      spellings[0]! * COUNTS_PER_TAXONOMY,
    );
  }
  return counts;
}

/** The numbers of each code in upper case: usually one, more if its spellings differ in case. */
export function spellingsByCode(codes: Dictionary): Map<string, number[]> {
  const numbers = Array.from({ length: codes.count }, (_, index) => index + 1);
  return Map.groupBy(
    numbers,
    (number) => codes.spelling(number)?.toUpperCase() ?? "",
  );
}

/** The documents with any of the taxonomies, each once. */
function docsOf(postings: Postings, numbers: readonly number[]): Uint32Array {
  const [first, ...more] = numbers.map((number) => itemsOf(postings, number));
  if (first !== undefined && more.length === 0) return first;
  const all = new Set<number>();
  for (const list of [first ?? [], ...more])
    for (const doc of list) all.add(doc);
  return Uint32Array.from(all);
}
