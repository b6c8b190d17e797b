import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { crc32 } from "node:zlib";
import { inspectRegistryFile } from "../../src/registry/files/open-file.ts";
import { RegistryFileError } from "../../src/registry/files/registry-file-error.ts";
import { checksumOf } from "../support/pure/registry/read-file.ts";
import { zipBytes } from "../support/pure/registry/zip-bytes.ts";

const folder = mkdtempSync(join(tmpdir(), "inspect-registry-file-"));
after(() => rmSync(folder, { recursive: true }));

const NAME = "npidata_pfile_20240101-20240107.csv";
const PERIOD = { kind: "week", begin: "2024-01-01", end: "2024-01-07" };

test("a zip has name, period, length and checksum before its rows are read", async () => {
  const path = join(folder, "weekly.zip");
  await writeFile(path, await zipBytes([{ name: NAME, content: "not read" }]));
  assert.deepEqual(await inspectRegistryFile(path), {
    name: NAME,
    period: PERIOD,
    bytes: 8,
    crc32: crc32("not read"),
  });
});

test("a CSV has name, period and length, and a checksum once it is read", async () => {
  const path = join(folder, NAME);
  await writeFile(path, "not read");
  assert.deepEqual(await inspectRegistryFile(path), {
    name: NAME,
    period: PERIOD,
    bytes: 8,
    crc32: null,
  });
  assert.equal(await checksumOf(path), crc32("not read"));
  const reason = new Error("stop");
  await assert.rejects(checksumOf(path, AbortSignal.abort(reason)), reason);
});

test("a file that is not a registry file is refused", async () => {
  await assert.rejects(
    inspectRegistryFile(join(folder, "absent.csv")),
    RegistryFileError,
  );
});
