import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import type { RawRow } from "./raw-row.ts";

/**
 * The rows of one of a zip's files, which must be in it, read without the program's reader; without their empty values.
 */
export async function plainRows(
  path: string,
  file: "npidata" | "othername" | "pl" = "npidata",
): Promise<RawRow[]> {
  const { stdout } = await promisify(execFile)(
    "unzip",
    ["-p", path, `${file}_pfile_*-????????.csv`],
    { maxBuffer: 1 << 28 },
  );
  const [columns = [], ...records] = stdout
    .trim()
    .split("\n")
    .map((line) => line.trim().slice(1, -1).split('","'));
  return records.map((record) => {
    // Every value is quoted, and no value contains a line end.
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
