import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { after, before, suite, test } from "node:test";
import {
  ALL_COLUMNS,
  EXPORT_COLUMNS,
} from "../../../src/contract/export-columns.ts";
import { DETAIL_PARTS } from "../../../src/contract/detail-parts.ts";
import { readParquet } from "../../support/pure/read-parquet.ts";
import { csvRecords } from "../../support/pure/reference/csv-records.ts";
import { stalledPipe } from "../../support/program/broken-outputs.ts";
import {
  ProgramProcess,
  argv,
  fails,
  runProgram,
  succeed,
  succeeded,
} from "../../support/program/program.ts";
import { temporaryFolder } from "../../support/pure/temporary-folder.ts";

const PROVIDERS = 3_000;

suite("provider-directory export", () => {
  const folder = temporaryFolder();
  const at = (name: string) => join(folder.path, name);
  const data = ["--data-dir", at("data")];
  const run = (...args: string[]) => runProgram(["export", ...args, ...data]);
  before(() => succeed(["demo", "--providers", String(PROVIDERS), ...data]));
  after(() => folder[Symbol.dispose]());

  test("Parquet has the records of NDJSON, typed, as DuckDB reads it", async () => {
    await succeed(argv`export include=all --out ${at("all.parquet")} ${data}`);
    await succeed(argv`export include=all --out ${at("all.ndjson")} ${data}`);
    const lines = linesOf(at("all.ndjson"));
    const { rows, types } = await readParquet(at("all.parquet"));
    assert.equal(rows.length, PROVIDERS);
    assert.equal(lines.length, PROVIDERS);
    assert.deepEqual(
      [...types.keys()],
      [...EXPORT_COLUMNS.map(({ name }) => name), ...DETAIL_PARTS],
    );
    for (const { name, type } of EXPORT_COLUMNS)
      assert.equal(types.get(name), type === "date" ? "DATE" : "VARCHAR");
    assert.match(
      types.get("taxonomies") ?? "",
      /^STRUCT\(code VARCHAR, .*"?primary"? BOOLEAN,.*\)\[\]$/,
    );
    assert.match(types.get("identity") ?? "", /certification_date DATE/);
    for (const [index, line] of lines.entries()) {
      const expected = Object.fromEntries([
        ...EXPORT_COLUMNS.map(({ name, path }) => [name, valueAt(line, path)]),
        ...DETAIL_PARTS.map((part) => [part, valueAt(line, part)]),
      ]);
      assert.deepEqual(rows[index], expected);
    }
    assert.ok(lines.some((line) => valueAt(line, "endpoints.0") !== null));
  });

  test("CSV has the same fields; an ending in capitals, or --format, says which format", async () => {
    await succeed(["export", "state=CA", "--out", at("ca.CSV"), ...data]);
    await succeed(
      argv`export state=CA --format ndjson --out ${at("ca.txt")} ${data}`,
    );
    const [header, ...records] = csvRecords(readFileSync(at("ca.CSV"), "utf8"));
    assert.deepEqual(
      header,
      EXPORT_COLUMNS.map(({ name }) => name),
    );
    const lines = linesOf(at("ca.txt"));
    assert.ok(lines.length > 0);
    assert.deepEqual(
      records,
      lines.map((line) =>
        EXPORT_COLUMNS.map(({ path }) => valueAt(line, path) ?? ""),
      ),
    );
    const none = await run("name=zzzz", "--out", at("none.parquet"));
    assert.equal(none.code, 0);
    assert.match(none.out, /^none\.parquet: 0 providers\.$/m);
    assert.deepEqual((await readParquet(at("none.parquet"))).rows, []);
  });

  test("JSON Lines are the lines of NDJSON, and each can have the other's name", async () => {
    for (const [name, ...more] of [
      ["lines.ndjson"],
      ["lines.jsonl"],
      ["other.jsonl", "--format", "ndjson"],
      ["other.ndjson", "--format", "jsonl"],
    ] as const) {
      await succeeded(run("--out", at(name), ...more));
      assert.deepEqual(
        readFileSync(at(name)),
        readFileSync(at("lines.ndjson")),
      );
    }
    await using piped = new ProgramProcess(argv`export --format jsonl ${data}`);
    const out = await succeeded(piped.ended());
    assert.equal(out, readFileSync(at("lines.jsonl"), "utf8"));
  });

  test("CSV has the columns that are named, in that order, for each provider", async () => {
    const named = ALL_COLUMNS.map(({ name }) => name.toUpperCase()).reverse();
    const columns = `columns=${named.join(", ")}`;
    await succeed(["export", columns, "--out", at("all.csv"), ...data]);
    const all = at("every.ndjson");
    await succeed(["export", "include=all", "--out", all, ...data]);
    const [header, ...records] = csvRecords(
      readFileSync(at("all.csv"), "utf8"),
    );
    const names = ALL_COLUMNS.map(({ name }) => name).reverse();
    assert.deepEqual(header, names);
    const lines = linesOf(all);
    assert.equal(records.length, lines.length);
    const filled = new Set<string>();
    for (const [row, line] of lines.entries())
      for (const [index, name] of names.entries()) {
        const cell = records[row]?.[index] ?? "missing";
        const expected = columnOf(line, name);
        const isFormula = /^[-=+@]/.test(expected);
        assert.equal(cell, isFormula ? `'${expected}` : expected, name);
        if (cell !== "") filled.add(name);
      }
    assert.deepEqual(
      names.filter((name) => !filled.has(name)),
      [],
    );
    await fails(
      run("columns=npi", "--out", at("columns.parquet")),
      2,
      /columns chooses the columns of CSV/,
    );
  });

  test("a name that ends in .gz compresses, in the format before it or of --format", async () => {
    for (const [name, plain, ...more] of [
      ["ca.csv.gz", "gz.csv"],
      ["ca.jsonl.GZ", "gz.jsonl"],
      ["ca.gz", "gz.csv", "--format", "csv"],
    ] as const) {
      await succeed(["export", "--out", at(plain), ...data]);
      await succeeded(run("--out", at(name), ...more));
      const expected = readFileSync(at(plain), "utf8");
      assert.ok(expected.length > 100_000);
      assert.equal(gunzipSync(readFileSync(at(name))).toString(), expected);
    }
    const full = await run("--out", "/dev/full", "--format", "ndjson");
    assert.equal(full.code, 1);
    symlinkSync("/dev/full", at("full.csv.gz"));
    await fails(run("--out", at("full.csv.gz")), 1, /The disk is full/);
  });

  test("rows go to standard output by default; a reader that stops early is not a fault", async () => {
    await succeed(["export", "--out", at("whole.ndjson"), ...data]);
    await using whole = new ProgramProcess(["export", ...data]);
    const { code, out } = await whole.ended();
    assert.equal(code, 0);
    assert.equal(out, readFileSync(at("whole.ndjson"), "utf8"));

    using pipe = stalledPipe();
    pipe.leave();
    await using left = new ProgramProcess(["export", ...data], {}, undefined, {
      out: pipe.fd,
    });
    const ended = await left.ended();
    assert.equal(ended.err, "");
    assert.equal(ended.code, 0);
  });

  test("what the API refuses is a usage error, and Parquet needs a file", async () => {
    const out = ["--out", at("refused.ndjson")];
    for (const [args, message] of [
      [["state=XX", ...out], /state/],
      [["CA", ...out], /"CA" is not a parameter with a value/],
      [["limit=5", ...out], /limit/],
      [
        ["include=identity", "--out", at("refused.csv")],
        /include cannot be combined with format=csv\. Choose columns with columns, or use a name that ends in \.ndjson, \.jsonl or \.parquet\./,
      ],
      [
        ["include=identity", "--format", "csv", "--out", at("refused.csv.gz")],
        /or use a name that ends in \.ndjson, \.jsonl or \.parquet, without --format\./,
      ],
      [
        ["include=identity", "--format", "csv", "--out", at("refused.txt")],
        /or use --format ndjson\./,
      ],
      [["include=identity", "--format", "csv"], /or use --format ndjson\./],
      [["--format", "parquet"], /Parquet cannot be written to standard output/],
      [["--format", "xml", ...out], /ndjson, jsonl, csv, parquet/],
      [["--format", "csv", ...out], /csv contradicts the name refused.ndjson/],
      [["--out", at("x.parquet.gz")], /Parquet files are already compressed/],
      [["--out", at("x.xlsx")], /x\.xlsx doesn't say the format. Add --format/],
      [["--out", at("x.zip.gz")], /x\.zip\.gz doesn't say the format/],
      [["format=csv", ...out], /Set the format with an option: --format/],
    ] as const) {
      await fails(run(...args), 2, message);
    }
    const missing = await runProgram(["export", "--data-dir", at("nothing")]);
    assert.equal(missing.code, 1);
    assert.ok(!existsSync(at("refused.ndjson")));
  });

  test("a pipe or a link as FILE stays what it is, and a folder is refused with nothing left", async () => {
    const toFile = async (name: string) => {
      await succeeded(run("state=CA", "--out", at(name)));
    };
    await toFile("plain.ndjson");
    const expected = readFileSync(at("plain.ndjson"), "utf8");

    execFileSync("mkfifo", [at("pipe")]);
    const read = readFile(at("pipe"), "utf8");
    await toFile("pipe");
    assert.ok(lstatSync(at("pipe")).isFIFO());
    assert.equal(await read, expected);

    writeFileSync(at("real.ndjson"), "old");
    symlinkSync(at("real.ndjson"), at("link.ndjson"));
    await toFile("link.ndjson");
    assert.ok(lstatSync(at("link.ndjson")).isSymbolicLink());
    assert.equal(readFileSync(at("real.ndjson"), "utf8"), expected);

    symlinkSync("later.ndjson", at("ahead.ndjson"));
    await toFile("ahead.ndjson");
    assert.ok(lstatSync(at("ahead.ndjson")).isSymbolicLink());
    assert.equal(readFileSync(at("later.ndjson"), "utf8"), expected);

    mkdirSync(at("folder"));
    const { code, err } = await run("state=CA", "--out", at("folder"));
    assert.equal(code, 1);
    assert.ok(err.includes(`found a folder (${at("folder")})`), err);
    assert.ok(!existsSync(at("folder.partial")));

    const nowhere = await run("state=CA", "--out", at("nowhere/ca.csv"));
    assert.equal(nowhere.code, 1);
    assert.ok(nowhere.err.includes(`(${at("nowhere/ca.csv")})`), nowhere.err);
  });

  test("an export that is stopped leaves no file", async () => {
    for (const out of [
      "stopped.ndjson",
      "stopped.parquet",
      "stopped.ndjson.gz",
    ]) {
      const { code } = await runProgram(["export", "--out", at(out), ...data], {
        context: { stop: AbortSignal.abort(new Error("Stopped.")) },
      });
      assert.equal(code, 1);
    }
    assert.deepEqual(
      readdirSync(folder.path).filter((name) => /stopped|partial/.test(name)),
      [],
    );
  });
});

function linesOf(file: string): unknown[] {
  return readFileSync(file, "utf8")
    .trimEnd()
    .split("\n")
    .map((line): unknown => JSON.parse(line));
}

/** A member of a record by its path; null if there is none. */
function valueAt(record: unknown, path: string): unknown {
  let value = record;
  for (const name of path.split("."))
    value =
      value === null || value === undefined
        ? null
        : Reflect.get(Object(value), name);
  return value ?? null;
}

/** The text of a column, read from a record with all of its details. */
function columnOf(record: unknown, column: string): string {
  const textAt = (value: unknown, path: string): string => {
    const text = valueAt(value, path) ?? "";
    assert.ok(typeof text === "string");
    return text;
  };
  const read = (path: string) => textAt(record, path);
  const slots = valueAt(record, "taxonomies");
  assert.ok(Array.isArray(slots));
  if (column === "taxonomy_codes")
    return slots.map((slot) => textAt(slot, "code")).join(" ");
  if (column === "license_number" || column === "license_state") {
    const primary = slots.find((slot) => valueAt(slot, "primary") === true);
    return textAt(primary ?? slots[0], column);
  }
  if (column === "zip5") {
    const country = read("practice_address.country");
    const isUs =
      ["", "US", "UM", "PR", "GU", "VI", "AS", "MP"].includes(country) ||
      ["AA", "AE", "AP"].includes(read("practice_address.state"));
    const [zip = ""] =
      /^\d{5}/.exec(read("practice_address.postal_code")) ?? [];
    return isUs ? zip : "";
  }
  if (column === "zip")
    return read("practice_address.postal_code").replace(
      /^(\d{5})(\d{4})$/,
      "$1-$2",
    );
  const mailing = column.replace(/^mailing_(address_(?=\d)|)/, (_, kind) =>
    kind === "" ? "mailing_address." : "mailing_address.address_",
  );
  if (mailing !== column) return read(mailing);
  const plain = EXPORT_COLUMNS.find(({ name }) => name === column);
  return read(plain?.path ?? `identity.${column}`);
}
