import { existsSync } from "node:fs";
import { makeFolder } from "../files/make-folder.ts";
import type { RequestContext } from "./http/request.ts";
import { download, type DownloadProgress } from "./http/download.ts";
import { type OfferedFile, newestGenerations } from "./offers/offered-file.ts";
import {
  planUpdate,
  type Installed,
  type PlannedFile,
  type UpdatePlan,
  type Offered,
} from "./plan/plan.ts";
import { isLocal, pathOf, snapshotOf } from "./plan/disk-budget.ts";
import {
  readTaxonomyPage,
  type OfferedTaxonomy,
} from "./offers/taxonomy-page.ts";
import { UpdateError } from "./update-error.ts";
import { fileNameOf, linksAt } from "./http/links.ts";
import { redactedUrl } from "./http/source.ts";
import {
  readTaxonomyFile,
  TaxonomyFileError,
} from "../reference/taxonomy-table.ts";
import { inspectRegistryFile } from "../registry/files/open-file.ts";
import { RegistryFileError } from "../registry/files/registry-file-error.ts";

/** Size limits. Real files: full 1 GB, weekly 20 MB, report 6 MB, taxonomy half a megabyte. */
const MAX_BYTES: Readonly<Record<PlannedFile["kind"], number>> = {
  full: 8e9,
  week: 1e9,
  deactivations: 64e6,
  taxonomy: 16e6,
};

export interface UpdateRequest extends RequestContext {
  /** The source of registry files, from `parseSource`. */
  source: URL;
  /** The source of NUCC's taxonomy; null to skip it. */
  taxonomySource: URL | null;
  /** The folder of downloads, created if needed. One update at a time. */
  folder: string;
  installed: Installed;
  /** Bytes for the snapshot of a weekly file; 0 without a snapshot. */
  snapshotBytes: number;
  onProgress?: (progress: DownloadProgress) => void;
  /** Called with the plan before downloading, and again if the date inside a full file changes it. */
  onPlan?: (files: readonly PlannedFile[]) => Promise<void>;
  /** Called with a sentence for each skipped file. */
  onSkipped: (message: string) => void;
  /** Called with a sentence if the taxonomy cannot be fetched, which does not stop the update of providers. */
  onTaxonomyError: (message: string) => void;
}

/** A local file, checked. */
export interface FetchedFile {
  kind: PlannedFile["kind"];
  name: string;
  path: string;
  /** True if it was downloaded; otherwise it is used in the source folder. */
  isDownload: boolean;
}

/** Reads the sources and plans the update, without downloading. Throws UpdateError. */
export async function checkForUpdate(
  request: UpdateRequest,
): Promise<UpdatePlan> {
  const plan = planUpdate(await readOffers(request), request.installed);
  plan.notes.forEach(request.onSkipped);
  return plan;
}

/**
 * Downloads everything that the installation is missing. Returns the files in import order. Throws UpdateError, the
 * signal's reason, and file system errors.
 */
export async function fetchUpdate(
  request: UpdateRequest,
): Promise<
  | { status: "fetched"; files: FetchedFile[] }
  | Exclude<UpdatePlan, { status: "update" }>
> {
  makeFolder(request.folder);
  const { files: offered, taxonomy } = await readOffers(request);
  let files = offered;
  let plan = planUpdate({ files, taxonomy }, request.installed);
  plan.notes.forEach(request.onSkipped);
  let announced: readonly PlannedFile[] = [];
  // The last day of a full file decides which weekly files are needed, and is known only from its contents.
  for (;;) {
    if (plan.status !== "update") return plan;
    await announcePlan(plan.files, announced, request);
    announced = plan.files;
    const unseen = plan.files.find(
      (file) => file.kind === "full" && file.end === null,
    );
    if (unseen === undefined) break;
    const seen = await fetchFile(unseen, request);
    files = files.map((file) =>
      file === unseen && seen.kind === "full" ? seen : file,
    );
    plan = planUpdate({ files, taxonomy }, request.installed);
  }
  const fetched: FetchedFile[] = [];
  for (const file of plan.files) {
    if (file.kind === "taxonomy" && !(await fetchTaxonomy(file, request)))
      continue;
    if (file.kind !== "taxonomy") await fetchFile(file, request);
    const { kind, name } = file;
    fetched.push({
      kind,
      name,
      path: pathOf(file, request.folder),
      isDownload: !isLocal(file),
    });
  }
  return { status: "fetched", files: fetched };
}

