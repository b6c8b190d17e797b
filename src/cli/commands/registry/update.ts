import { existsSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import type { ProxyEnv } from "node:http";
import type { SnapshotStore } from "../../../store/store.ts";
import {
  fetchUpdate,
  checkForUpdate,
  type FetchedFile,
  type UpdateRequest,
} from "../../../update/fetch-update.ts";
import { removeOldDownloads } from "../../../update/old-downloads.ts";
import { requireDiskBudget } from "../../../update/plan/disk-budget.ts";
import type { PlannedFile } from "../../../update/plan/plan.ts";
import { taxonomyVersionOf } from "../../../update/offers/taxonomy-page.ts";
import { HttpClient } from "../../../update/http/http-client.ts";
import {
  fail,
  NO_OPERANDS,
  type Command,
  type Context,
  type ExitCode,
} from "../../command.ts";
import {
  IMPORT_RUNNING,
  openSnapshots,
  withImportLock,
} from "../../data-folder.ts";
import { describePlan, DownloadsShown } from "./update-output.ts";
import {
  installedData,
  NO_DATA,
  type InstalledData,
} from "./installed-data.ts";
import { importFetched } from "./import-fetched.ts";
import { keptTaxonomy } from "./kept-taxonomy.ts";
import { formatSeconds } from "../../output/format.ts";
import { DATA_DIR, FORCE } from "../../settings/settings.ts";
import { PUBLISH_SETTINGS } from "../../settings/fleet-settings.ts";
import {
  DRY_RUN,
  readUpdateOptions,
  UPDATE_SETTINGS,
  type UpdateOptions,
} from "../../settings/update-settings.ts";

const DOWNLOADS = "downloads";
/** A few minutes in total; longer outages are left to the next update. */
const RETRIES = 6;
const NOTICE =
  "NUCC's Health Care Provider Taxonomy is copyrighted by the American Medical Association and provided as is, without warranty. For the terms of use and redistribution, see https://www.nucc.org.";

export const updateCommand: Command = {
  operands: NO_OPERANDS,
  settings: [
    ...new Set([
      DATA_DIR,
      DRY_RUN,
      FORCE,
      ...UPDATE_SETTINGS,
      ...PUBLISH_SETTINGS,
    ]),
  ],
  summary:
    "Download what is new from the registry's download page, and import it.",
  details: [
    "Looks for the newest full file, the weekly files after it or after the current data, the newest report of deactivated NPIs, and NUCC's newest taxonomy. Downloads only what this installation is missing, and imports it in order. An interrupted download resumes where it stopped. HTTPS_PROXY, HTTP_PROXY and NO_PROXY apply.",
    "A file that you rolled back is not imported again, and later weekly files wait for the next full file. To import it again, use --force.",
    "With --publish, it then publishes the current snapshot, as publish does.",
    "If an update fails or is stopped, the served data does not change, and the next update finishes the work. To update on a schedule, use serve --update.",
  ],
  prepare(reader) {
    const options = readUpdateOptions(reader);
    const isDryRun = reader.read(DRY_RUN);
    const again = reader.read(FORCE);
    const proxies = reader.proxies();
    return isDryRun
      ? (context) => printDryRun(options, again, proxies, context)
      : (context) => update(options, again, proxies, context);
  },
};

async function printDryRun(
  options: UpdateOptions,
  again: boolean,
  proxies: ProxyEnv,
  context: Context,
): Promise<ExitCode> {
  const current = existsSync(join(options.dataDir, "snapshots"))
    ? installedData(openSnapshots(options.dataDir), again)
    : NO_DATA;
  using client = new HttpClient({ proxy: proxies });
  const plan = await checkForUpdate(
    requestOf(options, current, client, context),
  );
  if (plan.status === "blocked") return fail(context, plan.message);
  if (plan.status === "current") context.out(plan.message);
  else {
    printPlan(plan.files, current, context);
    context.out("Dry run: nothing was changed.");
  }
  return 0;
}

async function update(
  options: UpdateOptions,
  again: boolean,
  proxies: ProxyEnv,
  context: Context,
): Promise<ExitCode> {
  const store = openSnapshots(options.dataDir);
  const code = await withImportLock(options.dataDir, () =>
    updateLocked(store, options, again, proxies, context),
  );
  if (code === null) return fail(context, IMPORT_RUNNING);
  if (code !== 0 || options.publish === null) return code;
  // Loaded here: only a fleet's importer publishes.
  const { publishCurrent } = await import("../fleet/publish-current.ts");
  return await publishCurrent(options.publish, false, context);
}

async function updateLocked(
  store: SnapshotStore,
  options: UpdateOptions,
  again: boolean,
  proxies: ProxyEnv,
  context: Context,
): Promise<ExitCode> {
  store.builds.discardAll();
  store.completeFirst();
  const current = installedData(store, again);
  using client = new HttpClient({ proxy: proxies });
  using downloads = new DownloadsShown(context);
  const request = requestOf(options, current, client, context);
  const outcome = await fetchUpdate({
    ...request,
    onProgress: (progress) => downloads.show(progress),
    async onPlan(files) {
      printPlan(files, current, context);
      await requireDiskBudget(files, {
        ...request,
        additionalSnapshots: additionalSnapshots(current, options, files),
      });
    },
  });
  downloads[Symbol.dispose]();
  if (outcome.status === "blocked") return fail(context, outcome.message);
  if (outcome.status === "current") context.out(outcome.message);
  else {
    printNotice(outcome.files, options.dataDir, context);
    if (outcome.files.length > 0) {
      const code = await importFetched(
        outcome.files,
        current,
        store,
        options,
        context,
      );
      if (code !== 0) return code;
    }
    context.out(`Current data: ${installedData(store).source}.`);
  }
  const old = removeOldDownloads(request.folder, options.keepDownloads);
  if (old.length > 0) context.out(`  removed downloads: ${old.join(", ")}`);
  return 0;
}

function requestOf(
  { dataDir, source, taxonomySource }: UpdateOptions,
  { installed, snapshotBytes }: InstalledData,
  client: HttpClient,
  context: Context,
): UpdateRequest {
  const own = operatorTaxonomy(dataDir);
  if (own !== null && taxonomySource !== null)
    context.out(
      `Specialty names come from your own file ${own}, so NUCC's page is not checked.`,
    );
  return {
    client,
    signal: context.stop,
    retryPolicy: {
      retries: RETRIES,
      sleep,
      random: () => (context.random(1)[0] ?? 0) / 256,
      now: context.now,
      onRetry: (why, waitMs) =>
        context.err(`${why}; retrying in ${formatSeconds(waitMs / 1000)}.`),
    },
    source,
    taxonomySource: own === null ? taxonomySource : null,
    folder: join(dataDir, DOWNLOADS),
    installed,
    snapshotBytes,
    onSkipped: (message) => context.out(message),
    onTaxonomyError: (message) =>
      context.err(`Specialty names are not updated: ${message}`),
  };
}

async function sleep(ms: number, signal: AbortSignal): Promise<void> {
  await wait(ms, undefined, { signal }).catch(() => signal.throwIfAborted());
}

/** The name of a taxonomy file of the operator's own, not NUCC's; null if there is none. */
function operatorTaxonomy(dataDir: string): string | null {
  const name = keptTaxonomy(dataDir)?.name ?? null;
  return name === null || taxonomyVersionOf(name) !== null ? null : name;
}

/** New snapshots that stay, one until old ones are deleted, and one that is kept back. */
function additionalSnapshots(
  { reach, snapshots }: InstalledData,
  { keepSnapshots }: UpdateOptions,
  files: readonly PlannedFile[],
): number {
  const mayKeepBack =
    reach !== null && files.some(({ kind }) => kind === "full");
  return Math.max(keepSnapshots - snapshots, 0) + 1 + (mayKeepBack ? 1 : 0);
}

function printPlan(
  files: readonly PlannedFile[],
  { installed, source }: InstalledData,
  context: Context,
): void {
  context.out(`Current data: ${source}. To download and import:`);
  for (const line of describePlan(files, installed)) context.out(line);
}

/** Prints the notice once per installation, with the first downloaded taxonomy. */
function printNotice(
  files: readonly FetchedFile[],
  dataDir: string,
  context: Context,
): void {
  const isFirst = keptTaxonomy(dataDir)?.isFromUpdate !== true;
  if (isFirst && files.some(({ kind }) => kind === "taxonomy"))
    context.out(NOTICE);
}
