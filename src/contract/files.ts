/** Apart from `answers.ts`, so that commands start without the API's schemas. */

const SNAPSHOT_ID = /^\d{8}T\d{9}Z$/;

/** True if a text may be a snapshot's id. */
export function isSnapshotId(text: string): boolean {
  return SNAPSHOT_ID.test(text);
}

/** The name of the list of a snapshot's files, which is itself a file. */
export const MANIFEST = "manifest.json";

/** Returns the path of a file. */
export function filePath(snapshot: string, name: string): string {
  return `/v1/files/${snapshot}/${name}`;
}

/** The names that files can have, in their order. */
export const FILE_NAMES = [
  MANIFEST,
  "providers.parquet",
  "providers-by-npi.parquet",
  "taxonomies.parquet",
  "other_names.parquet",
  "practice_locations.parquet",
  "identifiers.parquet",
  "endpoints.parquet",
  "changes.parquet",
  "providers.ndjson.zst",
] as const;
