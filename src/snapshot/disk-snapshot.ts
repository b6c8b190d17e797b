import { DiskSections } from "./container/disk-sections.ts";
import { SnapshotView } from "./snapshot.ts";

/**
 * A snapshot on the disk, of which only records are asked for: some 400 MB of memory for the whole registry. Its taxonomies
 * have no display names, which belong to NUCC's table and not to the registry's rows.
 */
export class DiskSnapshot
  extends SnapshotView<DiskSections>
  implements Disposable
{
  /** Throws SnapshotFormatError where the file is no snapshot that this program reads, and the file system's errors. */
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
