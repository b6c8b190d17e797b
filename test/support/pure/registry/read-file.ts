import { RegistryFile } from "../../../../src/registry/files/open-file.ts";
import * as deactivations from "../../../../src/registry/deactivations/read-deactivations.ts";
import * as rows from "../../../../src/registry/rows/read-registry-file.ts";
import type {
  RegistryFileHandlers,
  RegistryFileSummary,
} from "../../../../src/registry/rows/read-registry-file.ts";

/** Opens a registry file by its path and reads its rows. */
export async function readRegistryFile(
  path: string,
  handlers: RegistryFileHandlers,
  signal?: AbortSignal,
  minThreadBytes?: number,
): Promise<RegistryFileSummary> {
  await using file = await RegistryFile.open(path);
  return await rows.readRegistryFile(
    file.source,
    handlers,
    signal,
    minThreadBytes,
  );
}

/** The same for a report of deactivated NPIs. */
export async function readDeactivations(
  path: string,
  signal?: AbortSignal,
): Promise<deactivations.DeactivationReport> {
  await using file = await RegistryFile.open(path);
  return await deactivations.readDeactivations(file.source, signal);
}

/** The same for the checksum. */
export async function checksumOf(
  path: string,
  signal?: AbortSignal,
): Promise<number> {
  await using file = await RegistryFile.open(path);
  return await file.checksum(signal);
}
