import { createHash } from "node:crypto";
import { SECTIONS } from "./container/descriptors.ts";
import type { SectionEntry } from "./container/section-file.ts";
import type { DetailsReader } from "./details/details-reader.ts";
import type { Snapshot } from "./snapshot.ts";

/**
 * Identifies what a snapshot answers, as a SHA-256 in hexadecimal: the checksums of its sections and of its details,
 * and what it says about its sources. Two imports of the same files have the same content ID, but different snapshot
 * IDs and creation times.
 */
export function contentId(
  {
    extendedFile,
    metadata,
    sections,
  }: Pick<Snapshot, "extendedFile" | "metadata" | "sections">,
  details: DetailsReader | null,
): string {
  const { demo, details: parts, files, taxonomySource } = metadata;
  return createHash("sha256")
    .update(
      JSON.stringify([
        checksumsOf(sections.entries),
        checksumsOf(extendedFile?.entries ?? []),
        details?.checksumLists().map(checksumsOf) ?? null,
        files,
        demo,
        taxonomySource,
        parts ?? null,
      ]),
    )
    .digest("hex");
}

/** Lists all checksums but that of the metadata, which has the snapshot's ID and time. */
function checksumsOf(
  entries: readonly SectionEntry[],
): (readonly [name: string, bytes: number, crc: number])[] {
  return entries
    .filter(({ name }) => name !== SECTIONS.metadata.name)
    .map(({ bytes, crc, name }) => [name, bytes, crc]);
}
