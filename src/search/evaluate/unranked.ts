import type { BitSet } from "../../snapshot/bytes/bitset.ts";
import type { Snapshot } from "../../snapshot/snapshot.ts";
import { TIER_COUNT } from "../filters/text-filter.ts";
import { unranked, type Matches, type QueryPlan } from "../plan/query-plan.ts";
import { evaluate } from "./match.ts";
import type { Workspace } from "./workspace.ts";

/**
 * Finds all documents that match a query plan, however well: a list of them, ascending, if they are at most `most`, or
 * a set, which is valid until the next search starts.
 */
export function findUnranked(
  snapshot: Snapshot,
  plan: QueryPlan,
  workspace: Workspace,
  most: number,
): Uint32Array | BitSet {
  const found = evaluate(snapshot, unranked(plan), workspace).find();
  const { set, total } = found;
  if (total > most) return setOf(found, workspace);
  return set?.toArray(total) ?? Uint32Array.from(found.page(0, most)).sort();
}

/** The same as a set in any case. */
export function findSet(
  snapshot: Snapshot,
  plan: QueryPlan,
  workspace: Workspace,
): BitSet {
  return setOf(evaluate(snapshot, unranked(plan), workspace).find(), workspace);
}

/** Counts the documents that match a query plan. */
export function countMatches(
  snapshot: Snapshot,
  plan: QueryPlan,
  workspace: Workspace,
): number {
  return evaluate(snapshot, unranked(plan), workspace).find().total;
}

function setOf(found: Matches, workspace: Workspace): BitSet {
  if (found.set !== undefined) return found.set;
  const matches = workspace.scratch();
  matches.clear();
  found.addTo(Array.from({ length: TIER_COUNT }, () => matches));
  return matches;
}
