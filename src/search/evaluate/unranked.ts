import type { BitSet } from "../../snapshot/bytes/bitset.ts";
import type { NumberRange } from "../../snapshot/dictionary/dictionary.ts";
import type { Snapshot } from "../../snapshot/snapshot.ts";
import type { Facts } from "../facts.ts";
import {
  NO_MATCH,
  Tier,
  type TakeDocs,
  type TextFilter,
} from "../filters/text-filter.ts";
import {
  docsIn,
  type GatheredMatches,
  type QueryPlan,
} from "../plan/query-plan.ts";
import { counted, gather } from "./match.ts";
import type { Workspace } from "./workspace.ts";

/**
 * Finds all documents that match a query plan, however well: a list of them, ascending, if they are at most `most`, or
 * a set, which is valid until the next search starts. Takes as long as a search by the same filters.
 */
export function findUnranked(
  snapshot: Snapshot,
  plan: QueryPlan,
  workspace: Workspace,
  most: number,
): Uint32Array | BitSet {
  if (isByPlace(plan) && docsIn(plan.ranges) > most)
    return findSet(snapshot, plan, workspace);
  const found = gatherUnranked(snapshot, plan, workspace);
  if (found.total > most) return setOf(found, workspace);
  return (
    found.set?.toArray(found.total) ?? Uint32Array.from(found.page(0, most))
  );
}

/** The same as a set in any case. By place and kind it takes no search. */
export function findSet(
  snapshot: Snapshot,
  plan: QueryPlan,
  workspace: Workspace,
): BitSet {
  if (!isByPlace(plan))
    return setOf(gatherUnranked(snapshot, plan, workspace), workspace);
  const matches = workspace.scratch();
  matches.clear();
  for (const { from, to } of plan.ranges) matches.addRange(from, to);
  snapshot.kinds.restrict(matches, plan.kinds);
  return matches;
}

/** Whether a plan has only places and kinds. */
function isByPlace({ filters, taxonomies }: QueryPlan): boolean {
  return filters.length === 0 && taxonomies === null;
}

function gatherUnranked(
  snapshot: Snapshot,
  plan: QueryPlan,
  workspace: Workspace,
): GatheredMatches {
  const filters = plan.filters.map((filter) => new UnrankedFilter(filter));
  return gather(snapshot, { ...plan, filters, rules: [] }, workspace).found;
}

function setOf(found: GatheredMatches, workspace: Workspace): BitSet {
  if (found.set !== undefined) return found.set;
  const matches = workspace.scratch();
  const none = workspace.scratch();
  matches.clear();
  none.clear();
  const tiers: BitSet[] = [];
  tiers[Tier.exact] = none;
  tiers[Tier.wordPrefix] = matches;
  tiers[Tier.substring] = none;
  found.addTo(tiers);
  return matches;
}

/** How many documents match a query plan. Takes no longer than a search, and mostly much less. */
export function countMatches(
  snapshot: Snapshot,
  plan: QueryPlan,
  workspace: Workspace,
): number {
  const known = counted(snapshot, plan, workspace);
  const found = known?.found ?? gatherUnranked(snapshot, plan, workspace);
  return found.total;
}

/** A filter of which only the matches count: all of them have the tier `wordPrefix`. */
class UnrankedFilter implements TextFilter {
  readonly key: string;
  readonly bound: number;
  readonly hasDisjointLists: boolean;
  readonly testCost: number;
  readonly setCost: number | undefined;
  readonly kinds: number | undefined;
  readonly #filter: TextFilter;

  constructor(filter: TextFilter) {
    this.key = filter.key;
    this.bound = filter.bound;
    this.hasDisjointLists = filter.hasDisjointLists;
    this.testCost = filter.testCost;
    this.setCost = filter.setCost;
    this.kinds = filter.kinds;
    this.#filter = filter;
  }

  explain(): Facts {
    return this.#filter.explain();
  }

  eachList(take: TakeDocs, within?: NumberRange): void {
    this.#filter.eachList(
      (items, from, to) => take(items, from, to, Tier.wordPrefix),
      within,
    );
  }

  tiersOf(docs: Uint32Array, count: number, tiers: Uint8Array): void {
    this.#filter.tiersOf(docs, count, tiers);
    for (let i = 0; i < count; i++)
      if (tiers[i] !== NO_MATCH) tiers[i] = Tier.wordPrefix;
  }

  isReady(): boolean {
    return this.#filter.isReady();
  }

  isBeginningReady(): boolean {
    return this.isReady();
  }

  matching(): BitSet {
    return this.#filter.matching();
  }

  startingWith(): BitSet {
    return this.matching();
  }
}
