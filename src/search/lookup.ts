import type { DetailPart } from "../contract/detail-parts.ts";
import type { SearchEntry } from "../contract/provider.ts";
import { kindMask } from "../snapshot/postings/kinds.ts";
import type { Snapshot } from "../snapshot/snapshot.ts";
import type { DetailsOfDocs } from "./details-of-docs.ts";
import type { MatchedDocs } from "./evaluate/matched-docs.ts";
import { NpiChecker } from "./npi-checker.ts";
import type { Planning } from "./plan/planning.ts";
import type { FoundRecord, Hit } from "./query.ts";
import { Rendering } from "./render/rendering.ts";
import type { RowFormat } from "./render/row-formats.ts";
import { Rows } from "./render/rows.ts";
import { TaxonomyList } from "./taxonomy-list.ts";

/** Single providers by NPI, and how providers are shown. */
export class Lookup {
  /** Says what the data has of anything that may be an NPI. */
  readonly checker: NpiChecker;
  /** Renders what is found. */
  readonly rendering: Rendering;
  readonly #planning: Planning;
  readonly #details: DetailsOfDocs;
  #taxonomies: TaxonomyList | null = null;

  constructor(planning: Planning, details: DetailsOfDocs) {
    this.#planning = planning;
    this.#details = details;
    this.checker = new NpiChecker(this.#snapshot, details);
    this.rendering = new Rendering(this.#snapshot, planning.workspace.names);
  }

  get #snapshot(): Snapshot {
    return this.#planning.snapshot;
  }

  /**
   * Finds the provider of an NPI, with some parts of its details, which must be kept; null if there is none. With parts
   * it throws SnapshotFormatError if the details file is damaged, and file system errors.
   */
  find(npi: string, parts: readonly DetailPart[] = []): FoundRecord | null {
    const doc = this.#snapshot.npiIndex.find(Number(npi));
    if (doc < 0) return null;
    return this.#details.recordOf(doc, parts);
  }

  /** Finds the provider of an NPI as search results show it; null if there is none. */
  entry(npi: string): SearchEntry | null {
    const doc = this.#snapshot.npiIndex.find(Number(npi));
    return doc < 0 ? null : this.entryOf({ doc });
  }

  /** Returns a hit as search results show it. */
  entryOf(hit: Hit): SearchEntry {
    return JSON.parse(this.rendering.renderPage([hit], {})).data[0];
  }

  /** Returns the NPI of some active provider; null if there is none. */
  exampleNpi(): string | null {
    const { count, kinds, npi } = this.#snapshot;
    const active = kindMask(undefined, "active");
    return kinds.count(0, count, active) === 0
      ? null
      : String(npi[kinds.select(0, 0, active)]);
  }

  /**
   * Renders documents as rows, with some parts of their details, which must be kept. Its `next` throws what `find`
   * throws.
   */
  rows(
    docs: MatchedDocs,
    format: RowFormat,
    parts: readonly DetailPart[] = [],
  ): Rows {
    const { snapshot, workspace } = this.#planning;
    return new Rows({
      docs,
      format,
      snapshot,
      names: workspace.names,
      detailsOf:
        parts.length === 0 ? null : (doc) => this.#details.written(doc, parts),
    });
  }

  get taxonomies(): TaxonomyList {
    return (this.#taxonomies ??= new TaxonomyList(this.#snapshot));
  }
}
