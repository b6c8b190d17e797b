import type { BitSet } from "../../snapshot/bytes/bitset.ts";
import type { Snapshot } from "../../snapshot/snapshot.ts";
import type { Facts } from "../facts.ts";
import {
  NO_MATCH,
  Tier,
  type TakeDocs,
  type TextFilter,
} from "../filters/text-filter.ts";
import type { QueryPlan } from "../plan/query-plan.ts";
import { gather } from "./match.ts";
import type { Workspace } from "./workspace.ts";

/**
 * Finds all documents that match a query plan, however well: a list of them if they are at most `most`, ascending, else
 * a set, which is valid until the next search starts. Takes as long as a search by the same filters.
 */
export function findUnranked(
  snapshot: Snapshot,
  plan: QueryPlan,
  workspace: Workspace,
  most: number,
): Uint32Array | BitSet {
  const filters = plan.filters.map((filter) => new UnrankedFilter(filter));
  const unranked = { ...plan, filters, rules: [] };
  const { found } = gather(snapshot, unranked, workspace);
  if (found.total <= most) return Uint32Array.from(found.page(0, most));
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

/** A filter of which only the matches count: all of them have the tier `wordPrefix`. */
class UnrankedFilter implements TextFilter {
  readonly key: string;
  readonly bound: number;
  readonly hasDisjointLists: boolean;
  readonly testCost: number;
  readonly #filter: TextFilter;

  constructor(filter: TextFilter) {
    this.key = filter.key;
    this.bound = filter.bound;
    this.hasDisjointLists = filter.hasDisjointLists;
    this.testCost = filter.testCost;
    this.#filter = filter;
  }

  explain(): Facts {
    return this.#filter.explain();
  }

  eachList(take: TakeDocs): void {
    this.#filter.eachList((items, from, to) =>
      take(items, from, to, Tier.wordPrefix),
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
