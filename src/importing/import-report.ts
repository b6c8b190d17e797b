import type { DetailPart } from "../contract/detail-parts.ts";
import type { BadRow } from "../registry/rows/provider-row.ts";
import type { DeactivationCounts } from "./deactivation-merger.ts";
import type { RegistryFileSummary } from "../registry/rows/read-registry-file.ts";
import {
  NOT_READ,
  type DetailsImport,
  type SupplementarySummaries,
} from "./details-import.ts";
import type { RowMerger } from "./row-merger.ts";
import type { AppliedFile, SnapshotCounts } from "../snapshot/metadata.ts";
import { missingDays, type Days } from "../store/missing-days.ts";

const MAX_EXAMPLES = 1000;
/** An import stops if more than this share of rows is bad. */
const MAX_BAD_ROWS_SHARE = 0.001;
/** The import of a full file stops if it has fewer rows than this share of the current providers. */
const MIN_ROWS_SHARE = 0.9;

/** The contents of `import-report.json`. */
export interface ImportReport {
  file: AppliedFile;
  /** ISO 8601, UTC. */
  startedAt: string;
  finishedAt: string;
  /** Usable rows. */
  rows: number;
  badRows: {
    total: number;
    byReason: Record<string, number>;
    /** The first 1,000, each with the line of the CSV file on which the row starts. */
    examples: BadRow[];
  };
  /** Unusable values that were read as null, such as impossible dates, by reason. */
  warnings: Record<string, number>;
  /** Values of the shape of a Social Security number that were masked, in all files of the zip. */
  maskedNumbers: number;
  /** Rows whose details the registry withholds; the details of the previous snapshot were kept. */
  carriedOver: number;
  /** Days that none of the imported files covers, although later days are covered. */
  missingDays: readonly Days[];
  /** Rows of an older week that were skipped in favor of a newer row of the same NPI. */
  outweighed: number;
  /** Outcome of a report of deactivated NPIs; null for other files. */
  deactivations: DeactivationCounts | null;
  /** Counts of the new snapshot; null if the import was refused. */
  counts: SnapshotCounts | null;
  /** The parts of details that are kept, and row counts of the zip's files that contain them. */
  details: { held: readonly DetailPart[] } & SupplementarySummaries;
}

/** Keeps the first bad rows of an import. */
export class BadRowExamples {
  readonly examples: BadRow[] = [];

  add(bad: BadRow): void {
    if (this.examples.length < MAX_EXAMPLES) this.examples.push(bad);
  }
}

/** The inputs of a report, before the snapshot is built. */
interface ReportSources {
  /** Milliseconds since 1970. */
  startedAt: number;
  now: () => number;
  /** The files that this one is merged with. */
  files: readonly AppliedFile[];
  summary: RegistryFileSummary;
  examples: BadRowExamples;
  merger: RowMerger;
  deactivations: DeactivationCounts | null;
  /** Null if no details are kept. */
  details: DetailsImport | null;
}

/** Makes the report of a file, without the counts of the new snapshot. */
export function makeReport({
  deactivations,
  details,
  examples: { examples },
  files,
  merger: { carriedOver, outweighed },
  now,
  startedAt,
  summary,
}: ReportSources): ImportReport {
  const file = appliedFile(summary);
  return {
    file,
    startedAt: new Date(startedAt).toISOString(),
    finishedAt: new Date(now()).toISOString(),
    rows: summary.rows,
    badRows: {
      total: summary.badRows,
      byReason: Object.fromEntries(summary.badRowsByReason),
      examples,
    },
    warnings: Object.fromEntries(summary.warnings),
    maskedNumbers: maskedNumbers(summary, details),
    carriedOver,
    outweighed,
    counts: null,
    deactivations,
    details: {
      held: details?.keptParts ?? [],
      ...(details?.supplementary ?? NOT_READ),
    },
    missingDays: missingDays([...files, file]),
  };
}

/**
 * Returns why a file's rows are not imported, as a sentence without a period; null if nothing is wrong. `currentCount`
 * is the number of providers that a full file replaces, or 0; null for an update.
 */
export function faultOfRows(
  summary: RegistryFileSummary,
  currentCount: number | null,
): string | null {
  return (
    tooManyBadRows(summary) ??
    (currentCount === null ? null : tooFewRows(summary, currentCount))
  );
}

function maskedNumbers(
  summary: RegistryFileSummary,
  details: DetailsImport | null,
): number {
  let sum = summary.maskedNumbers;
  for (const file of Object.values(details?.supplementary ?? NOT_READ))
    sum += file?.maskedNumbers ?? 0;
  return sum;
}

function appliedFile({
  bytes,
  crc32,
  name,
  period,
}: RegistryFileSummary): AppliedFile {
  return {
    name,
    kind: period.kind,
    begin: period.begin,
    end: period.end,
    bytes,
    crc32,
  };
}

function tooManyBadRows({
  badRows,
  name,
  rows,
}: RegistryFileSummary): string | null {
  if (badRows <= (rows + badRows) * MAX_BAD_ROWS_SHARE) return null;
  return `${badRows} of ${rows + badRows} rows of ${name} are unusable, more than 0.1 %. Download the file again, or use --force to import the rest`;
}

function tooFewRows(
  { name, rows }: RegistryFileSummary,
  currentCount: number,
): string | null {
  if (rows === 0)
    return `${name} has no usable rows. Download the file again, or use --force to import it`;
  if (rows >= currentCount * MIN_ROWS_SHARE) return null;
  return `${name} has ${rows} rows, fewer than 90 % of the current ${currentCount} providers. Download the file again, or use --force to import it`;
}
