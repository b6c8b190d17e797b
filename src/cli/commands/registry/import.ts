import { basename } from "node:path";
import {
  recordChanges,
  type RecordedChanges,
} from "../../../changes/record-changes.ts";
import type { DeactivationCounts } from "../../../importing/deactivation-merger.ts";
import type { ImportReport } from "../../../importing/import-report.ts";
import {
  importRegistryFile,
  type ImportOutcome,
  type ImportRequest,
} from "../../../importing/import-registry.ts";
import { loadCentroids } from "../../../reference/centroids.ts";
import { comparePeriods } from "../../../registry/files/file-name.ts";
import { inspectRegistryFile } from "../../../registry/files/open-file.ts";
import { describeDays } from "../../../store/missing-days.ts";
import { command, CommandError, type Context } from "../../command.ts";
import {
  openSnapshots,
  pruneSnapshots,
  withImportLock,
} from "../../data-folder.ts";
import {
  counted,
  describeProviders,
  formatCount,
  formatSeconds,
} from "../../output/format.ts";
import { Progress } from "../../output/progress.ts";
import {
  DATA_DIR,
  DEACTIVATED_DETAILS,
  DETAILS,
  FORCE,
  KEEP_CHANGES,
  KEEP_SNAPSHOTS,
  TAXONOMY,
} from "../../settings/settings.ts";
import { describeCounts } from "./changes.ts";
import { chooseTaxonomy } from "./current-taxonomy.ts";

export const importCommand = command({
  operands: {
    text: "FILE.zip|FILE.csv|FILE.xlsx...",
    min: 1,
    max: Number.POSITIVE_INFINITY,
  },
  summary:
    "Import registry files: a full file replaces the data; a weekly file or a report of deactivated NPIs is merged into it.",
  details: [
    "Takes the zips as the registry publishes them. Several files are imported in order of their periods: full files first, then weekly files, then reports of deactivated NPIs. A running service switches to the new data within five seconds.",
    "If an import fails or is stopped, the served data does not change.",
  ],
  options: {
    dataDir: DATA_DIR,
    taxonomy: TAXONOMY,
    details: DETAILS,
    deactivatedDetails: DEACTIVATED_DETAILS,
    force: FORCE,
    keepSnapshots: KEEP_SNAPSHOTS,
    keepChanges: KEEP_CHANGES,
  },
  async run({ dataDir, keepSnapshots, taxonomy, ...chosen }, context, given) {
    const paths = await inImportOrder(given);
    const store = openSnapshots(dataDir);
    await withImportLock(dataDir, async () => {
      const names = chooseTaxonomy(dataDir, taxonomy);
      for (const [index, path] of paths.entries()) {
        context.stop.throwIfAborted();
        const imported = await importWithProgress(
          {
            ...chosen,
            path,
            store,
            taxonomy: names,
            centroids: loadCentroids,
            demo: false,
            now: context.now,
          },
          context,
        );
        const { outcome } = imported;
        if (outcome.status === "refused") {
          const left = paths.slice(index + 1);
          throw new CommandError(
            `${outcome.message}${left.length === 0 ? "" : ` Also not imported: ${left.join(", ")}.`}`,
          );
        }
        if (outcome.status === "imported") {
          const reportPath = store.reportPathOf(outcome.id);
          printImport({ ...imported, ...outcome, reportPath }, context);
          pruneSnapshots(store, keepSnapshots, context);
          continue;
        }
        context.out(outcome.message);
        if (names.isNew)
          context.out(
            "The new taxonomy file is kept for the next import. To apply it now, use --force.",
          );
      }
    });
  },
});

/**
 * Sorts files so that each builds on those before it, by the periods in their names (for a zip, the name of the CSV
 * inside). Throws RegistryFileError for anything but a registry file.
 */
async function inImportOrder(paths: readonly string[]): Promise<string[]> {
  const files = [];
  for (const path of paths)
    files.push({ path, period: (await inspectRegistryFile(path)).period });
  return files
    .toSorted((a, b) => comparePeriods(a.period, b.period))
    .map(({ path }) => path);
}

