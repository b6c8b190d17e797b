import { filePeriod } from "./file-name.ts";
import type { FilePeriod } from "./file-name.ts";
import { openFile } from "./open-file.ts";
import { dateByName, readDeactivations } from "./read-deactivations.ts";

/** What a registry file says of itself before its rows are read. */
export interface RegistryFileInfo {
  /** The CSV file's or the workbook's name without folders: the zip's entry, or the file itself. */
  name: string;
  period: FilePeriod;
  /** Length and CRC-32 of what is in a zip, as the zip declares them; null for a file that is in none. */
  declared: { readonly bytes: number; readonly crc32: number } | null;
}

/**
 * Looks at a registry file without reading it, but for a report of deactivated NPIs whose name tells no date: its title
 * does. Throws a RegistryFileError when it is not one.
 */
export async function inspectRegistryFile(
  path: string,
): Promise<RegistryFileInfo> {
  await using source = await openFile(path);
  const { content, declared, name } = source;
  if (content === "csv") return { name, period: filePeriod(name), declared };
  const end = dateByName(path, name);
  if (end === null) {
    const { period } = (await readDeactivations(path)).summary;
    return { name, period, declared };
  }
  return {
    name,
    period: { kind: "deactivations", begin: null, end },
    declared,
  };
}
