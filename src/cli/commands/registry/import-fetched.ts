import { rmSync } from "node:fs";
import { recordChanges } from "../../../changes/record-changes.ts";
import { loadCentroids } from "../../../reference/centroids.ts";
import { inspectRegistryFile } from "../../../registry/files/open-file.ts";
import { RegistryFileError } from "../../../registry/files/registry-file-error.ts";
import { renameTaxonomies } from "../../../importing/rename-taxonomies.ts";
import type { SnapshotStore } from "../../../store/store.ts";
import type { FetchedFile } from "../../../update/fetch-update.ts";
import { markRefused } from "../../../update/old-downloads.ts";
import { describeCounts } from "./change-lines.ts";
import { fail, type Context, type ExitCode } from "../../command.ts";
import { pruneSnapshots } from "../../data-folder.ts";
import type { InstalledData } from "./installed-data.ts";
import { importWithProgress } from "./import.ts";
import { describeImport } from "./import-lines.ts";
import { chooseTaxonomy, type ChosenTaxonomy } from "./kept-taxonomy.ts";
import type { UpdateOptions } from "../../settings/update-settings.ts";

/**
 * Imports downloaded files in order. Data older than the served data, such as a full file before its weekly files are
 * merged, is kept back: served data never goes back in time. The caller must have the import lock.
 */
export async function importFetched(
  files: readonly FetchedFile[],
  current: InstalledData,
  store: SnapshotStore,
  options: UpdateOptions,
  context: Context,
): Promise<ExitCode> {
  const csv = files.find(({ kind }) => kind === "taxonomy");
  const taxonomy = chooseTaxonomy(
    options.dataDir,
    csv?.path ?? null,
    csv !== undefined,
  );
  const registryFiles = files.filter(({ kind }) => kind !== "taxonomy");
  if (registryFiles.length === 0) {
    await applyNames(taxonomy, store, options, context);
    return 0;
  }
  const before = store.currentId();
  let code: ExitCode;
  try {
    code = await importAll(
      registryFiles,
      taxonomy,
      current,
      store,
      options,
      context,
    );
  } finally {
    // Delete a kept-back snapshot that nothing was merged into.
    store.builds.discardAll();
  }
  // Files that changed nothing made no snapshot with the new names.
  const isNamed = csv === undefined || store.currentId() !== before;
  if (code === 0 && !isNamed)
    await applyNames(taxonomy, store, options, context);
  return code;
}

async function applyNames(
  taxonomy: ChosenTaxonomy,
  store: SnapshotStore,
  options: UpdateOptions,
  context: Context,
): Promise<void> {
  const { now } = context;
  await renameTaxonomies({
    store,
    taxonomy,
    centroids: loadCentroids,
    now,
    onBuilt: (built) =>
      void recordChanges(built, { store, now, keepDays: options.keepChanges }),
  });
  context.out(`Specialty names now come from ${taxonomy.source}.`);
  pruneSnapshots(store, options.keepSnapshots, context);
}

async function importAll(
  files: readonly FetchedFile[],
  taxonomy: ChosenTaxonomy,
  current: InstalledData,
  store: SnapshotStore,
  { deactivatedDetails, details, keepChanges, keepSnapshots }: UpdateOptions,
  context: Context,
): Promise<ExitCode> {
  let onto: string | null = null;
  for (const [index, file] of files.entries()) {
    context.stop.throwIfAborted();
    const keepBack = index < files.length - 1 && (await isOlder(file, current));
    const request = {
      path: file.path,
      store,
      taxonomy,
      centroids: loadCentroids,
      deactivatedDetails,
      details,
      force: false,
      demo: false,
      now: context.now,
      onto,
      keepBack,
      keepChanges,
    };
    let imported: Awaited<ReturnType<typeof importWithProgress>>;
    try {
      imported = await importWithProgress(request, context);
    } catch (error) {
      if (!(error instanceof RegistryFileError)) throw error;
      return fail(context, `${error.message}${removed(file)}`);
    }
    const { changes, outcome, seconds } = imported;
    if (outcome.status === "refused")
      return fail(context, `${outcome.message}${refused(file)}`);
    if (outcome.status === "unchanged") {
      context.out(outcome.message);
      continue;
    }
    const { id, report } = outcome;
    const reportPath = keepBack ? null : store.reportPathOf(id);
    for (const line of describeImport(report, reportPath, seconds))
      context.out(line);
    if (changes !== null) context.out(`  changes: ${describeCounts(changes)}`);
    onto = keepBack ? id : null;
    if (keepBack)
      context.out(
        "  not served yet: older than the served data until the next file is merged",
      );
    else pruneSnapshots(store, keepSnapshots, context);
  }
  return 0;
}

/** True if a file's data ends before the served data. */
async function isOlder(
  { path }: FetchedFile,
  { reach }: InstalledData,
): Promise<boolean> {
  const { end } = (await inspectRegistryFile(path)).period;
  return reach !== null && end !== null && end < reach;
}

function removed({ isDownload, path }: FetchedFile): string {
  if (!isDownload) return "";
  rmSync(path, { force: true });
  return " It was deleted. Run update again to download a new copy.";
}

function refused({ isDownload, path }: FetchedFile): string {
  if (!isDownload) return "";
  return ` It is kept as ${markRefused(path)}, to inspect or import by hand. The next update downloads a new copy.`;
}
