/** The registry's zips with their further files, from rows. */

import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { ImportRequest } from "../../../../src/importing/import-registry.ts";
import type { RawRow } from "./raw-row.ts";
import {
  ENDPOINT_COLUMNS,
  LOCATION_COLUMNS,
  OTHER_NAME_COLUMNS,
  type FileWithDetails,
} from "../reference/reference-details.ts";
import { officialLayout, registryCsv } from "./registry-csv.ts";
import type { SmallRegistry } from "./small-registry.ts";
import { zipBytes } from "./zip-bytes.ts";

/** The rows of a zip's files; null for one that is not in it. */
export type ZipRows = Omit<FileWithDetails, "kind">;

/** Writes the zip of a period, with the further files that are given, and imports it. */
export async function importZip(
  registry: SmallRegistry,
  period: string,
  { endpoints = null, locations, otherNames, rows }: ZipRows,
  options: Partial<ImportRequest> = {},
) {
  const layout = officialLayout();
  const csv = (columns: string[], of: readonly RawRow[]) =>
    registryCsv(of, { ...layout, columns });
  const path = join(registry.folder, `${period}.zip`);
  const entries = [
    { name: `npidata_pfile_${period}.csv`, content: registryCsv(rows, layout) },
  ];
  if (otherNames !== null)
    entries.push({
      name: `othername_pfile_${period}.csv`,
      content: csv(OTHER_NAME_COLUMNS, otherNames),
    });
  if (locations !== null)
    entries.push({
      name: `pl_pfile_${period}.csv`,
      content: csv(LOCATION_COLUMNS, locations),
    });
  if (endpoints !== null)
    entries.push({
      name: `endpoint_pfile_${period}.csv`,
      content: csv(ENDPOINT_COLUMNS, endpoints),
    });
  // Each zip also has the files with only column names.
  entries.push({
    name: `pl_pfile_${period}_fileheader.csv`,
    content: csv(LOCATION_COLUMNS, []),
  });
  writeFileSync(path, await zipBytes(entries));
  const outcome = await registry.importPath(path, options);
  assert.ok(outcome.status === "imported");
  return outcome;
}
