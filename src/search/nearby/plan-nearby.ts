import { BitSet } from "../../snapshot/bytes/bitset.ts";
import { sortedDistinct } from "../../snapshot/bytes/sorted.ts";
import { itemsOf } from "../../snapshot/postings/postings.ts";
import { slotFilter } from "../filters/any-taxonomy-filter.ts";
import { countTaxonomies } from "../filters/taxonomy-filter.ts";
import { NearbyFilter } from "./nearby-filter.ts";
import type { OtherLocations } from "../../snapshot/extended/other-locations.ts";
import type { Planning } from "../plan/plan.ts";
import type { NearbyQuery } from "../query.ts";

/** Up to this many providers of the taxonomies asked for are listed and put in order; else the ZIPs around are scanned. */
const FEW_LISTED = 4096;

/** A nearby query, resolved against a snapshot. */
export interface NearbyPlan {
  readonly query: NearbyQuery;
  readonly filter: NearbyFilter;
  /** All documents that may pass, where they are few: lists without a common document. */
  readonly candidates: readonly Uint32Array[] | null;
  /** Null where providers are found at their primary location only. */
  readonly locations: OtherLocations | null;
}

/** What a query with a scope of `any` asks for, the snapshot must hold. */
export function planNearby(planning: Planning, query: NearbyQuery): NearbyPlan {
  const { snapshot } = planning;
  const locations =
    query.locationScope === "any" ? snapshot.scopes.locations : null;
  if (query.locationScope === "any" && locations === null)
    throw new Error("The snapshot holds only primary locations");
  const ofTaxonomies =
    query.taxonomyScope === "any"
      ? withAnyTaxonomy(planning, query)
      : withPrimaryTaxonomy(planning, query);
  return { query, locations, ...ofTaxonomies };
}

type TaxonomyPlan = Pick<NearbyPlan, "candidates" | "filter">;

function withPrimaryTaxonomy(
  { snapshot, taxonomyFilters }: Planning,
  query: NearbyQuery,
): TaxonomyPlan {
  const numbers = taxonomyFilters.primary.numbers(query);
  if (numbers === null)
    return {
      filter: new NearbyFilter(snapshot, query, null),
      candidates: null,
    };
  const set = BitSet.of(snapshot.taxonomies.count + 1, numbers);
  return {
    filter: new NearbyFilter(snapshot, query, {
      set,
      column: snapshot.taxonomy,
    }),
    candidates:
      countTaxonomies(snapshot, numbers) > FEW_LISTED
        ? null
        : Array.from(numbers, (number) =>
            itemsOf(snapshot.taxonomyDocs, number),
          ),
  };
}

function withAnyTaxonomy(
  { snapshot, taxonomyFilters, workspace }: Planning,
  query: NearbyQuery,
): TaxonomyPlan {
  const slots = slotFilter(snapshot, taxonomyFilters, workspace, query);
  const any = new NearbyFilter(snapshot, query, null);
  if (slots === null) return { filter: any, candidates: null };
  if (slots.bound > FEW_LISTED)
    return {
      filter: new NearbyFilter(snapshot, query, {
        set: slots.matching(),
        column: null,
      }),
      candidates: null,
    };
  const docs: number[] = [];
  slots.eachList((items, from, to) => docs.push(...items.subarray(from, to)));
  return { filter: any, candidates: [sortedDistinct(Uint32Array.from(docs))] };
}
