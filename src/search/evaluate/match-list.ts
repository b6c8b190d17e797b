import { ALL_KINDS, KIND_COUNT } from "../../snapshot/postings/kinds.ts";
import { BitSet } from "../../snapshot/bytes/bitset.ts";
import {
  isPrefixSetCheaper,
  isSetCheaper,
  LISTED_DOC,
  READ_DOC,
  SET_LOOK_UP,
  setPassCost,
  testOrSetCost,
} from "./cost.ts";
import { ALL_DOCS } from "../filters/docs-of-entries.ts";
import { docsIn } from "../plan/query-plan.ts";
import type { Snapshot } from "../../snapshot/snapshot.ts";
import type { CandidateList } from "./candidate-list.ts";
import type { Matches, QueryPlan } from "../plan/query-plan.ts";
import type { TextFilter } from "../filters/text-filter.ts";
import type { Workspace } from "./workspace.ts";

/** A source of candidates: at most `bound` documents, which include all matches. */
export interface Driver {
  bound: number;
  /** About how many of them are in the plan's ranges. */
  listed: number;
  /** The filter that lists them; null if they are all documents of the ranges. */
  filter: TextFilter | null;
  /** The estimated time of a list that is filled from it, in nanoseconds. */
  cost: number;
}

/** Chooses the source of candidates with which a list takes the least work. */
export function cheapestDriver(snapshot: Snapshot, plan: QueryPlan): Driver {
  const { filters, kinds, ranges } = plan;
  const pass = setPassCost(snapshot.count);
  const inRanges = docsIn(ranges);
  const driver = (
    bound: number,
    listed: number,
    filter: TextFilter | null = null,
  ): Driver => {
    const isOfKinds = ((filter?.kinds ?? ALL_KINDS) & ~kinds) === 0;
    const perListed = LISTED_DOC - READ_DOC + (isOfKinds ? 0 : SET_LOOK_UP);
    const filling = bound * READ_DOC + listed * perListed;
    const cost = filters.reduce(
      (sum, each) =>
        each === filter ? sum : sum + testOrSetCost(each, listed, pass),
      filling,
    );
    return { bound, listed, filter, cost };
  };
  const share = inRanges / Math.max(1, snapshot.count);
  const drivers = [driver(inRanges, inRanges)];
  for (const filter of filters)
    drivers.push(driver(filter.bound, filter.bound * share, filter));
  return drivers.reduce((cheapest, each) =>
    each.cost < cheapest.cost ? each : cheapest,
  );
}

/** Finds the matches of a query plan in a list of candidates. */
export function findInList(
  snapshot: Snapshot,
  plan: QueryPlan,
  driver: Driver,
  workspace: Workspace,
): Matches {
  const { list } = workspace;
  list.clear();
  fill(list, snapshot, plan, driver);
  if (driver.filter !== null && plan.ranges.length > 1)
    list.keepRanges(plan.ranges);
  const { kinds: listedKinds = ALL_KINDS } = driver.filter ?? {};
  return refine(list, snapshot, plan, {
    passed: [],
    filters: plan.filters.filter((filter) => filter !== driver.filter),
    kinds: (listedKinds & ~plan.kinds) === 0 ? ALL_KINDS : plan.kinds,
  });
}

/** The conditions that the documents of a list still have to match. */
export interface Pending extends Pick<QueryPlan, "filters" | "kinds"> {
  /** Filters that all documents match, but with unknown tiers. */
  readonly passed: readonly TextFilter[];
}

/** A condition that is still to be applied to a list. */
interface Condition {
  /** The share of all documents that meet it. */
  readonly share: number;
  /** Estimates the cost of applying it to `count` documents, in nanoseconds. */
  readonly cost: (count: number) => number;
  readonly keep: () => void;
}

/** Keeps the documents of a list that meet the pending conditions of a query plan, and finds their tiers. */
export function refine(
  list: CandidateList,
  snapshot: Snapshot,
  plan: QueryPlan,
  pending: Pending,
): Matches {
  const pass = setPassCost(snapshot.count);
  const listed = list.count;
  const conditions = conditionsOf(list, snapshot, plan, pending);
  while (conditions.length > 0) {
    const next = conditions.reduce((best, each) =>
      rank(each, list.count) < rank(best, list.count) ? each : best,
    );
    next.keep();
    conditions.splice(conditions.indexOf(next), 1);
  }
  if (plan.isRanked)
    for (const filter of pending.passed) raise(list, filter, pass);
  // A list that was filled from the only filter already has its exact matches.
  if (pending.passed.length + pending.filters.length > 0)
    list.promoteExact(plan.rules);
  return {
    total: list.count,
    listed,
    page: (offset, limit) => list.page(offset, limit),
    addTo: (tiers) => list.addTo(tiers),
  };
}

/** Ranks a condition: the one that rules out the most documents for its cost comes first. */
function rank({ cost, share }: Condition, count: number): number {
  return cost(count) / Math.max(1 - share, Number.EPSILON);
}

function conditionsOf(
  list: CandidateList,
  snapshot: Snapshot,
  { isRanked }: QueryPlan,
  { filters, kinds: mask }: Pending,
): Condition[] {
  const { count: docCount, kinds } = snapshot;
  const pass = setPassCost(docCount);
  const conditions = filters.map((filter): Condition => ({
    share: filter.bound / docCount,
    cost: (count) => testOrSetCost(filter, count, pass),
    keep: () => {
      if (filter.byColumn?.column)
        list.keepValues(filter.byColumn.column, filter.byColumn.set);
      else if (isSetCheaper(filter, list.count, pass)) {
        list.keepMembers(filter.matching());
        if (isRanked) raise(list, filter, pass);
      } else list.keepMatching(filter);
    },
  }));
  if (mask !== ALL_KINDS)
    conditions.push({
      share: kinds.count(0, docCount, mask) / docCount,
      cost: (count) => count * SET_LOOK_UP,
      keep: () => {
        const set = kinds.setOf(mask);
        if (set === null)
          list.keepValues(
            kinds.column,
            new BitSet(KIND_COUNT, Uint32Array.of(mask)),
          );
        else list.keepMembers(set);
      },
    });
  return conditions;
}

/** Applies the tiers of a filter that all documents match. */
function raise(list: CandidateList, filter: TextFilter, pass: number): void {
  if (!filter.hasTiers) return;
  if (isPrefixSetCheaper(filter, list.count, pass))
    list.demoteOthers(filter.startingWith());
  else list.raiseTiers(filter);
}

function fill(
  list: CandidateList,
  { count: docCount }: Snapshot,
  plan: QueryPlan,
  { filter }: Driver,
): void {
  const within =
    docsIn(plan.ranges) === docCount
      ? ALL_DOCS
      : { from: plan.ranges[0]?.from ?? 0, to: plan.ranges.at(-1)?.to ?? 0 };
  if (filter !== null) {
    const [rule = null] = plan.filters.length === 1 ? plan.rules : [];
    list.addMatching(filter, rule, within);
  } else for (const { from, to } of plan.ranges) list.addRange(from, to);
}