/** An import with its changes and the seconds it took. */
export interface Imported {
  readonly outcome: ImportOutcome;
  readonly changes: RecordedChanges;
  readonly seconds: number;
}

/** Imports one file, records its changes for `keepChanges` days, and shows progress. */
export async function importWithProgress(
  {
    keepChanges,
    ...request
  }: Omit<ImportRequest, "onProgress" | "onBuilt" | "signal"> & {
    keepChanges: number;
  },
  context: Context,
): Promise<Imported> {
  let changes: RecordedChanges = null;
  using progress = new Progress(`Importing ${basename(request.path)}`, context);
  const outcome = await importRegistryFile({
    ...request,
    signal: context.stop,
    onBuilt(built) {
      const { now, store } = request;
      if (built.base !== null)
        progress.note("comparing with the previous data");
      changes = recordChanges(built, { store, now, keepDays: keepChanges });
    },
    onProgress(reached) {
      if (reached.phase === "building")
        progress.note(
          `${counted(reached.rows, "row")} read, building the snapshot`,
        );
      else progress.update({ ...reached, bytes: reached.bytesRead });
    },
  });
  return { outcome, changes, seconds: progress.seconds };
}

/** Prints what an import did. */
export function printImport(
  {
    changes,
    report,
    reportPath,
    seconds,
  }: Pick<Imported, "changes" | "seconds"> & {
    readonly report: ImportReport;
    readonly reportPath: string | null;
  },
  context: Context,
): void {
  for (const line of describeImport(report, reportPath, seconds))
    context.out(line);
  if (changes !== null) context.out(`  changes: ${describeCounts(changes)}`);
}

/** Describes an import in lines. `reportPath` is null if the report is not stored yet. */
export function describeImport(
  {
    badRows,
    carriedOver,
    counts,
    deactivations,
    details: { held },
    file,
    maskedNumbers,
    missingDays,
    outweighed,
    rows,
    warnings,
  }: ImportReport,
  reportPath: string | null,
  seconds: number,
): string[] {
  return [
    `${file.name}: ${counted(rows, "row")} imported in ${formatSeconds(seconds)}.`,
    counts && `  providers: ${describeProviders(counts)}`,
    `  bad rows: ${formatCount(badRows.total)}${listed(badRows.byReason)}`,
    Object.keys(warnings).length > 0 && `  bad values:${listed(warnings)}`,
    maskedNumbers > 0 &&
      `  masked values, shaped like Social Security numbers: ${formatCount(maskedNumbers)}`,
    carriedOver > 0 &&
      `  deactivated NPIs with details kept: ${formatCount(carriedOver)}`,
    outweighed > 0 &&
      `  rows skipped, newer ones already imported: ${formatCount(outweighed)}`,
    deactivations && describeDeactivations(deactivations),
    `  details kept: ${held.length === 0 ? "none" : held.join(", ")}`,
    missingDays.length > 0 &&
      `  warning: no imported file covers ${describeDays(missingDays)}: import those weekly files, or the next full file`,
    reportPath !== null && `  report: ${reportPath}`,
  ].filter((line) => typeof line === "string");
}

function describeDeactivations({
  added,
  deactivated,
  outweighed,
  redated,
  unchanged,
}: DeactivationCounts): string {
  const parts = [
    `${formatCount(deactivated)} newly deactivated`,
    `${formatCount(redated)} with a new date`,
    `${formatCount(added)} unknown until now`,
    `${formatCount(unchanged)} already known`,
    `${formatCount(outweighed)} skipped because newer data is imported`,
  ];
  return `  deactivated NPIs: ${parts.join(", ")}`;
}

function listed(counts: Readonly<Record<string, number>>): string {
  const parts = Object.entries(counts).map(
    ([reason, count]) => `${formatCount(count)} ${reason}`,
  );
  return parts.length === 0 ? "" : ` (${parts.join(", ")})`;
}
