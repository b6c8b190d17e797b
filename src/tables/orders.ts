import { sortedBy } from "../snapshot/bytes/radix-sort.ts";
import type { SnapshotView } from "../snapshot/snapshot.ts";
import type { Order } from "./tables.ts";

/** Sorts after the number of each state. */
const NO_PLACE = 0xff;

/** Lists all documents in an order. */
export function docsInOrder(snapshot: SnapshotView, order: Order): Uint32Array {
  return order === "npi" ? snapshot.npiIndex.order : docsByPlace(snapshot);
}

/** Sorts documents by state, ZIP, taxonomy, city and NPI. Those without a state are last. */
function docsByPlace({ count, places, taxonomy }: SnapshotView): Uint32Array {
  const docs = Uint32Array.from({ length: count }, (_, doc) => doc);
  const byTaxonomy = sortedBy(Uint32Array.from(taxonomy), docs);
  const zips = docs.map((doc) => places.zipOf(doc, places.placeOf(doc)));
  const byZip = sortedBy(zips, byTaxonomy);
  const states = Uint8Array.from(docs, (doc) => stateOf(places.placeOf(doc)));
  return sortedBy(states, byZip);

  function stateOf(place: number): number {
    return place < 0 ? NO_PLACE : places.state[place]!;
  }
}
