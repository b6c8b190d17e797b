/** Small registry files of invented providers, in a folder. */

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  syntheticCsv,
  syntheticFiles,
  type SyntheticContents,
} from "../../../../src/registry-generator/registry-files.ts";

/** Writes a registry file under its official name and returns its path. */
export function writeRegistryFile(
  folder: string,
  contents: SyntheticContents,
): string {
  const path = join(folder, syntheticFiles(contents)[0]?.name ?? "");
  writeFileSync(path, syntheticCsv(contents));
  return path;
}
