import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { suite, test } from "node:test";
import * as fc from "fast-check";
import { parquetMetadata, parquetReadObjects } from "hyparquet";
import { zstdDecompressSync } from "node:zlib";
import { ParquetWriter, type Shape } from "../../src/parquet/parquet-writer.ts";
import type { TableColumn } from "../../src/tables/columns.ts";
import { LineReader } from "../../src/tables/line-reader.ts";
import { readParquet } from "../support/pure/read-parquet.ts";

const COMPRESSORS = {
  ZSTD: (bytes: Uint8Array) => new Uint8Array(zstdDecompressSync(bytes)),
};
const NAME = { name: "name", path: ["name"], shape: "text" } as const;

/** Columns of every shape: flat ones, members of members, lists, and lists of objects that have lists. */
const COLUMNS: readonly TableColumn[] = [
  { name: "key", path: ["key"], shape: "text" },
  { name: "flag", path: ["flag"], shape: "boolean" },
  { name: "day", path: ["day"], shape: "date" },
  { name: "first", path: ["name", "first"], shape: "text" },
  { name: "street", path: ["name", "home", "street"], shape: "text" },
  { name: "tags", path: ["tags"], shape: { listOf: "text" } },
  {
    name: "entries",
    path: ["entries"],
    shape: {
      listOf: {
        members: [
          { name: "code", shape: "text" },
          { name: "since", shape: "date" },
          { name: "marks", shape: { listOf: "boolean" } },
        ],
      },
    },
  },
];

const text = fc.oneof(
  fc.string({ unit: "binary" }),
  fc.constantFrom("", "A", "B", 'a "quoted" \\ text', "x".repeat(100)),
);
const orNull = <T>(value: fc.Arbitrary<T>) => fc.option(value, { freq: 4 });
const day = fc
  .integer({ min: 0, max: 30_000 })
  .map((days) => new Date(days * 86_400_000).toISOString().slice(0, 10));
/** A member that is null may also be left out. */
const object = <T>(members: { [K in keyof T]: fc.Arbitrary<T[K]> }) =>
  fc.record<T>(members, { requiredKeys: [] });
const record = object({
  key: orNull(text),
  flag: orNull(fc.boolean()),
  day: orNull(day),
  name: orNull(
    object({
      first: orNull(text),
      home: orNull(object({ street: orNull(text) })),
    }),
  ),
  tags: orNull(fc.array(orNull(text), { maxLength: 12 })),
  entries: orNull(
    fc.array(
      orNull(
        object({
          code: orNull(text),
          since: orNull(day),
          marks: orNull(fc.array(orNull(fc.boolean()), { maxLength: 3 })),
        }),
      ),
      { maxLength: 3 },
    ),
  ),
});

