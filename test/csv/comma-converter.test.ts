import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { CommaConverter } from "../../src/csv/comma-converter.ts";
import { rounds } from "../support/pure/full-run.ts";
import { csvRecords } from "../support/pure/reference/csv-records.ts";
import { chunksOf } from "../support/pure/reference/read-csv.ts";

function converted(text: string, sizes: readonly number[]) {
  const converter = new CommaConverter();
  const parts = Array.from(chunksOf(Buffer.from(text), sizes), (chunk) =>
    Buffer.from(converter.push(chunk)),
  );
  parts.push(Buffer.from(converter.end()));
  return {
    text: Buffer.concat(parts).toString("utf8"),
    removedLines: converter.removedLines,
  };
}

function written(value: string, isQuoted: boolean): string {
  return isQuoted || /[",;\t\r\n]/.test(value)
    ? `"${value.replaceAll('"', '""')}"`
    : value;
}

test("a file without a separator line stays as it is", () => {
  for (const text of ["", "a", "a;b\n1;2\n", "sep=;", "sep=;;\na\n", "\nsep=,"])
    assert.deepEqual(converted(text, [1]), { text, removedLines: 0 });
});

test("cells have the same values with commas, in any chunks", () => {
  const cell = fc.string({
    unit: fc.constantFrom("a", '"', ",", ";", "\t", "\n", "\r\n", "é"),
    maxLength: 6,
  });
  const row = fc.array(fc.tuple(cell, fc.boolean()), {
    minLength: 1,
    maxLength: 4,
  });
  fc.assert(
    fc.property(
      fc.array(row, { minLength: 1, maxLength: 4 }),
      fc.constantFrom(",", ";", "\t", "|"),
      fc.array(fc.integer({ min: 1, max: 15 }), { minLength: 1, maxLength: 8 }),
      (rows, separator, sizes) => {
        const lines = rows.map((cells) =>
          cells
            .map(([value, isQuoted]) => written(value, isQuoted))
            .join(separator),
        );
        const { removedLines, text } = converted(
          `sep=${separator}\n${lines.join("\n")}\n`,
          sizes,
        );
        assert.equal(removedLines, 1);
        assert.deepEqual(
          csvRecords(text),
          rows.map((cells) => cells.map(([value]) => value)),
        );
      },
    ),
    { numRuns: rounds(5_000, 500) },
  );
});
