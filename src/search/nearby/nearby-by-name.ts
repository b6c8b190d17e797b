import { BitSet } from "../../snapshot/bytes/bitset.ts";
import type { Snapshot } from "../../snapshot/snapshot.ts";
import { DocsByName, fewOf } from "../by-name/docs-by-name.ts";
import { findUnranked } from "../evaluate/match.ts";
import { planQuery } from "../plan/plan-query.ts";
import type { Planning } from "../plan/planning.ts";
import type { NearbyQuery } from "../query.ts";
import { eachCentroidAround } from "./centroids-in-radius.ts";
import { Distances, locationsFor, type NearbyDoc } from "./distances.ts";

/** Finds the page of a nearby query by name: each provider once, at its nearest location. */
export function findNearbyByName(
  planning: Planning,
  query: NearbyQuery,
): NearbyDoc[] {
  const { snapshot, workspace } = planning;
  const { limit, page } = query;
  const distances = new Distances(snapshot, query);
  const nearest = (doc: number) => distances.nearest(doc);
  const plan = planQuery(planning, "nearby", query);
  const most = fewOf(snapshot);
  const matches = findUnranked(snapshot, plan, workspace, most);
  let near: Uint32Array | BitSet;
  if (matches instanceof BitSet) {
    const around = workspace.scratch();
    around.clear();
    addAround(around, snapshot, query);
    around.intersect(matches);
    const total = around.count(0, snapshot.count);
    near = total > most ? around : around.toArray(total);
  } else near = matches.filter((doc) => nearest(doc) !== null);
  return new DocsByName(snapshot, near, plan)
    .page((page - 1) * limit, limit)
    .map(nearest)
    .filter((doc) => doc !== null);
}

/** Adds the documents in a query's circle, whatever its filters. */
function addAround(docs: BitSet, snapshot: Snapshot, query: NearbyQuery): void {
  const { centroids, locatedZips } = snapshot;
  const { center, radius } = query;
  const { from, starts, to } = locatedZips.ranges;
  const locations = locationsFor(snapshot, query);
  eachCentroidAround(centroids, center, radius, (index) => {
    for (let range = starts[index]!; range < starts[index + 1]!; range++)
      docs.addRange(from[range]!, to[range]!);
    if (locations === null) return;
    for (const location of locations.ofZip(centroids.zips[index]!))
      docs.add(locations.docs[location]!);
  });
}
