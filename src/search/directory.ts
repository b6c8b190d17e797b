import {
  dataDateOf,
  describeSource,
  type SnapshotCounts,
} from "../snapshot/metadata.ts";
import { contentId } from "../snapshot/content-id.ts";
import { centroidIndex } from "../snapshot/places/centroids.ts";
import { nearestCentroid } from "./nearby/centroids-in-radius.ts";
import { PRIMARY_LOCATION, type NearbyDoc } from "./nearby/distances.ts";
import {
  findAll,
  firstDocs,
  foundDocs,
  type FoundDocs,
} from "./evaluate/found-docs.ts";
import { evaluateByName, findAllByName } from "./by-name/evaluate-by-name.ts";
import { estimatedCost, evaluate } from "./evaluate/match.ts";
import { countMatches } from "./evaluate/unranked.ts";
import { ZipCounts } from "./map/zip-counts.ts";
import { findDeepNearby, isDeep } from "./nearby/deep-nearby.ts";
import { findNearby } from "./nearby/nearby.ts";
import { findNearbyByName } from "./nearby/nearby-by-name.ts";
import { explainNearby, explainSearch } from "./explain.ts";
import type { Facts } from "./facts.ts";
import type { StepTimes } from "./step-times.ts";
import { planNearby } from "./nearby/plan-nearby.ts";
import { planQuery } from "./plan/plan-query.ts";
import { planningFor, type Planning } from "./plan/planning.ts";
import { Rendering } from "./render/rendering.ts";
import { DetailsOfDocs } from "./details-of-docs.ts";
import { Holds } from "./holds.ts";
import { notesOfPage, type PageNotes } from "./result-notes.ts";
import { NO_MEMBERS, type Members } from "./render/renderer.ts";
import { Rows } from "./render/rows.ts";
import type { RowFormat } from "./render/row-formats.ts";
import { RegistryRecords } from "./registry-api/registry-records.ts";
import { Interpreter } from "./interpret/interpreter.ts";
import { Vocabulary } from "./interpret/vocabulary.ts";
import { Spelling } from "./spelling/spelling.ts";
import { Suggester } from "./suggest/suggester.ts";
import { TaxonomyList } from "./taxonomy-list.ts";
import { Workspace } from "./evaluate/workspace.ts";
import type { SearchEntry } from "../contract/provider.ts";
import type { DetailPart } from "../contract/detail-parts.ts";
import { planRegistryQuery } from "./registry-api/plan-registry-query.ts";
import type { RegistryQuery } from "./registry-api/registry-query.ts";
import type { DetailsReader } from "../snapshot/details/details-reader.ts";
import type { FilteredOperation } from "../contract/filters.ts";
import type { FilterValues } from "../contract/parameters/filter-schemas.ts";
import type { Snapshot } from "../snapshot/snapshot.ts";
import { NpiChecker } from "./npi-checker.ts";
import type {
  FoundRecord,
  Hit,
  NearbyQuery,
  Point,
  SearchHits,
  SearchQuery,
  WholeSearch,
} from "./query.ts";

/** Texts whose suggestions run the code that most texts need. */
const WARM_UP_TEXTS = [
  "dr j smith card",
  "mayo clin",
  "near 606",
  "maria garcia houst",
];

/** How many documents a list has, and its first ones. */
export interface FirstDocs {
  readonly total: number;
  /** Finds the first ones, which may take much longer than their number. */
  readonly first: () => FoundDocs;
}

/** What can be asked of one snapshot. Synchronous; one instance per thread. */
export class Directory implements Disposable {
  /** The snapshot's id. */
  readonly id: string;
  /** Identifies what it answers: equal for two imports of the same files (`contentId`). */
  readonly contentId: string;
  /** A description of where the data comes from. */
  readonly source: string;
  /** The members that all look-ups share. Rendering the same object each time is faster. */
  readonly members: Members;
  readonly createdAt: Date;
  /** The ISO date up to which its files cover the registry; null if unknown. */
  readonly dataDate: string | null;
  readonly counts: SnapshotCounts;
  /** Whether the providers are demo data. */
  readonly isDemo: boolean;
  /** The parts of details that are kept in addition to the records. */
  readonly detailParts: readonly DetailPart[];
  /** Says what the data has of anything that may be an NPI. */
  readonly checker: NpiChecker;
  /** Renders what is found. */
  readonly rendering: Rendering;
  readonly #snapshot: Snapshot;
  readonly #details: DetailsOfDocs;
  readonly #workspace: Workspace;
  readonly #planning: Planning;
  readonly #holds: Holds;
  readonly #vocabulary: Vocabulary;
  #map: ZipCounts | null = null;
  #taxonomies: TaxonomyList | null = null;
  #spelling: Spelling | null = null;
  #interpreter: Interpreter | null = null;
  #suggester: Suggester | null = null;
  #registry: RegistryRecords | null = null;

