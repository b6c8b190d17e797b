import assert from "node:assert/strict";
import {
  mkdir,
  mkdtempDisposable,
  readdir,
  readFile,
  writeFile,
} from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { checkNpi } from "../../src/registry/npi.ts";
import { OFFICIAL_COLUMNS } from "../../src/registry/rows/header.ts";
import { readRegistryFile } from "../support/pure/registry/read-file.ts";
import { syntheticCsv } from "../../src/registry-generator/registry-files.ts";
import { RegistryGeneratorError } from "../../src/registry-generator/registry-generator-error.ts";
import {
  type SyntheticProgress,
  writeSyntheticRegistry,
} from "../../src/registry-generator/write-registry.ts";

const WEEK = { from: "2026-11-10", to: "2026-11-16", changes: 50 };

test("a CSV file has the same bytes as the rows in memory", async () => {
  await using folder = await mkdtempDisposable(join(tmpdir(), "synthetic-"));
  const out = join(folder.path, "rows.csv");
  const result = await writeSyntheticRegistry({
    providers: 3000,
    seed: 5,
    out,
  });
  const expected = syntheticCsv({ providers: 3000, seed: 5 });
  assert.ok((await readFile(out)).equals(expected));
  assert.deepEqual(result, {
    rows: 3000,
    bytes: expected.length,
    csvBytes: expected.length,
  });
  assert.deepEqual(await readdir(folder.path), ["rows.csv"]);
});

test("the registry's reader reads a zip: official names, only good rows, and no header file", async () => {
  await using folder = await mkdtempDisposable(join(tmpdir(), "synthetic-"));
  const out = join(folder.path, "NPPES.ZIP");
  const result = await writeSyntheticRegistry({ providers: 4000, out });
  assert.equal(result.rows, 4000);
  let withheld = 0;
  const summary = await readRegistryFile(out, {
    onRow(row) {
      assert.equal(checkNpi(String(row.npi)), "ok");
      if (row.entityType === 0) withheld++;
    },
    onBadRow(row) {
      assert.fail(JSON.stringify(row));
    },
  });
  assert.equal(summary.name, "npidata_pfile_20050523-20261109.csv");
  assert.deepEqual(summary.period, {
    kind: "full",
    begin: "2005-05-23",
    end: "2026-11-09",
  });
  assert.equal(summary.rows, 4000);
  assert.equal(summary.columns, OFFICIAL_COLUMNS.length);
  assert.ok(withheld > 50);
});

test("a week's zip is named by its week", async () => {
  await using folder = await mkdtempDisposable(join(tmpdir(), "synthetic-"));
  const out = join(folder.path, "week.zip");
  await writeSyntheticRegistry({ providers: 1000, out, week: WEEK });
  const summary = await readRegistryFile(out, {
    onRow() {},
    onBadRow: (row) => assert.fail(JSON.stringify(row)),
  });
  assert.equal(summary.name, "npidata_pfile_20261110-20261116.csv");
  assert.deepEqual(summary.period, {
    kind: "week",
    begin: WEEK.from,
    end: WEEK.to,
  });
  assert.equal(summary.rows, 50);
});

test("progress rises to all rows", async () => {
  await using folder = await mkdtempDisposable(join(tmpdir(), "synthetic-"));
  const seen: SyntheticProgress[] = [];
  const { csvBytes } = await writeSyntheticRegistry({
    providers: 3000,
    out: join(folder.path, "rows.zip"),
    onProgress: (progress) => seen.push(progress),
  });
  assert.ok(seen.length >= 3);
  assert.deepEqual(seen.at(-1), { rows: 3000, totalRows: 3000, csvBytes });
  assert.ok(
    seen.every(
      ({ rows }, index) => index === 0 || rows > (seen[index - 1]?.rows ?? 0),
    ),
  );
});

for (const name of ["rows.csv", "rows.zip"]) {
  test(`stopping ${name} leaves the folder as it was`, async () => {
    await using folder = await mkdtempDisposable(join(tmpdir(), "synthetic-"));
    const out = join(folder.path, name);
    await writeFile(out, "older");
    const controller = new AbortController();
    const reason = new Error("stopped by the test");
    const onProgress = () => controller.abort(reason);
    const options = {
      providers: 100_000,
      out,
      onProgress,
      signal: controller.signal,
    };
    await assert.rejects(writeSyntheticRegistry(options), reason);
    assert.deepEqual(await readdir(folder.path), [name]);
    assert.equal(await readFile(out, "utf8"), "older");
    await assert.rejects(writeSyntheticRegistry(options), reason);
  });
}

test("a missing folder, a folder instead of a file, and another extension are refused", async () => {
  await using folder = await mkdtempDisposable(join(tmpdir(), "synthetic-"));
  await mkdir(join(folder.path, "taken.csv"));
  const wrong: [out: string, message: RegExp][] = [
    [
      join(folder.path, "missing", "rows.csv"),
      /^The folder .* does not exist\. Create it/,
    ],
    [join(folder.path, "taken.csv"), /is a folder\. Give a file name/],
    [join(folder.path, "rows.txt"), /must end in \.csv or \.zip/],
    [join(folder.path, "rows"), /must end in \.csv or \.zip/],
  ];
  for (const [out, message] of wrong) {
    await assert.rejects(
      writeSyntheticRegistry({ providers: 1, out }),
      (error: unknown) =>
        error instanceof RegistryGeneratorError && message.test(error.message),
    );
  }
  assert.deepEqual(await readdir(folder.path), ["taken.csv"]);
});
