import { resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { UpdateError } from "../update-error.ts";

/** The registry's own download page. */
export const REGISTRY_PAGE = "https://download.cms.gov/nppes/NPI_Files.html";
/** The page where NUCC links to its taxonomy CSVs. */
export const TAXONOMY_PAGE =
  "https://www.nucc.org/index.php/code-sets-mainmenu-41/provider-taxonomy-mainmenu-40/csv-mainmenu-57";

const SCHEME = /^([a-z][a-z0-9+.-]+):\/\//i;

/**
 * Parses a source of files: the URL of a page that links to them, or a folder as a path or file URL. Throws UpdateError
 * for anything else.
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

/** Writes a URL for printing, without user and password. A file URL becomes its path. */
export function redactedUrl(url: URL): string {
  if (url.protocol === "file:") return fileURLToPath(url);
  const shown = new URL(url);
  shown.username = "";
  shown.password = "";
  return shown.href;
}

/** True if a link or redirect may be followed: only to http or https, and never from https to http. */
export function mayFollow(from: URL, to: URL): boolean {
  if (to.protocol === "https:") return true;
  return to.protocol === "http:" && from.protocol !== "https:";
}
