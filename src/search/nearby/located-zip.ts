import { isMilitary } from "../../contract/states.ts";
import type { Snapshot } from "../../snapshot/snapshot.ts";

/**
 * The ZIP at which a document's primary location is found, or -1: it has none, or its address is a military one, whose
 * ZIP lies at no place in the U.S. Whether the place of the ZIP is known is another question.
 */
export function locatedZip({ places }: Snapshot, doc: number): number {
  if (doc >= places.placedDocs)
    return places.looseZip[doc - places.placedDocs]! - 1;
  const place = places.placeOf(doc);
  return isMilitary(places.state[place]!) ? -1 : places.zip[place]! - 1;
}
