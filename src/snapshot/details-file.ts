import type { DetailPart } from "../registry/detail-parts.ts";
import type { SectionFileType } from "./section-file.ts";

/** The file of details beside a snapshot (FORMAT.md, "Details"). */
export const DETAILS_FILE: SectionFileType = {
  magic: "PDDETAIL",
  version: 1,
  name: "details file",
};

/** The file's section `metadata`, as JSON. */
export interface DetailsMetadata {
  /** The snapshot that it belongs to. */
  id: string;
  /** What it holds for every provider of the snapshot. */
  parts: DetailPart[];
}

/** An entry: NPI, length and checksum of the blob, four bytes each; the blob; zeros up to a multiple of four bytes. */
export const ENTRY_HEADER_BYTES = 12;
export const ENTRY_ALIGNMENT = 4;

/** The index holds an entry's place in multiples of four bytes, plus one; 0 is no entry. */
export const NO_ENTRY = 0;

/** FNV-1a, 32 bits: guards each blob, because the section's own checksum is not looked at when one blob is read. */
export function blobChecksum(
  bytes: Uint8Array,
  start: number,
  end: number,
): number {
  let sum = 0x811c9dc5;
  for (let at = start; at < end; at++)
    sum = Math.imul(sum ^ bytes[at]!, 0x01000193);
  return sum >>> 0;
}
