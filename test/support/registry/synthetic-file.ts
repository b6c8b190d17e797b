/** Small registry files of invented providers, in a folder. */

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  RegistryRows,
  syntheticCsv,
  type SyntheticContents,
} from "../../../src/registry-generator/registry-rows.ts";

/** Writes a registry file under its official name and returns its path. */
export function writeRegistryFile(
  folder: string,
  contents: SyntheticContents,
): string {
  const path = join(folder, new RegistryRows(contents).fileName);
  writeFileSync(path, syntheticCsv(contents));
  return path;
}
