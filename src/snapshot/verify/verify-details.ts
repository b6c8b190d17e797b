import { existsSync } from "node:fs";
import { NO_ENTRY } from "../details/details-file.ts";
import { DetailsReader } from "../details/details-reader.ts";
import { SnapshotFormatError } from "../container/section-file.ts";
import type { Snapshot } from "../snapshot.ts";

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
    return Object.entries({
      "the details file is the snapshot's": reader.metadata.id === id,
      "the details file contains the parts that the snapshot lists":
        reader.metadata.parts.join() === details.join(),
      "every entry of the details file is found by its NPI": everyEntryIsFound(
        snapshot,
        reader,
      ),
    })
      .filter(([, holds]) => !holds)
      .map(([claim]) => `Check failed: ${claim}.`);
  } catch (error) {
    if (error instanceof SnapshotFormatError) return [error.message];
    throw error;
  }
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