  /** Takes ownership of both. The details are null if none are kept, or if the file cannot be opened. */
  constructor(snapshot: Snapshot, details: DetailsReader | null = null) {
    const { metadata } = snapshot;
    this.id = metadata.id;
    this.contentId = contentId(snapshot, details);
    this.source = describeSource(metadata);
    this.members = { meta: { source: this.source } };
    this.createdAt = new Date(metadata.createdAt);
    this.dataDate = dataDateOf(metadata);
    this.counts = metadata.counts;
    this.isDemo = metadata.demo;
    this.detailParts = metadata.details ?? [];
    this.#snapshot = snapshot;
    this.#details = new DetailsOfDocs(snapshot, details);
    this.checker = new NpiChecker(snapshot, this.#details);
    this.#holds = new Holds(() => {
      details?.[Symbol.dispose]();
      snapshot[Symbol.dispose]();
    });
    this.#workspace = new Workspace(snapshot);
    this.rendering = new Rendering(snapshot, this.#workspace.names);
    this.#vocabulary = new Vocabulary(snapshot);
    this.#planning = planningFor(snapshot, this.#workspace);
  }

  /**
   * The provider of an NPI with some parts of its details, which must be kept; null if there is none. With parts it
   * throws SnapshotFormatError if the details file is damaged, and file system errors.
   */
  find(npi: string, parts: readonly DetailPart[] = []): FoundRecord | null {
    const doc = this.#snapshot.npiIndex.find(Number(npi));
    if (doc < 0) return null;
    return parts.length === 0
      ? { doc, details: NO_MEMBERS }
      : this.#details.recordOf(doc, parts);
  }

  /** The provider of an NPI as search results show it; null if there is none. */
  entry(npi: string): SearchEntry | null {
    const doc = this.#snapshot.npiIndex.find(Number(npi));
    return doc < 0 ? null : this.entryOf({ doc });
  }

  /** A hit as search results show it. */
  entryOf(hit: Hit): SearchEntry {
    return JSON.parse(this.rendering.renderPage([hit], {})).data[0];
  }

  /** Whether the update dates and countries of records are known, which takes a moment after a snapshot is opened. */
  get knowsUpdates(): boolean {
    return this.#snapshot.updatedDays.isRead;
  }

  /** Whether the snapshot has the initials of middle names; those of earlier versions lack them. */
  get knowsMiddleInitials(): boolean {
    return this.#snapshot.middleInitials !== null;
  }

