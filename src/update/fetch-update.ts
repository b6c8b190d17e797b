import { existsSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import type { RequestContext } from "./http/request.ts";
import { checkFile } from "./check-file.ts";
import { download, type DownloadProgress } from "./http/download.ts";
import type { OfferedFile } from "./offers/offered-file.ts";
import {
  planUpdate,
  type Installed,
  type PlannedFile,
  type UpdatePlan,
} from "./plan/plan.ts";
import type { Offered } from "./plan/rolled-back.ts";
import { isHere, pathOf, snapshotOf } from "./plan/disk-budget.ts";
import { readRegistryPage } from "./offers/registry-page.ts";
import {
  readTaxonomyPage,
  type OfferedTaxonomy,
} from "./offers/taxonomy-page.ts";
import { UpdateError } from "./update-error.ts";

/** What downloads may have at most. The registry's full file has 1 GB, a week 20 MB, its report 6 MB; NUCC's table half a megabyte. */
const MOST_BYTES: Readonly<Record<PlannedFile["kind"], number>> = {
  full: 8e9,
  week: 1e9,
  deactivations: 64e6,
  taxonomy: 16e6,
};

export interface UpdateRequest extends RequestContext {
  /** Where the registry's files are offered, as `parseSource` reads it. */
  source: URL;
  /** The same for NUCC's taxonomy; null to do without. */
  taxonomySource: URL | null;
  /** Where downloads are kept. Made when it is not there. One update at a time. */
  folder: string;
  installed: Installed;
  /** What a week's snapshot takes of the disk, 0 when there is no snapshot. */
  snapshotBytes: number;
  onProgress?: (progress: DownloadProgress) => void;
  /** Told what is going to be brought, before it is; again when a full file's own date changes it. */
  onPlan?: (files: readonly PlannedFile[]) => Promise<void>;
  /** Told in a sentence what is offered and left out. */
  onLeftOut: (message: string) => void;
  /** Told in a sentence why the names of specialties stay as they are: providers do not wait for them. */
  onTaxonomyFault: (message: string) => void;
}

/** A file at hand, looked into. */
export interface FetchedFile {
  kind: PlannedFile["kind"];
  name: string;
  path: string;
  /** Whether it was downloaded; otherwise it lies where the source has it. */
  isDownload: boolean;
}

/** Reads the sources and works out what is lacking; downloads nothing. Throws an UpdateError. */
export async function lookForUpdate(
  request: UpdateRequest,
): Promise<UpdatePlan> {
  const plan = planUpdate(await readOffers(request), request.installed);
  plan.notes.forEach(request.onLeftOut);
  return plan;
}

/**
 * Brings everything here that the installation lacks; the files come in the order in which they are to be imported.
 * Throws an UpdateError, the signal's reason, and the file system's own errors.
 */
export async function fetchUpdate(
  request: UpdateRequest,
): Promise<
  | { status: "fetched"; files: FetchedFile[] }
  | Exclude<UpdatePlan, { status: "update" }>
> {
  await mkdir(request.folder, { recursive: true });
  const { files: offered, taxonomy } = await readOffers(request);
  let files = offered;
  let plan = planUpdate({ files, taxonomy }, request.installed);
  plan.notes.forEach(request.onLeftOut);
  let told: readonly PlannedFile[] = [];
  // The day that a full file covers decides on the weeks, and is only known from inside.
  for (;;) {
    if (plan.status !== "update") return plan;
    await tellChanged(plan.files, told, request);
    told = plan.files;
    const unseen = plan.files.find(
      (file) => file.kind === "full" && file.end === null,
    );
    if (unseen === undefined) break;
    const seen = await bring(unseen, request);
    files = files.map((file) =>
      file === unseen && seen.kind === "full" ? seen : file,
    );
    plan = planUpdate({ files, taxonomy }, request.installed);
  }
  const fetched: FetchedFile[] = [];
  for (const file of plan.files) {
    if (file.kind === "taxonomy" && !(await bringTaxonomy(file, request)))
      continue;
    if (file.kind !== "taxonomy") await bring(file, request);
    const { kind, name } = file;
    fetched.push({
      kind,
      name,
      path: pathOf(file, request.folder),
      isDownload: !isHere(file),
    });
  }
  return { status: "fetched", files: fetched };
}

async function tellChanged(
  files: readonly PlannedFile[],
  told: readonly PlannedFile[],
  { onPlan }: UpdateRequest,
): Promise<void> {
  const isSame =
    files.length === told.length &&
    files.every(({ name }, index) => name === told[index]?.name);
  if (!isSame) await onPlan?.(files);
}

/** Full files that are at hand already are offered with the day that they cover. */
async function readOffers(request: UpdateRequest): Promise<Offered> {
  const files: OfferedFile[] = [];
  for (const file of await readRegistryPage(request.source, request)) {
    const path = pathOf(file, request.folder);
    const seen =
      file.kind === "full" && existsSync(path)
        ? await usable(file, path)
        : null;
    files.push(seen?.kind === "full" ? seen : file);
  }
  return { files, taxonomy: await readTaxonomyOffer(request) };
}

async function readTaxonomyOffer(
  request: UpdateRequest,
): Promise<OfferedTaxonomy | null> {
  const { onTaxonomyFault, taxonomySource } = request;
  if (taxonomySource === null) return null;
  try {
    return await readTaxonomyPage(taxonomySource, request);
  } catch (error) {
    if (!(error instanceof UpdateError)) throw error;
    onTaxonomyFault(error.message);
    return null;
  }
}

async function bringTaxonomy(
  file: OfferedTaxonomy,
  request: UpdateRequest,
): Promise<boolean> {
  try {
    await bring(file, request);
    return true;
  } catch (error) {
    if (!(error instanceof UpdateError)) throw error;
    request.onTaxonomyFault(error.message);
    return false;
  }
}

/** Makes a file be at hand, and returns it with what is known of it then. Files of a folder are used where they are. */
async function bring(
  file: PlannedFile,
  request: UpdateRequest,
): Promise<PlannedFile> {
  const path = pathOf(file, request.folder);
  if (isHere(file)) return await checkFile(file, path);
  const kept = existsSync(path) ? await usable(file, path) : null;
  if (kept !== null) return kept;
  const { snapshotBytes } = request;
  let seen = file;
  await download(
    {
      mostBytes: MOST_BYTES[file.kind],
      name: file.name,
      url: file.url,
      path,
      snapshotBytes: (bytes) => snapshotOf(file, bytes, snapshotBytes),
      async check(part) {
        seen = await checkFile(file, part);
      },
    },
    request,
    request.onProgress,
  );
  return seen;
}

/** The offer with what is known from its file, or null when that is not what it should be. */
async function usable(
  file: PlannedFile,
  path: string,
): Promise<PlannedFile | null> {
  try {
    return await checkFile(file, path);
  } catch (error) {
    if (error instanceof UpdateError) return null;
    throw error;
  }
}
