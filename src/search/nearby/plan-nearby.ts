import { BitSet } from "../../snapshot/bytes/bitset.ts";
import { sortedDistinct } from "../../snapshot/bytes/sorted.ts";
import { ALL_KINDS, type Kinds } from "../../snapshot/postings/kinds.ts";
import { countOfKinds } from "../../snapshot/postings/taxonomy-counts.ts";
import { evaluate, findUnranked } from "../evaluate/match.ts";
import { PrimaryTaxonomies } from "../filters/taxonomy-filters.ts";
import { planQuery } from "../plan/plan-query.ts";
import type { Planning } from "../plan/planning.ts";
import { nearbyMatches } from "./nearby-counts.ts";
import type { Snapshot } from "../../snapshot/snapshot.ts";
import type { Membership, TextFilter } from "../filters/text-filter.ts";
import { unranked, type QueryPlan } from "../plan/query-plan.ts";
import type { NearbyQuery } from "../query.ts";
import type { ZipRanges } from "../../snapshot/places/located-zips.ts";

/** Up to this many providers that may match are listed and sorted; with more, the ZIPs around are scanned. */
const FEW_LISTED = 4096;

/** Pages that begin after this share of all providers are deep. */
const DEEP_SHARE = 1 / 64;
/** Testing one condition of a document, in nanoseconds, about. */
const TESTED_DOC = 4;
/** Circles have at most this share of all documents, and about the square of their radius in units of this. */
const MOST_AROUND = 0.4;
const WIDE_MILES = 800;

/** A nearby query, resolved against a snapshot. Valid until the next search starts. */
export interface NearbyPlan {
  readonly query: NearbyQuery;
  readonly filter: NearbyFilter;
  /** All documents that may pass, if they are few: disjoint lists. */
  readonly candidates: readonly Uint32Array[] | null;
  /** The number of documents that are found at each ZIP, by index of the centroid; null unless the page is deep. */
  readonly counts: Uint32Array | null;
}

/** Plans a nearby query. If it has a scope of `any`, the snapshot must have that part of the extended index. */
export function planNearby(planning: Planning, query: NearbyQuery): NearbyPlan {
  if (isDeep(planning.snapshot, query)) {
    const { counts, matches } = nearbyMatches(planning, query);
    return { query, counts, ...among(planning, matches) };
  }
  const plan = planQuery(planning, "nearby", query);
  const narrowed =
    needsGathering(plan) || isGatheringCheaper(planning, plan, query)
      ? gathered(planning, plan)
      : filtered(planning, plan);
  return { query, counts: null, ...narrowed };
}

/**
 * True if the rings before a page have so many other locations that counting all matches takes less than visiting
 * those.
 */
function isDeep(
  { count }: Snapshot,
  { limit, location_scope: scope, page }: NearbyQuery,
): boolean {
  return scope === "any" && (page - 1) * limit > count * DEEP_SHARE;
}

/**
 * True if a name is one of several conditions. Together they are met by far fewer documents than each of them, and
 * scanning ZIPs for these would take long.
 */
function needsGathering({ filters, rules }: QueryPlan): boolean {
  return rules.length > 0 && filters.length > 1;
}

/** True if finding all documents that pass is less work than testing those around the center until the page is full. */
function isGatheringCheaper(
  { snapshot, workspace }: Planning,
  plan: QueryPlan,
  { limit, page, radius }: NearbyQuery,
): boolean {
  const { count } = snapshot;
  const { filters, kinds, ranges } = plan;
  if (ranges.length === 0) return false;
  if (filters.some(({ bound }) => bound <= FEW_LISTED)) return false;
  const taxonomies = filters.find(
    (filter) => filter instanceof PrimaryTaxonomies,
  );
  const others = filters.filter((filter) => filter !== taxonomies);
  const conditions = filters.length + (kinds === ALL_KINDS ? 0 : 1);
  // Of one filter, the set is ready to be counted.
  if (conditions === 0 || (conditions === 1 && others.length === 1))
    return false;
  const share = others.reduce(
    (product, { bound }) => product * (bound / count),
    shareOfKinds(snapshot, kinds, taxonomies),
  );
  const around = count * Math.min(MOST_AROUND, (radius / WIDE_MILES) ** 2);
  const tested = Math.min(around, (page * limit) / share);
  const { wholeCost } = evaluate(snapshot, unranked(plan), workspace);
  return tested * conditions * TESTED_DOC > wholeCost;
}

/**
 * Estimates the share of documents with a place that have one of the kinds and one of the taxonomies. These depend on
 * each other: most deactivated providers have neither a place nor a taxonomy, and few taxonomies are used by both
 * individuals and organizations.
 */
