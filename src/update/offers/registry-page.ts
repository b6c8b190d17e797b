import type { RequestContext } from "../http/request.ts";
import { fileNameOf, linksAt } from "../http/links.ts";
import { newestGenerations, type OfferedFile } from "./offered-file.ts";
import { redactedUrl } from "../http/source.ts";
import { UpdateError } from "../update-error.ts";

/**
 * The registry's files on a page or in a folder, each once. Throws UpdateError if there is none, as after a change of
 * names.
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