async function announcePlan(
  files: readonly PlannedFile[],
  announced: readonly PlannedFile[],
  { onPlan }: UpdateRequest,
): Promise<void> {
  const isSame =
    files.length === announced.length &&
    files.every(({ name }, index) => name === announced[index]?.name);
  if (!isSame) await onPlan?.(files);
}

/** Reads the last day of full files that are already downloaded. */
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
  const { onTaxonomyError, taxonomySource } = request;
  if (taxonomySource === null) return null;
  try {
    return await readTaxonomyPage(taxonomySource, request);
  } catch (error) {
    if (!(error instanceof UpdateError)) throw error;
    onTaxonomyError(error.message);
    return null;
  }
}

async function fetchTaxonomy(
  file: OfferedTaxonomy,
  request: UpdateRequest,
): Promise<boolean> {
  try {
    await fetchFile(file, request);
    return true;
  } catch (error) {
    if (!(error instanceof UpdateError)) throw error;
    request.onTaxonomyError(error.message);
    return false;
  }
}

/**
 * Downloads a file if needed, and returns it with the facts found inside. Files in a source folder are used in place.
 */
async function fetchFile(
  file: PlannedFile,
  request: UpdateRequest,
): Promise<PlannedFile> {
  const path = pathOf(file, request.folder);
  if (isLocal(file)) return await checkFile(file, path);
  const kept = existsSync(path) ? await usable(file, path) : null;
  if (kept !== null) return kept;
  const { snapshotBytes } = request;
  let seen = file;
  await download(
    {
      maxBytes: MAX_BYTES[file.kind],
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

/** Returns the offer with the facts found in its file, or null if the file is not usable. */
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

/**
 * Lists the registry's files on a page or in a folder, each once. Throws UpdateError if there is none, as after a
 * change of names.
 */
export async function readRegistryPage(
  source: URL,
  context: RequestContext,
): Promise<OfferedFile[]> {
  const links = (await linksAt(source, context)).map((url) => ({
    name: fileNameOf(url),
    url,
  }));
  const files = newestGenerations(links);
  if (files.length > 0) return files;
  const zips = links.filter(({ name }) => /\.zip$/i.test(name));
  const found =
    zips.length === 0
      ? "no zip at all"
      : `only zips with other names (${zips[0]?.name})`;
  throw new UpdateError(
    `${redactedUrl(source)} has none of the registry's files, such as NPPES_Data_Dissemination_MONTH_YEAR.zip or NPPES_Data_Dissemination_MMDDYY_MMDDYY_Weekly.zip; it has ${found}. Check the URL. If it is right, the page has changed: download the files and import them by hand, and report the problem.`,
  );
}

/**
 * Checks a downloaded file: it must be an intact zip or a taxonomy with the contents that its name says. The import
 * checks its data. Returns the offer with the facts found inside. Throws UpdateError.
 */
async function checkFile(
  offer: PlannedFile,
  path: string,
): Promise<PlannedFile> {
  try {
    if (offer.kind === "taxonomy") readTaxonomyFile(path);
    else return await checkRegistryFile(offer, path);
    return offer;
  } catch (error) {
    const isExpected =
      error instanceof RegistryFileError || error instanceof TaxonomyFileError;
    if (!isExpected) throw error;
    throw unusable(offer, error.message, error);
  }
}

async function checkRegistryFile(
  offer: OfferedFile,
  path: string,
): Promise<PlannedFile> {
  const { name, period } = await inspectRegistryFile(path);
  if (offer.kind === "week") {
    const { begin, end } = offer;
    if (period.kind !== "week" || period.begin !== begin || period.end !== end)
      throw unusable(offer, `it contains ${name}.`);
    return offer;
  }
  if (offer.kind === "deactivations") {
    // The name of the zip decides its day, not the workbook inside.
    if (period.kind !== "deactivations")
      throw unusable(offer, `it contains ${name}.`);
    return offer;
  }
  if (period.kind !== "full" || period.end === null)
    throw unusable(offer, `it contains ${name}.`);
  return { ...offer, end: period.end };
}

function unusable(offer: PlannedFile, why: string, cause?: unknown): Error {
  return new UpdateError(
    `${redactedUrl(offer.url)} is not the file that its name says: ${why} Run update again later, or choose another source.`,
    { cause },
  );
}
