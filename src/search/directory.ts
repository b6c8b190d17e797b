import { describeSource } from "../snapshot/metadata.ts";
import { centroidIndex } from "../snapshot/centroids.ts";
import { nearestCentroid } from "./around.ts";
import { countPlan } from "./count.ts";
import { findMatches } from "./match.ts";
import { findNearby } from "./nearby.ts";
import { planSearch } from "./plan.ts";
import { Renderer } from "./render.ts";
import { TaxonomyFilter } from "./taxonomy-filter.ts";
import { Workspace } from "./workspace.ts";
import type { Provider } from "../registry/provider.ts";
import type { Snapshot } from "../snapshot/snapshot.ts";
import type {
  NearbyEntry,
  NearbyQuery,
  Point,
  SearchPage,
  SearchQuery,
} from "./query.ts";

/** The three operations over one snapshot. Synchronous; one per thread. */
export class Directory {
  /** The snapshot's id. */
  readonly id: string;
  /** Where the data come from, in words. */
  readonly source: string;
  readonly createdAt: Date;
  readonly #snapshot: Snapshot;
  readonly #renderer: Renderer;
  readonly #workspace: Workspace;
  readonly #taxonomyFilter: TaxonomyFilter;

  constructor(snapshot: Snapshot) {
    const { metadata } = snapshot;
    this.id = metadata.id;
    this.source = describeSource(metadata);
    this.createdAt = new Date(metadata.createdAt);
    this.#snapshot = snapshot;
    this.#renderer = new Renderer(snapshot);
    this.#workspace = new Workspace(snapshot);
    this.#taxonomyFilter = new TaxonomyFilter(snapshot);
  }

  /** The provider of an NPI, or null when the registry does not hold it. */
  lookup(npi: string): Provider | null {
    const doc = this.#snapshot.find(Number(npi));
    return doc < 0 ? null : this.#renderer.provider(doc);
  }

  search(query: SearchQuery): SearchPage {
    this.#workspace.begin();
    const plan = planSearch(
      this.#snapshot,
      this.#taxonomyFilter,
      this.#workspace,
      query,
    );
    const offset = (query.page - 1) * query.limit;
    const found =
      countPlan(this.#snapshot, plan) ??
      findMatches(this.#snapshot, plan, this.#workspace);
    const docs = offset < found.total ? found.page(offset, query.limit) : [];
    return {
      total: found.total,
      entries: docs.map((doc) => this.#renderer.entry(doc)),
    };
  }

  nearby(query: NearbyQuery): NearbyEntry[] {
    const found = findNearby(
      this.#snapshot,
      query,
      this.#taxonomyFilter.numbers(query),
    );
    return found.map(({ doc, miles }) =>
      Object.assign(this.#renderer.entry(doc), {
        distance_miles: Math.round(miles * 100) / 100,
      }),
    );
  }

  /** The centroid of a five-digit ZIP, or null when none is known. */
  centroid(zip: string): Point | null {
    const { centroids } = this.#snapshot;
    const index = centroidIndex(centroids, Number(zip));
    return index < 0
      ? null
      : { lat: centroids.lat[index]!, lng: centroids.lng[index]! };
  }

  /** The ZIP whose centroid is nearest to a point, or null when the snapshot has no centroids. */
  nearestZip(point: Point): string | null {
    const index = nearestCentroid(this.#snapshot.centroids, point);
    return index < 0
      ? null
      : String(this.#snapshot.centroids.zips[index]).padStart(5, "0");
  }
}
