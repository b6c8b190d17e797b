import type { DetailPart } from "../../contract/detail-parts.ts";
import type { SectionFileType } from "../container/section-file.ts";

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
