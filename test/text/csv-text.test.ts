import assert from "node:assert/strict";
import { test } from "node:test";
import { readFirstRow } from "../../src/text/csv-text.ts";

test("the cells of the first row, quoted or bare, and where the next starts", () => {
  for (const end of ["\n", "\r\n"]) {
    const text = `"A, 1",B,"say ""C""","two\nlines",${end}rest`;
    assert.deepEqual(readFirstRow(Buffer.from(text), false), {
      cells: ["A, 1", "B", 'say "C"', "two\nlines", ""],
      next: text.length - 4,
      nextLine: 3,
    });
  }
});

test("a byte order mark and blank lines before it do not count as cells", () => {
  const row = readFirstRow(Buffer.from('\u{feff}\r\n\n"A"\nrest'), false);
  assert.deepEqual(row?.cells, ["A"]);
  assert.equal(row?.nextLine, 4);
});

test("a row without an end is complete only at the end of the file", () => {
  for (const text of ['"A","B"', "A,B", '"A","B', "A,"]) {
    assert.equal(readFirstRow(Buffer.from(text), false), null, text);
    assert.equal(readFirstRow(Buffer.from(text), true)?.cells.length, 2, text);
  }
  assert.deepEqual(readFirstRow(new Uint8Array(0), true)?.cells, [""]);
});
