import { DETAIL_PARTS, type DetailPart } from "../../contract/detail-parts.ts";
import { missingParts } from "../../snapshot/extended/extended-index.ts";
import type { LookupAnswer } from "../../contract/answers.ts";
import { SnapshotFormatError } from "../../snapshot/container/section-file.ts";
import type { DetailsReader } from "../../snapshot/details/details-reader.ts";
import type { Snapshot } from "../../snapshot/snapshot.ts";
import type { DetailsView } from "../../snapshot/details/details-view.ts";
import { NO_DETAILS } from "../render/details-json.ts";
import type { Rendering } from "../render/rendering.ts";
import {
  registryRecord,
  type RegistryRecord,
} from "../render/registry-json.ts";
import { partsSearched, type RegistryQuery } from "./registry-query.ts";
import { TaxonomyDescriptions } from "./taxonomy-descriptions.ts";
import type { TaxonomyList } from "../taxonomy-list.ts";

/** What records are made of. */
interface RegistrySources {
  readonly snapshot: Snapshot;
  /** Null if none are kept, or if the file cannot be opened. */
  readonly details: DetailsReader | null;
  /** The parts of details that are kept. */
  readonly parts: readonly DetailPart[];
  readonly rendering: Rendering;
  readonly taxonomies: TaxonomyList;
}

/** Providers and taxonomies as the registry's own API shows them. */
export class RegistryRecords {
  readonly taxonomies: TaxonomyDescriptions;
  readonly #sources: RegistrySources;

  constructor(sources: RegistrySources) {
    this.#sources = sources;
    this.taxonomies = new TaxonomyDescriptions(sources.taxonomies);
  }

  /**
   * A provider with everything that is kept. If details are kept, it throws SnapshotFormatError if their file is
   * damaged, and file system errors.
   */
  of(doc: number): RegistryRecord {
    const { parts, rendering } = this.#sources;
    const { data }: LookupAnswer = JSON.parse(
      rendering.renderRecord({ doc, details: {} }, {}),
    );
    return registryRecord({
      record: data,
      details: parts.length === 0 ? NO_DETAILS : this.#detailsOf(doc),
      parts,
      descriptionOf: (code) => this.taxonomies.of(code),
    });
  }

  /** The parts of details that a query searches and that the snapshot doesn't index. */
  missingFor(query: RegistryQuery): DetailPart[] {
    const { extended } = this.#sources.snapshot;
    const searched = partsSearched(query);
    return missingParts(extended.parts, DETAIL_PARTS).filter((part) =>
      searched.has(part),
    );
  }

  #detailsOf(doc: number): DetailsView {
    const { details, snapshot } = this.#sources;
    if (details === null)
      throw new SnapshotFormatError(
        "The details file cannot be opened",
        "roll back or import again",
      );
    const npi = snapshot.npi[doc]!;
    return details.get(npi, snapshot.rank(npi)) ?? NO_DETAILS;
  }
}
