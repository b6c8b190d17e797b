import { inspectRegistryFile } from "../../../registry/files/open-file.ts";
import type { FilePeriod } from "../../../registry/files/file-name.ts";

/**
 * The files in the order in which they build on each other, by the periods in their names (of a zip, in the name of the
 * file inside): full files first, then weeks, then reports of deactivated NPIs, each by their end. Throws RegistryFileError for what is no registry file.
 */
export async function inImportOrder(
  paths: readonly string[],
): Promise<string[]> {
  const files: { path: string; period: FilePeriod }[] = [];
  for (const path of paths)
    files.push({ path, period: (await inspectRegistryFile(path)).period });
  return files
    .toSorted((a, b) => comparePeriods(a.period, b.period))
    .map(({ path }) => path);
}

const ORDER: readonly FilePeriod["kind"][] = ["full", "week", "deactivations"];

/** Before 0: `a` comes first. Full files without a known end come before all. */
export function comparePeriods(a: FilePeriod, b: FilePeriod): number {
  if (a.kind !== b.kind) return ORDER.indexOf(a.kind) - ORDER.indexOf(b.kind);
  const ends = [a.end ?? "", b.end ?? ""] as const;
  return ends[0] < ends[1] ? -1 : ends[0] > ends[1] ? 1 : 0;
}
