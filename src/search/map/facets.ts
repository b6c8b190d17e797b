import type { Facet, FacetValue } from "../../contract/explorer/map.ts";
import {
  MAX_FACET_VALUES,
  type FilteredOperation,
} from "../../contract/filters.ts";
import type { FilterValues } from "../../contract/parameters/filter-schemas.ts";
import { STATE_CODES } from "../../contract/states.ts";
import type { BitSet } from "../../snapshot/bytes/bitset.ts";
import { spellingsByCode } from "../../snapshot/postings/taxonomy-counts.ts";
import type { Snapshot } from "../../snapshot/snapshot.ts";
import { cityKey } from "../../text/fold.ts";
import { TAXONOMY_CODE } from "../taxonomy-list.ts";
import { citiesOf } from "./map-places.ts";

/** A word of a set whose 32 documents all match. */
const ALL_BITS = 0xffff_ffff;

/** The cities of a snapshot. Spellings that differ only in spaces are one. */
interface Cities {
  /** The documents from `from[i]` to `to[i]` - 1 are in the city `city[i]`. */
  readonly from: Uint32Array;
  readonly to: Uint32Array;
  readonly city: Uint32Array;
  /** The name of the documents of each range. */
  readonly names: Uint32Array;
  readonly count: number;
}

/** Counts matches by specialty, city, type, and status. One for each directory. */
export class Facets {
  readonly #snapshot: Snapshot;
  /** The numbers of each taxonomy code. */
  #taxonomies: readonly (readonly [string, readonly number[]])[] | undefined;
  #cities: Cities | undefined;

  constructor(snapshot: Snapshot) {
    this.#snapshot = snapshot;
  }

  /** Makes the tables that all queries need, in about 100 ms for the whole registry. */
  prepare(): void {
    this.#taxonomies ??= [...spellingsByCode(this.#snapshot.taxonomies)].filter(
      ([code]) => TAXONOMY_CODE.test(code),
    );
    this.#cities ??= citiesWithoutSpaces(this.#snapshot);
  }

  /**
   * Counts a set of matches. Each value's total is that of the query with the value's filters added, so a facet whose
   * filter would look at more than the primary taxonomy, or that a nearby query doesn't have, is left out. So are facets
   * with one value, which would change nothing.
   */
  count(
    matches: BitSet,
    operation: FilteredOperation,
    { taxonomy_scope: scope }: FilterValues,
  ): Facet[] {
    this.prepare();
    const { count, kinds } = this.#snapshot;
    const deactivated = matches.countCommon(kinds.deactivated);
    const facets: Facet[] = [
      {
        name: "specialty",
        values: scope === "any" ? [] : this.#specialties(matches),
      },
      {
        name: "city",
        values: operation === "nearby" ? [] : this.#citiesOf(matches),
      },
      {
        name: "entity_type",
        values: kindValues("entity_type", {
          individual: matches.countCommon(kinds.individuals),
          organization: matches.countCommon(kinds.organizations),
        }),
      },
      {
        name: "status",
        values: kindValues("status", {
          active: matches.count(0, count) - deactivated,
          deactivated,
        }),
      },
    ];
    return facets.filter(({ values }) => values.length > 1);
  }

  /** Lists taxonomies by code; spellings that differ only in case are one. */
  #specialties(matches: BitSet): FacetValue[] {
    const taxonomies = this.#taxonomies!;
    const byTaxonomy = countTaxonomies(this.#snapshot, matches);
    const totals = Uint32Array.from(taxonomies, ([, numbers]) =>
      numbers.reduce((sum, number) => sum + byTaxonomy[number]!, 0),
    );
    return mostFrequent(totals).map((index) => {
      const [code, [first = 0]] = taxonomies[index]!;
      const text = this.#snapshot.taxonomyNames[first] ?? code;
      return { text, filters: { taxonomy: code }, total: totals[index]! };
    });
  }

  /** Lists cities with their states, each named as most of its providers spell it. */
  #citiesOf(matches: BitSet): FacetValue[] {
    const { city, count, from, names, to } = this.#cities!;
    const totals = new Uint32Array(count);
    const ranges = new Uint32Array(from.length);
    for (let i = 0; i < from.length; i++) {
      ranges[i] = matches.count(from[i]!, to[i]!);
      totals[city[i]!]! += ranges[i]!;
    }
    const { cities, places } = this.#snapshot;
    return mostFrequent(totals).map((index) => {
      let best = city.indexOf(index);
      for (let i = best; i >= 0; i = city.indexOf(index, i + 1))
        if (ranges[i]! > ranges[best]!) best = i;
      const name = cities.folded(names[best]!);
      const state = places.state[places.placeOf(from[best]!)]!;
      const code = STATE_CODES[state - 1]!;
      return {
        text: `${name}, ${code}`,
        filters: { city: name, state: code },
        total: totals[index]!,
      };
    });
  }
}

function citiesWithoutSpaces({ cities, places }: Snapshot): Cities {
  const { city, starts, state } = places;
  const ranges = citiesOf(places);
  const numbers = new Map<string, number>();
  return {
    from: Uint32Array.from(ranges, ({ first }) => starts[first]!),
    to: Uint32Array.from(ranges, ({ end }) => starts[end]!),
    names: Uint32Array.from(ranges, ({ first }) => city[first]!),
    city: Uint32Array.from(ranges, ({ first }) => {
      const key = `${state[first]} ${cityKey(cities.folded(city[first]!))}`;
      const number = numbers.get(key) ?? numbers.size;
      numbers.set(key, number);
      return number;
    }),
    count: ranges.length,
  };
}

/** Counts a set's documents by taxonomy number. */
function countTaxonomies(
  { taxonomies, taxonomy }: Snapshot,
  { bits }: BitSet,
): Uint32Array {
  const counts = new Uint32Array(taxonomies.count + 1);
  for (let word = 0; word < bits.length; word++) {
    const first = word << 5;
    // Where all match, no bit needs to be found: half the time for all providers.
    if (bits[word] === ALL_BITS)
      for (let doc = first; doc < first + 32; doc++) counts[taxonomy[doc]!]!++;
    else
      for (let left = bits[word]!; left !== 0; left &= left - 1)
        counts[taxonomy[first + 31 - Math.clz32(left & -left)]!]!++;
  }
  return counts;
}

/** Lists the values of a filter that are found, those of the most matches first. */
function kindValues(
  filter: "entity_type" | "status",
  totals: Readonly<Record<string, number>>,
): FacetValue[] {
  return Object.entries(totals)
    .filter(([, total]) => total > 0)
    .sort(([, a], [, b]) => b - a)
    .map(([text, total]) => ({ text, filters: { [filter]: text }, total }));
}

/** Returns the indexes of the largest totals, at most as many as a facet has values; equal ones in their order. */
function mostFrequent(totals: Uint32Array): number[] {
  const largest: number[] = [];
  for (let index = 0; index < totals.length; index++) {
    const total = totals[index]!;
    if (total === 0) continue;
    if (
      largest.length === MAX_FACET_VALUES &&
      total <= totals[largest.at(-1)!]!
    )
      continue;
    const at = largest.findIndex((each) => totals[each]! < total);
    largest.splice(at < 0 ? largest.length : at, 0, index);
    largest.length = Math.min(largest.length, MAX_FACET_VALUES);
  }
  return largest;
}
