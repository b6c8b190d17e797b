import { basename } from "node:path";
import {
  recordChanges,
  type RecordedChanges,
} from "../../../changes/record-changes.ts";
import type { DetailPart } from "../../../contract/detail-parts.ts";
import { loadCentroids } from "../../../reference/centroids.ts";
import {
  importRegistryFile,
  type ImportOutcome,
  type ImportRequest,
} from "../../../importing/import-registry.ts";
import { comparePeriods } from "../../../registry/files/file-name.ts";
import { inspectRegistryFile } from "../../../registry/files/open-file.ts";
import type { SnapshotStore } from "../../../store/store.ts";
import {
  fail,
  type Command,
  type Context,
  type ExitCode,
} from "../../command.ts";
import {
  IMPORT_RUNNING,
  openSnapshots,
  withImportLock,
  pruneSnapshots,
} from "../../data-folder.ts";
import { chooseTaxonomy } from "./kept-taxonomy.ts";
import { describeCounts } from "./change-lines.ts";
import { describeImport } from "./import-lines.ts";
import { Progress } from "../../output/progress.ts";
import { counted } from "../../output/format.ts";
import {
  DATA_DIR,
  DEACTIVATED_DETAILS,
  DETAILS,
  FORCE,
  KEEP_CHANGES,
  KEEP_SNAPSHOTS,
  TAXONOMY,
} from "../../settings/settings.ts";

interface Options {
  readonly paths: readonly string[];
  readonly dataDir: string;
  readonly taxonomy: string | null;
  readonly deactivatedDetails: "keep" | "withhold";
  readonly details: ReadonlySet<DetailPart>;
  readonly force: boolean;
  readonly keepSnapshots: number;
  readonly keepChanges: number;
}

export const importCommand: Command = {
  operands: {
    text: "FILE.zip|FILE.csv|FILE.xlsx...",
    min: 1,
    max: Number.POSITIVE_INFINITY,
  },
  settings: [
    DATA_DIR,
    TAXONOMY,
    DETAILS,
    DEACTIVATED_DETAILS,
    FORCE,
    KEEP_SNAPSHOTS,
    KEEP_CHANGES,
  ],
  summary:
    "Import registry files: a full file replaces the data; a weekly file or a report of deactivated NPIs is merged into it.",
  details: [
    "Takes the zips as the registry publishes them. Several files are imported in order of their periods: full files first, then weekly files, then reports of deactivated NPIs. A running service switches to the new data within five seconds.",
    "If an import fails or is stopped, the served data does not change.",
  ],
  prepare(reader, paths) {
    const options: Options = {
      paths,
      dataDir: reader.read(DATA_DIR),
      taxonomy: reader.read(TAXONOMY),
      deactivatedDetails: reader.read(DEACTIVATED_DETAILS),
      details: reader.read(DETAILS),
      force: reader.read(FORCE),
      keepSnapshots: reader.read(KEEP_SNAPSHOTS),
      keepChanges: reader.read(KEEP_CHANGES),
    };
    return (context) => importFiles(options, context);
  },
};

async function importFiles(
  options: Options,
  context: Context,
): Promise<ExitCode> {
  const paths = await inImportOrder(options.paths);
  const store = openSnapshots(options.dataDir);
  const code = await withImportLock(options.dataDir, () =>
    importInOrder(paths, store, options, context),
  );
  return code ?? fail(context, IMPORT_RUNNING);
}

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

async function importInOrder(
  paths: readonly string[],
  store: SnapshotStore,
  {
    dataDir,
    deactivatedDetails,
    details,
    force,
    keepChanges,
    keepSnapshots,
    taxonomy: given,
  }: Options,
  context: Context,
): Promise<ExitCode> {
  const taxonomy = chooseTaxonomy(dataDir, given);
  for (const [index, path] of paths.entries()) {
    context.stop.throwIfAborted();
    const request = {
      path,
      store,
      taxonomy,
      centroids: loadCentroids,
      deactivatedDetails,
      details,
      force,
      demo: false,
      now: context.now,
      keepChanges,
    };
    const { changes, outcome, seconds } = await importWithProgress(
      request,
      context,
    );
    if (outcome.status === "refused") {
      const left = paths.slice(index + 1);
      return fail(
        context,
        `${outcome.message}${left.length === 0 ? "" : ` Also not imported: ${left.join(", ")}.`}`,
      );
    }
    if (outcome.status === "unchanged") {
      context.out(outcome.message);
      if (taxonomy.isNew)
        context.out(
          "The new taxonomy file is kept for the next import. To apply it now, use --force.",
        );
    } else {
      for (const line of describeImport(
        outcome.report,
        store.reportPathOf(outcome.id),
        seconds,
      ))
        context.out(line);
      if (changes !== null)
        context.out(`  changes: ${describeCounts(changes)}`);
      pruneSnapshots(store, keepSnapshots, context);
    }
  }
  return 0;
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
): Promise<{
  outcome: ImportOutcome;
  changes: RecordedChanges;
  seconds: number;
}> {
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
      else {
        const { bytesRead, bytesTotal, rows } = reached;
        progress.update({
          done: bytesRead,
          total: bytesTotal,
          bytes: bytesRead,
          bytesTotal,
          rows,
        });
      }
    },
  });
  return { outcome, changes, seconds: progress.seconds };
}
