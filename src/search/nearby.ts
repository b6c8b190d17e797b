import { centroidIndex } from "../snapshot/places/centroids.ts";
import type { DetailsOfDocs } from "./details-of-docs.ts";
import { matchedDocs, type MatchedDocs } from "./evaluate/matched-docs.ts";
import type { StepTimes } from "./explain.ts";
import { explainNearby } from "./nearby/explain-nearby.ts";
import type { Facts } from "./filters/text-filter.ts";
import { nearestCentroid } from "./nearby/centroids-in-radius.ts";
import {
  locatedZip,
  PRIMARY_LOCATION,
  type NearbyDoc,
} from "./nearby/distances.ts";
import { findNearby, findNearbyByName, totalNearby } from "./nearby/nearby.ts";
import {
  nearbyMatches,
  withinCircle,
  type NearbyMatches,
} from "./nearby/nearby-counts.ts";
import { planNearby } from "./nearby/plan-nearby.ts";
import type { Planning } from "./plan/planning.ts";
import type { FirstDocs, Hit, NearbyQuery, Point } from "./query.ts";
import type { Rendering } from "./render/rendering.ts";

/** Searches by distance. */
export class Nearby {
  readonly #planning: Planning;
  readonly #details: DetailsOfDocs;

  constructor(planning: Planning, details: DetailsOfDocs) {
    this.#planning = planning;
    this.#details = details;
  }

  /**
   * Returns a page of a nearby search. If `location_scope` is `any`, it throws SnapshotFormatError if the details file
   * is damaged, and file system errors.
   */
  page(query: NearbyQuery): Hit[] {
    const docs = this.#find(query);
    return query.location_scope === "any"
      ? docs.map(({ doc, location, miles }) => ({
          doc,
          miles,
          matched:
            location === PRIMARY_LOCATION
              ? "primary"
              : this.#details.addressOf(location),
        }))
      : docs.map(({ doc, miles }) => ({ doc, miles }));
  }

  /** Returns how many providers a nearby search finds. */
  total(query: NearbyQuery): number {
    this.#planning.workspace.begin();
    return totalNearby(this.#planning, query);
  }

  /** Finds all its matches as a set, which is valid until the next search starts, and counts them by ZIP. */
  matches(query: NearbyQuery): NearbyMatches {
    this.#planning.workspace.begin();
    const { counts, matches } = nearbyMatches(this.#planning, query);
    return { counts, matches: withinCircle(this.#planning, query, matches) };
  }

  /** Finds the first documents of a nearby query, at most `most`, whatever its page, and how many match. */
  first(query: NearbyQuery, most: number): FirstDocs {
    const first = (): MatchedDocs => {
      const docs = this.#find({ ...query, page: 1, limit: most });
      return matchedDocs(
        Uint32Array.from(docs, ({ doc }) => doc),
        Float64Array.from(docs, ({ miles }) => miles),
      );
    };
    return { total: this.total(query), first };
  }

  /** Explains how a nearby search runs. It throws what `page` throws. */
  explain(query: NearbyQuery, rendering: Rendering, times: StepTimes): Facts {
    return explainNearby(rendering, this.#planning, query, times);
  }

  /** Finds the centroid of a five-digit ZIP; null if it has none. */
  centroid(zip: string): Point | null {
    const { centroids } = this.#planning.snapshot;
    const index = centroidIndex(centroids, Number(zip));
    return index < 0
      ? null
      : { lat: centroids.lat[index]!, lng: centroids.lng[index]! };
  }

  /** Returns the ZIP of a document's primary location, as `locatedZip` does. */
  zipOf(doc: number): number {
    return locatedZip(this.#planning.snapshot, doc);
  }

  /** Finds the ZIP with the centroid nearest to a point; null if the snapshot has no centroids. */
  nearestZip(point: Point): string | null {
    const { centroids } = this.#planning.snapshot;
    const index = nearestCentroid(centroids, point);
    return index < 0 ? null : String(centroids.zips[index]).padStart(5, "0");
  }

  #find(query: NearbyQuery): NearbyDoc[] {
    const { snapshot, workspace } = this.#planning;
    workspace.begin();
    if (query.sort === "name") return findNearbyByName(this.#planning, query);
    return findNearby(snapshot, planNearby(this.#planning, query));
  }
}
