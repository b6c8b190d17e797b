import { ALL_KINDS } from "../../snapshot/postings/kinds.ts";
import { docsIn } from "../plan/query-plan.ts";
import { MAX_INTERSECTED, BitSet } from "../../snapshot/bytes/bitset.ts";
import {
  listCost,
  setCost,
  setPassCost,
  TAXONOMY_LOOK_UP,
  tiersCost,
} from "./cost.ts";
import { refine } from "./match-list.ts";
import { Tier } from "../filters/text-filter.ts";
import { taxonomySet, worthwhileTaxonomySet } from "./taxonomy-set.ts";
import { TieredSets } from "./tiered-sets.ts";
import type { NumberRange } from "../../snapshot/dictionary/dictionary.ts";
import type { Snapshot } from "../../snapshot/snapshot.ts";
import type { Matches, QueryPlan } from "../plan/query-plan.ts";
import type { TextFilter } from "../filters/text-filter.ts";
import { CHUNK, type Workspace } from "./workspace.ts";

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
  let { left, set: found } = begin(matches, snapshot, plan, pending, workspace);
  for (;;) {
    const sets = pending.reduce(
      (sum, filter) => sum + setCost(filter, pass) + pass,
      tiersCost(plan, left, pass),
    );
    const tested = plan.isRanked ? plan.filters : pending;
    if (listCost(tested, left, pass) <= sets)
      return inList(found, left, snapshot, plan, pending, workspace);
    if (pending.length === 0) break;
    left = matches.assignCommon([
      found,
      ...takeSets(pending, MAX_INTERSECTED - 1),
    ]);
    found = matches;
  }
  if (found !== matches) matches.copy(found);
  if (plan.taxonomies !== null && plan.filters.length > 0)
    left = keepTaxonomies(matches, left, snapshot, plan.taxonomies, workspace);
  if (plan.filters.length === 0 || !plan.isRanked)
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
 * Finds what matches the first pending filters, or without text filters the taxonomies, if there are any, and is of the
 * plan's places and kinds: in `matches`, unless it is the set of one filter.
 */
function begin(
  matches: BitSet,
  snapshot: Snapshot,
  plan: QueryPlan,
  pending: TextFilter[],
  workspace: Workspace,
): CountedSet {
  const { count, kinds } = snapshot;
  const isEverywhere = docsIn(plan.ranges) === count;
  let isOfKinds = plan.kinds === ALL_KINDS;
  if (pending.length === 0) {
    if (plan.taxonomies === null) matches.addRange(0, count);
    else matches.copy(taxonomySet(snapshot, plan.taxonomies, workspace));
  } else {
    const ofKinds = kinds.setOf(plan.kinds);
    const [first] = pending;
    const sets =
      ofKinds === null
        ? takeSets(pending, MAX_INTERSECTED)
        : [ofKinds, ...takeSets(pending, MAX_INTERSECTED - 1)];
    isOfKinds ||= ofKinds !== null;
    const [set] = sets;
    if (set !== undefined && sets.length === 1 && isOfKinds && isEverywhere)
      return { set, left: first?.matchCount ?? set.count(0, count) };
    const left = matches.assignCommon(sets);
    if (isOfKinds && isEverywhere) return { set: matches, left };
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

/** `left` is the number of matches; `pending` are the plan's filters that have not been applied to the matches. */
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
    taxonomies: plan.taxonomies,
  });
}

/** Keeps, of `left` matches, those with some taxonomies. Returns how many there are. */
function keepTaxonomies(
  matches: BitSet,
  left: number,
  snapshot: Snapshot,
  numbers: Uint32Array,
  workspace: Workspace,
): number {
  const { taxonomies, taxonomy } = snapshot;
  const lookUps = left * TAXONOMY_LOOK_UP;
  const set = worthwhileTaxonomySet(snapshot, numbers, lookUps, workspace);
  if (set !== null) return matches.assignCommon([matches, set]);
  const { bits } = BitSet.of(taxonomies.count + 1, numbers);
  const words = matches.bits;
  const docs = new Uint32Array(CHUNK + 32);
  let kept = 0;
  let listed = 0;
  for (let i = 0; i < words.length; i++) {
    for (let rest = words[i]!; rest !== 0; rest &= rest - 1)
      docs[listed++] = (i << 5) + 31 - Math.clz32(rest & -rest);
    if (listed < CHUNK && i < words.length - 1) continue;
    // No branch depends on the values, so the processor waits for many of them at a time.
    for (let at = 0; at < listed; at++) {
      const doc = docs[at]!;
      const value = taxonomy[doc]!;
      const isOther = (~bits[value >>> 5]! >>> (value & 31)) & 1;
      words[doc >>> 5]! &= ~(isOther << (doc & 31));
      kept += 1 - isOther;
    }
    listed = 0;
  }
  return kept;
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
