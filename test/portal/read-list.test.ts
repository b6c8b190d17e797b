import assert from "node:assert/strict";
import { test } from "node:test";
import { MAX_READ_ROWS, readList } from "../../src/portal/check/read-list.ts";

const NPI = "1234567893";

function read(text: string | Uint8Array) {
  return readList(Buffer.from(text));
}

test("a list that can't be checked says why", () => {
  const problems = [
    [`NPI,"Name\n${NPI},A\n`, /^The first line can’t be read\. A quote/],
    [`${"x".repeat(20_000)},NPI\n${NPI},A\n`, /^The first line can’t be read/],
    ["NPI,Name\r\n", /^The list has no rows after its first line\.$/],
    [Buffer.from(`${NPI}\n${NPI}\n`, "utf16le"), /^The file isn't UTF-8 text/],
  ] as const;
  for (const [text, problem] of problems) {
    const list = read(text);
    assert.ok(typeof list === "string", String(problem));
    assert.match(list, problem);
  }
});

test("reading ends soon after the rows that anyone may check", () => {
  const texts = [
    `NPI,"${"a\n".repeat(1_000_000)}`,
    `NPI,Name\n${`${NPI},"A\n`.repeat(500_000)}`,
    `${NPI}\n`.repeat(500_000),
    `NPI\n${`${NPI}\n`.repeat(500_000)}`,
  ];
  const [open = "", ...others] = texts;
  assert.equal(typeof read(open), "string");
  for (const text of others) {
    const list = read(text);
    assert.ok(typeof list !== "string");
    assert.equal(list.rows.length, MAX_READ_ROWS);
  }
});
