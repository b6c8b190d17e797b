import { filePeriod } from "./file-name.ts";
import type { FilePeriod } from "./file-name.ts";
import { openFile } from "./open-file.ts";
import {
  dateByName,
  readDeactivations,
} from "../deactivations/read-deactivations.ts";

/** What a registry file says of itself before its rows are read. */
export interface RegistryFileInfo {
  /** The CSV file's or the workbook's name without folders: the zip's entry, or the file itself. */
  name: string;
  period: FilePeriod;
  /** Length of the CSV or the workbook, unpacked. */
  bytes: number;
  /** CRC-32 of it as a zip declares it; null for a file that is in none, which would have to be read whole. */
  crc32: number | null;
}

/**
 * Looks at a registry file without reading it, but for a report of deactivated NPIs whose name tells no date: its title
 * does. Throws a RegistryFileError when it is not one.
 */
export async function inspectRegistryFile(
  path: string,
): Promise<RegistryFileInfo> {
  await using source = await openFile(path);
  const { bytesTotal, content, declared, name } = source;
  const bytes = declared?.bytes ?? bytesTotal;
  const crc32 = declared?.crc32 ?? null;
  if (content === "csv")
    return { name, period: filePeriod(name), bytes, crc32 };
  const end = dateByName(path, name);
  if (end === null) {
    const { period } = (await readDeactivations(path)).summary;
    return { name, period, bytes, crc32 };
  }
  return {
    name,
    period: { kind: "deactivations", begin: null, end },
    bytes,
    crc32,
  };
}

/**
 * CRC-32 of a registry file's CSV or workbook, read whole. Throws a RegistryFileError where it cannot be read, and the
 * reason of an aborted `signal`.
 */
export async function checksumOf(
  path: string,
  signal?: AbortSignal,
): Promise<number> {
  await using source = await openFile(path);
  for await (const _ of source.chunks()) signal?.throwIfAborted();
  return source.checksum;
}
