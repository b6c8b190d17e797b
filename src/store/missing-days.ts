import { dayOfIso, isoDate } from "../text/dates.ts";
import type { AppliedFile } from "../snapshot/metadata.ts";

/** ISO dates, both inclusive. */
export interface Days {
  readonly from: string;
  readonly to: string;
}

/** The part of a file's metadata that says which days it covers. */
type Covering = Pick<AppliedFile, "kind" | "begin" | "end">;

/**
 * Finds the days before the newest covered day that no file covers, in order: weeks that were never imported. If no
 * full file has a known end, everything before the first week counts as covered.
 */
export function missingDays(files: readonly Covering[]): Days[] {
  const missing: Days[] = [];
  const fullEnd = files.find(({ kind }) => kind === "full")?.end ?? null;
  let covered = fullEnd === null ? null : dayOfIso(fullEnd);
  for (const { begin, end } of weeksInOrder(files)) {
    if (covered !== null && begin > covered + 1)
      missing.push({
        from: isoDate(covered + 1) ?? "",
        to: isoDate(begin - 1) ?? "",
      });
    covered = Math.max(covered ?? end, end);
  }
  return missing;
}

/** True if a period contains any of these days. */
export function hasAny(
  days: readonly Days[],
  { begin, end }: { begin: string; end: string },
): boolean {
  return days.some(({ from, to }) => begin <= to && end >= from);
}

/** Writes the days as text: `2024-01-08 to 2024-01-14, …`. */
export function describeDays(days: readonly Days[]): string {
  return days.map(({ from, to }) => `${from} to ${to}`).join(", ");
}

function weeksInOrder(
  files: readonly Covering[],
): { begin: number; end: number }[] {
  return files
    .flatMap(({ begin, end, kind }) =>
      kind === "week" && begin !== null && end !== null
        ? [{ begin: dayOfIso(begin), end: dayOfIso(end) }]
        : [],
    )
    .sort((a, b) => a.begin - b.begin);
}
