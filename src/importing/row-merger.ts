import { Entity, NO_DATE, ProviderRow } from "../registry/rows/provider-row.ts";
import { entityOf, isDeactivated } from "../snapshot/postings/kinds.ts";
import { DocumentCopier } from "../snapshot/build/document-copier.ts";
import type { SnapshotDraft } from "../snapshot/build/draft.ts";
import type { RowDetails } from "./row-details.ts";
import type { BaseSnapshot } from "../snapshot/base-snapshot.ts";

/** The options of merging rows with the base. */
export interface MergeOptions {
  /** The base: the snapshot that an update is merged into, or from which a full file carries details over. */
  base: BaseSnapshot | null;
  /** The file's index in the new snapshot's list of files. */
  file: number;
  /** True if the base's files stay in that list: the file updates the base. */
  isUpdate: boolean;
  deactivatedDetails: "keep" | "withhold";
  /** The indexes of the base's files that end after this one; their data outweigh this file's rows. */
  newerFiles: ReadonlySet<number>;
  /** The file that the rows' details are written to; null if none are kept. */
  details: RowDetails | null;
}

/** Merges the rows of one file with the base, into a draft. */
export class RowMerger {
  /** Withheld rows for which the base's details were kept. */
  carriedOver = 0;
  /** Rows skipped because the base has something newer. */
  outweighed = 0;
  readonly #draft: SnapshotDraft;
  readonly #options: MergeOptions;
  readonly #copier: DocumentCopier | null;

  constructor(draft: SnapshotDraft, options: MergeOptions) {
    this.#draft = draft;
    this.#options = options;
    this.#copier =
      options.base === null ? null : new DocumentCopier(draft, options.base);
  }

  /** Adds the deactivated providers of the base without details, if these are withheld. For updates, before any row. */
  addWithheld(): void {
    const { base, deactivatedDetails } = this.#options;
    if (base === null || deactivatedDetails === "keep") return;
    const row = new ProviderRow();
    row.deactivated = true;
    base.kinds.column.forEach((kind, doc) => {
      if (!isDeactivated(kind) || !base.records.isCarriedOver(doc)) return;
      const { deactivationDate, file } = base.records.origin(doc);
      row.npi = base.npi[doc]!;
      row.deactivationDate = deactivationDate;
      this.#draft.add(row, file);
      this.#options.details?.withhold(row.npi);
    });
  }

  addRow(row: ProviderRow): void {
    const { base, details, file } = this.#options;
    const doc = base === null ? -1 : base.npiIndex.find(row.npi);
    if (base === null || this.#copier === null || doc < 0) {
      this.#draft.add(row, file);
      details?.add(row);
    } else if (this.#isOutweighed(row, base, doc)) {
      if (this.#bringsDetails(row, base, doc)) this.#addBeneath(row, base, doc);
      else {
        this.outweighed++;
        details?.leave(row.npi);
      }
    } else if (
      row.entityType === Entity.withheld &&
      this.#keepsDetails(base, doc)
    ) {
      this.carriedOver++;
      const day = row.deactivationDate;
      const detailsFile = this.#detailsFile(base, doc);
      this.#copier.copyDeactivated(doc, { day, detailsFile }, file);
      details?.carryOver(row);
    } else {
      this.#draft.add(row, file);
      details?.add(row);
    }
  }

  #keepsDetails(base: BaseSnapshot, doc: number): boolean {
    return (
      this.#options.deactivatedDetails === "keep" &&
      entityOf(base.kinds.column[doc]!) !== Entity.withheld
    );
  }

  /**
   * True if the base has something newer. A report of deactivated NPIs does not outweigh a row with a reactivation
   * after the deactivation that it lists.
   */
  #isOutweighed(row: ProviderRow, base: BaseSnapshot, doc: number): boolean {
    const { newerFiles } = this.#options;
    if (newerFiles.size === 0) return false;
    const origin = base.records.origin(doc);
    if (!newerFiles.has(origin.file)) return false;
    const isReport = base.metadata.files[origin.file]?.kind === "deactivations";
    return !(
      isReport &&
      isReactivated(row, origin.deactivationDate) &&
      this.#isNewerThanDetails(row, base, doc)
    );
  }

  /** True if an outweighed row has newer details than the ones kept for the NPI. */
  #bringsDetails(row: ProviderRow, base: BaseSnapshot, doc: number): boolean {
    return (
      this.#options.deactivatedDetails === "keep" &&
      row.entityType !== Entity.withheld &&
      base.isWithheld(doc) &&
      this.#isNewerThanDetails(row, base, doc)
    );
  }

  /** True if a row is newer than the base's details, if there are any: by its file, or by date if theirs is unknown. */
  #isNewerThanDetails(
    { lastUpdated }: ProviderRow,
    base: BaseSnapshot,
    doc: number,
  ): boolean {
    if (entityOf(base.kinds.column[doc]!) === Entity.withheld) return true;
    const origin = base.records.origin(doc);
    return origin.detailsFile === null
      ? lastUpdated > origin.lastUpdated
      : !this.#options.newerFiles.has(origin.detailsFile);
  }

  /** Finds the index in the new snapshot of the file with a document's details; null if unknown. */
  #detailsFile(base: BaseSnapshot, doc: number): number | null {
    if (!this.#options.isUpdate) return null;
    const { detailsFile, file } = base.records.origin(doc);
    return base.records.isCarriedOver(doc) ? detailsFile : file;
  }

  /** Adds an older file's details of an NPI under the base's deactivation, as if the file had come before it. */
  #addBeneath(row: ProviderRow, base: BaseSnapshot, doc: number): void {
    const { deactivationDate, file } = base.records.origin(doc);
    this.#options.details?.addBeneath(row);
    row.deactivated = true;
    row.deactivationDate = deactivationDate;
    this.#draft.add(row, file, this.#options.file);
  }
}

/** True if a record has a reactivation that ends a deactivation of the given day. */
export function isReactivated(
  { reactivationDate }: { reactivationDate: number },
  deactivationDate: number,
): boolean {
  return reactivationDate !== NO_DATE && reactivationDate >= deactivationDate;
}
