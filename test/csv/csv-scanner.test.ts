import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { CsvScanner, type RowFault } from "../../src/csv/csv-scanner.ts";
import { chunksOf } from "../support/pure/reference/read-csv.ts";

interface Scanned {
  rows: { line: number; cells: string[] }[];
  faults: { line: number; fault: RowFault }[];
}

/** Scans CSV without a header; all columns are needed. Inner quotes stay as they are. */
function scan(
  csv: string | Uint8Array,
  columns: number,
  sizes?: readonly number[],
  maxRowBytes?: number,
): Scanned {
  return scanCounting(csv, columns, sizes, maxRowBytes).scanned;
}

/** Like scan, with the number of reread bytes. */
function scanCounting(
  csv: string | Uint8Array,
  columns: number,
  sizes: readonly number[] = [1 << 20],
  maxRowBytes = 1 << 20,
): { scanned: Scanned; rereadBytes: number } {
  const scanned: Scanned = { rows: [], faults: [] };
  const cellOfColumn = Uint16Array.from(
    { length: columns },
    (_, column) => column + 1,
  );
  const scanner: CsvScanner = new CsvScanner(
    {
      columns,
      cellOfColumn,
      cellCount: columns + 1,
      firstLine: 1,
      maxRowBytes,
    },
    {
      row() {
        const cells = Array.from(cellOfColumn, (cell) => {
          const bytes = scanner.bytes.subarray(
            scanner.starts[cell],
            scanner.ends[cell],
          );
          return Buffer.from(bytes).toString("latin1");
        });
        scanned.rows.push({ line: scanner.line, cells });
      },
      fault: (fault) => void scanned.faults.push({ line: scanner.line, fault }),
    },
  );
  for (const chunk of chunksOf(
    typeof csv === "string" ? Buffer.from(csv, "latin1") : csv,
    sizes,
  ))
    scanner.push(chunk);
  scanner.end();
  return { scanned, rereadBytes: scanner.rereadBytes };
}

function cellsOf(csv: string, columns: number): string[][] {
  const { rows, faults } = scan(csv, columns);
  assert.deepEqual(faults, []);
  return rows.map(({ cells }) => cells);
}

test("reads quoted and bare cells, and commas and line breaks in quotes", () => {
  assert.deepEqual(cellsOf('"A","B, C","D\nE\tF"\nG,,H I\n', 3), [
    ["A", "B, C", "D\nE\tF"],
    ["G", "", "H I"],
  ]);
});

test("lines end with LF or CRLF; the last one may have no end", () => {
  for (const end of ["\n", "\r\n", "\r\r\n"]) {
    assert.deepEqual(cellsOf(`"A","B"${end}C,D${end}"E",""`, 2), [
      ["A", "B"],
      ["C", "D"],
      ["E", ""],
    ]);
    assert.deepEqual(cellsOf(`A,${end}"C",${end}`, 2), [
      ["A", ""],
      ["C", ""],
    ]);
  }
  assert.deepEqual(cellsOf('"A","B"\r', 2), [["A", "B"]]);
  assert.deepEqual(cellsOf("A,", 2), [["A", ""]]);
});

test("blank lines are skipped and counted", () => {
  const { rows, faults } = scan('\n\r\n"A","B"\n\n\n"C","D"\n\n', 2);
  assert.deepEqual(rows, [
    { line: 3, cells: ["A", "B"] },
    { line: 6, cells: ["C", "D"] },
  ]);
  assert.deepEqual(faults, []);
});

test("a doubled quote stays in the range for the reader to undouble", () => {
  assert.deepEqual(cellsOf('"say ""A""","""",""\n', 3), [
    ['say ""A""', '""', ""],
  ]);
});

test("a stray quote is a character, in quotes and without", () => {
  assert.deepEqual(cellsOf('"JO "JACK" DOE","B"\n5" PIPE,"C"\n', 2), [
    ['JO "JACK" DOE', "B"],
    ['5" PIPE', "C"],
  ]);
});

test("NUL is a character", () => {
  assert.deepEqual(cellsOf('"A\0B",\0\n', 2), [["A\0B", "\0"]]);
});

test("long runs of empty cells are counted exactly", () => {
  for (let empty = 0; empty < 60; empty++) {
    const row = `"A",${'"",'.repeat(empty)}"B"\n`;
    assert.deepEqual(cellsOf(row, empty + 2)[0], [
      "A",
      ...Array.from({ length: empty }, () => ""),
      "B",
    ]);
    assert.deepEqual(scan(row, empty + 3).faults, [
      { line: 1, fault: "wrong_column_count" },
    ]);
  }
});