function shareOfKinds(
  snapshot: Snapshot,
  mask: number,
  taxonomies: PrimaryTaxonomies | undefined,
): number {
  const { kinds, places, taxonomyCounts } = snapshot;
  const placed = Math.max(1, places.placedDocs);
  const total = taxonomies?.bound ?? placed;
  if (taxonomies !== undefined && taxonomyCounts !== null)
    return (
      countOfKinds(taxonomyCounts, taxonomies.numbers, total, mask) / placed
    );
  const ofKinds = kinds.count(0, places.placedDocs, mask);
  return (ofKinds / placed) * (total / placed);
}

type Narrowed = Pick<NearbyPlan, "candidates" | "filter">;

/** Finds all documents that pass, wherever they are. */
function gathered(planning: Planning, plan: QueryPlan): Narrowed {
  const { snapshot, workspace } = planning;
  return among(planning, findUnranked(snapshot, plan, workspace, FEW_LISTED));
}

function among(
  { snapshot: { kinds } }: Planning,
  matches: Uint32Array | BitSet,
): Narrowed {
  const isSet = matches instanceof BitSet;
  const members = isSet ? [{ set: matches, column: null }] : [];
  return {
    candidates: isSet ? null : [matches],
    filter: new NearbyFilter(kinds, ALL_KINDS, members),
  };
}

/** Leaves it to the filter which of the candidates, or of the documents around, pass. */
function filtered({ snapshot }: Planning, plan: QueryPlan): Narrowed {
  const members: Membership[] = [];
  if (plan.ranges.length === 0) {
    const filter = new NearbyFilter(snapshot.kinds, plan.kinds, members);
    return { candidates: [], filter };
  }
  let candidates: readonly Uint32Array[] | null = null;
  for (const filter of plan.filters) {
    if (candidates === null && filter.bound <= FEW_LISTED)
      candidates = listsOf(filter);
    else
      members.push(filter.byColumn ?? { set: filter.matching(), column: null });
  }
  const filter = new NearbyFilter(snapshot.kinds, plan.kinds, members);
  return { candidates, filter };
}

/** Makes disjoint lists of the documents of a filter, which are few. */
function listsOf(filter: TextFilter): Uint32Array[] {
  const lists: Uint32Array[] = [];
  filter.eachList((items, from, to) => lists.push(items.slice(from, to)));
  if (filter.hasDisjointLists) return lists;
  const docs = lists.flatMap((list) => Array.from(list));
  return [sortedDistinct(Uint32Array.from(docs))];
}

/** The filters of a nearby query, document by document. */
class NearbyFilter {
  readonly #kinds: Kinds;
  readonly #mask: number;
  readonly #set: BitSet | null;
  readonly #column: Uint16Array | null;
  /** Further conditions. */
  readonly #further: readonly Membership[];

  /** `mask` has the admitted kinds as bits. */
  constructor(
    kinds: Kinds,
    mask: number,
    [first, ...further]: readonly Membership[],
  ) {
    this.#kinds = kinds;
    this.#mask = mask;
    this.#set = first?.set ?? null;
    this.#column = first?.column ?? null;
    this.#further = further;
  }

  admits(doc: number): boolean {
    if (
      this.#mask !== ALL_KINDS &&
      ((this.#mask >>> this.#kinds.column[doc]!) & 1) === 0
    )
      return false;
    if (this.#set === null) return true;
    const column = this.#column;
    if (!this.#set.has(column === null ? doc : column[doc]!)) return false;
    for (let i = 0; i < this.#further.length; i++) {
      const each = this.#further[i]!;
      if (!each.set.has(each.column === null ? doc : each.column[doc]!))
        return false;
    }
    return true;
  }

  /** Counts the documents of a ZIP that pass. */
  countAt({ from, starts, to }: ZipRanges, index: number): number {
    let count = 0;
    const end = starts[index + 1]!;
    for (let range = starts[index]!; range < end; range++)
      count += this.#count(from[range]!, to[range]!);
    return count;
  }

  /** Counts the documents `from` to `to` - 1 that pass. */
  #count(from: number, to: number): number {
    const kinds = this.#kinds;
    const mask = this.#mask;
    const column = this.#column;
    let count = 0;
    if (this.#further.length > 0) {
      for (let doc = from; doc < to; doc++) if (this.admits(doc)) count++;
      return count;
    }
    if (this.#set === null) return kinds.count(from, to, mask);
    if (column === null) {
      const members = this.#set.count(from, to);
      if (members === 0 || mask === ALL_KINDS) return members;
    }
    const { bits } = this.#set;
    const kindOf = kinds.column;
    for (let doc = from; doc < to; doc++) {
      const number = column === null ? doc : column[doc]!;
      count +=
        (bits[number >>> 5]! >>> (number & 31)) & (mask >>> kindOf[doc]!) & 1;
    }
    return count;
  }
}
