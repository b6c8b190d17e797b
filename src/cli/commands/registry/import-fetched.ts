import { rmSync } from "node:fs";
import { recordChanges } from "../../../changes/record-changes.ts";
import { renameTaxonomies } from "../../../importing/import-registry.ts";
import { loadCentroids } from "../../../reference/centroids.ts";
import { inspectRegistryFile } from "../../../registry/files/open-file.ts";
import { RegistryFileError } from "../../../registry/files/registry-file-error.ts";
import type { SnapshotStore } from "../../../store/store.ts";
import type { FetchedFile } from "../../../update/fetch-update.ts";
import { markRefused } from "../../../update/old-downloads.ts";
import { CommandError, type Context } from "../../command.ts";
import { pruneSnapshots } from "../../data-folder.ts";
import type { UpdateOptions } from "../../settings/update-settings.ts";
import { importWithProgress, printImport, type Imported } from "./import.ts";
import type { InstalledData } from "./installed-data.ts";
import { chooseTaxonomy, type ChosenTaxonomy } from "./current-taxonomy.ts";

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
): Promise<void> {
  const csv = files.find(({ kind }) => kind === "taxonomy");
  const taxonomy = chooseTaxonomy(
    options.dataDir,
    csv?.path ?? null,
    csv !== undefined,
  );
  const registryFiles = files.filter(({ kind }) => kind !== "taxonomy");
  const before = store.currentId();
  try {
    await importAll(registryFiles, taxonomy, current, store, options, context);
  } finally {
    // Delete a kept-back snapshot that nothing was merged into.
    store.builds.discardAll();
  }
  // Files that changed nothing made no snapshot with the new names.
  if (csv !== undefined && store.currentId() === before)
    await applyNames(taxonomy, store, options, context);
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
): Promise<void> {
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
    const imported: Imported = await importWithProgress(request, context).catch(
      (error: unknown) => {
        throw error instanceof RegistryFileError
          ? new CommandError(`${error.message}${removed(file)}`)
          : error;
      },
    );
    const { outcome } = imported;
    if (outcome.status === "refused")
      throw new CommandError(`${outcome.message}${refused(file)}`);
    if (outcome.status === "unchanged") {
      context.out(outcome.message);
      continue;
    }
    const { id } = outcome;
    const reportPath = keepBack ? null : store.reportPathOf(id);
    printImport({ ...imported, ...outcome, reportPath }, context);
    onto = keepBack ? id : null;
    if (keepBack)
      context.out(
        "  not served yet: older than the served data until the next file is merged",
      );
    else pruneSnapshots(store, keepSnapshots, context);
  }
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