test("a quoted cell of any length may end where the scanner's blocks of bytes do", () => {
  for (let length = 0; length < 200; length++) {
    const text = "A,\nB".repeat(50).slice(0, length);
    for (const end of ["\n", "\r\n"]) {
      const row = `"${text}","","C","${text}"${end}`;
      const cells = [text, "", "C", text];
      assert.deepEqual(cellsOf(row + row, 4), [cells, cells]);
    }
  }
});

test("a row's line is the physical line on which it starts", () => {
  const { rows } = scan('"A","1\n2\n3"\n"B","x"\n', 2);
  assert.deepEqual(
    rows.map(({ line }) => line),
    [1, 4],
  );
});

test("a row with too few or too many columns is reported, and the next is read", () => {
  assert.deepEqual(scan('"A"\n"B","C"\n"D","E","F"\n"G","H"\n', 2), {
    rows: [
      { line: 2, cells: ["B", "C"] },
      { line: 4, cells: ["G", "H"] },
    ],
    faults: [
      { line: 1, fault: "wrong_column_count" },
      { line: 3, fault: "wrong_column_count" },
    ],
  });
});

test("a lost closing quote at a line's end does not lose the next row", () => {
  assert.deepEqual(scan('"A","B\n"C","D"\n"E","F"\n', 2), {
    rows: [
      { line: 2, cells: ["C", "D"] },
      { line: 3, cells: ["E", "F"] },
    ],
    faults: [{ line: 1, fault: "wrong_column_count" }],
  });
});

test("a good row's own line breaks, when it has lost a cell, are not reported as rows", () => {
  assert.deepEqual(scan('"A","1\n2\n3"\n"B","C","D"\n', 3), {
    rows: [{ line: 4, cells: ["B", "C", "D"] }],
    faults: [{ line: 1, fault: "wrong_column_count" }],
  });
});

test("a quote that is open at the file's end is reported, and the rows after its line are read", () => {
  assert.deepEqual(scan('"A","B\nC,D\nE,F\n', 2), {
    rows: [
      { line: 2, cells: ["C", "D"] },
      { line: 3, cells: ["E", "F"] },
    ],
    faults: [{ line: 1, fault: "unterminated_quote" }],
  });
  assert.deepEqual(scan('"A","B', 2).faults, [
    { line: 1, fault: "unterminated_quote" },
  ]);
});

test("a quote that stays open for too long costs one row", () => {
  const rest = "C,D\n".repeat(300_000);
  const { rows, faults } = scan(`"A","B\n${rest}`, 2, [65_536]);
  assert.equal(rows.length, 300_000);
  assert.deepEqual(rows.at(-1)?.line, 300_001);
  assert.deepEqual(faults, [{ line: 1, fault: "unterminated_quote" }]);
});

test("rows after an open quote are found although chunks split them", () => {
  const csv = `"1\nB,C\nD,"${"y".repeat(40)}"\nE,F\n${"G,H\n".repeat(20)}`;
  const whole = scan(csv, 2, [csv.length], 50);
  assert.deepEqual(whole.faults, [{ line: 1, fault: "unterminated_quote" }]);
  assert.equal(whole.rows.length, 23);
  for (let cut = 1; cut < csv.length; cut++) {
    assert.deepEqual(scan(csv, 2, [cut, csv.length], 50), whole);
  }
});

test("a line that is too long to be a row is skipped without keeping it", () => {
  const { rows, faults } = scan(
    `A,${"x".repeat(3_000_000)}\nC,D\n`,
    2,
    [65_536],
  );
  assert.deepEqual(rows, [{ line: 2, cells: ["C", "D"] }]);
  assert.deepEqual(faults, [{ line: 1, fault: "row_too_long" }]);
});

test("a file in which every line opens a quote is read in time proportional to its length", () => {
  const neverClosed = '"A\n'.repeat(100_000);
  const closedLate = `${'"A\n'.repeat(900)}"\n`.repeat(100);
  for (const damage of [neverClosed, closedLate]) {
    const { rereadBytes, scanned } = scanCounting(
      `"A","B"\n${damage}${'"C","D"\n'.repeat(1000)}`,
      2,
      [65_536],
      4_000,
    );
    assert.ok(rereadBytes <= 2 * damage.length, `${rereadBytes} bytes`);
    assert.ok(scanned.faults.length > 10);
    assert.deepEqual(scanned.rows[0]?.cells, ["A", "B"]);
    assert.deepEqual(scanned.rows.at(-1), {
      line: damage.split("\n").length + 1000,
      cells: ["C", "D"],
    });
  }
});

const chunkSizes = fc.array(fc.integer({ min: 1, max: 90 }), {
  minLength: 1,
  maxLength: 12,
});

