import assert from "node:assert/strict";
import { text } from "node:stream/consumers";
import { fromBufferPromise } from "yauzl";

/** A cell of a sheet: text, a number, or null if it is missing. */
export type SheetCell = string | number | null;

const CELL =
  /<c r="([A-Z]+)\d+"(?: t="inlineStr"><is><t[^>]*>([^<]*)<\/t><\/is>|><v>([^<]*)<\/v>)<\/c>/g;
const ENTITIES = [
  ["&lt;", "<"],
  ["&gt;", ">"],
  ["&amp;", "&"],
] as const;

/** Reads the rows of a workbook's only sheet. Fails if a cell is neither text nor a number, such as a formula. */
export async function sheetOf(workbook: Uint8Array): Promise<SheetCell[][]> {
  const zip = await fromBufferPromise(Buffer.from(workbook));
  const parts = new Map<string, string>();
  for await (const entry of zip.eachEntry())
    parts.set(
      entry.fileName,
      await text(await zip.openReadStreamPromise(entry)),
    );
  const sheets = [...parts.keys()].filter((name) => name.includes("sheets/"));
  assert.deepEqual(sheets, ["xl/worksheets/sheet1.xml"]);
  const sheet = parts.get(sheets[0] ?? "") ?? "";
  return sheet.split("<row ").slice(1).map(rowOf);
}

function rowOf(row: string): SheetCell[] {
  const cells: SheetCell[] = [];
  let known = 0;
  for (const [cell, column = "", string, number] of row.matchAll(CELL)) {
    known += cell.length;
    const index = indexOf(column);
    while (cells.length < index) cells.push(null);
    cells.push(string === undefined ? Number(number) : decoded(string));
  }
  const [, inside = ""] = /^r="\d+">(.*)<\/row>/s.exec(row) ?? [];
  assert.equal(known, inside.length, row);
  return cells;
}

/** Returns the index of a column: 0 for A, 26 for AA. */
function indexOf(column: string): number {
  let index = 0;
  for (const letter of column) index = index * 26 + letter.charCodeAt(0) - 64;
  return index - 1;
}

function decoded(xml: string): string {
  return ENTITIES.reduce(
    (result, [entity, character]) => result.replaceAll(entity, character),
    xml,
  );
}
