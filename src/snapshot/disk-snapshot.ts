import { DiskSections } from "./container/disk-sections.ts";
import { SnapshotView } from "./snapshot.ts";

/**
 * A snapshot on disk, for reading records: about 400 MB of memory for the whole registry. Its taxonomies have no
 * display names, which come from NUCC's table, not from the registry's rows.
 */
export class DiskSnapshot
  extends SnapshotView<DiskSections>
  implements Disposable
{
  /** Throws SnapshotFormatError if the file is not a snapshot that this program reads, and file system errors. */
  constructor(path: string) {
    super(new DiskSections(path));
  }

  override get taxonomyNames(): readonly null[] {
    return Array.from({ length: this.taxonomies.count + 1 }, () => null);
  }

  [Symbol.dispose](): void {
    this.forget();
    this.sections[Symbol.dispose]();
  }
}
