import {
  readTaxonomyFile,
  TaxonomyFileError,
} from "../reference/taxonomy-table.ts";
import { inspectRegistryFile } from "../registry/files/open-file.ts";
import { RegistryFileError } from "../registry/files/registry-file-error.ts";
import type { OfferedFile } from "./offers/offered-file.ts";
import type { PlannedFile } from "./plan/plan.ts";
import { shownUrl } from "./http/source.ts";
import { UpdateError } from "./update-error.ts";

/**
 * Looks into a file that came for an offer: it must be a whole zip, or a taxonomy, and hold what its name says. Its data
 * are checked by the import. Returns the offer with what is known now. Throws an UpdateError.
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
    // Its day is the one in the name of the zip, whatever the workbook inside is called.
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
    `${shownUrl(offer.url)} is not the file that its name says: ${why} Run update again later, or choose another source.`,
    { cause },
  );
}
