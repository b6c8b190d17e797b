import type { DetailPart } from "../contract/detail-parts.ts";

/** What a snapshot says of itself, as JSON in its section `metadata`. */
export interface SnapshotMetadata {
  id: string;
  /** ISO 8601, UTC. */
  createdAt: string;
  /** The snapshot that was current when this one was made, to which a rollback leads; null for the first. */
  madeFrom: string | null;
  /** The files that made it, in the order applied; a full file starts a new list. */
  files: AppliedFile[];
  /** Whether the providers are invented: made by `demo`, never mixed with the registry's. */
  demo: boolean;
  /** Where the display names of taxonomies come from, in words. */
  taxonomySource: string;
  counts: SnapshotCounts;
  /** The parts that the details file beside it holds; absent where there is none. */
  details?: readonly DetailPart[];
}

export interface AppliedFile {
  name: string;
  /** `deactivations`: the registry's report of deactivated NPIs. */
  kind: "full" | "week" | "deactivations";
  /** ISO 8601 dates of the period that the file's name carries, null where it carries none; a report has an end alone. */
  begin: string | null;
  end: string | null;
  /** Length and CRC-32 of the file's data, uncompressed: the same file again changes nothing. */
  bytes: number;
  crc32: number;
}

export interface SnapshotCounts {
  providers: number;
  individuals: number;
  organizations: number;
  /** Of the providers, those that are deactivated, with details or without. */
  deactivated: number;
  /** Of the deactivated, those of which nothing but the NPI and the date is known. */
  withheld: number;
}

/** Reads the section `metadata`; what it was written from stands for its shape. */
export function parseMetadata(bytes: Uint8Array): SnapshotMetadata {
  return JSON.parse(new TextDecoder().decode(bytes.slice()));
}

export function encodeJson(value: unknown): Uint8Array {
  return new TextEncoder().encode(JSON.stringify(value));
}

/** The day of the newest report of deactivated NPIs among the files applied, an ISO date; null for none. */
export function deactivationsDate(
  files: readonly Pick<AppliedFile, "kind" | "end">[],
): string | null {
  return newestEnd(files.filter(({ kind }) => kind === "deactivations"));
}

/** The end of the newest period that full files and weeks cover, ISO 8601; null for invented data, and where no name tells one. */
export function dataDateOf({
  demo,
  files,
}: Pick<SnapshotMetadata, "files" | "demo">): string | null {
  return demo
    ? null
    : newestEnd(files.filter(({ kind }) => kind !== "deactivations"));
}

/** The day to which the file reaches that was applied last, ISO 8601; null for invented data, and where its name tells none. */
export function lastFileEnd({
  demo,
  files,
}: Pick<SnapshotMetadata, "files" | "demo">): string | null {
  return demo ? null : (files.at(-1)?.end ?? null);
}

/** The newest end of the files' periods, null where none is known. */
export function newestEnd(
  files: readonly Pick<AppliedFile, "end">[],
): string | null {
  const ends = files.flatMap(({ end }) => end ?? []);
  return ends.sort().at(-1) ?? null;
}

/** `meta.source` of an answer: `NPPES (CMS), full file 2026-11-09, weekly updates to 2026-11-15`. */
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
