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
import type { Installed, PlannedFile } from "../../../update/plan/plan.ts";
import { taxonomyVersionOf } from "../../../update/offers/taxonomy-page.ts";
import { HttpClient } from "../../../update/http/http-client.ts";
import type { DownloadProgress } from "../../../update/http/download.ts";
import {
  CommandError,
  NO_OPERANDS,
  type Command,
  type Context,
} from "../../command.ts";
import { openSnapshots, withImportLock } from "../../data-folder.ts";
import {
  installedData,
  NO_DATA,
  type InstalledData,
} from "./installed-data.ts";
import { importFetched } from "./import-fetched.ts";
import { currentTaxonomy } from "./current-taxonomy.ts";
import { formatSeconds } from "../../output/format.ts";
import { Progress } from "../../output/progress.ts";
import { DATA_DIR, FORCE } from "../../settings/settings.ts";
import { PUBLISH_SETTINGS } from "../../settings/fleet-settings.ts";
import {
  DRY_RUN,
  readUpdateOptions,
  UPDATE_SETTINGS,
  type UpdateOptions,
} from "../../settings/update-settings.ts";

const DOWNLOADS = "downloads";
const MONTHS = new Intl.DateTimeFormat("en-US", {
  month: "long",
  year: "numeric",
  timeZone: "UTC",
});
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
    const isDryRun = reader.read(DRY_RUN);
    const chosen = {
      ...readUpdateOptions(reader),
      again: reader.read(FORCE),
      proxies: reader.proxies(),
    };
    return async (context) => {
      await (isDryRun ? printDryRun : update)(chosen, context);
      return 0;
    };
  },
};

interface Chosen extends UpdateOptions {
  /** True if files that were rolled back are imported again. */
  readonly again: boolean;
  readonly proxies: ProxyEnv;
}

async function printDryRun(options: Chosen, context: Context): Promise<void> {
  const current = existsSync(join(options.dataDir, "snapshots"))
    ? installedData(openSnapshots(options.dataDir), options.again)
    : NO_DATA;
  using client = new HttpClient({ proxy: options.proxies });
  const plan = await checkForUpdate(
    requestOf(options, current, client, context),
  );
  if (plan.status === "blocked") throw new CommandError(plan.message);
  if (plan.status === "current") context.out(plan.message);
  else {
    printPlan(plan.files, current, context);
    context.out("Dry run: nothing was changed.");
  }
}

async function update(options: Chosen, context: Context): Promise<void> {
  const store = openSnapshots(options.dataDir);
  await withImportLock(options.dataDir, () =>
    updateLocked(store, options, context),
  );
  if (options.publish === null) return;
  // Loaded here: only a fleet's importer publishes.
  const { publishCurrent } = await import("../fleet.ts");
  await publishCurrent(options.publish, false, context);
}

async function updateLocked(
  store: SnapshotStore,
  options: Chosen,
  context: Context,
): Promise<void> {
  store.builds.discardAll();
  store.completeFirst();
  const current = installedData(store, options.again);
  using client = new HttpClient({ proxy: options.proxies });
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
  if (outcome.status === "blocked") throw new CommandError(outcome.message);
  if (outcome.status === "current") context.out(outcome.message);
  else {
    const { files } = outcome;
    printNotice(files, options.dataDir, context);
    if (files.length > 0)
      await importFetched(files, current, store, options, context);
    context.out(`Current data: ${installedData(store).source}.`);
  }
  const old = removeOldDownloads(request.folder, options.keepDownloads);
  if (old.length > 0) context.out(`  removed downloads: ${old.join(", ")}`);
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

/** Finds the name of a taxonomy file of the operator's own, not NUCC's; null if there is none. */
function operatorTaxonomy(dataDir: string): string | null {
  const name = currentTaxonomy(dataDir)?.name ?? null;
  return name === null || taxonomyVersionOf(name) !== null ? null : name;
}

/** Counts new snapshots: those that stay, one until old ones are deleted, and one that is kept back. */
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
  for (const file of files)
    context.out(`  ${file.name}: ${describe(file, installed)}`);
}

/** Prints the notice once per installation, with the first downloaded taxonomy. */
function printNotice(
  files: readonly FetchedFile[],
  dataDir: string,
  context: Context,
): void {
  const isFirst = currentTaxonomy(dataDir)?.isFromUpdate !== true;
  if (isFirst && files.some(({ kind }) => kind === "taxonomy"))
    context.out(NOTICE);
}

function describe(file: PlannedFile, { files, taxonomyVersion }: Installed) {
  if (file.kind === "taxonomy")
    return `specialty names, version ${versionText(file.version)} (installed: ${taxonomyVersion === null ? "none of NUCC's" : versionText(taxonomyVersion)})`;
  if (file.kind === "deactivations")
    return `deactivated NPIs as of ${file.date}`;
  if (file.kind === "week") return `weekly file, ${file.begin} to ${file.end}`;
  const full = files.find(({ kind }) => kind === "full");
  const why =
    full !== undefined
      ? "newer than the current one"
      : files.length === 0
        ? "the first one"
        : "replaces the current weekly files";
  return `full file of ${MONTHS.format(Date.parse(`${file.month}-01`))}, ${why}`;
}

/** Writes a version as NUCC does: 26.1 for 261. */
function versionText(version: number): string {
  return (version / 10).toFixed(1);
}

/** Shows the progress of each download. */
export class DownloadsShown implements Disposable {
  readonly #context: Context;
  #name = "";
  #shown: Progress | null = null;

  constructor(context: Context) {
    this.#context = context;
  }

  show({ bytes, bytesTotal, name }: DownloadProgress): void {
    if (name !== this.#name) {
      this[Symbol.dispose]();
      this.#name = name;
      this.#shown = new Progress(`Downloading ${name}`, this.#context);
    }
    this.#shown?.update({ bytes, bytesTotal, rows: null });
  }

  [Symbol.dispose](): void {
    this.#shown?.[Symbol.dispose]();
    this.#shown = null;
  }
}
