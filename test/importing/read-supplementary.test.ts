import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, it } from "node:test";
import {
  readSupplementary,
  type FoundFile,
} from "../../src/importing/read-supplementary.ts";
import type { SupplementaryRows } from "../../src/importing/supplementary-rows.ts";
import {
  SUPPLEMENTARY_FILES,
  SUPPLEMENTARY_NAMES,
} from "../../src/registry/details/supplementary-file.ts";
import { RegistryFile } from "../../src/registry/files/open-file.ts";
import { RegistryFileError } from "../../src/registry/files/registry-file-error.ts";
import {
  registryCsv,
  officialLayout,
} from "../support/pure/registry/registry-csv.ts";
import {
  FULL_PERIOD,
  WIDENED,
} from "../support/pure/registry/widened-registry.ts";
import {
  LOCATION_COLUMNS,
  OTHER_NAME_COLUMNS,
} from "../support/pure/reference/reference-details.ts";
import { zipBytes } from "../support/pure/registry/zip-bytes.ts";

const HERE = Number.POSITIVE_INFINITY;
const IN_THREAD = 0;

/** Reads the supplementary files of a zip with these locations. */
async function read(
  locations: string,
  minThreadBytes: number,
): Promise<unknown[]> {
  const folder = mkdtempSync(join(tmpdir(), "supplementary-"));
  try {
    const layout = officialLayout();
    const path = join(folder, "registry.zip");
    const content = registryCsv(WIDENED.rows, layout);
    const names = registryCsv(WIDENED.otherNames ?? [], {
      ...layout,
      columns: OTHER_NAME_COLUMNS,
    });
    const zip = await zipBytes([
      { name: `npidata_pfile_${FULL_PERIOD}.csv`, content },
      { name: `othername_pfile_${FULL_PERIOD}.csv`, content: names },
      { name: `pl_pfile_${FULL_PERIOD}.csv`, content: locations },
    ]);
    writeFileSync(path, zip);
    await using file = await RegistryFile.open(path);
    const found: FoundFile[] = [];
    for (const name of SUPPLEMENTARY_NAMES) {
      const { isWanted } = SUPPLEMENTARY_FILES[name];
      const source = await file.supplementary(isWanted);
      if (source !== null) found.push({ name, source });
    }
    const rows = await readSupplementary(found, undefined, minThreadBytes);
    return rows.map(contentsOf);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function contentsOf(rows: SupplementaryRows): unknown {
  const records: string[] = [];
  for (const npi of new Set(rows.npis))
    rows.forEachOf(npi, (start, end) => {
      const record = Buffer.from(rows.bytes.subarray(start, end)).toString();
      records.push(`${npi} ${record}`);
    });
  return { file: rows.file, summary: rows.summary, records };
}

const LOCATIONS = registryCsv(WIDENED.locations ?? [], {
  ...officialLayout(),
  columns: LOCATION_COLUMNS,
});

describe("supplementary files", () => {
  it("are the same if a thread reads the longest one", async () => {
    const here = await read(LOCATIONS, HERE);
    assert.equal(here.length, 2);
    assert.deepEqual(await read(LOCATIONS, IN_THREAD), here);
  });

  it("are refused as without a thread if the longest one is broken", async () => {
    const broken = `"NPI"\n${"x".repeat(1000)}\n`;
    for (const least of [HERE, IN_THREAD])
      await assert.rejects(
        async () => read(broken, least),
        (error) =>
          error instanceof RegistryFileError &&
          /not a practice-locations file/.test(error.message),
      );
  });
});