suite("lines of JSON as tables", () => {
  test("are read by two other programs with all values, lists, and nulls", async () => {
    const folder = mkdtempSync(join(tmpdir(), "lines-"));
    const path = join(folder, "all.parquet");
    try {
      await fc.assert(
        fc.asyncProperty(fc.array(record, { maxLength: 40 }), async (lines) => {
          const bytes = tableOf(COLUMNS, lines);
          const wanted = lines.map(rowOf);
          assert.deepEqual(await readByHyparquet(bytes), wanted);
          writeFileSync(path, bytes);
          const { rows } = await readParquet(path);
          assert.deepEqual(JSON.parse(JSON.stringify(rows)), wanted);
        }),
        { numRuns: 60 },
      );
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  test("have row groups of 100,000, each with its least and greatest value", async () => {
    const lines = Array.from({ length: 250_000 }, (_, i) => ({
      key: String(1_000_000 + i),
      day: i < 100_000 ? "2005-05-23" : null,
      flag: i % 3 === 0,
      name: { first: i % 2 === 0 ? "EVEN" : null },
    }));
    const bytes = tableOf(COLUMNS.slice(0, 4), lines);
    const groups = parquetMetadata(arrayOf(bytes)).row_groups;
    assert.deepEqual(
      groups.map(({ num_rows: rows }) => Number(rows)),
      [100_000, 100_000, 50_000],
    );
    const statistics = groups.map(({ columns }) =>
      columns.map(({ meta_data: data }) => {
        const { max_value, min_value, null_count } = data?.statistics ?? {};
        return [min_value, max_value, Number(null_count)];
      }),
    );
    const day1 = new Date("2005-05-23");
    assert.deepEqual(statistics, [
      [
        ["1000000", "1099999", 0],
        [undefined, undefined, 0],
        [day1, day1, 0],
        ["EVEN", "EVEN", 50_000],
      ],
      [
        ["1100000", "1199999", 0],
        [undefined, undefined, 0],
        [undefined, undefined, 100_000],
        ["EVEN", "EVEN", 50_000],
      ],
      [
        ["1200000", "1249999", 0],
        [undefined, undefined, 0],
        [undefined, undefined, 50_000],
        ["EVEN", "EVEN", 25_000],
      ],
    ]);
    const rows = await readByHyparquet(bytes);
    for (const [i, { key, name, ...others }] of lines.entries())
      assert.deepEqual(rows[i], { key, ...others, first: name.first });
  });

  test("keep values of few or many kinds, single and in runs", async () => {
    const run = fc.nat({ max: 100_000 }).chain((kinds) =>
      fc.array(
        fc.tuple(fc.nat({ max: kinds }), fc.integer({ min: 1, max: 20 })),
        {
          minLength: 1,
          maxLength: 3_000,
          size: "max",
        },
      ),
    );
    await fc.assert(
      fc.asyncProperty(run, async (runs) => {
        const lines = runs.flatMap(([kind, length]) =>
          Array.from({ length }, () => ({ name: `A LONG TEXT, KIND ${kind}` })),
        );
        assert.deepEqual(await readByHyparquet(tableOf([NAME], lines)), lines);
      }),
      { numRuns: 25 },
    );
  });

  test("compare texts by their bytes, and leave long ones out of statistics", () => {
    assert.deepEqual(statisticsOf("b", "", "Z", "é"), ["", "é"]);
    assert.deepEqual(statisticsOf("\u{ffff}", "\u{10000}"), [
      "\u{ffff}",
      "\u{10000}",
    ]);
    assert.deepEqual(statisticsOf("a", "x".repeat(65)), [undefined, undefined]);
  });

  test("are refused if they have other members, or are cut off", () => {
    for (const line of [
      '{"name":"A","other":1}\n',
      '{"name": "A"}\n',
      '{"name":"A"}',
      '{"name":"A',
      '{"name":"A\\',
      '{"name":["A"]}\n',
      '["A"]\n',
      "A\n",
    ]) {
      const { reader } = tableWriter([NAME]);
      assert.throws(
        () => reader.read(Buffer.from(line)),
        /^Error: No compact JSON at byte \d+$/,
        line,
      );
    }
  });

  test("can't have two columns of one member", () => {
    assert.throws(
      () => tableWriter([NAME, { ...NAME, path: ["name", "first"] }]),
      /^Error: Two columns have name$/,
    );
  });
});

function tableWriter(columns: readonly TableColumn[]) {
  const written: Uint8Array[] = [];
  const writer = new ParquetWriter({
    columns,
    createdBy: "a test",
    write: (bytes) => void written.push(bytes.slice()),
  });
  const reader = new LineReader([{ columns, list: null, writer }]);
  return { reader, writer, written };
}

function tableOf(
  columns: readonly TableColumn[],
  lines: readonly object[],
): Uint8Array {
  const { reader, writer, written } = tableWriter(columns);
  for (const line of lines)
    reader.read(Buffer.from(`${JSON.stringify(line)}\n`));
  writer.end();
  return Buffer.concat(written);
}

async function readByHyparquet(bytes: Uint8Array): Promise<unknown[]> {
  const rows = await parquetReadObjects({
    file: arrayOf(bytes),
    compressors: COMPRESSORS,
  });
  // It leaves out members of which all are null, and makes dates of days.
  return JSON.parse(
    JSON.stringify(rows, (_, value: unknown) => value ?? null),
    (_, value: unknown) =>
      typeof value === "string" && /^\d{4}-\d\d-\d\dT00:00:00.000Z$/.test(value)
        ? value.slice(0, 10)
        : value,
  );
}

function arrayOf(bytes: Uint8Array): ArrayBuffer {
  return new Uint8Array(bytes).buffer;
}

/** Returns the row that a line should be: every column has a value or null. */
function rowOf(line: object): unknown {
  return Object.fromEntries(
    COLUMNS.map(({ name, path, shape }) => [
      name,
      valueOf(
        path.reduce<unknown>(
          (value, member) => Object(value)[member] ?? null,
          line,
        ),
        shape,
      ),
    ]),
  );
}

function valueOf(value: unknown, shape: Shape): unknown {
  if (value === null || value === undefined) return null;
  if (typeof shape === "string") return value;
  if ("listOf" in shape)
    return Array.isArray(value)
      ? value.map((item: unknown) => valueOf(item, shape.listOf))
      : null;
  return Object.fromEntries(
    shape.members.map(({ name, shape: inner }) => [
      name,
      valueOf(Object(value)[name], inner),
    ]),
  );
}

/** Returns the least and the greatest of some names, as a file has them. */
function statisticsOf(...names: string[]): unknown[] {
  const lines = names.map((name) => ({ name }));
  const [group] = parquetMetadata(arrayOf(tableOf([NAME], lines))).row_groups;
  const { max_value, min_value } =
    group?.columns[0]?.meta_data?.statistics ?? {};
  return [min_value, max_value];
}
