import { BitSet } from "../../snapshot/bytes/bitset.ts";
import type { Snapshot } from "../../snapshot/snapshot.ts";
import { findUnranked } from "../evaluate/unranked.ts";
import type { Workspace } from "../evaluate/workspace.ts";
import type { QueryPlan } from "../plan/query-plan.ts";
import { DocsByName, fewOf } from "./docs-by-name.ts";

/** Finds all documents that match a query plan, however well, by name. Valid until the next search starts. */
export function findByName(
  snapshot: Snapshot,
  plan: QueryPlan,
  workspace: Workspace,
): DocsByName {
  const matches = findUnranked(snapshot, plan, workspace, fewOf(snapshot));
  return new DocsByName(snapshot, matches, plan);
}

/** The same, in memory that later searches do not overwrite: at most a bit for each document of the snapshot. */
export function findAllByName(
  snapshot: Snapshot,
  plan: QueryPlan,
  workspace: Workspace,
): DocsByName {
  const matches = findUnranked(snapshot, plan, workspace, fewOf(snapshot));
  return new DocsByName(
    snapshot,
    matches instanceof BitSet
      ? new BitSet(snapshot.count, matches.bits.slice())
      : matches,
    plan,
  );
}