  /** A page of a search. */
  searchHits(query: SearchQuery): SearchHits {
    this.#workspace.begin();
    const plan = planQuery(this.#planning, "search", query);
    const offset = (query.page - 1) * query.limit;
    const find = query.sort === "name" ? evaluateByName : evaluate;
    const { found } = find(this.#snapshot, plan, this.#workspace);
    const docs = offset < found.total ? found.page(offset, query.limit) : [];
    return { total: found.total, hits: docs.map((doc) => ({ doc })) };
  }

  /** How many providers a search finds. Takes less time than a page of it. */
  searchTotal(query: FilterValues): number {
    this.#workspace.begin();
    const plan = planQuery(this.#planning, "search", query);
    return countMatches(this.#snapshot, plan, this.#workspace);
  }

  /** How long `searchTotal` is estimated to take, in nanoseconds, about. */
  searchCost(query: FilterValues): number {
    this.#workspace.begin();
    return estimatedCost(
      this.#snapshot,
      planQuery(this.#planning, "search", query),
    );
  }

  /**
   * A page of a search as the registry's own API has it, in the order of documents. Parts of details that the snapshot
   * doesn't index are not searched; `registry.missingFor` lists them.
   */
  searchRegistry(query: RegistryQuery): SearchHits {
    this.#workspace.begin();
    const plan = planRegistryQuery(this.#planning, query);
    const { found } = evaluate(this.#snapshot, plan, this.#workspace);
    const { limit, skip } = query;
    const docs = skip < found.total ? found.page(skip, limit) : [];
    return { total: found.total, hits: docs.map((doc) => ({ doc })) };
  }

  /**
   * A page of a nearby search. If `location_scope` is `any`, it throws SnapshotFormatError if the details file is
   * damaged, and file system errors.
   */
  nearbyHits(query: NearbyQuery): Hit[] {
    const found = this.#findNearby(query);
    return query.location_scope === "any"
      ? found.map(({ doc, location, miles }) => ({
          doc,
          miles,
          matched:
            location === PRIMARY_LOCATION
              ? "primary"
              : this.#details.addressOf(location),
        }))
      : found.map(({ doc, miles }) => ({ doc, miles }));
  }

  /** What a page of results shows in addition to its entries, whose hits a search or nearby search returned. */
  notesOfPage(
    operation: FilteredOperation,
    query: FilterValues,
    hits: readonly Hit[],
  ): PageNotes {
    return notesOfPage(this.#planning, this.#details, operation, query, hits);
  }

  /** All documents of a search, in its order. They stay valid until the directory is closed. */
  findAll(query: WholeSearch): FoundDocs {
    this.#workspace.begin();
    const plan = planQuery(this.#planning, "search", query);
    const find = query.sort === "name" ? findAllByName : findAll;
    return find(this.#snapshot, plan, this.#workspace);
  }

  /** The first documents of a search, at most `most`, and how many match. */
  firstOfAll(query: WholeSearch, most: number): FirstDocs {
    return {
      total: this.searchTotal(query),
      first: () => firstDocs(this.findAll(query), most),
    };
  }

  /** The first documents of a nearby query, at most `most`, whatever its page, and how many match. */
  firstNearby(query: NearbyQuery, most: number): FirstDocs {
    const first = (): FoundDocs => {
      const found = this.#findNearby({ ...query, page: 1, limit: most });
      return foundDocs(
        Uint32Array.from(found, ({ doc }) => doc),
        Float64Array.from(found, ({ miles }) => miles),
      );
    };
    return { total: this.map.nearbyTotal(query), first };
  }

  #findNearby(query: NearbyQuery): NearbyDoc[] {
    this.#workspace.begin();
    if (query.sort === "name") return findNearbyByName(this.#planning, query);
    return isDeep(this.#snapshot, query)
      ? findDeepNearby(this.#planning, query)
      : findNearby(this.#snapshot, planNearby(this.#planning, query));
  }

  /**
   * Renders documents as rows, with some parts of their details, which must be kept. Its `next` throws what `find`
   * throws.
   */
  rows(
    found: FoundDocs,
    format: RowFormat,
    parts: readonly DetailPart[] = [],
  ): Rows {
    return new Rows({
      found,
      format,
      snapshot: this.#snapshot,
      names: this.#workspace.names,
      detailsOf:
        parts.length === 0 ? null : (doc) => this.#details.members(doc, parts),
    });
  }

  /**
   * Keeps the details file open until the hold is disposed of, even if the directory is disposed of before. `onCut` is
   * called if it must be disposed of now.
   */
  hold(onCut: () => void): Disposable {
    return this.#holds.take(onCut);
  }

  /** Asks for all holds to be disposed of. */
  cutHolds(): void {
    this.#holds.cut();
  }

  /** Resolves when the directory is disposed of and not held. */
  closed(): Promise<void> {
    return this.#holds.ended;
  }

  /** Explains how a search runs. The searches that requests run do not pass through it. */
  explainSearch(query: SearchQuery, times: StepTimes): Facts {
    return explainSearch(this.rendering, this.#planning, query, times);
  }

  /** Explains how a nearby search runs. It throws what `nearbyHits` throws. */
  explainNearby(query: NearbyQuery, times: StepTimes): Facts {
    return explainNearby(this.rendering, this.#planning, query, times);
  }

  /** The NPI of some active provider; null if there is none. */
  exampleNpi(): string | null {
    const { hits } = this.searchHits({ status: "active", limit: 1, page: 1 });
    const [first] = hits;
    return first === undefined ? null : String(this.#snapshot.npi[first.doc]);
  }

  get taxonomies(): TaxonomyList {
    return (this.#taxonomies ??= new TaxonomyList(this.#snapshot));
  }

  /** Suggests names and cities for misspelled ones. */
  get spelling(): Spelling {
    return (this.#spelling ??= new Spelling(this.#snapshot));
  }

  /** Turns what users type into filters. */
  get interpreter(): Interpreter {
    return (this.#interpreter ??= new Interpreter(this, this.#vocabulary));
  }

  /** Completes what users type. */
  get suggester(): Suggester {
    return (this.#suggester ??= new Suggester(
      this.#snapshot,
      this,
      this.#vocabulary,
      this.taxonomies,
    ));
  }

  /**
   * Builds the tables that the first searches and suggestions need, and compiles their code: about 100 ms of processor
   * time, in steps between which other work of the thread runs.
   */
  *warmUp(): Generator<void, void> {
    void this.#snapshot.withTaxonomy;
    yield;
    void this.#snapshot.locatedZips.ranges;
    yield;
    for (const text of WARM_UP_TEXTS) {
      this.suggester.suggest(text);
      yield;
    }
  }

  /** For the registry's own API. */
  get registry(): RegistryRecords {
    return (this.#registry ??= new RegistryRecords({
      snapshot: this.#snapshot,
      details: this.#details.file,
      parts: this.detailParts,
      rendering: this.rendering,
      taxonomies: this.taxonomies,
    }));
  }

  [Symbol.dispose](): void {
    this.#holds.end();
  }

  /** The centroid of a five-digit ZIP, or null if it has none. */
  centroid(zip: string): Point | null {
    const { centroids } = this.#snapshot;
    const index = centroidIndex(centroids, Number(zip));
    return index < 0
      ? null
      : { lat: centroids.lat[index]!, lng: centroids.lng[index]! };
  }

  /** Counts by ZIP, and where maps draw ZIPs. */
  get map(): ZipCounts {
    return (this.#map ??= new ZipCounts(this.#planning));
  }

  /** The ZIP with the centroid nearest to a point, or null if the snapshot has no centroids. */
  nearestZip(point: Point): string | null {
    const index = nearestCentroid(this.#snapshot.centroids, point);
    return index < 0
      ? null
      : String(this.#snapshot.centroids.zips[index]).padStart(5, "0");
  }
}
