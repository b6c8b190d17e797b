import {
  dataDateOf,
  describeSource,
  type SnapshotCounts,
} from "../snapshot/metadata.ts";
import { centroidIndex } from "../snapshot/places/centroids.ts";
import { nearestCentroid } from "./nearby/centroids-in-radius.ts";
import { locatedZip, PRIMARY_LOCATION } from "./nearby/distances.ts";
import { countQueryPlan } from "./evaluate/count.ts";
import { findMatches } from "./evaluate/match.ts";
import { findNearby } from "./nearby/nearby.ts";
import { findNearbyZips } from "./nearby/nearby-zips.ts";
import { planNearby } from "./nearby/plan-nearby.ts";
import { NameFilters } from "./plan/name-filters.ts";
import { planQuery, type Planning } from "./plan/plan-query.ts";
import { JsonText } from "./render/json-text.ts";
import { JsonRenderer } from "./render/json-renderer.ts";
import { JSON_FORMAT, type Format } from "./render/formats.ts";
import type { Members, Renderer } from "./render/renderer.ts";
import { TaxonomySuggestions } from "./suggest-taxonomies.ts";
import { TaxonomyFilter } from "./filters/taxonomy-filter.ts";
import { CHUNK, Workspace } from "./evaluate/workspace.ts";
import { detailMembers, NO_DETAILS } from "./render/details-json.ts";
import { SnapshotFormatError } from "../snapshot/container/section-file.ts";
import type { DetailPart } from "../contract/detail-parts.ts";
import type { DetailsReader } from "../snapshot/details/details-reader.ts";
import type { Address } from "../contract/provider.ts";
import type { Snapshot } from "../snapshot/snapshot.ts";
import type {
  FoundRecord,
  Hit,
  NearbyQuery,
  NearbyZips,
  Point,
  SearchHits,
  SearchQuery,
  TaxonomyCount,
} from "./query.ts";

const NOTHING: Members = {};

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
  readonly #docs = new Uint32Array(CHUNK);
  readonly #json: JsonRenderer;
  readonly #renderers = new Map<Format, Renderer>();
  readonly #workspace: Workspace;
  readonly #planning: Planning;
  #suggestions: TaxonomySuggestions | null = null;

  /** It owns the details, which are null where none are held or the file cannot be opened. */
  constructor(snapshot: Snapshot, details: DetailsReader | null = null) {
    const { metadata, extended } = snapshot;
    this.id = metadata.id;
    this.source = describeSource(metadata);
    this.createdAt = new Date(metadata.createdAt);
    this.dataDate = dataDateOf(metadata);
    this.counts = metadata.counts;
    this.isDemo = metadata.demo;
    this.heldDetails = metadata.details ?? [];
    this.#snapshot = snapshot;
    this.#details = details;
    this.#json = new JsonRenderer(snapshot, this.#out);
    this.#renderers.set(JSON_FORMAT, this.#json);
    this.#workspace = new Workspace(snapshot);
    this.#planning = {
      snapshot,
      workspace: this.#workspace,
      taxonomyFilters: {
        primary: new TaxonomyFilter(snapshot),
        others: extended.slots && new TaxonomyFilter(extended.slots),
      },
      nameFilters: {
        own: new NameFilters(snapshot, this.#workspace),
        others:
          extended.names &&
          new NameFilters(extended.names, new Workspace(extended.names)),
      },
    };
  }

  /**
   * The provider of an NPI with the details of some parts, which must be held; null when the registry does not hold it. With
   * parts it throws SnapshotFormatError where the file of details is damaged, and the file system's own errors.
   */
  find(npi: string, parts: readonly DetailPart[] = []): FoundRecord | null {
    const number = Number(npi);
    const doc = this.#snapshot.find(number);
    if (doc < 0) return null;
    if (parts.length === 0) return { doc, details: NOTHING };
    const file = this.#details;
    if (file === null)
      throw new SnapshotFormatError(
        "The details file cannot be opened",
        "roll back or import again",
      );
    const held = file.get(number, this.#snapshot.rank(number)) ?? NO_DETAILS;
    const nameOf = (code: string) =>
      file.taxonomyNames.get(code.toUpperCase()) ?? null;
    return { doc, details: detailMembers(held, parts, nameOf) };
  }

  /** Whether it is known when records were last updated; it is a moment after a service begins to answer from a snapshot. */
  get knowsUpdates(): boolean {
    return this.#snapshot.updatedDays.isRead;
  }

  /** A page of a search. */
  searchHits(query: SearchQuery): SearchHits {
    this.#workspace.begin();
    const plan = planQuery(this.#planning, "search", query);
    const offset = (query.page - 1) * query.limit;
    const found =
      countQueryPlan(this.#snapshot, plan) ??
      findMatches(this.#snapshot, plan, this.#workspace);
    const docs = offset < found.total ? found.page(offset, query.limit) : [];
    return { total: found.total, hits: docs.map((doc) => ({ doc })) };
  }

  /**
   * A page of a nearby search. With a `location_scope` of `any` it throws SnapshotFormatError where the file of details is
   * damaged, and the file system's own errors.
   */
  nearbyHits(query: NearbyQuery): Hit[] {
    this.#workspace.begin();
    const found = findNearby(this.#snapshot, planNearby(this.#planning, query));
    return query.location_scope === "any"
      ? found.map(({ doc, location, miles }) => ({
          doc,
          miles,
          matched:
            location === PRIMARY_LOCATION ? "primary" : this.#address(location),
        }))
      : found.map(({ doc, miles }) => ({ doc, miles }));
  }

  /** A record as the JSON that answers a look-up: `{"data":…}` and further members. */
  renderRecord(record: FoundRecord, members: Members): string {
    this.#fetchNames([record]);
    return this.#json.record(record, members);
  }

  /** A page of entries as an answer has it, with further members. */
  renderPage(
    hits: readonly Hit[],
    members: Members,
    format: Format = JSON_FORMAT,
  ): string {
    this.#fetchNames(hits);
    let renderer = this.#renderers.get(format);
    if (renderer === undefined) {
      renderer = format.make(this.#snapshot, this.#out);
      this.#renderers.set(format, renderer);
    }
    renderer.begin();
    for (const hit of hits) renderer.entry(hit);
    return renderer.end(members);
  }

  /** Reads the names of a page ahead: they lie far apart in memory. No page has more entries than a chunk. */
  #fetchNames(hits: readonly Hit[]): void {
    const size = Math.min(hits.length, CHUNK);
    const docs = this.#docs;
    for (let i = 0; i < size; i++) docs[i] = hits[i]!.doc;
    this.#workspace.names.read(docs, 0, size);
  }

  /** The NPI of some active provider; null where there is none. */
  exampleNpi(): string | null {
    const { hits } = this.searchHits({ status: "active", limit: 1, page: 1 });
    const [first] = hits;
    return first === undefined ? null : String(this.#snapshot.npi[first.doc]);
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
    const { docs, indexes } = snapshot.extended.locations!;
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

  [Symbol.dispose](): void {
    this.#details?.[Symbol.dispose]();
  }

  /** The centroid of a five-digit ZIP, or null when none is known. */
  centroid(zip: string): Point | null {
    return this.#centroidOf(Number(zip));
  }

  /** Where a document was found, for a map: at its primary location unless the hit says another; null where that is not known. */
  pointOf({ doc, matched = "primary" }: Hit): Point | null {
    return matched === "primary"
      ? this.#centroidOf(locatedZip(this.#snapshot, doc))
      : this.centroid(matched.postal_code?.slice(0, 5) ?? "");
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
