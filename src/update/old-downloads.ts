import { readdirSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import {
  newestGenerations,
  offeredFile,
  type OfferedFile,
} from "./offers/offered-file.ts";
import { PART, PART_FACTS } from "./http/part-file.ts";
import { taxonomyVersionOf } from "./offers/taxonomy-page.ts";

/** The end of the name of a download that an import refused. */
const REFUSED = ".refused";

/** Sets a download aside, for the operator to look at: the next update gets it anew. Returns its new path. */
export function setAside(path: string): string {
  renameSync(path, path + REFUSED);
  return path + REFUSED;
}

/**
 * Removes downloads that are no longer of use after a successful update, and returns their names: all of them, or all
 * but the newest full file, what was published from its month on, and the newest taxonomy; without a full file, what was
 * published in the newest month. Other files in the folder are left alone.
 */
export function removeOldDownloads(
  folder: string,
  keep: "newest" | "nothing",
): string[] {
  const names = readdirSync(folder).filter(isDownload);
  const kept = new Set(keep === "nothing" ? [] : newestOf(names, folder));
  const old = names.filter((name) => !kept.has(name));
  for (const name of old) rmSync(join(folder, name));
  return old;
}

/** Whether a name is that of a download, of an unfinished one, or of one set aside. */
function isDownload(name: string): boolean {
  const final = finalName(name);
  return (
    taxonomyVersionOf(final) !== null ||
    offeredFile(final, pathToFileURL(final)) !== null
  );
}

/** What is worth keeping. Nothing unfinished or set aside is: what was planned has come. */
function newestOf(names: readonly string[], folder: string): string[] {
  const whole = names.filter((name) => finalName(name) === name);
  const files = newestGenerations(
    whole.map((name) => ({ name, url: pathToFileURL(join(folder, name)) })),
  );
  const full = files.filter(({ kind }) => kind === "full");
  const newestMonth = (full.length > 0 ? full : files)
    .map(monthOf)
    .sort()
    .at(-1);
  const newestTaxonomy = whole
    .filter((name) => taxonomyVersionOf(name) !== null)
    .toSorted(
      (a, b) => (taxonomyVersionOf(b) ?? 0) - (taxonomyVersionOf(a) ?? 0),
    )
    .slice(0, 1);
  return [
    ...files
      .filter((file) => monthOf(file) >= (newestMonth ?? ""))
      .map(({ name }) => name),
    ...newestTaxonomy,
  ];
}

/** The month in which a file was published, or for a week the one in which it ends. */
function monthOf(file: OfferedFile): string {
  if (file.kind === "full") return file.month;
  return (file.kind === "week" ? file.end : file.date).slice(0, 7);
}

/** The name that an unfinished download is going to have, or one set aside had; that of a finished one as it is. */
function finalName(name: string): string {
  const end =
    [PART_FACTS, PART, REFUSED].find((each) => name.endsWith(each)) ?? "";
  return name.slice(0, name.length - end.length);
}
