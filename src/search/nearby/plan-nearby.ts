import { BitSet } from "../../snapshot/bytes/bitset.ts";
import { sortedDistinct } from "../../snapshot/bytes/sorted.ts";
import { itemsOf } from "../../snapshot/postings/postings.ts";
import { countTaxonomies } from "../filters/taxonomy-filter.ts";
import { planQuery, type Planning } from "../plan/plan-query.ts";
import { NearbyFilter, type Membership } from "./nearby-filter.ts";
import type { OtherLocations } from "../../snapshot/extended/other-locations.ts";
import type { TextFilter } from "../filters/text-filter.ts";
import type { NearbyQuery } from "../query.ts";

/**
 * Up to this many providers with the requested taxonomies are listed and sorted; with more, the ZIPs around are
 * scanned.
 */
const FEW_LISTED = 4096;

/** A nearby query, resolved against a snapshot. */
export interface NearbyPlan {
  readonly query: NearbyQuery;
  readonly filter: NearbyFilter;
  /** All documents that may pass, if they are few: disjoint lists. */
  readonly candidates: readonly Uint32Array[] | null;
  /** Null if providers are found only at their primary location. */
  readonly locations: OtherLocations | null;
}

/** If the query has a scope of `any`, the snapshot must have that part of the extended index. */
export function planNearby(planning: Planning, query: NearbyQuery): NearbyPlan {
  const { snapshot } = planning;
  const locations =
    query.location_scope === "any" ? snapshot.extended.locations : null;
  if (query.location_scope === "any" && locations === null)
    throw new Error("The snapshot holds only primary locations");
  const plan = planQuery(planning, "nearby", query);
  const members: Membership[] = [];
  let candidates: readonly Uint32Array[] | null = null;
  if (plan.taxonomies !== null) {
    const set = BitSet.of(snapshot.taxonomies.count + 1, plan.taxonomies);
    members.push({ set, column: snapshot.taxonomy });
    if (countTaxonomies(snapshot, plan.taxonomies) <= FEW_LISTED)
      candidates = Array.from(plan.taxonomies, (number) =>
        itemsOf(snapshot.taxonomyDocs, number),
      );
  }
  for (const filter of plan.filters) {
    if (candidates === null && filter.bound <= FEW_LISTED)
      candidates = [docsOf(filter)];
    else members.push({ set: filter.matching(), column: null });
  }
  const filter = new NearbyFilter(snapshot.kinds, plan.kinds, members);
  return { query, locations, filter, candidates };
}

function docsOf(filter: TextFilter): Uint32Array {
  const docs: number[] = [];
  filter.eachList((items, from, to) => docs.push(...items.subarray(from, to)));
  return sortedDistinct(Uint32Array.from(docs));
}
