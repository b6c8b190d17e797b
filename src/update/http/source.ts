import { resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { UpdateError } from "../update-error.ts";

/** The registry's own download page. */
export const REGISTRY_PAGE = "https://download.cms.gov/nppes/NPI_Files.html";
/** The page on which NUCC links its taxonomy as CSV. */
export const TAXONOMY_PAGE =
  "https://www.nucc.org/index.php/code-sets-mainmenu-41/provider-taxonomy-mainmenu-40/csv-mainmenu-57";

const SCHEME = /^([a-z][a-z0-9+.-]+):\/\//i;

/**
 * Where files are offered: the URL of a page that links them, or a folder that holds them, by its path or as a file
 * URL. Throws an UpdateError for anything else.
 */
export function parseSource(text: string): URL {
  const scheme = SCHEME.exec(text)?.[1]?.toLowerCase();
  if (scheme === undefined) return pathToFileURL(resolve(text));
  const isKnown = ["http", "https", "file"].includes(scheme);
  if (isKnown && URL.canParse(text)) return new URL(text);
  throw new UpdateError(
    `${text} is not a source of files. Use the http or https URL of a page that links to them, or a folder.`,
  );
}

/** A URL as it may be printed: without a password. Files are named by their paths. */
export function shownUrl(url: URL): string {
  if (url.protocol === "file:") return fileURLToPath(url);
  const shown = new URL(url);
  shown.username = "";
  shown.password = "";
  return shown.href;
}

/** Whether a page or a redirection at one URL may lead to the other: never out of the web, never out of encryption. */
export function mayLead(from: URL, to: URL): boolean {
  if (to.protocol === "https:") return true;
  return to.protocol === "http:" && from.protocol !== "https:";
}
