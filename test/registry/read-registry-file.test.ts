import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { readdir, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { crc32 } from "node:zlib";
import type { BadRow } from "../../src/registry/bad-row.ts";
import {
  type ReadProgress,
  readRegistryFile,
} from "../../src/registry/read-registry-file.ts";
import { RegistryFileError } from "../../src/registry/registry-file-error.ts";
import { inventedNpi } from "../support/invented-npi.ts";
import { rawRow } from "../support/raw-row.ts";
import { type KeptRow, keptRow } from "../support/read-csv.ts";
import {
  officialColumns,
  officialLayout,
  registryCsv,
} from "../support/registry-csv.ts";
import { zipBytes } from "../support/zip-bytes.ts";

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

async function saved(
  name: string,
  content: string | Uint8Array,
): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, content);
  return path;
}

async function readAll(path: string) {
  const rows: KeptRow[] = [];
  const bad: BadRow[] = [];
  const progress: ReadProgress[] = [];
  const summary = await readRegistryFile(path, {
    onRow: (row) => void rows.push(keptRow(row)),
    onBadRow: (row) => void bad.push(row),
    onProgress: (step) => void progress.push(step),
  });
  return { rows, bad, progress, summary };
}

test("a zip and its CSV give the same rows, bad rows, warnings and period", async () => {
  const fromCsv = await readAll(await saved(NAME, CSV));
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
    );
    assert.deepEqual(
      { rows, bad, summary },
      { rows: fromCsv.rows, bad: fromCsv.bad, summary: fromCsv.summary },
    );
  }
});

test("progress grows to the whole file and all rows", async () => {
  for (const path of [
    await saved(NAME, CSV),
    await saved("a.zip", await zipBytes([{ name: NAME, content: CSV }])),
  ]) {
    const { progress } = await readAll(path);
    assert.ok(progress.length > 3);
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

test("an abort stops the reading and throws its reason", async () => {
  const path = await saved(
    "abort.zip",
    await zipBytes([{ name: NAME, content: CSV }]),
  );
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
  );
  await assert.rejects(reading, /the operator pressed a key/);
  assert.ok(rows < ROWS - 6);
  await assert.rejects(
    readRegistryFile(path, { onRow: () => assert.fail() }, stop.signal),
    /the operator pressed a key/,
  );
});

test("what a handler throws comes out as it is", async () => {
  const path = await saved(
    "throws.zip",
    await zipBytes([{ name: NAME, content: CSV }]),
  );
  const failing = readRegistryFile(path, {
    onRow: () => {
      throw new RangeError("no room");
    },
  });
  await assert.rejects(
    failing,
    (error) => error instanceof RangeError && error.message === "no room",
  );
});

test("a damaged zip throws, also when all its rows could be read", async () => {
  const zip = await zipBytes([{ name: NAME, content: CSV }]);
  const directory = zip.lastIndexOf("PK\x01\x02", "latin1");
  zip.writeUInt32LE(12_345, directory + 16);
  await assert.rejects(
    readAll(await saved("checksum.zip", zip)),
    /its checksum does not fit its content: download it again/,
  );
});

test("a file without rows has none, with or without a line end behind its header", async () => {
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
    );
    assert.deepEqual(
      [summary.rows, summary.badRows, summary.columns],
      [0, 0, 329],
    );
  }
});

test("a CSV of something else is told what it lacks", async () => {
  await assert.rejects(
    readAll(await saved("other.csv", "NPI;Entity Type Code\n1;2\n")),
    (error) => {
      assert.ok(error instanceof RegistryFileError);
      assert.match(
        error.message,
        /other\.csv is not a complete provider file, for its first line lacks the columns "NPI", "Entity Type Code", /,
      );
      return true;
    },
  );
  for (const content of ["\n\n\n", '"', "A"]) {
    await assert.rejects(
      readAll(await saved("tiny.csv", content)),
      /is not a complete provider file/,
    );
  }
});

test("a first line that never ends is no CSV", async () => {
  const path = await saved("endless.csv", new Uint8Array(3_000_000).fill(0x41));
  await assert.rejects(
    readAll(path),
    /endless\.csv is no CSV file, for its first line does not end: /,
  );
});

test("no file stays open, whatever happened", async (t) => {
  if ((await openFiles()) === 0)
    return t.skip("this system does not list a process's open files");
  const path = await saved(
    "open.zip",
    await zipBytes([{ name: NAME, content: CSV }]),
  );
  const cut = await saved(
    "cut.zip",
    (await zipBytes([{ name: NAME, content: CSV }])).subarray(0, 5000),
  );
  const before = await openFiles();
  for (let round = 0; round < 5; round++) {
    await readAll(path);
    await readAll(cut).catch(() => {});
    await readRegistryFile(path, { onRow: () => assert.fail() }).catch(
      () => {},
    );
    await readAll(await saved("other.csv", "A,B\n")).catch(() => {});
  }
  assert.equal(await openFiles(), before);
});

async function openFiles(): Promise<number> {
  return (await readdir("/proc/self/fd").catch(() => [])).length;
}
