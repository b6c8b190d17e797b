/** Zips as the registry publishes them, with invented providers. */

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { writeSyntheticRegistry } from "../../src/registry-generator/write-registry.ts";
import { temporaryFolder } from "../support/pure/temporary-folder.ts";

const PROVIDERS = 300;

/** The bytes of a full file's zip as of an ISO date, or of that of a week after 2026-11-08. */
export async function registryZip(
  contents: { asOf: string } | { from: string; to: string },
): Promise<Buffer> {
  using folder = temporaryFolder();
  const out = join(folder.path, "registry.zip");
  const period =
    "asOf" in contents
      ? contents
      : { asOf: "2026-11-08", week: { ...contents, changes: 100 } };
  await writeSyntheticRegistry({ providers: PROVIDERS, ...period, out });
  return readFileSync(out);
}
