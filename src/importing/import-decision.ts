import type { FilePeriod } from "../registry/files/file-name.ts";
import type { RegistryFileInfo } from "../registry/files/open-file.ts";
import { hasAny, missingDays } from "../store/missing-days.ts";
import { newestEnd, type AppliedFile } from "../snapshot/metadata.ts";

export type ImportDecision =
  /** Replaces the data; the last known details are carried over. */
  | { status: "import"; kind: "full" }
  /**
   * Merged into the data. `newerFiles` are the indexes of the files that outweigh this one. `isOlder`: full files and
   * weeks already cover later dates.
   */
  | {
      status: "import";
      kind: "update";
      newerFiles: ReadonlySet<number>;
      isOlder: boolean;
    }
  | { status: "unchanged"; message: string }
  | { status: "refused"; message: string };

/**
 * Decides whether and how to import a file into the data made from `files`. The file's checksum must be known if
 * `needsChecksum` says so.
 */
export function decideImport(
  files: readonly AppliedFile[],
  file: RegistryFileInfo,
  force: boolean,
): ImportDecision {
  const { name, period } = file;
  if (
    !force &&
    files.some(
      (applied) => isAlike(applied, file) && applied.crc32 === file.crc32,
    )
  )
    return {
      status: "unchanged",
      message: `${name} was already imported. Use --force to import it again.`,
    };
  if (period.kind === "deactivations") {
    if (files.length > 0)
      return {
        status: "import",
        kind: "update",
        newerFiles: newerThan(files, period),
        isOlder: false,
      };
    return {
      status: "refused",
      message: `${name} lists deactivated NPIs, but no providers have been imported yet. Import a full or weekly file first.`,
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
      message: `${name} ends on ${period.end}, before the current full file, which ends on ${fullEnd}. Import a newer file, or use --force to go back.`,
    };
  }
  const weekEnd = newestEnd(files.filter(({ kind }) => kind === "week"));
  const isOlder =
    (weekEnd !== null && period.end < weekEnd) ||
    (fullEnd !== null && period.end <= fullEnd);
  if (!isOlder || force || hasAny(missingDays(files), period))
    return {
      status: "import",
      kind: "update",
      newerFiles: newerThan(files, period),
      isOlder,
    };
  return {
    status: "refused",
    message: `${name} is a weekly file that ends on ${period.end}, and the data already goes through ${newestEnd(files.filter(({ kind }) => kind !== "deactivations"))}. Nothing is missing. Use --force to merge it: of an NPI, the row of the file whose period ends last counts.`,
  };
}

/** True if the file's checksum is needed to tell it from an imported one, and is not known yet. */
export function needsChecksum(
  files: readonly AppliedFile[],
  file: RegistryFileInfo,
): boolean {
  return file.crc32 === null && files.some((applied) => isAlike(applied, file));
}

/** Writes the message for a report of deactivated NPIs that changes nothing. */
export function nothingNewMessage({ end, name }: AppliedFile): string {
  return `${name} lists no new deactivations up to ${end}. Nothing to do.`;
}

/**
 * Finds the indexes of the files that outweigh one: files that end later and, among files with the same end, a report
 * of deactivated NPIs or a file that starts later. Of two files with the same period, the one imported last wins.
 */
function newerThan(
  files: readonly AppliedFile[],
  than: FilePeriod,
): ReadonlySet<number> {
  return new Set(
    files.flatMap((file, index) => (isNewer(file, than) ? [index] : [])),
  );
}

function isNewer(file: AppliedFile, than: FilePeriod): boolean {
  if (file.end === null || than.end === null) return false;
  if (file.end !== than.end) return file.end > than.end;
  const isReport = file.kind === "deactivations";
  if (isReport !== (than.kind === "deactivations")) return isReport;
  return (file.begin ?? "") > (than.begin ?? "");
}

/** True if both have the same period and length. */
function isAlike(
  { begin, bytes, end, kind }: AppliedFile,
  { bytes: otherBytes, period }: RegistryFileInfo,
): boolean {
  return (
    kind === period.kind &&
    begin === period.begin &&
    end === period.end &&
    bytes === otherBytes
  );
}
