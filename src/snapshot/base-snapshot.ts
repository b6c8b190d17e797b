import { Entity } from "../registry/rows/provider-row.ts";
import type { DiskSections } from "./container/disk-sections.ts";
import type { DetailsReader } from "./details/details-reader.ts";
import { entityOf, isDeactivated } from "./postings/kinds.ts";
import { SnapshotView } from "./snapshot.ts";

/**
 * The snapshot that an import builds on, left on the disk: in memory is what each row is compared with, its NPIs and
 * kinds, some 90 MB for the whole registry; all else is read when it is asked for.
 */
export class BaseSnapshot
  extends SnapshotView<DiskSections>
  implements Disposable
{
  /** The details file beside it, null if it has none. */
  readonly details: DetailsReader | null;

  /** It owns the sections and the details, once it is made. */
  constructor(sections: DiskSections, details: DetailsReader | null) {
    super(sections);
    this.details = details;
  }

  /** Whether the registry shows no more of a document than its deactivation, whatever is held of it. */
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
