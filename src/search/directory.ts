import {
  dataDateOf,
  describeSource,
  type SnapshotCounts,
} from "../snapshot/metadata.ts";
import { centroidIndex } from "../snapshot/places/centroids.ts";
import { nearestCentroid } from "./nearby/centroids-in-radius.ts";
import { locatedZip, PRIMARY_LOCATION } from "./nearby/distances.ts";
import { countPlan } from "./evaluate/count.ts";
import { findMatches } from "./evaluate/match.ts";
import { findNearby } from "./nearby/nearby.ts";
import { findNearbyZips } from "./nearby/nearby-zips.ts";
import { planNearby } from "./nearby/plan-nearby.ts";
import { planSearch, type Planning } from "./plan/plan.ts";
import { constant, JsonText } from "./render/json-text.ts";
import { Renderer } from "./render/render.ts";
import { TaxonomySuggestions } from "./suggest-taxonomies.ts";
import { TaxonomyFilter } from "./filters/taxonomy-filter.ts";
import { Workspace } from "./evaluate/scratch.ts";
import { NO_DETAILS, withDetails } from "./render/details-json.ts";
import { SnapshotFormatError } from "../snapshot/container/section-file.ts";
import type { DetailPart } from "../contract/detail-parts.ts";
import type { DetailsReader } from "../snapshot/details/details-reader.ts";
import type { Address, NearbyEntry, Provider } from "../contract/provider.ts";
import type { Snapshot } from "../snapshot/snapshot.ts";
import type {
  JsonPage,
  JsonSearchPage,
  NearbyQuery,
  NearbyZips,
  Point,
  SearchPage,
  SearchQuery,
  TaxonomyCount,
} from "./query.ts";

const ARRAY = constant("[");
const NEXT = constant(",");
const ARRAY_END = constant("]");

/** The three operations over one snapshot. Synchronous; one per thread. */
export class Directory implements Disposable {
  /** The snapshot's id. */
  readonly id: string;
  /** Where the data come from, in words. */
  readonly source: string;
  readonly createdAt: Date;
  /** The end of the newest period that its files cover, ISO 8601; null where none is known. */
  readonly dataDate: string | null;
  readonly counts: SnapshotCounts;
  /** Whether the providers are invented. */
  readonly isDemo: boolean;
  /** The details that are held besides the records. */
  readonly heldDetails: readonly DetailPart[];
  readonly #snapshot: Snapshot;
  readonly #details: DetailsReader | null;
  readonly #out = new JsonText();
  readonly #doc = new Uint32Array(1);
  readonly #renderer: Renderer;
  readonly #workspace: Workspace;
  readonly #planning: Planning;
  #suggestions: TaxonomySuggestions | null = null;

