import type { DetailPart } from "../../contract/detail-parts.ts";
import type { SectionFileType } from "../container/section-file.ts";

/** The file of details beside a snapshot (FORMAT.md, "Details"). */
export const DETAILS_FILE: SectionFileType = {
  magic: "PDDETAIL",
  version: 2,
  name: "details file",
};

/** A file of entries: the details that one import brought. */
export const ENTRIES_FILE: SectionFileType = {
  magic: "PDENTRYS",
  version: 1,
  name: "details file",
};

/** The details file's section `metadata`, as JSON. */
export interface DetailsMetadata {
  /** The snapshot that it belongs to. */
  id: string;
  /** What it holds for every provider of the snapshot. */
  parts: DetailPart[];
  /** The files of entries, in the folder of the details file: the places of entries count through all of them. */
  files: EntriesFile[];
}

export interface EntriesFile {
  name: string;
  /** How many bytes of entries it has. */
  bytes: number;
}

/** What the file of the entries is called that the import of snapshot `id` brought; `detailsPath` ends like it. */
export function entriesPath(detailsPath: string, id: string): string {
  return `${detailsPath}-${id}`;
}

/** An entry: NPI, length and checksum of the blob, four bytes each; the blob; zeros up to a multiple of four bytes. */
export const ENTRY_HEADER_BYTES = 12;
export const ENTRY_ALIGNMENT = 4;

/** The index holds an entry's place in multiples of four bytes, plus one; 0 is no entry. */
export const NO_ENTRY = 0;

/**
 * FNV-1a, 32 bits, of the words `[start, end)`: guards each blob with the zeros behind it, because the checksum of the whole
 * file is not looked at when one blob is read.
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
