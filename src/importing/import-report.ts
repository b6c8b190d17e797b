import type { DetailPart } from "../contract/detail-parts.ts";
import type { FurtherSummary } from "../registry/details/further-file.ts";
import type { BadRow } from "../registry/rows/provider-row.ts";
import type { DeactivationCounts } from "./deactivation-merger.ts";
import type { AppliedFile, SnapshotCounts } from "../snapshot/metadata.ts";
import type { Days } from "../store/missing-days.ts";

const MAX_EXAMPLES = 1000;

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
