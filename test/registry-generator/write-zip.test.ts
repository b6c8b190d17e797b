import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtempDisposable, open, readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { promisify } from "node:util";
import { RegistryFile } from "../../src/registry/files/open-file.ts";
import {
  writeZip,
  type ZipEntry,
} from "../../src/registry-generator/write-registry.ts";

const DAY = "2024-10-04";
const CSV = "npidata_pfile_20050523-20241004.csv";

function* chunks(count: number): Generator<Uint8Array> {
  for (let i = 0; i < count; i++) yield Buffer.alloc(100_000, `piece ${i} `);
}

async function written(path: string, entries: ZipEntry[]): Promise<void> {
  await using file = await open(path, "w");
  await writeZip(file, DAY, entries);
}

test("entries are read back unchanged, by the registry's reader and by unzip", async () => {
  await using folder = await mkdtempDisposable(join(tmpdir(), "write-zip-"));
  const path = join(folder.path, "file.zip");
  const entries = () => [
    { name: "empty_fileheader.csv", chunks: [] },
    { name: CSV, chunks: chunks(30) },
  ];
  await written(path, entries());
  await using registry = await RegistryFile.open(path);
  const read: Buffer[] = [];
  for await (const chunk of registry.source.chunks())
    read.push(Buffer.from(chunk));
  assert.ok(Buffer.concat(read).equals(Buffer.concat([...chunks(30)])));
  const run = promisify(execFile);
  const { stdout } = await run("unzip", ["-t", path]);
  assert.match(stdout, /No errors detected/);
  const again = join(folder.path, "again.zip");
  await written(again, entries());
  assert.ok(
    (await readFile(again)).equals(await readFile(path)),
    "the same chunks are the same bytes",
  );
});

test("an error of the source stops the writing", async () => {
  await using folder = await mkdtempDisposable(join(tmpdir(), "write-zip-"));
  const failure = new Error("the source failed");
  function* failing(): Generator<Uint8Array> {
    yield* chunks(3);
    throw failure;
  }
  const path = join(folder.path, "file.zip");
  await assert.rejects(
    written(path, [
      { name: CSV, chunks: failing() },
      { name: "never.csv", chunks: chunks(1) },
    ]),
    failure,
  );
});

test("an error of the disk stops the writing, whenever it comes, and the sources", async () => {
  await using folder = await mkdtempDisposable(join(tmpdir(), "write-zip-"));
  const path = join(folder.path, "file.zip");
  await writeFile(path, "");
  await using readOnly = await open(path, "r");
  await assert.rejects(
    writeZip(readOnly, DAY, [{ name: CSV, chunks: chunks(3) }]),
    { code: "EBADF" },
  );

  let isStopped = false;
  function* endless(): Generator<Uint8Array> {
    try {
      // Bytes that look random, so compressed output is written soon.
      for (let i = 0; ; i++)
        yield Uint8Array.from(
          { length: 100_000 },
          (_, n) => (n * n * (i + 7)) >> 5,
        );
    } finally {
      isStopped = true;
    }
  }
  await using full = await open("/dev/full", "w");
  await assert.rejects(
    writeZip(full, DAY, [{ name: CSV, chunks: endless() }]),
    { code: "ENOSPC" },
  );
  assert.ok(isStopped);
});
