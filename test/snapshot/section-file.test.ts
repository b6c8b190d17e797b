import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, it } from "node:test";
import {
  decodeHeader,
  EXTENDED_FILE,
  FORMAT_VERSION,
  SnapshotFormatError,
} from "../../src/snapshot/container/section-file.ts";
import { f64, u16, u32, u8 } from "../../src/snapshot/container/section.ts";
import { MemorySections } from "../../src/snapshot/container/sections.ts";
import { readSharedFile } from "../../src/snapshot/container/shared-file.ts";
import { DiskSections } from "../../src/snapshot/container/disk-sections.ts";
import { SectionFileWriter } from "../../src/snapshot/container/section-writer.ts";

const folder = mkdtempSync(join(tmpdir(), "sections-"));
after(() => rmSync(folder, { recursive: true }));
let made = 0;

const TEXT = u8("text", "A test.");
const SMALL = u16("small", "A test.");
const NUMBERS = u32("numbers", "A test.");
const POINTS = f64("points", "A test.");
const EMPTY = u32("empty", "A test.");

describe("a snapshot's container", () => {
  it("returns what was written, by name and element size", () => {
    const file = new MemorySections(readSharedFile(write()).bytes);
    assert.equal(Buffer.from(file.get(TEXT)).toString(), "some bytes");
    assert.deepEqual([...file.get(SMALL)], [1, 65_535]);
    assert.deepEqual([...file.get(NUMBERS)], [7, 4_294_967_295]);
    assert.deepEqual([...file.get(POINTS)], [-87.62, 41.88]);
    assert.deepEqual([...file.get(EMPTY)], []);
    assert.deepEqual(file.corruptSections(), []);
  });

  it("places every section at a multiple of 64 bytes", () => {
    const sections = new MemorySections(readSharedFile(write()).bytes).entries;
    assert.ok(sections.every(({ offset }) => offset % 64 === 0));
  });

  it("does not pad a last section that ends where another one would start", () => {
    const path = join(folder, `snapshot-${made++}`);
    {
      using writer = new SectionFileWriter(path);
      writer.write(u8("full", "A test."), new Uint8Array(64).fill(7));
      writer.finish();
    }
    const file = new MemorySections(readSharedFile(path).bytes);
    assert.deepEqual(file.corruptSections(), []);
  });

  it("reads a single section", () => {
    using sections = new DiskSections(write());
    assert.equal(
      Buffer.from(sections.getChecked(TEXT)).toString(),
      "some bytes",
    );
  });

  it("does not overwrite an existing file", () => {
    const path = write();
    assert.throws(() => new SectionFileWriter(path), { code: "EEXIST" });
  });

  it("names a section that is missing or has the wrong element size", () => {
    const file = new MemorySections(readSharedFile(write()).bytes);
    assertRefused(() => file.get(u8("other", "A test.")), /no section "other"/);
    assertRefused(
      () => file.get(u16("numbers", "A test.")),
      /"numbers" has the wrong element size/,
    );
  });

  it("refuses an empty file, a short one, and one of another kind", () => {
    for (const content of ["", "PDSNAPSH", "x".repeat(10_000)]) {
      assertRefused(
        () => open(Buffer.from(content)),
        /too short|not a snapshot/,
      );
    }
  });

  it("names the kind of file that another one is too short for", () => {
    assert.throws(() => decodeHeader(new Uint8Array(10), 10, EXTENDED_FILE), {
      message: "The file is too short to be an extended index; import again.",
    });
  });

  it("refuses an unfinished file", () => {
    const path = join(folder, `unfinished-${made++}`);
    using writer = new SectionFileWriter(path);
    writer.write(TEXT, Buffer.alloc(10_000, 1));
    assertRefused(
      () => new MemorySections(readSharedFile(path).bytes),
      /not a snapshot.*was interrupted/,
    );
  });

  it("refuses a future version and names both versions", () => {
    const bytes = readFileSync(write());
    bytes.writeUInt32LE(FORMAT_VERSION + 1, 8);
    assertRefused(
      () => open(bytes),
      new RegExp(
        `version ${FORMAT_VERSION + 1}, but this program reads 2 to ${FORMAT_VERSION}`,
      ),
    );
  });

  it("refuses a damaged header, a damaged table and a truncated file", () => {
    for (const [at, message] of [
      [17, /header is damaged/],
      [70, /section table is damaged/],
      [5_000, /section table is damaged/],
    ] as const) {
      const bytes = readFileSync(write());
      bytes[at]! ^= 1;
      assertRefused(() => open(bytes), message);
    }
    const whole = readFileSync(write());
    assertRefused(
      () => open(whole.subarray(0, whole.length - 1)),
      /has \d+ bytes; its header says \d+/,
    );
  });

  it("finds the section whose bytes changed", () => {
    const path = write();
    const bytes = readFileSync(path);
    const { offset } = new MemorySections(readSharedFile(path).bytes)
      .entries[2]!;
    bytes[offset]! ^= 128;
    assert.deepEqual(new MemorySections(shared(bytes)).corruptSections(), [
      "numbers",
    ]);
  });
});

function write(): string {
  const path = join(folder, `sections-${made++}`);
  using writer = new SectionFileWriter(path);
  writer.write(TEXT, Buffer.from("some bytes"));
  writer.write(SMALL, Uint16Array.of(1, 65_535));
  writer.write(NUMBERS, Uint32Array.of(7, 4_294_967_295));
  writer.begin(POINTS);
  writer.append(new Uint8Array(Float64Array.of(-87.62).buffer));
  writer.append(new Uint8Array(Float64Array.of(41.88).buffer));
  writer.end();
  writer.write(EMPTY, new Uint32Array(0));
  writer.finish();
  return path;
}

function open(bytes: Uint8Array): MemorySections {
  const path = join(folder, `open-${made++}`);
  writeFileSync(path, bytes);
  return new MemorySections(readSharedFile(path).bytes);
}

function shared(bytes: Uint8Array): SharedArrayBuffer {
  const buffer = new SharedArrayBuffer(bytes.length);
  new Uint8Array(buffer).set(bytes);
  return buffer;
}

function assertRefused(action: () => unknown, message: RegExp): void {
  assert.throws(
    action,
    (error: unknown) =>
      error instanceof SnapshotFormatError && message.test(error.message),
  );
}
