import assert from "node:assert/strict";
import { mkdtempDisposable, open, readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { RegistryFile } from "../../src/registry/files/open-file.ts";
import { ZipFile } from "../../src/registry-generator/zip-file.ts";

const DAY = 20_000;
const CSV = "npidata_pfile_20050523-20241004.csv";

function* pieces(count: number): Generator<Uint8Array> {
  for (let i = 0; i < count; i++) yield Buffer.alloc(100_000, `piece ${i} `);
}

test("entries are read back as they were given", async () => {
  await using folder = await mkdtempDisposable(join(tmpdir(), "zip-file-"));
  const path = join(folder.path, "file.zip");
  {
    await using file = await open(path, "w");
    const zip = new ZipFile(file, DAY);
    await zip.add("empty_fileheader.csv", []);
    await zip.add(CSV, pieces(30));
    await zip.finish();
    assert.equal(zip.position, (await readFile(path)).length);
  }
  await using registry = await RegistryFile.open(path);
  const read: Buffer[] = [];
  for await (const chunk of registry.source.chunks())
    read.push(Buffer.from(chunk));
  assert.ok(Buffer.concat(read).equals(Buffer.concat([...pieces(30)])));
});

test("an error of the source stops the entry", async () => {
  await using folder = await mkdtempDisposable(join(tmpdir(), "zip-file-"));
  await using file = await open(join(folder.path, "file.zip"), "w");
  const failure = new Error("the source failed");
  function* failing(): Generator<Uint8Array> {
    yield* pieces(3);
    throw failure;
  }
  await assert.rejects(new ZipFile(file, DAY).add(CSV, failing()), failure);
});

test("an error of the disk stops the entry, whenever it comes", async () => {
  await using folder = await mkdtempDisposable(join(tmpdir(), "zip-file-"));
  const path = join(folder.path, "file.zip");
  await writeFile(path, "");
  await using readOnly = await open(path, "r");
  await assert.rejects(new ZipFile(readOnly, DAY).add(CSV, pieces(3)), {
    code: "EBADF",
  });

  const file = await open(path, "w");
  function* closing(): Generator<Uint8Array> {
    yield* pieces(2);
    void file.close();
    // Random-looking bytes, so that packed ones must be written before the end.
    for (let i = 0; i < 40; i++)
      yield Uint8Array.from(
        { length: 100_000 },
        (_, n) => (n * n * (i + 7)) >> 5,
      );
  }
  await assert.rejects(new ZipFile(file, DAY).add(CSV, closing()));
});