test("what is written as CSV is read back, whatever the chunks", () => {
  const cell = fc.string({
    unit: fc.constantFrom("A", "b", " ", ",", '"', "\n", "\r", "\t", "\0", "é"),
    maxLength: 12,
  });
  const file = fc.integer({ min: 2, max: 40 }).chain((columns) =>
    fc.record({
      rows: fc.array(
        fc.array(fc.oneof(fc.constant(""), cell), {
          minLength: columns,
          maxLength: columns,
        }),
        { maxLength: 8 },
      ),
      quoteAll: fc.boolean(),
      end: fc.constantFrom("\n", "\r\n"),
      lastEnd: fc.boolean(),
      sizes: chunkSizes,
    }),
  );
  fc.assert(
    fc.property(file, ({ rows, quoteAll, end, lastEnd, sizes }) => {
      const lines = rows.map((row) =>
        row
          .map((text) =>
            quoteAll || /[",\r\n]/.test(text)
              ? `"${text.replaceAll('"', '""')}"`
              : text,
          )
          .join(","),
      );
      const { rows: read, faults } = scan(
        lines.join(end) + (lastEnd ? end : ""),
        rows[0]?.length ?? 2,
        sizes,
      );
      assert.deepEqual(faults, []);
      assert.deepEqual(
        read.map(({ cells }) =>
          cells.map((text) => text.replaceAll('""', '"')),
        ),
        rows,
      );
      const linesBefore = lines.map(
        (_, index) =>
          lines.slice(0, index).join(end).split("\n").length +
          (index > 0 ? 1 : 0),
      );
      assert.deepEqual(
        read.map(({ line }) => line),
        linesBefore,
      );
    }),
    { numRuns: 400 },
  );
});

test("reads any bytes to the end, with the same rows and faults whatever the chunks", () => {
  const bytes = fc.array(
    fc.constantFrom(
      '"',
      '"',
      '"",',
      ",",
      "\n",
      "\r",
      "\r\n",
      "A",
      "1",
      "\0",
      "\xff",
      " ",
    ),
    { maxLength: 120 },
  );
  fc.assert(
    fc.property(
      bytes,
      fc.integer({ min: 1, max: 12 }),
      fc.integer({ min: 8, max: 60 }),
      chunkSizes,
      (parts, columns, max, sizes) => {
        const text = parts.join("");
        const whole = scan(text, columns, [text.length], max);
        assert.deepEqual(scan(text, columns, sizes, max), whole);
        const lines = [...whole.rows, ...whole.faults].map(({ line }) => line);
        assert.equal(
          new Set(lines).size,
          lines.length,
          "a line starts one row",
        );
        assert.ok(
          lines.every((line) => line >= 1 && line <= text.split("\n").length),
        );
      },
    ),
    { numRuns: 2000 },
  );
});

test("one quote too many or too few in a row costs no other row", () => {
  const text = fc.string({
    unit: fc.constantFrom("A", "1", " ", "-"),
    maxLength: 4,
  });
  const damage = fc.integer({ min: 2, max: 30 }).chain((columns) =>
    fc.record({
      rows: fc.array(
        fc.array(text, { minLength: columns - 1, maxLength: columns - 1 }),
        { minLength: 1, maxLength: 6 },
      ),
      row: fc.nat(),
      place: fc.nat(),
      adds: fc.boolean(),
      sizes: chunkSizes,
    }),
  );
  fc.assert(
    fc.property(damage, ({ rows, row, place, adds, sizes }) => {
      const lines = rows.map(
        (cells, index) =>
          `"${index}",${cells.map((cell) => `"${cell}"`).join(",")}`,
      );
      const damaged = row % lines.length;
      lines[damaged] = withQuoteChanged(lines[damaged] ?? "", place, adds);
      const columns = (rows[0]?.length ?? 0) + 1;
      const { rows: read, faults } = scan(
        `${lines.join("\n")}\n`,
        columns,
        sizes,
      );
      const others = [...rows.keys()]
        .filter((index) => index !== damaged)
        .map(String);
      const seen = new Set(read.map(({ cells }) => cells[0]));
      assert.deepEqual(
        others.filter((id) => !seen.has(id)),
        [],
      );
      assert.ok(faults.length <= 1);
    }),
    { numRuns: 1000 },
  );
});

/** Adds a quote after the first cell of a line, or removes one there. */
function withQuoteChanged(line: string, place: number, adds: boolean): string {
  const from = line.indexOf(",") + 1;
  if (adds) {
    const at = from + (place % (line.length - from + 1));
    return `${line.slice(0, at)}"${line.slice(at)}`;
  }
  const quotes = [...line.matchAll(/"/g)]
    .map(({ index }) => index)
    .filter((index) => index >= from);
  const at = quotes[place % quotes.length] ?? from;
  return line.slice(0, at) + line.slice(at + 1);
}
