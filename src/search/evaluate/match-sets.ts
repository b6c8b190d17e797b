import { ALL_KINDS } from "../../snapshot/postings/kinds.ts";
import { docsIn } from "../plan/query-plan.ts";
import { MAX_INTERSECTED, type BitSet } from "../../snapshot/bytes/bitset.ts";
import { listCost, setCost, setPassCost, tiersCost } from "./cost.ts";
import { refine } from "./match-list.ts";
import { Tier } from "../filters/text-filter.ts";
import { TieredSets } from "./tiered-sets.ts";
import type { NumberRange } from "../../snapshot/dictionary/dictionary.ts";
import type { Snapshot } from "../../snapshot/snapshot.ts";
import type { Matches, QueryPlan } from "../plan/query-plan.ts";
import type { TextFilter } from "../filters/text-filter.ts";
import type { Workspace } from "./workspace.ts";

/**
 * Finds the matches of a query plan by intersecting sets of documents, until so few are left that a list is less work.
 */
export function findInSets(
  snapshot: Snapshot,
  plan: QueryPlan,
  workspace: Workspace,
): Matches {
  const { count } = snapshot;
  const pass = setPassCost(count);
  const pending = plan.filters.toSorted(
    (a, b) => setCost(a, pass) - setCost(b, pass) || a.bound - b.bound,
  );
  const matches = workspace.scratch();
  let { left, set: current } = begin(matches, snapshot, plan, pending);
  for (;;) {
    const sets = pending.reduce(
      (sum, filter) => sum + setCost(filter, pass) + pass,
      tiersCost(plan, left, pass),
    );
    const tested = plan.isRanked ? plan.filters : pending;
    if (listCost(tested, left, pass) <= sets)
      return inList(current, left, snapshot, plan, pending, workspace);
    if (pending.length === 0) break;
    left = matches.assignCommon([
      current,
      ...takeSets(pending, MAX_INTERSECTED - 1),
    ]);
    current = matches;
  }
  if (current !== matches) matches.copy(current);
  if (!plan.isRanked)
    return {
      total: left,
      set: matches,
      page: (offset, limit) => matches.slice(0, count, offset, limit),
      addTo: (sets) => sets[Tier.wordPrefix]!.copy(matches),
    };
  const tiers = new TieredSets(matches, left, plan, workspace);
  return {
    total: left,
    set: matches,
    page: (offset, limit) => tiers.page(offset, limit),
    addTo: (sets) => tiers.addTo(sets),
  };
}

/** A set and the number of its members. It can be one that others use, which must not be changed. */
interface CountedSet {
  readonly set: BitSet;
  readonly left: number;
}

/**
 * Finds what matches the first pending filters, and is of the plan's places and kinds: in `matches`, unless it is the
 * set of one filter.
 */
function begin(
  matches: BitSet,
  snapshot: Snapshot,
  plan: QueryPlan,
  pending: TextFilter[],
): CountedSet {
  const { count, kinds } = snapshot;
  const isEverywhere = docsIn(plan.ranges) === count;
  let isOfKinds = plan.kinds === ALL_KINDS;
  if (pending.length === 0) matches.addRange(0, count);
  else {
    const ofKinds = kinds.setOf(plan.kinds);
    const [first] = pending;
    const sets =
      ofKinds === null
        ? takeSets(pending, MAX_INTERSECTED)
        : [ofKinds, ...takeSets(pending, MAX_INTERSECTED - 1)];
    isOfKinds ||= ofKinds !== null;
    const [set] = sets;
    if (isOfKinds && isEverywhere)
      return set !== undefined && sets.length === 1
        ? { set, left: first?.matchCount ?? set.count(0, count) }
        : { set: matches, left: matches.assignCommon(sets) };
    if (set !== undefined && sets.length === 1) matches.copy(set);
    else matches.assignCommon(sets);
  }
  restrictToRanges(matches, plan.ranges, count);
  if (!isOfKinds) kinds.restrict(matches, plan.kinds);
  return { set: matches, left: matches.count(0, count) };
}

/** Takes the first pending filter, and up to `most` in all whose sets are available. Returns their sets. */
function takeSets(pending: TextFilter[], most: number): BitSet[] {
  const others = pending
    .slice(1, most)
    .findIndex((filter) => !filter.isReady());
  const count = others < 0 ? Math.min(most, pending.length) : others + 1;
  return pending.splice(0, count).map((filter) => filter.matching());
}

/** Refines the `left` matches as a list. `pending` are the plan's filters that have not been applied to them. */
function inList(
  matches: BitSet,
  left: number,
  snapshot: Snapshot,
  plan: QueryPlan,
  pending: readonly TextFilter[],
  { list }: Workspace,
): Matches {
  list.clear();
  list.addSet(matches, left);
  return refine(list, snapshot, plan, {
    passed: plan.filters.filter((filter) => !pending.includes(filter)),
    filters: pending,
    kinds: ALL_KINDS,
  });
}

function restrictToRanges(
  matches: BitSet,
  ranges: readonly NumberRange[],
  docCount: number,
): void {
  let end = 0;
  for (const { from, to } of ranges) {
    matches.removeRange(end, from);
    end = to;
  }
  matches.removeRange(end, docCount);
}
