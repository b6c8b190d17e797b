import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { readdir, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { crc32 } from "node:zlib";
import type { BadRow } from "../../src/registry/rows/provider-row.ts";
import type { ReadProgress } from "../../src/registry/rows/read-registry-file.ts";
import { readRegistryFile } from "../support/pure/registry/read-file.ts";
import { RegistryFileError } from "../../src/registry/files/registry-file-error.ts";
import { rounds } from "../support/pure/full-run.ts";
import { inventedNpi } from "../support/pure/registry/invented-npi.ts";
import { rawRow } from "../support/pure/registry/raw-row.ts";
import { type KeptRow, keptRow } from "../support/pure/reference/read-csv.ts";
import {
  officialColumns,
  officialLayout,
  registryCsv,
} from "../support/pure/registry/registry-csv.ts";
import { zipBytes } from "../support/pure/registry/zip-bytes.ts";

const folder = mkdtempSync(join(tmpdir(), "read-registry-file-"));
after(() => rmSync(folder, { recursive: true }));

const NAME = "npidata_pfile_20240101-20240107.csv";
const ROWS = 6_000;
const LAYOUT = officialLayout();
/** About 6 MB: several chunks. */
const CSV = registryCsv(
  Array.from({ length: ROWS }, (_, index) =>
    rawRow({
      npi:
        index % 1000 === 999 ? "1111111111" : inventedNpi(100_000_000 + index),
      entityType: "1",
      first: index % 7 === 0 ? `ZOË "${index}"` : `ANN ${index}`,
      state: index % 11 === 0 ? "texas" : "TX",
      lastUpdated: index === 5 ? "99/99/2024" : "01/05/2024",
    }),
  ),
  LAYOUT,
);

const ZIP = await zipBytes([{ name: NAME, content: CSV }]);

async function saved(
  name: string,
  content: string | Uint8Array,
): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, content);
  return path;
}

/** Files are read in the calling thread or in another one, depending on the bytes of their CSV. */
const THREADS = [
  ["here", Number.POSITIVE_INFINITY],
  ["in a thread", 0],
] as const;

async function readAll(path: string, minThreadBytes: number) {
  const rows: KeptRow[] = [];
  const bad: BadRow[] = [];
  const progress: ReadProgress[] = [];
  const summary = await readRegistryFile(
    path,
    {
      onRow: (row) => void rows.push(keptRow(row)),
      onBadRow: (row) => void bad.push(row),
      onProgress: (step) => void progress.push(step),
    },
    undefined,
    minThreadBytes,
  );
  return { rows, bad, progress, summary };
}

