import { filePeriod } from "./file-name.ts";
import type { FilePeriod } from "./file-name.ts";
import { openFile } from "./open-file.ts";

/** What a registry file says of itself before its rows are read. */
export interface RegistryFileInfo {
  /** The CSV file's name without folders: the zip's entry, or the file itself. */
  name: string;
  period: FilePeriod;
  /** Length and CRC-32 of the CSV in a zip, as the zip declares them; null for a CSV. */
  declared: { readonly bytes: number; readonly crc32: number } | null;
}

/** Looks at a registry file without reading it. Throws a RegistryFileError when it is not one. */
export async function inspectRegistryFile(
  path: string,
): Promise<RegistryFileInfo> {
  await using source = await openFile(path);
  return {
    name: source.name,
    period: filePeriod(source.name),
    declared: source.declared,
  };
}
