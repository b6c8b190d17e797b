import type { DetailPart } from "../contract/detail-parts.ts";

/** The section `metadata` of a snapshot, as JSON. */
export interface SnapshotMetadata {
  id: string;
  /** ISO 8601, UTC. */
  createdAt: string;
  /** The snapshot that was current when this one was made, and the target of a rollback; null for the first. */
  madeFrom: string | null;
  /** The files it was made from, in order; a full file starts a new list. */
  files: AppliedFile[];
  /** True if it has demo providers, which are never mixed with the registry's. */
  demo: boolean;
  /** A description of where the display names of taxonomies come from. */
  taxonomySource: string;
  counts: SnapshotCounts;
  /** The parts in its details file; absent if it has none. */
  details?: readonly DetailPart[];
}

export interface AppliedFile {
  name: string;
  /** `deactivations`: the registry's report of deactivated NPIs. */
  kind: "full" | "week" | "deactivations";
  /** ISO 8601 dates of the period in the file's name, or null if the name has none. A report has only an end. */
  begin: string | null;
  end: string | null;
  /** Uncompressed length and CRC-32 of the file's data, which identify a file that was already imported. */
  bytes: number;
  crc32: number;
}

export interface SnapshotCounts {
  providers: number;
  individuals: number;
  organizations: number;
  /** Deactivated providers, with or without details. */
  deactivated: number;
  /** Deactivated providers of which only the NPI and the date are known. */
  withheld: number;
}

/** Parses the section `metadata`. Its checksum vouches for its shape. */
export function parseMetadata(bytes: Uint8Array): SnapshotMetadata {
  return JSON.parse(new TextDecoder().decode(bytes.slice()));
}

export function encodeJson(value: unknown): Uint8Array {
  return new TextEncoder().encode(JSON.stringify(value));
}

/** Returns the ISO date of the newest report of deactivated NPIs, or null. */
export function deactivationsDate(
  files: readonly Pick<AppliedFile, "kind" | "end">[],
): string | null {
  return newestEnd(files.filter(({ kind }) => kind === "deactivations"));
}

/** Returns the ISO date that full files and weeks go to; null for demo data, and if no file name has dates. */
export function dataDateOf({
  demo,
  files,
}: Pick<SnapshotMetadata, "files" | "demo">): string | null {
  return demo
    ? null
    : newestEnd(files.filter(({ kind }) => kind !== "deactivations"));
}

/** Returns the ISO end date of the last file applied; null for demo data, and if its name has no date. */
export function lastFileEnd({
  demo,
  files,
}: Pick<SnapshotMetadata, "files" | "demo">): string | null {
  return demo ? null : (files.at(-1)?.end ?? null);
}

/** Returns the newest end of the files' periods, or null if none is known. */
export function newestEnd(
  files: readonly Pick<AppliedFile, "end">[],
): string | null {
  const ends = files.flatMap(({ end }) => end ?? []);
  return ends.sort().at(-1) ?? null;
}

/** Writes `meta.source` of an answer: `NPPES (CMS), full file 2026-11-09, weekly updates to 2026-11-15`. */
export function describeSource({
  files,
  demo,
}: Pick<SnapshotMetadata, "files" | "demo">): string {
  if (demo) return "Demo data: invented providers, not the registry's";
  const full = files.find(({ kind }) => kind === "full");
  const weeks = files.filter(({ kind }) => kind === "week");
  const parts = ["NPPES (CMS)"];
  if (full !== undefined)
    parts.push(full.end === null ? "full file" : `full file ${full.end}`);
  if (weeks.length > 0)
    parts.push(`weekly updates to ${newestEnd(weeks) ?? ""}`);
  return parts.join(", ");
}