for (const [where, least] of THREADS) {
  test(`${where}: a zip and its CSV give the same rows, bad rows, warnings and period`, async () => {
    const fromCsv = await readAll(await saved(NAME, CSV), least);
    assert.deepEqual(fromCsv.summary, {
      name: NAME,
      period: { kind: "week", begin: "2024-01-01", end: "2024-01-07" },
      bytes: Buffer.byteLength(CSV),
      crc32: crc32(CSV),
      columns: 330,
      rows: ROWS - 6,
      badRows: 6,
      badRowsByReason: new Map([["invalid_npi", 6]]),
      warnings: new Map([["invalid_date", 1]]),
      maskedNumbers: 0,
    });
    assert.deepEqual(fromCsv.bad[0], {
      line: 1001,
      reason: "invalid_npi",
      npi: "1111111111",
    });
    const firsts = fromCsv.rows.map(({ first }) => first);
    assert.deepEqual(
      [firsts[7], firsts[8], firsts.at(-1)],
      ['ZOË "7"', "ANN 8", `ANN ${ROWS - 2}`],
    );
    for (const compress of [true, false]) {
      const zip = await zipBytes([{ name: NAME, content: CSV, compress }]);
      const { rows, bad, summary } = await readAll(
        await saved("weekly.zip", zip),
        least,
      );
      assert.deepEqual(
        { rows, bad, summary },
        { rows: fromCsv.rows, bad: fromCsv.bad, summary: fromCsv.summary },
      );
    }
  });

  test(`${where}: progress grows to the whole file and all rows`, async () => {
    for (const path of [await saved(NAME, CSV), await saved("a.zip", ZIP)]) {
      const { progress } = await readAll(path, least);
      assert.ok(progress.length > 2);
      for (const [index, step] of progress.entries()) {
        const before = progress[index - 1] ?? {
          bytesRead: 0,
          bytesTotal: step.bytesTotal,
          rows: 0,
        };
        assert.ok(
          step.bytesRead >= before.bytesRead &&
            step.rows >= before.rows &&
            step.bytesTotal === before.bytesTotal,
        );
      }
      const last = progress.at(-1);
      assert.equal(last?.bytesRead, last?.bytesTotal);
      assert.equal(last?.rows, ROWS - 6);
    }
  });

  test(`${where}: an abort stops the reading and throws its reason`, async () => {
    const path = await saved("abort.zip", ZIP);
    const stop = new AbortController();
    let rows = 0;
    const reading = readRegistryFile(
      path,
      {
        onRow: () => {
          rows++;
          if (rows === 10) stop.abort(new Error("the operator pressed a key"));
        },
      },
      stop.signal,
      least,
    );
    await assert.rejects(reading, /the operator pressed a key/);
    assert.ok(rows < ROWS - 6);
    await assert.rejects(
      readRegistryFile(
        path,
        { onRow: () => assert.fail() },
        stop.signal,
        least,
      ),
      /the operator pressed a key/,
    );
  });

  test(`${where}: an error of a handler is rethrown`, async () => {
    const path = await saved("throws.zip", ZIP);
    const failing = readRegistryFile(
      path,
      {
        onRow: () => {
          throw new RangeError("no room");
        },
      },
      undefined,
      least,
    );
    await assert.rejects(
      failing,
      (error) => error instanceof RangeError && error.message === "no room",
    );
  });

  test(`${where}: a damaged zip throws, also when all its rows could be read`, async () => {
    const zip = Buffer.from(ZIP);
    const directory = zip.lastIndexOf("PK\x01\x02", "latin1");
    zip.writeUInt32LE(12_345, directory + 16);
    await assert.rejects(
      readAll(await saved("checksum.zip", zip), least),
      /its content does not match its checksum\. Download it again/,
    );
  });

  test(`${where}: a file without rows has none, with or without a line end behind its header`, async () => {
    for (const lastNewline of [true, false]) {
      const { summary } = await readAll(
        await saved(
          NAME,
          registryCsv([], {
            ...LAYOUT,
            columns: officialColumns("V1"),
            lastNewline,
          }),
        ),
        least,
      );
      assert.deepEqual(
        [summary.rows, summary.badRows, summary.columns],
        [0, 0, 329],
      );
    }
  });

  test(`${where}: the error for another CSV names the missing columns`, async () => {
    await assert.rejects(
      readAll(await saved("other.csv", "NPI;Entity Type Code\n1;2\n"), least),
      (error) => {
        assert.ok(error instanceof RegistryFileError);
        assert.match(
          error.message,
          /other\.csv is not a complete provider file: its first line lacks the columns "NPI", "Entity Type Code", /,
        );
        return true;
      },
    );
    for (const content of ["\n\n\n", '"', "A"]) {
      await assert.rejects(
        readAll(await saved("tiny.csv", content), least),
        /is not a complete provider file/,
      );
    }
  });

  test(`${where}: a first line that never ends is not a CSV`, async () => {
    const path = await saved(
      "endless.csv",
      new Uint8Array(3_000_000).fill(0x41),
    );
    await assert.rejects(
      readAll(path, least),
      /endless\.csv is not a CSV file: its first line does not end\. /,
    );
  });

  test(`${where}: no file stays open, whatever happens`, async (t) => {
    if ((await openFiles()) === 0)
      return t.skip("this system does not list a process's open files");
    const path = await saved("open.zip", ZIP);
    const cut = await saved("cut.zip", ZIP.subarray(0, 5000));
    const before = await openFiles();
    for (let round = 0; round < rounds(5, 2); round++) {
      await readAll(path, least);
      await readAll(cut, least).catch(() => {});
      await readRegistryFile(
        path,
        { onRow: () => assert.fail() },
        undefined,
        least,
      ).catch(() => {});
      await readAll(await saved("other.csv", "A,B\n"), least).catch(() => {});
    }
    assert.equal(await openFiles(), before);
  });
}

test("a thread passes on every kind of row and bad row, of any length", async () => {
  const rows = [
    rawRow({ npi: inventedNpi(100_000_001), entityType: "1", last: "BEFORE" }),
    rawRow({ npi: "1111111111", entityType: "1" }),
    rawRow({ npi: "0000000012", entityType: "1" }),
    rawRow({ npi: "none", entityType: "1" }),
    rawRow({ npi: inventedNpi(100_000_002), entityType: "3" }),
    rawRow({
      npi: inventedNpi(100_000_003),
      entityType: "1",
      address1: "É".repeat(300_000),
      middle: "€ ".repeat(100_000),
    }),
    rawRow({
      npi: inventedNpi(100_000_004),
      entityType: "",
      deactivationDate: "06/05/2079",
    }),
  ];
  const content = `${registryCsv(rows, LAYOUT)}"short","row"\n"${"x".repeat(1_100_000)}\n"open`;
  const path = await saved(NAME, content);
  const here = await readAll(path, Number.POSITIVE_INFINITY);
  const inThread = await readAll(path, 0);
  assert.deepEqual(inThread.rows, here.rows);
  assert.deepEqual(inThread.bad, here.bad);
  assert.deepEqual(inThread.summary, here.summary);
  assert.equal(here.rows.length, 3);
  assert.deepEqual(
    new Set(here.bad.map(({ reason }) => reason)),
    new Set([
      "invalid_npi",
      "unknown_entity_type",
      "wrong_column_count",
      "row_too_long",
      "unterminated_quote",
    ]),
  );
});

async function openFiles(): Promise<number> {
  return (await readdir("/proc/self/fd").catch(() => [])).length;
}
