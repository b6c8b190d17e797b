import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { DETAIL_PARTS } from "../../src/contract/detail-parts.ts";
import { DETAIL_COLUMNS } from "../../src/registry/details/detail-encoder.ts";
import {
  OFFICIAL_COLUMNS,
  bindHeader,
} from "../../src/registry/rows/header.ts";
import { RowReader } from "../../src/registry/rows/row-reader.ts";
import { rounds } from "../support/pure/full-run.ts";
import { inventedNpi } from "../support/pure/registry/invented-npi.ts";

const NPI = inventedNpi(123_456_789);

const DATE = fc.constantFrom("05/23/2005", "02/30/2005", "");
const VALUE = fc.oneof(
  { weight: 8, arbitrary: fc.constant("") },
  {
    weight: 4,
    arbitrary: fc.string({ unit: "grapheme-ascii" }).map((text) => `A${text}B`),
  },
  fc.nat(300).map((length) => "A".repeat(length)),
  fc.constantFrom("TX", "Y", "N"),
);
/** Values that keep a row from being plain. */
const SPECIAL = fc.constantFrom(" A", "A ", "<UNAVAIL>", "=====", "-A-", "É");

/** What is read of a row with these cells; the first one, its NPI, is written with quotes or without. */
function read(cells: readonly string[], isQuoted: boolean): unknown {
  const [npi = "", ...rest] = cells;
  const row = [isQuoted ? `"${npi}"` : npi, ...rest.map((cell) => `"${cell}"`)];
  const header = bindHeader(OFFICIAL_COLUMNS, "a test", DETAIL_COLUMNS);
  const rows: unknown[] = [];
  const reader = new RowReader(header, 2, {
    details: new Set(DETAIL_PARTS),
    onRow({ bytes, detailsEnd, detailsStart, end, start, ...numbers }) {
      const texts = Array.from(start, (from, text) =>
        Buffer.from(bytes.subarray(from, end[text])).toString(),
      );
      const blob = Array.from(bytes.subarray(detailsStart, detailsEnd));
      rows.push({ ...numbers, texts, blob });
    },
    onBadRow: (bad) => void rows.push(bad),
  });
  reader.push(Buffer.from(`${row.join(",")}\n`, "latin1"));
  reader.end();
  return { rows, warnings: [...reader.warnings] };
}

test("a row is read the same whether all of its cells are quoted or not", () => {
  const arbitrary = fc.tuple(
    ...OFFICIAL_COLUMNS.map((column) => {
      if (column === "NPI") return fc.constant(NPI);
      if (column === "Entity Type Code") return fc.constantFrom("1", "2", "");
      return column.endsWith(" Date") ? DATE : VALUE;
    }),
  );
  fc.assert(
    fc.property(
      arbitrary,
      fc.option(fc.tuple(fc.integer({ min: 2, max: 329 }), SPECIAL)),
      (values, special) => {
        const cells = values.map((value) => value.replaceAll('"', ""));
        if (special !== null) cells[special[0]] = special[1];
        assert.deepEqual(read(cells, true), read(cells, false));
      },
    ),
    { numRuns: rounds(200) },
  );
});

test("a section of details may be longer than its short header can say", () => {
  for (const length of [1, 9, 126, 127, 128, 4_000, 20_000]) {
    const cells = OFFICIAL_COLUMNS.map((column) =>
      /License Number_|Taxonomy Code_|Identifier_/u.test(column)
        ? "A".repeat(length)
        : "",
    );
    cells[0] = NPI;
    cells[1] = "1";
    assert.deepEqual(read(cells, true), read(cells, false));
  }
});
