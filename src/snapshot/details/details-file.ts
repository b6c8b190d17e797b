import type { DetailPart } from "../../contract/detail-parts.ts";
import {
  type SectionFileType,
  SnapshotFormatError,
  type SectionEntry,
} from "../container/section-file.ts";
import {
  copyFileSync,
  fsyncSync,
  closeSync,
  linkSync,
  openSync,
} from "node:fs";
import { basename, join } from "node:path";
import { ENTRIES_SECTIONS } from "../container/descriptors.ts";
import { DiskSections } from "../container/disk-sections.ts";

/** The details file of a snapshot (FORMAT.md, "Details"). */
export const DETAILS_FILE: SectionFileType = {
  magic: "PDDETAIL",
  version: 2,
  oldest: 2,
  name: "details file",
};

/** An entry file: the details from one import. */
export const ENTRIES_FILE: SectionFileType = {
  magic: "PDENTRYS",
  version: 1,
  oldest: 1,
  name: "details file",
};

/** The details file's section `metadata`, as JSON. */
export interface DetailsMetadata {
  /** The id of its snapshot. */
  id: string;
  /** The parts that are kept for every provider. */
  parts: DetailPart[];
  /** The entry files, in the folder of the details file. Entry positions run through all of them. */
  files: EntriesFile[];
}

export interface EntriesFile {
  name: string;
  /** Bytes of entries. */
  bytes: number;
}

/** Returns the path of the entry file of snapshot `id`. `detailsPath` has the same suffix. */
export function entriesPath(detailsPath: string, id: string): string {
  return `${detailsPath}-${id}`;
}

/** An entry: NPI, length and checksum of the blob, four bytes each; the blob; zeros up to a multiple of four bytes. */
export const ENTRY_HEADER_BYTES = 12;
export const ENTRY_ALIGNMENT = 4;

/** In the index, an entry's position in units of four bytes, plus one; 0 means no entry. */
export const NO_ENTRY = 0;

/**
 * Computes the 32-bit FNV-1a of the words `[start, end)`. Protects each blob and the zeros after it, because reading
 * one blob does not verify the checksum of the whole file.
 */
export function blobChecksum(
  words: Uint32Array,
  start: number,
  end: number,
): number {
  let sum = 0x811c9dc5;
  for (let at = start; at < end; at++)
    sum = Math.imul(sum ^ words[at]!, 0x01000193);
  return sum >>> 0;
}

/** One file, and its range in the entries of all files. */
interface OpenFile {
  readonly path: string;
  readonly sections: DiskSections;
  readonly begin: number;
  readonly end: number;
}

/** The entry files of a details file, opened, as one sequence of bytes. */
export class EntryFiles implements Disposable {
  /** Bytes of entries in all files. */
  readonly bytes: number;
  readonly #files: readonly OpenFile[];

  /** Throws SnapshotFormatError if a file is missing, damaged, or not the one listed. */
  constructor(folder: string, files: readonly EntriesFile[]) {
    using opened = new DisposableStack();
    let begin = 0;
    this.#files = files.map(({ bytes, name }) => {
      const path = join(folder, basename(name));
      const sections = opened.use(openFile(path));
      if (sections.length(ENTRIES_SECTIONS.entries) !== bytes)
        throw damaged(`${basename(name)} has the wrong length`);
      const file = { path, sections, begin, end: begin + bytes };
      begin = file.end;
      return file;
    });
    this.bytes = begin;
    opened.move();
  }

  /** Returns where the entries of the file with byte `from` end. */
  endAfter(from: number): number {
    return this.#fileAt(from).end;
  }

  /** Reads bytes from `from`, at most to the end of their file. Returns how many. */
  readAt(target: Uint8Array, from: number): number {
    const { begin, sections } = this.#fileAt(from);
    return sections.readAt(ENTRIES_SECTIONS.entries, target, from - begin);
  }

  /** Returns the section table of each file. */
  checksumLists(): (readonly SectionEntry[])[] {
    return this.#files.map(({ sections }) => sections.entries);
  }

  /** Finds the name of the first file with a wrong checksum, or null. */
  firstCorrupt(): string | null {
    const corrupt = this.#files.find(
      ({ sections }) => sections.firstCorrupt() !== null,
    );
    return corrupt === undefined ? null : basename(corrupt.path);
  }

  /** Hard-links the files into another folder, or copies them if the disk has no hard links. */
  linkInto(folder: string): void {
    for (const { path } of this.#files)
      linkOrCopy(path, join(folder, basename(path)));
  }

  [Symbol.dispose](): void {
    for (const { sections } of this.#files) sections[Symbol.dispose]();
  }

  #fileAt(from: number): OpenFile {
    const file = this.#files.findLast(({ begin }) => begin <= from);
    if (file === undefined || from >= file.end)
      throw damaged("the index points outside the entries");
    return file;
  }
}

/** Makes the error for damaged details. */
export function damaged(how: string): SnapshotFormatError {
  return new SnapshotFormatError(
    `The details file is damaged: ${how}`,
    "roll back or import again",
  );
}

function openFile(path: string): DiskSections {
  try {
    return new DiskSections(path, ENTRIES_FILE);
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT")
      throw damaged(`${basename(path)} is missing`);
    throw error;
  }
}

/** Hard-links a file, or copies and flushes it: some disks have no hard links, or limit their number. */
export function linkOrCopy(from: string, to: string): void {
  try {
    linkSync(from, to);
  } catch {
    copyFileSync(from, to);
    const fd = openSync(to, "r");
    try {
      fsyncSync(fd);
    } finally {
      closeSync(fd);
    }
  }
}
