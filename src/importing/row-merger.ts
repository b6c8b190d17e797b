import { Entity, NO_DATE, ProviderRow } from "../registry/rows/provider-row.ts";
import { entityOf, isDeactivated } from "../snapshot/postings/kinds.ts";
import { DocumentCopier } from "../snapshot/build/document-copier.ts";
import type { SnapshotDraft } from "../snapshot/build/draft.ts";
import type { RowDetails } from "./row-details.ts";
import type { BaseSnapshot } from "../snapshot/base-snapshot.ts";

/** How a file's rows meet what is held already. */
export interface MergeOptions {
  /** What is held: the snapshot that an update is merged into, or of which a full file carries details over. */
  base: BaseSnapshot | null;
  /** The index of the file in the new snapshot's list of files. */
  file: number;
  deactivatedDetails: "keep" | "withhold";
  /** The indexes of the base's files that reach beyond this one: what they tell of an NPI outweighs this one's row. */
  newerFiles: ReadonlySet<number>;
  /** Where the rows' details go; null where none are kept. */
  details: RowDetails | null;
}

/** Puts the rows of one file into a draft, with what the base knows of them. */
export class RowMerger {
  /** Rows that the registry withholds and of which the base's details are kept. */
  carriedOver = 0;
  /** Rows that something newer in the base outweighs. */
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

  /**
   * Where deactivated providers' details are to be withheld, adds them without those that the base holds; for updates,
   * before any row.
   */
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
      this.#copier.copyDeactivated(doc, row.deactivationDate, file);
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
   * Whether something newer is held. Of a row that dates a reactivation, a report of deactivated NPIs is not where it gives
   * a deactivation from before that.
   */
  #isOutweighed(row: ProviderRow, base: BaseSnapshot, doc: number): boolean {
    const { newerFiles } = this.#options;
    if (newerFiles.size === 0) return false;
    const held = base.records.origin(doc);
    if (!newerFiles.has(held.file)) return false;
    const isReport = base.metadata.files[held.file]?.kind === "deactivations";
    return !(
      isReport &&
      isReactivated(row, held.deactivationDate) &&
      isNewerThanDetails(row, base, doc)
    );
  }

  /** Whether a row that a deactivation outweighs has newer details than those that are kept of the NPI. */
  #bringsDetails(row: ProviderRow, base: BaseSnapshot, doc: number): boolean {
    return (
      this.#options.deactivatedDetails === "keep" &&
      row.entityType !== Entity.withheld &&
      base.isWithheld(doc) &&
      isNewerThanDetails(row, base, doc)
    );
  }

  /** Adds what an older file says of an NPI beneath the deactivation that is held: had it come before, this would have been kept. */
  #addBeneath(row: ProviderRow, base: BaseSnapshot, doc: number): void {
    const { deactivationDate, file } = base.records.origin(doc);
    this.#options.details?.addBeneath(row);
    row.deactivated = true;
    row.deactivationDate = deactivationDate;
    this.#draft.add(row, file, true);
  }
}

/** Whether a record dates a reactivation that undoes a deactivation of a day. */
export function isReactivated(
  { reactivationDate }: { reactivationDate: number },
  deactivationDate: number,
): boolean {
  return reactivationDate !== NO_DATE && reactivationDate >= deactivationDate;
}

/** Whether a row is from a later day than the details that are held, if there are any. */
function isNewerThanDetails(
  { lastUpdated }: ProviderRow,
  base: BaseSnapshot,
  doc: number,
): boolean {
  return (
    entityOf(base.kinds.column[doc]!) === Entity.withheld ||
    lastUpdated > base.records.origin(doc).lastUpdated
  );
}
