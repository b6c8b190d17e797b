import type { DetailPart } from "../../contract/detail-parts.ts";
import { EXTENDED_PARTS } from "../../snapshot/extended/extended-index.ts";
import type { LookupAnswer } from "../../contract/answers.ts";
import type { Snapshot } from "../../snapshot/snapshot.ts";
import { NO_DETAILS } from "../render/details-json.ts";
import type { Rendering } from "../render/rendering.ts";
import {
  registryRecord,
  type RegistryRecord,
} from "../render/registry-json.ts";
import { partsSearched, type RegistryQuery } from "./registry-query.ts";
import { TaxonomyDescriptions } from "./taxonomy-descriptions.ts";
import type { DetailsOfDocs } from "../details-of-docs.ts";
import type { Lookup } from "../lookup.ts";

/** Providers and taxonomies as the registry's own API shows them. */
export class RegistryRecords {
  readonly taxonomies: TaxonomyDescriptions;
  readonly #snapshot: Snapshot;
  readonly #details: DetailsOfDocs;
  readonly #rendering: Rendering;

  constructor(
    snapshot: Snapshot,
    details: DetailsOfDocs,
    { rendering, taxonomies }: Lookup,
  ) {
    this.taxonomies = new TaxonomyDescriptions(taxonomies);
    this.#snapshot = snapshot;
    this.#details = details;
    this.#rendering = rendering;
  }

  /**
   * Reads a provider with everything that is kept. If details are kept, it throws SnapshotFormatError if their file is
   * damaged, and file system errors.
   */
  of(doc: number): RegistryRecord {
    const parts = this.#snapshot.metadata.details ?? [];
    const { data }: LookupAnswer = JSON.parse(
      this.#rendering.renderRecord({ doc, details: {} }, {}),
    );
    return registryRecord({
      record: data,
      details: parts.length === 0 ? NO_DETAILS : this.#details.of(doc),
      parts,
      descriptionOf: (code) => this.taxonomies.of(code),
    });
  }

  /** Lists the parts of details that a query searches and that the snapshot doesn't index. */
  missingFor(query: RegistryQuery): DetailPart[] {
    const { extended } = this.#snapshot;
    const searched = partsSearched(query);
    return EXTENDED_PARTS.filter(
      (part) => searched.has(part) && !extended.parts.includes(part),
    );
  }
}
