import { closeSync, openSync } from "node:fs";
import { setImmediate as nextTurn } from "node:timers/promises";
import { crc32 } from "node:zlib";
import { withPath } from "../../registry/files/with-path.ts";
import { SECTIONS } from "./descriptors.ts";
import { readFully } from "./disk-sections.ts";
import { MemorySections } from "./memory-sections.ts";
import type { Section, SectionArray } from "./section.ts";
import { SnapshotFormatError, type SectionEntry } from "./section-file.ts";
import type { LatePart, SharedFile } from "./shared-file.ts";

/** The states of a section of the late part. */
const State = { onDisk: 0, reading: 1, inMemory: 2 } as const;
/** A thread that takes longer to read a section has ended, in milliseconds. */
const MAX_READING_MS = 30_000;

/**
 * The sections of a file in memory. Those of the late part are read when they are first used, by whichever thread uses
 * them first, and verified before anyone does. The file stays open until this is disposed of, so it may be removed.
 */
export class PartlyReadSections extends MemorySections implements Disposable {
  readonly #states: Int32Array;
  readonly #late: SectionEntry;
  readonly #file: OpenFile;
  #part: Uint8Array | null = null;

  constructor(bytes: SharedArrayBuffer, { path, states }: LatePart) {
    super(bytes);
    this.#states = states;
    this.#late = this.entry(SECTIONS.extended);
    this.#file = new OpenFile(path);
  }

  override fileIn(section: Section<Uint8Array>): MemorySections {
    return section.name === SECTIONS.extended.name
      ? this.lateFile()
      : super.fileIn(section);
  }

  /** The file in the late part. */
  lateFile(): LateSections {
    return new LateSections(this.buffer, this.#late, this.#file, this.#states);
  }

  [Symbol.dispose](): void {
    this.#file[Symbol.dispose]();
  }

  /** From disk, if it is of the late part. */
  protected override part(from: number, length: number): Uint8Array {
    const { bytes, offset } = this.#late;
    if (from < offset || from >= offset + bytes)
      return super.part(from, length);
    this.#part ??= new Uint8Array(this.checkedBytes);
    return this.#file.read(this.#part.subarray(0, length), from);
  }
}

/** The sections of the file in the late part. */
class LateSections extends MemorySections {
  readonly #file: OpenFile;
  readonly #states: Int32Array;

  constructor(
    buffer: SharedArrayBuffer,
    { bytes, offset }: SectionEntry,
    file: OpenFile,
    states: Int32Array,
  ) {
    super(buffer, offset, bytes);
    this.#file = file;
    this.#states = states;
  }

  /** Also throws SnapshotFormatError if the section cannot be read, or is damaged. */
  override get<A extends SectionArray>(section: Section<A>): A {
    this.#read(this.entries.indexOf(this.entry(section)));
    return super.get(section);
  }

  /** The names of the sections that are in memory. */
  namesInMemory(): string[] {
    return this.entries.flatMap(({ name }, index) =>
      Atomics.load(this.#states, index) === State.inMemory ? [name] : [],
    );
  }

  /** Reads the sections of these names, with turns for other work in between. */
  async readAll(names: readonly string[]): Promise<void> {
    for (const [index, { name }] of this.entries.entries()) {
      if (!names.includes(name)) continue;
      this.#read(index);
      await nextTurn();
    }
  }

  /** Waits if another thread reads the section. */
  #read(index: number): void {
    const states = this.#states;
    for (;;) {
      const { onDisk, reading } = State;
      const state = Atomics.compareExchange(states, index, onDisk, reading);
      if (state === State.inMemory) return;
      if (state === State.onDisk) break;
      const ended = Atomics.wait(states, index, reading, MAX_READING_MS);
      if (ended === "timed-out")
        Atomics.compareExchange(states, index, reading, onDisk);
    }
    let after: number = State.onDisk;
    try {
      this.#readNow(this.entries[index]!);
      after = State.inMemory;
    } finally {
      Atomics.store(states, index, after);
      Atomics.notify(states, index);
    }
  }

  #readNow({ bytes, crc, name, offset }: SectionEntry): void {
    const at = this.from + offset;
    const target = new Uint8Array(this.buffer, at, bytes);
    this.#file.read(target, at);
    if (crc32(target) !== crc)
      throw new SnapshotFormatError(
        `Section "${name}" in "${SECTIONS.extended.name}" does not match its checksum`,
        "roll back or import again",
      );
  }
}

/** The names of the late sections that threads have read. */
export function lateNamesInMemory({ bytes, late }: SharedFile): string[] {
  if (late === null) return [];
  using sections = new PartlyReadSections(bytes, late);
  return sections.lateFile().namesInMemory();
}

/** A file that is open from the start. If it couldn't be opened, reading throws. */
class OpenFile implements Disposable {
  readonly #path: string;
  #fd: number | null = null;
  #fault: unknown = new Error("The snapshot is closed");

  constructor(path: string) {
    this.#path = path;
    try {
      this.#fd = openSync(path, "r");
    } catch (error) {
      this.#fault = error;
    }
  }

  /** Fills `target` from a position. Throws SnapshotFormatError if that fails. */
  read<T extends Uint8Array>(target: T, position: number): T {
    try {
      const fd = this.#fd;
      if (fd === null) throw this.#fault;
      return withPath(this.#path, () => readFully(fd, target, position));
    } catch (cause) {
      if (cause instanceof SnapshotFormatError) throw cause;
      const why = cause instanceof Error ? cause.message : String(cause);
      throw new SnapshotFormatError(
        `${this.#path} cannot be read (${why})`,
        "check the disk with snapshots verify, then restart the service, roll back, or import again",
        { cause },
      );
    }
  }

  [Symbol.dispose](): void {
    if (this.#fd !== null) closeSync(this.#fd);
    this.#fd = null;
  }
}
