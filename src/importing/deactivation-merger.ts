import { dayOfIso } from "../text/dates.ts";
import { NO_DATE, ProviderRow } from "../registry/rows/provider-row.ts";
import type { DeactivationReport } from "../registry/deactivations/read-deactivations.ts";
import type { BaseSnapshot } from "../snapshot/base-snapshot.ts";
import { isDeactivated } from "../snapshot/postings/kinds.ts";
import type { AppliedFile } from "../snapshot/metadata.ts";
import { isReactivated, type RowMerger } from "./row-merger.ts";

/** What came of the NPIs that a report of deactivated NPIs lists; the sum is their number, each counted once. */
export interface DeactivationCounts {
  /** Active before. */
  deactivated: number;
  /** Deactivated before, on another day. */
  redated: number;
  /** Not held before: only the NPI and the date are known now. */
  added: number;
  /** Deactivated on that day already. */
  unchanged: number;
  /** Of which something newer than the report is held. */
  outweighed: number;
}

/** The files that were imported, those without effect too, and which of them, by index, reach beyond the report's day. */
export interface ImportedFiles {
  files: readonly AppliedFile[];
  newerFiles: ReadonlySet<number>;
}

/**
 * Puts what a report of deactivated NPIs tells into a merger, as if it were rows of a week that the registry withholds;
 * but only where it changes something, which is at a few of its many NPIs. What it does not list stays as it is.
 *
 * Something newer than the report outweighs it: a row of a file that reaches beyond the report's day, or one with a
 * later date. So does a reactivation on or after the deactivation that it lists.
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
    // A full file that is newer would have the NPI, if the registry still had it.
    if (doc < 0) return isPastAll ? "outweighed" : "added";
    const held = base.records.origin(doc);
    const isHeld = isDeactivated(base.kinds.column[doc]!);
    if (isHeld && held.deactivationDate === day) return "unchanged";
    const heldDay = isHeld ? held.deactivationDate : held.lastUpdated;
    const isOutweighed =
      newerFiles.has(held.file) ||
      (reach !== NO_DATE && heldDay > reach) ||
      isReactivated(held, day) ||
      (isHeld && isPastDates);
    if (isOutweighed) return "outweighed";
    return isHeld ? "redated" : "deactivated";
  }
}

/**
 * The NPIs by their documents, so that each block of records is read once: the document (-1 for none) and the place in
 * the report, of an NPI that is listed again the last one.
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
