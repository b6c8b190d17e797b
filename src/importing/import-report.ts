import type { DetailPart } from "../contract/detail-parts.ts";
import type { FurtherSummary } from "../registry/details/further-file.ts";
import type { BadRow } from "../registry/rows/provider-row.ts";
import type { DeactivationCounts } from "./deactivation-merger.ts";
import type { RegistryFileSummary } from "../registry/rows/read-registry-file.ts";
import type { DetailsImport } from "./details-import.ts";
import type { RowMerger } from "./row-merger.ts";
import type { AppliedFile, SnapshotCounts } from "../snapshot/metadata.ts";
import { missingDays, type Days } from "../store/missing-days.ts";

const MAX_EXAMPLES = 1000;
/** More bad rows than this share stop an import. */
const MOST_BAD_ROWS = 0.001;
/** A full file with fewer rows than this share of the providers held before stops an import. */
const LEAST_ROWS = 0.9;

/** What an import did, as `import-report.json` beside the snapshot has it. */
export interface ImportReport {
  file: AppliedFile;
  /** ISO 8601, UTC. */
  startedAt: string;
  finishedAt: string;
  /** Rows that could be used. */
  rows: number;
  badRows: {
    total: number;
    byReason: Record<string, number>;
    /** The first 1,000, each with the line of the CSV file on which the row begins. */
    examples: BadRow[];
  };
  /** Values that could not be used and are null, such as dates that no calendar has, by reason. */
  warnings: Record<string, number>;
  /** Rows whose details were withheld by the registry and carried over from the snapshot before. */
  carriedOver: number;
  /** Days that none of the files that make up the data covers, though later ones are covered. */
  missingDays: readonly Days[];
  /** Rows of an older week that a newer row of the same NPI outweighs. */
  outweighed: number;
  /** What came of the NPIs that a report of deactivated ones lists; null for other files. */
  deactivations: DeactivationCounts | null;
  /** Of the snapshot that came of it; null when the import was refused. */
  counts: SnapshotCounts | null;
  /** The parts of the registry's details that are held, and the rows of the files that come in the zip for them. */
  details: {
    held: readonly DetailPart[];
    otherNames: FurtherSummary | null;
    locations: FurtherSummary | null;
  };
}

/** Keeps the first bad rows of an import. */
export class BadRowExamples {
  readonly examples: BadRow[] = [];

  add(bad: BadRow): void {
    if (this.examples.length < MAX_EXAMPLES) this.examples.push(bad);
  }
}

/** What a report is made of, before there is a snapshot. */
interface ReportSources {
  /** Milliseconds since 1970. */
  startedAt: number;
  now: () => number;
  /** The files that the file is merged with. */
  files: readonly AppliedFile[];
  summary: RegistryFileSummary;
  examples: BadRowExamples;
  merger: RowMerger;
  deactivations: DeactivationCounts | null;
  /** Null where none are kept. */
  details: DetailsImport | null;
}

/** The report of a file that was read, without the counts of the snapshot that comes of it. */
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
    carriedOver,
    outweighed,
    counts: null,
    deactivations,
    details: {
      held: details?.held ?? [],
      otherNames: details?.otherNames ?? null,
      locations: details?.locations ?? null,
    },
    missingDays: missingDays([...files, file]),
  };
}

/**
 * Why the rows of a file are not imported, as a sentence without its full stop; null where nothing is wrong. `heldBefore`
 * is how many providers a full file replaces, 0 for none; null for an update.
 */
export function faultOfRows(
  summary: RegistryFileSummary,
  heldBefore: number | null,
): string | null {
  return (
    tooManyBadRows(summary) ??
    (heldBefore === null ? null : tooFewRows(summary, heldBefore))
  );
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
  if (badRows <= (rows + badRows) * MOST_BAD_ROWS) return null;
  return `${badRows} of ${rows + badRows} rows of ${name} are unusable, more than 0.1 %. Download the file again, or use --force to import the rest`;
}

function tooFewRows(
  { name, rows }: RegistryFileSummary,
  heldBefore: number,
): string | null {
  if (rows === 0)
    return `${name} has no usable rows. Download the file again, or use --force to import it`;
  if (rows >= heldBefore * LEAST_ROWS) return null;
  return `${name} has ${rows} rows, fewer than 90 % of the current ${heldBefore} providers. Download the file again, or use --force to import it`;
}
