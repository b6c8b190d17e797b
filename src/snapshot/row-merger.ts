import { Entity, ProviderRow } from "../registry/provider-row.ts";
import { DocumentCopier } from "./document-copier.ts";
import { entityOf, isDeactivated } from "./kinds.ts";
import type { SnapshotDraft } from "./draft.ts";
import type { RowDetails } from "./row-details.ts";
import type { BaseSnapshot } from "./base-snapshot.ts";

/** How a file's rows meet what is held already. */
export interface MergeOptions {
  /** What is held: the snapshot that an update is merged into, or of which a full file carries details over. */
  base: BaseSnapshot | null;
  /** The index of the file in the new snapshot's list of files. */
  file: number;
  deactivatedDetails: "keep" | "withhold";
  /**
   * For a week older than what is held: whether the base's file with a given index covers a newer period than this one.
   * Then a row replaces what is held only where it is newer, by date, on equal dates by period. Null: it always does.
   */
  isOutweighedBy: ((file: number) => boolean) | null;
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
    base.kind.forEach((kind, doc) => {
      if (!isDeactivated(kind) || !base.isCarriedOver(doc)) return;
      const { deactivationDate, file } = base.origin(doc);
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
      this.outweighed++;
      details?.leave(row.npi);
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
      entityOf(base.kind[doc]!) !== Entity.withheld
    );
  }

  /** A deactivation row's date is its deactivation's, any other's that of its last update. */
  #isOutweighed(row: ProviderRow, base: BaseSnapshot, doc: number): boolean {
    const { isOutweighedBy } = this.#options;
    if (isOutweighedBy === null) return false;
    const held = base.origin(doc);
    const isDeactivationRow =
      held.carriedOver || entityOf(base.kind[doc]!) === Entity.withheld;
    const heldDate = isDeactivationRow
      ? held.deactivationDate
      : held.lastUpdated;
    const rowDate =
      row.entityType === Entity.withheld
        ? row.deactivationDate
        : row.lastUpdated;
    return heldDate === rowDate
      ? isOutweighedBy(held.file)
      : heldDate > rowDate;
  }
}
