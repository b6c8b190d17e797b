import { Entity } from "../registry/rows/provider-row.ts";
import { DiskSections } from "./container/disk-sections.ts";
import type { DetailsReader } from "./details/details-reader.ts";
import { entityOf, isDeactivated } from "./postings/kinds.ts";
import { SnapshotView } from "./snapshot.ts";
import { PROVIDERS_FILE, type SectionEntry } from "./container/section-file.ts";

/**
 * The snapshot that an import builds on, read from disk. Its NPIs, kinds and the data that rows are compared with are
 * in memory, about 90 MB for the whole registry; everything else is read on request.
 */
export class BaseSnapshot
  extends SnapshotView<DiskSections>
  implements Disposable
{
  /** Its details file, or null. */
  readonly details: DetailsReader | null;

  /** Takes ownership of the sections and the details. */
  constructor(sections: DiskSections, details: DetailsReader | null) {
    super(sections);
    this.details = details;
  }

  /** True if the registry publishes only the deactivation of a document; its details may be known anyway. */
  isWithheld(doc: number): boolean {
    const kind = this.kinds.column[doc]!;
    return (
      isDeactivated(kind) &&
      (entityOf(kind) === Entity.withheld || this.records.isCarriedOver(doc))
    );
  }

  [Symbol.dispose](): void {
    this.forget();
    this.sections[Symbol.dispose]();
    this.details?.[Symbol.dispose]();
  }
}

/**
 * A snapshot on disk, for reading records: about 400 MB of memory for the whole registry. Its taxonomies have no
 * display names, which come from NUCC's table, not from the registry's rows.
 */
export class DiskSnapshot
  extends SnapshotView<DiskSections>
  implements Disposable
{
  /**
   * Opens a snapshot's file. `written` has the sections of a file that is still being written, in which only these can
   * be read. Throws SnapshotFormatError if the file is not a snapshot that this program reads, and file system errors.
   */
  constructor(path: string, written: readonly SectionEntry[] | null = null) {
    super(new DiskSections(path, PROVIDERS_FILE, written));
  }

  override get taxonomyNames(): readonly null[] {
    return Array.from({ length: this.taxonomies.count + 1 }, () => null);
  }

  [Symbol.dispose](): void {
    this.forget();
    this.sections[Symbol.dispose]();
  }
}
