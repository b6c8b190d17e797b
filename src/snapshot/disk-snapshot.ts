import { DiskSections } from "./container/disk-sections.ts";
import { PROVIDERS_FILE, type SectionEntry } from "./container/section-file.ts";
import { SnapshotView } from "./snapshot.ts";

/**
 * A snapshot on disk, for reading records: about 400 MB of memory for the whole registry. Its taxonomies have no
 * display names, which come from NUCC's table, not from the registry's rows.
 */
export class DiskSnapshot
  extends SnapshotView<DiskSections>
  implements Disposable
{
  /**
   * `written` has the sections of a file that is still being written, in which only these can be read. Throws
   * SnapshotFormatError if the file is not a snapshot that this program reads, and file system errors.
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
