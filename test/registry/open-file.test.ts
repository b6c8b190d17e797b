import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { deflateRawSync, gzipSync } from "node:zlib";
import { RegistryFile } from "../../src/registry/files/open-file.ts";
import { RegistryFileError } from "../../src/registry/files/registry-file-error.ts";
import { zipBytes } from "../support/pure/registry/zip-bytes.ts";

const folder = mkdtempSync(join(tmpdir(), "open-file-"));
after(() => rmSync(folder, { recursive: true }));

const NAME = "npidata_pfile_20240101-20240107.csv";
/** A few megabytes that compress poorly, so damage hits the content. */
const CSV = Buffer.from(
  Array.from(
    { length: 200_000 },
    (_, row) => `"${(row * 2_654_435_761) % 4_294_967_291}","A"`,
  ).join("\n"),
);

async function saved(
  name: string,
  content: string | Uint8Array,
): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, content);
  return path;
}

async function contentOf(path: string): Promise<{
  name: string;
  content: Buffer;
  bytesRead: number;
  bytesTotal: number;
}> {
  await using file = await RegistryFile.open(path);
  const { source } = file;
  const chunks: Uint8Array[] = [];
  for await (const chunk of source.chunks()) chunks.push(chunk);
  const content = Buffer.concat(chunks);
  assert.equal(source.contentBytesRead, content.length);
  return {
    name: source.name,
    content,
    bytesRead: source.bytesRead,
    bytesTotal: source.range.bytesTotal,
  };
}

async function sentenceOf(path: string): Promise<string> {
  const error: unknown = await contentOf(path).then(
    () => null,
    (reason: unknown) => reason,
  );
  assert.ok(error instanceof RegistryFileError, String(error));
  assert.ok(error.message.startsWith(path), error.message);
  return error.message.slice(path.length + 1);
}

test("a CSV is read as it is", async () => {
  const path = await saved("some.csv", CSV);
  const { name, content, bytesRead, bytesTotal } = await contentOf(path);
  assert.equal(name, "some.csv");
  assert.ok(content.equals(CSV));
  assert.deepEqual([bytesRead, bytesTotal], [CSV.length, CSV.length]);
});

for (const [kind, options] of [
  ["deflated", {}],
  ["stored", { compress: false }],
  ["ZIP64", { zip64: true }],
] as const) {
  test(`the data entry of a zip is read: ${kind}`, async () => {
    const bytes = await zipBytes([
      { name: "othername_pfile_20240101-20240107.csv", content: "x" },
      { name: `folder/${NAME}`, content: CSV, ...options },
      { name: NAME.replace(".csv", "_fileheader.csv"), content: "y" },
    ]);
    const { name, content, bytesRead, bytesTotal } = await contentOf(
      await saved("weekly.zip", bytes),
    );
    assert.equal(name, NAME);
    assert.ok(content.equals(CSV));
    assert.equal(bytesRead, bytesTotal);
    assert.ok(
      kind === "stored" ? bytesTotal === CSV.length : bytesTotal < CSV.length,
    );
  });
}

test("a file's bytes decide what it is, not its name", async () => {
  const zip = await zipBytes([{ name: NAME, content: "A,B\n" }]);
  assert.equal(
    (await contentOf(await saved("misnamed.csv", zip))).content.toString(),
    "A,B\n",
  );
  assert.equal(
    (await contentOf(await saved("misnamed.zip", "A,B\n"))).content.toString(),
    "A,B\n",
  );
});

test("an empty data entry is empty", async () => {
  for (const compress of [true, false]) {
    const zip = await zipBytes([{ name: NAME, content: "", compress }]);
    assert.equal(
      (await contentOf(await saved("empty-entry.zip", zip))).content.length,
      0,
    );
  }
});

test("a zip that is cut short anywhere is a damaged zip", async () => {
  const zip = await zipBytes([{ name: NAME, content: CSV }]);
  for (const length of [
    4,
    100,
    zip.length >> 1,
    zip.length - 30,
    zip.length - 1,
  ]) {
    const sentence = await sentenceOf(
      await saved("cut.zip", zip.subarray(0, length)),
    );
    assert.match(
      sentence,
      /^is a damaged zip: its list of contents cannot be read\. Download it again\.$/,
    );
  }
});

test("a changed byte in the content of a zip is found", async () => {
  for (const compress of [true, false]) {
    const zip = await zipBytes([{ name: NAME, content: CSV, compress }]);
    for (const place of [200, zip.length >> 2, zip.length >> 1]) {
      const changed = Buffer.from(zip);
      changed[place] = (changed[place] ?? 0) ^ 0x5a;
      const sentence = await sentenceOf(await saved("changed.zip", changed));
      assert.match(sentence, /^is a damaged zip: .*\. Download it again\.$/);
      if (!compress)
        assert.match(sentence, /its content does not match its checksum/);
    }
  }
});

test("an entry with a wrong length is found", async () => {
  const packed = deflateRawSync(CSV);
  const zip = await zipBytes([{ name: NAME, content: CSV }]);
  assert.ok(
    zip.includes(packed.subarray(0, 100)),
    "the test knows how the zip was packed",
  );
  const directory = zip.lastIndexOf("PK\x01\x02", "latin1");
  for (const [length, found] of [
    [CSV.length - 1, "an entry is longer than its header says"],
    [CSV.length + 1, "an entry is shorter than its header says"],
  ] as const) {
    const changed = Buffer.from(zip);
    changed.writeUInt32LE(length, directory + 24);
    assert.equal(
      await sentenceOf(await saved("length.zip", changed)),
      `is a damaged zip: ${found}. Download it again.`,
    );
  }
});

