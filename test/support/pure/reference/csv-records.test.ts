import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { csvRecords } from "./csv-records.ts";

test("quoted fields keep commas, doubled quotes and line ends", () => {
  assert.deepEqual(csvRecords('a,"b, ""c""\r\nd",e\r\n1,,3\n'), [
    ["a", 'b, "c"\r\nd', "e"],
    ["1", "", "3"],
  ]);
});

test("the last line end may be missing, even after a comma", () => {
  assert.deepEqual(csvRecords("a,b\nc,"), [
    ["a", "b"],
    ["c", ""],
  ]);
});

test("an unclosed quote takes the rest", () => {
  assert.deepEqual(csvRecords('a,"b\nc'), [["a", "b\nc"]]);
});

test("what is written as CSV is read back as it was", () => {
  const field = fc.string({
    unit: fc.constantFrom("a", '"', ",", "\n", "\r", " ", "é"),
  });
  const records = fc.array(fc.array(field, { minLength: 1, maxLength: 4 }), {
    maxLength: 5,
  });
  fc.assert(
    fc.property(records, fc.constantFrom("\n", "\r\n"), (expected, lineEnd) => {
      const text = expected
        .map(
          (record) =>
            record
              .map((value) => `"${value.replaceAll('"', '""')}"`)
              .join(",") + lineEnd,
        )
        .join("");
      assert.deepEqual(csvRecords(text), expected);
    }),
  );
});
