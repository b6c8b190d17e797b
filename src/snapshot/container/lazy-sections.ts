import { setImmediate as nextTurn } from "node:timers/promises";
import { crc32 } from "node:zlib";
import { withPath } from "../../registry/files/registry-file-error.ts";
import { damaged, DiskSections } from "./disk-sections.ts";
import type { Section, SectionArray } from "./section.ts";
import {
  SnapshotFormatError,
  type SectionEntry,
  type SectionFileType,
} from "./section-file.ts";

/** A file whose sections are read when they are first used, into memory that all threads share. Plain data. */
export interface LazyFile {
  readonly path: string;
  readonly type: SectionFileType;
  /** The section of the file that it is, if it is one. */
  readonly within: SectionEntry | null;
  /** Each byte at its place in the file. Unused sections are zeros, which take no memory. */
  readonly memory: SharedArrayBuffer;
}

/**
 * The sections of a lazily loaded file. Memory has a section if it matches the section's checksum; else this thread
 * reads it. Threads that read the same section at once write the same bytes. The file stays open, so it may be removed.
 */
export class LazySections extends DiskSections {
  protected override readonly checkedBytes = 1 << 21;
  readonly #memory: SharedArrayBuffer;
  #isOpen = true;

  constructor({ memory, path, type, within }: LazyFile) {
    super(path, type, within);
    this.#memory = memory;
  }

  /** Throws SnapshotFormatError also if the section cannot be read, or is damaged. */
  override get<A extends SectionArray>(section: Section<A>): A {
    const entry = this.entry(section);
    this.#load(entry);
    const { element } = section;
    return element.view(
      this.#memory,
      entry.offset,
      entry.bytes / element.bytes,
    );
  }

  /** Loads the sections that another file of the same kind has in memory, with turns for other work in between. */
  async loadAsIn(other: LazySections): Promise<void> {
    for (const before of other.entries) {
      const entry = this.entries.find(({ name }) => name === before.name);
      if (entry !== undefined && other.#isLoaded(before)) this.#load(entry);
      await nextTurn();
    }
  }

  override [Symbol.dispose](): void {
    this.#isOpen = false;
    super[Symbol.dispose]();
  }

  protected override read<T extends Uint8Array>(
    target: T,
    position: number,
  ): T {
    try {
      if (!this.#isOpen) throw new Error("The snapshot is closed");
      return withPath(this.path, () => super.read(target, position));
    } catch (cause) {
      if (cause instanceof SnapshotFormatError) throw cause;
      const why = cause instanceof Error ? cause.message : String(cause);
      throw new SnapshotFormatError(
        `${this.path} cannot be read (${why})`,
        "check the disk with snapshots verify, then restart the service, roll back, or import again",
        { cause },
      );
    }
  }

  #isLoaded(entry: SectionEntry): boolean {
    return crc32(this.#memoryOf(entry)) === entry.crc;
  }

  #load(entry: SectionEntry): void {
    if (this.#isLoaded(entry)) return;
    this.read(this.#memoryOf(entry), entry.offset);
    if (!this.#isLoaded(entry)) throw damaged(entry);
  }

  #memoryOf({ bytes, offset }: SectionEntry): Uint8Array {
    return new Uint8Array(this.#memory, offset, bytes);
  }
}
