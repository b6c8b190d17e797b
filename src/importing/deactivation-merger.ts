import { dayOfIso } from "../text/dates.ts";
import { NO_DATE, ProviderRow } from "../registry/rows/provider-row.ts";
import type { DeactivationReport } from "../registry/deactivations/read-deactivations.ts";
import type { BaseSnapshot } from "../snapshot/base-snapshot.ts";
import { isDeactivated } from "../snapshot/postings/kinds.ts";
import type { AppliedFile } from "../snapshot/metadata.ts";
import { isReactivated, type RowMerger } from "./row-merger.ts";

/** Outcome counts for the NPIs in a report of deactivated NPIs, each counted once. */
export interface DeactivationCounts {
  /** Active before. */
  deactivated: number;
  /** Deactivated before, on another day. */
  redated: number;
  /** Not in the base: only the NPI and the date are known now. */
  added: number;
  /** Deactivated on that day already. */
  unchanged: number;
  /** Skipped, because the data has something newer than the report. */
  outweighed: number;
}

/** All imported files, including those without effect, and the indexes of those that end after the report's date. */
export interface ImportedFiles {
  files: readonly AppliedFile[];
  newerFiles: ReadonlySet<number>;
}

/**
 * Feeds a report of deactivated NPIs into a merger as rows of a week with withheld details. Only NPIs that change are
 * fed, a small share of the report. NPIs that the report does not list are left as they are.
 *
 * Newer data outweigh the report: a row of a file that ends after the report's date, a row with a later date, or a
 * reactivation on or after the listed deactivation.
 */
export function mergeDeactivations(
  report: DeactivationReport,
  base: BaseSnapshot,
  merger: RowMerger,
  { files, newerFiles }: ImportedFiles,
): DeactivationCounts {
  const { days, npis, summary } = report;
  const reach = dayOfIso(summary.period.end ?? "");
  const isNewer = (kind: AppliedFile["kind"]): boolean =>
    files.some((file, index) => file.kind === kind && newerFiles.has(index));
  const isPastAll = isNewer("full");
  const isPastDates = isNewer("deactivations");
  const counts = {
    deactivated: 0,
    redated: 0,
    added: 0,
    unchanged: 0,
    outweighed: 0,
  };
  const row = new ProviderRow();
  row.deactivated = true;
  for (const [doc, at] of inDocumentOrder(npis, base)) {
    const become = becomes(doc, days[at]!);
    counts[become]++;
    if (become === "unchanged" || become === "outweighed") continue;
    row.npi = npis[at]!;
    row.deactivationDate = days[at]!;
    merger.addRow(row);
  }
  return counts;

  function becomes(doc: number, day: number): keyof DeactivationCounts {
    // A newer full file would have this NPI if the registry still did.
    if (doc < 0) return isPastAll ? "outweighed" : "added";
    const origin = base.records.origin(doc);
    const wasDeactivated = isDeactivated(base.kinds.column[doc]!);
    if (wasDeactivated && origin.deactivationDate === day) return "unchanged";
    const recordDay = wasDeactivated
      ? origin.deactivationDate
      : origin.lastUpdated;
    const isOutweighed =
      newerFiles.has(origin.file) ||
      (reach !== NO_DATE && recordDay > reach) ||
      isReactivated(origin, day) ||
      (wasDeactivated && isPastDates);
    if (isOutweighed) return "outweighed";
    return wasDeactivated ? "redated" : "deactivated";
  }
}

/**
 * Yields the NPIs in document order, so each block of records is read once: document (-1 for none) and index in the
 * report. If an NPI is listed more than once, the last one counts.
 */
function* inDocumentOrder(
  npis: Uint32Array,
  base: BaseSnapshot,
): Generator<[doc: number, at: number]> {
  const { length } = npis;
  const order = Float64Array.from(
    npis,
    (npi, at) => (base.npiIndex.find(npi) + 1) * length + at,
  ).sort();
  const unknown = new Set<number>();
  for (let next = length - 1; next >= 0; next--) {
    const at = order[next]! % length;
    const doc = Math.floor(order[next]! / length) - 1;
    const later = next + 1 < length ? order[next + 1]! : Infinity;
    if (doc >= 0 && Math.floor(later / length) - 1 === doc) continue;
    if (doc < 0 && unknown.size === unknown.add(npis[at]!).size) continue;
    yield [doc, at];
  }
}
