import { existsSync, mkdirSync, rmSync } from "node:fs";
import { basename, join } from "node:path";
import type { DetailPart } from "../../contract/detail-parts.ts";
import type { ImportReport } from "../../importing/import-report.ts";
import { builtinTaxonomy } from "../../reference/builtin-specialties.ts";
import { loadCentroids } from "../../reference/centroids.ts";
import {
  problemOfName,
  writeSyntheticRegistry,
  type SyntheticRegistryOptions,
} from "../../registry-generator/write-registry.ts";
import type { SnapshotStore } from "../../store/store.ts";
import {
  command,
  CommandError,
  misuse,
  NO_OPERANDS,
  type Command,
  type Context,
} from "../command.ts";
import {
  openSnapshots,
  pruneSnapshots,
  withImportLock,
} from "../data-folder.ts";
import {
  counted,
  formatBytes,
  formatCount,
  formatSeconds,
} from "../output/format.ts";
import { Progress } from "../output/progress.ts";
import {
  DATA_DIR,
  DETAILS,
  FORCE,
  KEEP_CHANGES,
  KEEP_SNAPSHOTS,
  OUT,
  PROVIDERS,
  SEED,
  WITH_OTHER_FILES,
} from "../settings/settings.ts";
import { importWithProgress } from "./registry/import.ts";

/** The folder, in the data folder, for the demo's file until it is imported. */
const WORK_FOLDER = ".demo-unfinished";

export const demoCommand = command({
  summary: "Fill the data folder with invented providers, marked as a demo.",
  details: [
    "Invented providers are never mixed with real ones: importing a registry file replaces them.",
  ],
  options: {
    dataDir: DATA_DIR,
    providers: PROVIDERS,
    details: DETAILS,
    force: FORCE,
    keepSnapshots: KEEP_SNAPSHOTS,
  },
  async run({ dataDir, force, keepSnapshots, ...contents }, context) {
    const store = openSnapshots(dataDir);
    await withImportLock(dataDir, async () => {
      if (!force && holdsRealData(store))
        throw new CommandError(
          `${dataDir} contains registry data. Choose another folder with --data-dir, or use --force to replace the data.`,
        );
      const { report, seconds } = await buildDemo(store, contents, context);
      context.out(
        `${formatCount(report.counts?.providers ?? report.rows)} invented providers imported in ${formatSeconds(seconds)}.`,
      );
      pruneSnapshots(store, keepSnapshots, context);
    });
  },
});

/**
 * True if a demo would replace real data. An unreadable current snapshot counts as real, because it may be worth
 * repairing. So does any snapshot if none is current.
 */
function holdsRealData(store: SnapshotStore): boolean {
  const all = store.list();
  const current = all.find(({ isCurrent }) => isCurrent);
  const serving = current === undefined ? all : [current];
  return serving.some(({ metadata }) => metadata?.demo !== true);
}

/** The providers of a demo, or a week of changes to a demo with as many. */
export interface DemoContents extends Pick<
  SyntheticRegistryOptions,
  "providers" | "week"
> {
  readonly details: ReadonlySet<DetailPart>;
}

/**
 * Generates a registry file, imports it as a demo, and makes it current. Returns the report and the seconds it took.
 * The caller must have the import lock: leftovers of a killed demo are deleted.
 */
export async function buildDemo(
  store: SnapshotStore,
  { details, ...contents }: DemoContents,
  context: Context,
): Promise<{ report: ImportReport; seconds: number }> {
  const startedMs = context.now();
  const folder = join(store.dataDir, WORK_FOLDER);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder);
  try {
    const path = join(folder, "demo-providers.zip");
    await writeWithProgress(
      "Inventing providers",
      { ...contents, out: path, specialties: "named", otherFiles: true },
      context,
    );
    const { outcome } = await importWithProgress(
      {
        path,
        store,
        taxonomy: {
          table: builtinTaxonomy(),
          source: "the built-in table of common specialties",
        },
        centroids: loadCentroids,
        deactivatedDetails: "keep",
        details,
        // The caller has checked that the demo may replace the data.
        force: true,
        demo: true,
        now: context.now,
        keepChanges: KEEP_CHANGES.defaultValue,
      },
      context,
    );
    if (outcome.status !== "imported")
      throw new Error(`The demo was not imported: ${outcome.message}`);
    return {
      report: outcome.report,
      seconds: (context.now() - startedMs) / 1000,
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Writes a synthetic registry file and shows progress. Returns its rows, its bytes and the seconds it took. */
async function writeWithProgress(
  label: string,
  options: Omit<SyntheticRegistryOptions, "onProgress" | "signal">,
  context: Context,
): Promise<{ rows: number; bytes: number; seconds: number }> {
  using progress = new Progress(label, context);
  const { bytes, rows } = await writeSyntheticRegistry({
    ...options,
    signal: context.stop,
    onProgress: ({ csvBytes, rows: written, totalRows: rowsTotal }) =>
      progress.update({
        bytes: csvBytes,
        bytesTotal: null,
        rows: written,
        rowsTotal,
      }),
  });
  return { rows, bytes, seconds: progress.seconds };
}

export const generateCommand: Command = {
  operands: NO_OPERANDS,
  settings: [PROVIDERS, OUT, SEED, WITH_OTHER_FILES, FORCE],
  summary:
    "Write a registry file of invented providers, in the official 330-column layout.",
  details: [
    "The file name's extension chooses between a CSV and a zip like the registry's. The same seed gives the same file on every machine. With --with-other-files, deactivated providers also get a deactivation reason and a replacement NPI, which the registry leaves blank.",
  ],
  prepare(reader) {
    const providers = reader.require(PROVIDERS, 0);
    const out = reader.require(OUT, "");
    const seed = reader.read(SEED);
    const otherFiles = reader.read(WITH_OTHER_FILES);
    const force = reader.read(FORCE);
    return async (context) => {
      const problem = problemOfName({ out, otherFiles });
      if (problem !== null) throw misuse(`--out ${problem}.`);
      if (!force && existsSync(out))
        throw new CommandError(
          `${out} already exists. Choose another name, or use --force to replace it.`,
        );
      const { bytes, rows, seconds } = await writeWithProgress(
        `Writing ${basename(out)}`,
        { providers, out, seed, otherFiles },
        context,
      );
      context.out(
        `${out}: ${counted(rows, "row")}, ${formatBytes(bytes)}, written in ${formatSeconds(seconds)}.`,
      );
      return 0;
    };
  },
};
