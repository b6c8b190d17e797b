import { existsSync } from "node:fs";
import { NO_ENTRY } from "../details/details-file.ts";
import { DetailsReader } from "../details/details-reader.ts";
import { SnapshotFormatError } from "../container/section-file.ts";
import { SectionWriter } from "../container/section-writer.ts";
import { openExtendedFile } from "../container/shared-file.ts";
import { DiskSnapshot } from "../base-snapshot.ts";
import { ExtendedIndexBuilder } from "../extended/extended-index-builder.ts";
import type { Snapshot } from "../snapshot.ts";
import { failuresOf, firstDifferent, isOfThisFormat } from "./verify.ts";

/**
 * Verifies the details file of a snapshot: that it exists if it should, all checksums, and that the index leads to each
 * entry. Returns the faults, one sentence each.
 */
export function verifyDetails(snapshot: Snapshot, path: string): string[] {
  const { details, id } = snapshot.metadata;
  if (details === undefined) return [];
  if (!existsSync(path)) return ["The details file is missing."];
  try {
    using reader = new DetailsReader(path);
    const corrupt = reader.firstCorrupt();
    if (corrupt !== null)
      return [
        `Section "${corrupt}" of the details file does not match its checksum.`,
      ];
    const file = reader.firstCorruptEntries();
    if (file !== null)
      return [`The details entry file ${file} does not match its checksum.`];
    return failuresOf({
      "the details file is the snapshot's": reader.metadata.id === id,
      "the details file contains the parts that the snapshot lists":
        reader.metadata.parts.join() === details.join(),
      "every entry of the details file is found by its NPI": everyEntryIsFound(
        snapshot,
        reader,
      ),
    });
  } catch (error) {
    if (error instanceof SnapshotFormatError) return [error.message];
    throw error;
  }
}

/**
 * Verifies that the extended index of a snapshot is what this program derives from the snapshot and its details, both
 * without faults. Returns the fault as a sentence, if there is one. An index in a file of an older format isn't
 * derived.
 */
export function verifyExtended(
  snapshotPath: string,
  detailsPath: string,
): string[] {
  using extended = openExtendedFile(snapshotPath);
  using snapshot = new DiskSnapshot(snapshotPath);
  if (extended === null || !isOfThisFormat(snapshot)) return [];
  using details = new DetailsReader(detailsPath);
  const { taxonomyNames } = details;
  using builder = new ExtendedIndexBuilder({ detailsPath, taxonomyNames });
  const writer = new SectionWriter();
  builder.derive(writer, snapshot);
  const different = firstDifferent(writer, extended);
  return different === null
    ? []
    : [
        `Section "extended: ${different}" is not what the snapshot and its details give.`,
      ];
}

function everyEntryIsFound(snapshot: Snapshot, reader: DetailsReader): boolean {
  const index = reader.index();
  if (index.length !== snapshot.count) return false;
  let expected = 0;
  for (const place of index) if (place !== NO_ENTRY) expected++;
  let found = 0;
  reader.forEachEntry((npi, place) => {
    const rank = snapshot.rank(npi);
    if (rank >= 0 && index[rank] === place) found++;
    else found = Number.NaN;
  });
  return found === expected;
}
