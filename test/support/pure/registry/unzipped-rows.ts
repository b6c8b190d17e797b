import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import type { RawRow } from "./raw-row.ts";

/**
 * The rows of one of a zip's files, which must be in it, read without the program's reader; without their empty values.
 */
export async function unzippedRows(
  path: string,
  file: "npidata" | "othername" | "pl" = "npidata",
): Promise<RawRow[]> {
  const { stdout } = await promisify(execFile)(
    "unzip",
    ["-p", path, `${file}_pfile_*-????????.csv`],
    { maxBuffer: 1 << 28 },
  );
  // Every value is quoted, also those with a line end.
  const [columns = [], ...records] = stdout
    .trim()
    .slice(1, -1)
    .split(/"\r?\n"/)
    .map((line) => line.split('","'));
  return records.map((record) => {
    assert.equal(record.length, columns.length);
    const row: Record<string, string> = {};
    for (const [at, value] of record.entries()) {
      const column = columns[at];
      if (value !== "" && column !== undefined)
        row[column] = value.replaceAll('""', '"');
    }
    return row;
  });
}