test("the error for a zip without its data entry, or with several, lists its contents", async () => {
  const others = [
    "readme.pdf",
    "endpoint_pfile_20240101-20240107.csv",
    `x/${NAME.replace(".csv", "_fileheader.csv")}`,
  ];
  assert.equal(
    await sentenceOf(
      await saved(
        "none.zip",
        await zipBytes(others.map((name) => ({ name, content: "x" }))),
      ),
    ),
    `contains no npidata_pfile CSV (${others.join(", ")}). Give a zip that contains exactly one, or the CSV itself.`,
  );
  const two = [NAME, "npidata_pfile_20240108-20240114.csv"];
  assert.equal(
    await sentenceOf(
      await saved(
        "two.zip",
        await zipBytes(
          [...two, "readme.pdf"].map((name) => ({ name, content: "x" })),
        ),
      ),
    ),
    `contains more than one npidata_pfile CSV (${two.join(", ")}). Give a zip that contains exactly one, or the CSV itself.`,
  );
  const many = Array.from({ length: 20 }, (_, index) => ({
    name: `${index}.txt`,
    content: "x",
  }));
  assert.match(
    await sentenceOf(await saved("many.zip", await zipBytes(many))),
    /\(0\.txt, .*, 7\.txt and 12 more\)/,
  );
  assert.match(
    await sentenceOf(await saved("nothing.zip", await zipBytes([]))),
    /^contains no npidata_pfile CSV \(it is empty\)/,
  );
});

test("a zip with too many files is refused before they are listed", async () => {
  const entries = Array.from({ length: 1_001 }, (_, index) => ({
    name: `${index}.txt`,
    content: "",
  }));
  const path = await saved("many.zip", await zipBytes(entries));
  await assert.rejects(RegistryFile.open(path), {
    name: "RegistryFileError",
    message: `${path} contains 1001 files, more than 1000. Give the registry's zip.`,
  });
});

test("an encrypted entry and an unknown method are refused", async () => {
  const zip = await zipBytes([{ name: NAME, content: "A,B\n" }]);
  const directory = zip.lastIndexOf("PK\x01\x02", "latin1");
  const encrypted = Buffer.from(zip);
  encrypted.writeUInt16LE(zip.readUInt16LE(directory + 8) | 1, directory + 8);
  assert.match(
    await sentenceOf(await saved("locked.zip", encrypted)),
    /^is encrypted\. /,
  );
  const deflate64 = Buffer.from(zip);
  deflate64.writeUInt16LE(9, directory + 10);
  assert.match(
    await sentenceOf(await saved("deflate64.zip", deflate64)),
    /^uses an unsupported compression method \(9\)/,
  );
});

test("the error for a file given by mistake says what it looks like", async () => {
  const cases: [string, string | Uint8Array, RegExp][] = [
    [
      "a.csv.gz",
      gzipSync("A,B\n"),
      /^looks like a gzip file\. Give the registry's zip or CSV\.$/,
    ],
    [
      "a.xlsx",
      await zipBytes([{ name: "[Content_Types].xml", content: "<x/>" }]),
      /^looks like another kind of Office document/,
    ],
    [
      "a.xls",
      Uint8Array.of(0xd0, 0xcf, 0x11, 0xe0, 0xa1),
      /an old Excel workbook/,
    ],
    [
      "a.html",
      "\u{feff}\n <!DOCTYPE html><html>",
      /a web page, perhaps from a failed download/,
    ],
    ["b.zip", "<html><body>404", /a web page/],
    ["a.xml", "<Error>AccessDenied</Error>", /an XML file/],
    ["a.json", ' {"result_count":0}', /a JSON file/],
    ["a.pdf", "%PDF-1.7", /a PDF document/],
    ["utf16.csv", Uint8Array.of(0xff, 0xfe, 0x4e, 0), /text in UTF-16/],
    ["empty.csv", "", /^is empty\. Download it again\.$/],
    [
      "npidata_pfile_20240101-20240107_fileheader.csv",
      '"NPI"\n',
      /^contains only column names\. /,
    ],
  ];
  for (const [name, content, expected] of cases)
    assert.match(await sentenceOf(await saved(name, content)), expected);
});

test("a path that is not a file is refused", async () => {
  assert.equal(
    await sentenceOf(join(folder, "absent.zip")),
    "does not exist. Check the path.",
  );
  const inside = join(folder, "inside");
  await mkdir(inside);
  assert.equal(await sentenceOf(inside), "is a folder. Name a file in it.");
});

test("a reader may stop early, and the file is closed", async () => {
  for (const compress of [true, false]) {
    const path = await saved(
      "left.zip",
      await zipBytes([{ name: NAME, content: CSV, compress }]),
    );
    await using file = await RegistryFile.open(path);
    for await (const chunk of file.source.chunks()) {
      assert.ok(chunk.length > 0);
      break;
    }
  }
});

test("a pipe is refused, and does not wait for someone to write", async () => {
  const path = join(folder, "pipe.zip");
  execFileSync("mkfifo", [path]);
  assert.match(await sentenceOf(path), /is not a regular file/);
});
