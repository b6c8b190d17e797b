import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { builtinTaxonomy } from "../../../reference/builtin-specialties.ts";
import type { DetailPart } from "../../../contract/detail-parts.ts";
import { loadCentroids } from "../../../reference/centroids.ts";
import type { ImportReport } from "../../../importing/import-report.ts";
import type { SnapshotStore } from "../../../store/store.ts";
import type { SyntheticRegistryOptions } from "../../../registry-generator/write-registry.ts";
import { writeSyntheticRegistry } from "../../../registry-generator/write-registry.ts";
import type { Context } from "../../command.ts";
import { importWithProgress } from "../registry/import.ts";
import { Progress } from "../../output/progress.ts";
import { KEEP_CHANGES } from "../../settings/settings.ts";

/** The folder, in the data folder, for the demo's file until it is imported. */
const WORK_FOLDER = ".demo-unfinished";

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
export async function writeWithProgress(
  label: string,
  options: Omit<SyntheticRegistryOptions, "onProgress" | "signal">,
  context: Context,
): Promise<{ rows: number; bytes: number; seconds: number }> {
  using progress = new Progress(label, context);
  const { bytes, rows } = await writeSyntheticRegistry({
    ...options,
    signal: context.stop,
    onProgress: ({ csvBytes, rows: done, totalRows }) =>
      progress.update({
        done,
        total: totalRows,
        bytes: csvBytes,
        bytesTotal: null,
        rows: done,
      }),
  });
  return { rows, bytes, seconds: progress.seconds };
}
