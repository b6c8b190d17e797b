import {
  readTaxonomyFile,
  TaxonomyFileError,
} from "../reference/taxonomy-table.ts";
import { inspectRegistryFile } from "../registry/files/open-file.ts";
import { RegistryFileError } from "../registry/files/registry-file-error.ts";
import type { OfferedFile } from "./offers/offered-file.ts";
import type { PlannedFile } from "./plan/plan.ts";
import { redactedUrl } from "./http/source.ts";
import { UpdateError } from "./update-error.ts";

/**
 * Checks a downloaded file: it must be an intact zip or a taxonomy with the contents that its name says. The import
 * checks its data. Returns the offer with the facts found inside. Throws UpdateError.
 */
export async function checkFile(
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
