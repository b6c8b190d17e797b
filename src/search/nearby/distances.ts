import { isMilitary } from "../../contract/states.ts";
import { BoxAround } from "./centroids-in-radius.ts";
import { haversineMiles } from "../../reference/zip-points.ts";
import type { OtherLocations } from "../../snapshot/extended/other-locations.ts";
import type { Snapshot } from "../../snapshot/snapshot.ts";
import type { NearbyQuery, Point } from "../query.ts";

/** Marks the primary location; other locations have numbers in `OtherLocations`. */
export const PRIMARY_LOCATION = -1;

/** A provider near the center: `miles` is unrounded, `location` is its nearest location. */
export interface NearbyDoc {
  doc: number;
  miles: number;
  location: number;
}

/** Distances of documents' locations from the center of a query, as far as its radius. */
export class Distances {
  readonly #snapshot: Snapshot;
  readonly #center: Point;
  readonly #radius: number;
  readonly #box: BoxAround;
  readonly #locations: OtherLocations | null;
  /** The place of the last document; its documents end before `#placeEnd`. Neighbors often have the same place. */
  #placeStart = 0;
  #placeEnd = 0;
  #placeMiles = Infinity;

  constructor(snapshot: Snapshot, query: NearbyQuery) {
    this.#snapshot = snapshot;
    this.#center = query.center;
    this.#radius = query.radius;
    this.#box = new BoxAround(query.center, query.radius);
    this.#locations = locationsFor(snapshot, query);
  }

  /**
   * Finds the location at which a document is found: the nearest one; among equals the primary one, then the first.
   * Null if it is farther than the radius. `known` is one of its other locations.
   */
  nearest(doc: number, known?: number): NearbyDoc | null {
    let miles = this.#milesTo(doc);
    let location = PRIMARY_LOCATION;
    const locations = this.#locations;
    if (locations !== null) {
      const { docs, zips } = locations;
      let at = known ?? locations.firstFrom(doc);
      while (docs[at - 1] === doc) at--;
      for (; docs[at] === doc; at++) {
        const far = this.milesToZip(zips[at]!);
        if (far >= miles) continue;
        miles = far;
        location = at;
      }
    }
    return miles <= this.#radius ? { doc, miles, location } : null;
  }

  /** Measures miles to a document's primary location; Infinity if that has no centroid or may be beyond the radius. */
  #milesTo(doc: number): number {
    const { places } = this.#snapshot;
    if (doc >= places.placedDocs)
      return this.milesToZip(places.unplacedZip[doc - places.placedDocs]! - 1);
    if (doc < this.#placeStart || doc >= this.#placeEnd) {
      const place = places.placeOf(doc);
      this.#placeStart = places.starts[place]!;
      this.#placeEnd = places.starts[place + 1]!;
      this.#placeMiles = isMilitary(places.state[place]!)
        ? Infinity
        : this.milesToZip(places.zip[place]! - 1);
    }
    return this.#placeMiles;
  }

  /** Measures miles to a ZIP, which is -1 for none; Infinity if it has no centroid or may be beyond the radius. */
  milesToZip(zip: number): number {
    const { centroids, locatedZips } = this.#snapshot;
    const index = locatedZips.indexOf(zip);
    if (index < 0) return Infinity;
    const lat = centroids.lat[index]!;
    const lng = centroids.lng[index]!;
    return this.#box.has(lat, lng)
      ? haversineMiles(this.#center.lat, this.#center.lng, lat, lng)
      : Infinity;
  }
}

/** Returns the locations in which a query finds providers in addition to primary ones; null for none. */
export function locationsFor(
  { extended }: Snapshot,
  { location_scope: scope }: NearbyQuery,
): OtherLocations | null {
  if (scope !== "any") return null;
  if (extended.locations === null)
    throw new Error("The snapshot holds only primary locations");
  return extended.locations;
}

/**
 * Returns the ZIP of a document's primary location, or -1 if it has none or a military address, whose ZIP is not a
 * location in the U.S. The ZIP may have no known centroid.
 */
export function locatedZip({ places }: Snapshot, doc: number): number {
  if (doc >= places.placedDocs)
    return places.unplacedZip[doc - places.placedDocs]! - 1;
  const place = places.placeOf(doc);
  return isMilitary(places.state[place]!) ? -1 : places.zip[place]! - 1;
}