  /** It owns the details, which are null where none are held or the file cannot be opened. */
  constructor(snapshot: Snapshot, details: DetailsReader | null = null) {
    const { metadata, scopes } = snapshot;
    this.id = metadata.id;
    this.source = describeSource(metadata);
    this.createdAt = new Date(metadata.createdAt);
    this.dataDate = dataDateOf(metadata);
    this.counts = metadata.counts;
    this.isDemo = metadata.demo;
    this.heldDetails = metadata.details ?? [];
    this.#snapshot = snapshot;
    this.#details = details;
    this.#renderer = new Renderer(snapshot, this.#out);
    this.#workspace = new Workspace(snapshot);
    this.#planning = {
      snapshot,
      workspace: this.#workspace,
      taxonomyFilters: {
        primary: new TaxonomyFilter(snapshot),
        others: scopes.slots && new TaxonomyFilter(scopes.slots),
      },
      otherNames: scopes.names && {
        names: scopes.names,
        workspace: new Workspace(scopes.names),
      },
    };
  }

  /** The JSON of an NPI's record (`Provider`), or null when the registry does not hold it. */
  lookupJson(npi: string): string | null {
    const doc = this.#snapshot.find(Number(npi));
    if (doc < 0) return null;
    this.#doc[0] = doc;
    this.#workspace.names.read(this.#doc, 0, 1);
    this.#out.begin();
    this.#renderer.provider(doc);
    return this.#out.text();
  }

  /**
   * The same with the details of some parts, which must be held. Throws SnapshotFormatError where the file of details is
   * damaged, and the file system's own errors.
   */
  lookupJsonWith(npi: string, parts: readonly DetailPart[]): string | null {
    const json = this.lookupJson(npi);
    if (json === null) return null;
    const details = this.#details;
    if (details === null)
      throw new SnapshotFormatError(
        "The details file cannot be opened",
        "roll back or import again",
      );
    const held = details.get(Number(npi), this.#snapshot.rank(Number(npi)));
    return withDetails(
      json,
      held ?? NO_DETAILS,
      parts,
      (code) => details.taxonomyNames.get(code.toUpperCase()) ?? null,
    );
  }

  /** A page of a search; its JSON is an array of `SearchEntry`. */
  searchJson(query: SearchQuery): JsonSearchPage {
    this.#workspace.begin();
    const plan = planSearch(this.#planning, query);
    const offset = (query.page - 1) * query.limit;
    const found =
      countPlan(this.#snapshot, plan) ??
      findMatches(this.#snapshot, plan, this.#workspace);
    const docs = offset < found.total ? found.page(offset, query.limit) : [];
    const json = this.#array(docs, (doc) => this.#renderer.entry(doc));
    return { total: found.total, count: docs.length, json };
  }

  /**
   * A page of a nearby search; its JSON is an array of `NearbyEntry`. With a `locationScope` of `any` it throws
   * SnapshotFormatError where the file of details is damaged, and the file system's own errors.
   */
  nearbyJson(query: NearbyQuery): JsonPage {
    this.#workspace.begin();
    const found = findNearby(this.#snapshot, planNearby(this.#planning, query));
    const json = this.#array(
      found.map(({ doc }) => doc),
      (doc, index) => {
        const { location, miles } = found[index]!;
        if (query.locationScope !== "any")
          this.#renderer.nearbyEntry(doc, miles);
        else
          this.#renderer.locatedEntry(
            doc,
            miles,
            location === PRIMARY_LOCATION ? null : this.#address(location),
          );
      },
    );
    return { count: found.length, json };
  }

  /** Where all providers of a nearby query stand, at the nearest `most` ZIPs. */
  nearbyZips(query: NearbyQuery, most: number): NearbyZips {
    this.#workspace.begin();
    return findNearbyZips(
      this.#snapshot,
      planNearby(this.#planning, query),
      most,
    );
  }

  /** Taxonomies of providers in whose code or name the words of a text begin words; the most common first. */
  suggestTaxonomies(text: string, most: number): TaxonomyCount[] {
    this.#suggestions ??= new TaxonomySuggestions(this.#snapshot);
    return this.#suggestions.matching(text, most);
  }

  /** The address of one of the further locations. */
  #address(location: number): Address {
    const snapshot = this.#snapshot;
    const { docs, indexes } = snapshot.scopes.locations!;
    const npi = snapshot.npi[docs[location]!]!;
    const address = this.#details?.get(npi, snapshot.rank(npi))?.locations[
      indexes[location]!
    ];
    if (address === undefined)
      throw new SnapshotFormatError(
        "The details file cannot be opened, or is another snapshot's",
        "roll back or import again",
      );
    const { address_1, address_2, city, country, postal_code, state } = address;
    return { address_1, address_2, city, state, postal_code, country };
  }

  /** `lookupJson` as an object, for callers that look into it. */
  lookup(npi: string): Provider | null {
    const json = this.lookupJson(npi);
    return json === null ? null : JSON.parse(json);
  }

  /** `searchJson` with the entries as objects. */
  search(query: SearchQuery): SearchPage {
    const { json, total } = this.searchJson(query);
    return { total, entries: JSON.parse(json) };
  }

  /** `nearbyJson` as objects. */
  nearby(query: NearbyQuery): NearbyEntry[] {
    return JSON.parse(this.nearbyJson(query).json);
  }

  [Symbol.dispose](): void {
    this.#details?.[Symbol.dispose]();
  }

  /** The JSON of a page's documents, each written by `write`. */
  #array(
    docs: readonly number[],
    write: (doc: number, index: number) => void,
  ): string {
    // All names of the page first: they lie far apart in memory.
    this.#workspace.names.read(Uint32Array.from(docs), 0, docs.length);
    const out = this.#out;
    out.begin();
    out.raw(ARRAY);
    docs.forEach((doc, index) => {
      if (index > 0) out.raw(NEXT);
      write(doc, index);
    });
    out.raw(ARRAY_END);
    return out.text();
  }

  /** The centroid of a five-digit ZIP, or null when none is known. */
  centroid(zip: string): Point | null {
    return this.#centroidOf(Number(zip));
  }

  /** Where nearby finds a provider's primary location: the centroid of its ZIP; null where that is not known. */
  pointOf(npi: string): Point | null {
    const doc = this.#snapshot.find(Number(npi));
    return doc < 0 ? null : this.#centroidOf(locatedZip(this.#snapshot, doc));
  }

  #centroidOf(zip: number): Point | null {
    const { centroids } = this.#snapshot;
    const index = centroidIndex(centroids, zip);
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
