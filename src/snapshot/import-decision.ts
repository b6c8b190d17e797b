import type { FilePeriod } from "../registry/file-name.ts";
import { hasAny, missingDays } from "./missing-days.ts";
import { newestEnd, type AppliedFile } from "./metadata.ts";

/** What is known of a file before its rows are read: its name and period, and of a zip what its directory declares. */
export interface FileToImport {
  name: string;
  period: FilePeriod;
  declared: { bytes: number; crc32: number } | null;
}

export type ImportDecision =
  /** A new base: what is held is replaced, last known details carried over. */
  | { status: "import"; kind: "full" }
  /**
   * Merged into what is held. `newerFiles`, where the week is older: the indexes of the files held that cover its period or
   * a newer one.
   */
  | { status: "import"; kind: "update"; newerFiles: ReadonlySet<number> | null }
  | { status: "unchanged"; message: string }
  | { status: "refused"; message: string };

/** Whether and how a file goes into what is held, `files`. */
export function decideImport(
  files: readonly AppliedFile[],
  file: FileToImport,
  force: boolean,
): ImportDecision {
  const { name, period, declared } = file;
  if (
    !force &&
    declared !== null &&
    isApplied(files, { ...period, ...declared, name })
  ) {
    return { status: "unchanged", message: unchangedMessage(name) };
  }
  if (period.kind === "deactivations") {
    if (files.length > 0)
      return { status: "import", kind: "update", newerFiles: null };
    return {
      status: "refused",
      message: `${name} lists deactivated NPIs, and there are no data of the registry yet that they could belong to: import a full file or a week first.`,
    };
  }
  const fullEnd = files.find(({ kind }) => kind === "full")?.end ?? null;
  if (period.kind === "full") {
    if (
      force ||
      period.end === null ||
      fullEnd === null ||
      period.end >= fullEnd
    )
      return { status: "import", kind: "full" };
    return {
      status: "refused",
      message: `${name} reaches to ${period.end}, the full file in use already to ${fullEnd}: import a newer one, or give --force to go back.`,
    };
  }
  const weekEnd = newestEnd(files.filter(({ kind }) => kind === "week"));
  const isOlder =
    (weekEnd !== null && period.end < weekEnd) ||
    (fullEnd !== null && period.end <= fullEnd);
  if (!isOlder) return { status: "import", kind: "update", newerFiles: null };
  if (force || hasAny(missingDays(files), period))
    return {
      status: "import",
      kind: "update",
      newerFiles: newerThan(files, period.end),
    };
  return {
    status: "refused",
    message: `${name} covers a week to ${period.end}, and the data already reach to ${newestEnd(files.filter(({ kind }) => kind !== "deactivations"))}: nothing is missing, or give --force to merge what is newer in it.`,
  };
}

/** Whether the same data were applied already: the same period with the same bytes. */
export function isApplied(
  files: readonly AppliedFile[],
  file: AppliedFile,
): boolean {
  return files.some(
    ({ begin, bytes, crc32, end, kind }) =>
      kind === file.kind &&
      begin === file.begin &&
      end === file.end &&
      bytes === file.bytes &&
      crc32 === file.crc32,
  );
}

export function unchangedMessage(name: string): string {
  return `${name} was imported already: nothing to do (--force imports it again).`;
}

/** For a report of deactivated NPIs that tells nothing new. */
export function nothingNewMessage({ end, name }: AppliedFile): string {
  return `${name} tells of no deactivation to ${end} that is not known: nothing to do.`;
}

/** The indexes of the files that cover a newer period, or the same one. */
function newerThan(
  files: readonly AppliedFile[],
  end: string,
): ReadonlySet<number> {
  return new Set(
    files.flatMap((file, index) =>
      file.end !== null && file.end >= end ? [index] : [],
    ),
  );
}
