import { Entity, ProviderRow } from "../registry/provider-row.ts";
import { DocumentCopier } from "./document-copier.ts";
import { entityOf } from "./kinds.ts";
import type { SnapshotDraft } from "./draft.ts";
import type { Snapshot } from "./snapshot.ts";

/** How a file's rows meet what is held already. */
export interface MergeOptions {
  /** What is held: the snapshot that an update is merged into, or of which a full file carries details over. */
  base: Snapshot | null;
  /** The index of the file in the new snapshot's list of files. */
  file: number;
  deactivatedDetails: "keep" | "withhold";
  /**
   * For a week older than what is held: whether the base's file with a given index covers a newer period than this one.
   * Then a row replaces what is held only where it is newer, by date, on equal dates by period. Null: it always does.
   */
  isOutweighedBy: ((file: number) => boolean) | null;
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

  /** Takes over all that the base holds, as an update leaves it where it says nothing; for updates, before any row. */
  addBase(): void {
    const { base, deactivatedDetails } = this.#options;
    if (base === null || this.#copier === null) return;
    const withheld =
      deactivatedDetails === "withhold" ? new ProviderRow() : null;
    for (let doc = 0; doc < base.count; doc++) {
      if (withheld !== null && base.records.isCarriedOver(doc))
        this.#addWithheld(withheld, base, doc);
      else this.#copier.copy(doc);
    }
  }

  addRow(row: ProviderRow): void {
    const { base, file } = this.#options;
    const doc = base === null ? -1 : base.find(row.npi);
    if (base === null || this.#copier === null || doc < 0)
      return this.#draft.add(row, file, false);
    if (this.#isOutweighed(row, base, doc)) {
      this.outweighed++;
    } else if (
      row.entityType === Entity.withheld &&
      this.#keepsDetails(base, doc)
    ) {
      this.carriedOver++;
      this.#copier.copyDeactivated(doc, row.deactivationDate, file);
    } else {
      this.#draft.add(row, file, false);
    }
  }

  #keepsDetails(base: Snapshot, doc: number): boolean {
    return (
      this.#options.deactivatedDetails === "keep" &&
      entityOf(base.kinds.column[doc]!) !== Entity.withheld
    );
  }

  /** A deactivation row's date is its deactivation's, any other's that of its last update. */
  #isOutweighed(row: ProviderRow, base: Snapshot, doc: number): boolean {
    const { isOutweighedBy } = this.#options;
    if (isOutweighedBy === null) return false;
    const held = base.records.origin(doc);
    const isDeactivationRow =
      held.carriedOver || entityOf(base.kinds.column[doc]!) === Entity.withheld;
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

  #addWithheld(row: ProviderRow, base: Snapshot, doc: number): void {
    const { deactivationDate, file } = base.records.origin(doc);
    row.npi = base.npi[doc]!;
    row.deactivated = true;
    row.deactivationDate = deactivationDate;
    this.#draft.add(row, file, false);
  }
}
