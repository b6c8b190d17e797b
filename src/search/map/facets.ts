import type { Facet, FacetValue } from "../../contract/explorer/map.ts";
import { MAX_FACET_VALUES } from "../../contract/filters.ts";
import type { FilterValues } from "../../contract/parameters/filter-schemas.ts";
import { STATE_CODES } from "../../contract/states.ts";
import type { BitSet } from "../../snapshot/bytes/bitset.ts";
import {
  entityTypeOf,
  KIND_COUNT,
  statusOf,
} from "../../snapshot/postings/kinds.ts";
import { spellingsByCode } from "../../snapshot/postings/taxonomy-counts.ts";
import type { Snapshot } from "../../snapshot/snapshot.ts";
import { cityKey } from "../../text/fold.ts";
import { TAXONOMY_CODE } from "../taxonomy-list.ts";
import { citiesOf } from "./map-places.ts";

/**
 * Counts matches by specialty, city, type, and status, in one pass over their set. Each value's total is that of the
 * query with the value's filters added, so a facet whose filter would look at more than the primary taxonomy, or that a
 * nearby query doesn't have, is left out. So are facets with one value, which would change nothing.
 */
export function facetsOf(
  snapshot: Snapshot,
  matches: BitSet,
  operation: "search" | "nearby",
  { taxonomy_scope: scope }: FilterValues,
): Facet[] {
  const { byKind, byTaxonomy } = countColumns(snapshot, matches);
  const facets: Facet[] = [
    {
      name: "specialty",
      values: scope === "any" ? [] : specialties(snapshot, byTaxonomy),
    },
    {
      name: "city",
      values: operation === "nearby" ? [] : cities(snapshot, matches),
    },
    {
      name: "entity_type",
      values: kindValues("entity_type", byKind, entityTypeOf),
    },
    { name: "status", values: kindValues("status", byKind, statusOf) },
  ];
  return facets
    .filter(({ values }) => values.length > 1)
    .map(({ name, values }) => ({ name, values: mostFrequent(values) }));
}

/** Counts a set's documents by taxonomy number and by kind. */
function countColumns(
  { kinds, taxonomies, taxonomy }: Snapshot,
  { bits }: BitSet,
): { readonly byKind: Uint32Array; readonly byTaxonomy: Uint32Array } {
  const byKind = new Uint32Array(KIND_COUNT);
  const byTaxonomy = new Uint32Array(taxonomies.count + 1);
  const kindOf = kinds.column;
  for (let word = 0; word < bits.length; word++) {
    const base = (word << 5) + 31;
    for (let left = bits[word]!; left !== 0; left &= left - 1) {
      const doc = base - Math.clz32(left & -left);
      byKind[kindOf[doc]!]!++;
      byTaxonomy[taxonomy[doc]!]!++;
    }
  }
  return { byKind, byTaxonomy };
}

/** Lists taxonomies by code; spellings that differ only in case are one. */
function specialties(
  { taxonomies, taxonomyNames }: Snapshot,
  byTaxonomy: Uint32Array,
): FacetValue[] {
  return [...spellingsByCode(taxonomies)]
    .filter(([code]) => TAXONOMY_CODE.test(code))
    .map(([code, numbers]) => ({
      text: taxonomyNames[numbers[0]!] ?? code,
      filters: { taxonomy: code },
      total: numbers.reduce((sum, number) => sum + byTaxonomy[number]!, 0),
    }))
    .filter(({ total }) => total > 0);
}

/** Lists cities with their states. Spellings that differ only in spaces are one, named as most providers spell it. */
function cities({ places }: Snapshot, matches: BitSet): FacetValue[] {
  const { cities: names, city, starts, state } = places;
  const counted = citiesOf(places)
    .map(({ end, first }) => ({
      total: matches.count(starts[first]!, starts[end]!),
      name: names.folded(city[first]!),
      code: STATE_CODES[state[first]! - 1]!,
    }))
    .filter(({ total }) => total > 0);
  const byCity = new Map<string, FacetValue>();
  // The spelling of the most providers comes first.
  for (const { code, name, total } of counted.sort(byTotal)) {
    const key = `${code} ${cityKey(name)}`;
    const same = byCity.get(key);
    byCity.set(
      key,
      same === undefined
        ? {
            text: `${name}, ${code}`,
            filters: { city: name, state: code },
            total,
          }
        : { ...same, total: same.total + total },
    );
  }
  return [...byCity.values()];
}

/** Lists the values of a filter that kinds of documents have. */
function kindValues(
  filter: "entity_type" | "status",
  byKind: Uint32Array,
  valueOf: (kind: number) => string | null,
): FacetValue[] {
  const totals = new Map<string, number>();
  byKind.forEach((count, kind) => {
    const value = valueOf(kind);
    if (value !== null && count > 0)
      totals.set(value, (totals.get(value) ?? 0) + count);
  });
  return Array.from(totals, ([text, total]) => ({
    text,
    filters: { [filter]: text },
    total,
  }));
}

/** Keeps the values with the most matches, those first. */
function mostFrequent(values: readonly FacetValue[]): FacetValue[] {
  return values
    .toSorted((a, b) => byTotal(a, b) || (a.text < b.text ? -1 : 1))
    .slice(0, MAX_FACET_VALUES);
}

/** Compares by total, descending. */
function byTotal(
  a: Pick<FacetValue, "total">,
  b: Pick<FacetValue, "total">,
): number {
  return b.total - a.total;
}
