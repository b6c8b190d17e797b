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

/** Suffix of a download that an import refused. */
const REFUSED = ".refused";

/**
 * Renames a refused download, for the operator to inspect. The next update downloads it again. Returns its new path.
 */
export function markRefused(path: string): string {
  renameSync(path, path + REFUSED);
  return path + REFUSED;
}

/**
 * Deletes old downloads after a successful update and returns their names. `newest` keeps the newest full file,
 * everything published since its month, and the newest taxonomy; without a full file, everything of the newest month.
 * Leaves other files in the folder.
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

/** True if a name is a download, finished, unfinished or refused. */
function isDownload(name: string): boolean {
  const final = finalName(name);
  return (
    taxonomyVersionOf(final) !== null ||
    offeredFile(final, pathToFileURL(final)) !== null
  );
}

/** Names the downloads to keep. Unfinished and refused ones are not: the update has completed. */
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

/** Returns the month of a file; for a weekly file, the one in which it ends. */
function monthOf(file: OfferedFile): string {
  if (file.kind === "full") return file.month;
  return (file.kind === "week" ? file.end : file.date).slice(0, 7);
}

/** Removes the suffix of an unfinished or refused download from its name. */
function finalName(name: string): string {
  const end =
    [PART_FACTS, PART, REFUSED].find((each) => name.endsWith(each)) ?? "";
  return name.slice(0, name.length - end.length);
}
