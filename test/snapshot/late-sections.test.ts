import assert from "node:assert/strict";
import {
  closeSync,
  openSync,
  readSync,
  rmSync,
  truncateSync,
  writeSync,
} from "node:fs";
import { suite, test } from "node:test";
import { Directory } from "../../src/search/directory.ts";
import { SECTIONS } from "../../src/snapshot/container/descriptors.ts";
import { DiskSections } from "../../src/snapshot/container/disk-sections.ts";
import { lateNamesInMemory } from "../../src/snapshot/container/late-sections.ts";
import { SnapshotFormatError } from "../../src/snapshot/container/section-file.ts";
import { Snapshot } from "../../src/snapshot/snapshot.ts";
import { verifySnapshot } from "../../src/snapshot/verify/verify.ts";
import { SnapshotStore } from "../../src/store/store.ts";
import { runProgram, temporaryFolder } from "../support/program/program.ts";

const ANY_NAME = {
  name: "a",
  name_scope: "any",
  page: 1,
  limit: 100,
} as const;
const OWN_NAME = { ...ANY_NAME, name_scope: "primary" } as const;

/** A store with a demo that has all details. */
async function demoStore() {
  const folder = temporaryFolder();
  const options = { "--providers": "500", "--data-dir": folder.path };
  const { code, err } = await runProgram([
    "demo",
    ...Object.entries(options).flat(),
  ]);
  assert.equal(code, 0, err);
  const store = new SnapshotStore(folder.path);
  const id = store.currentId() ?? "none";
  return {
    store,
    id,
    path: store.pathOf(id),
    [Symbol.dispose]: () => folder[Symbol.dispose](),
  };
}

/** Flips one bit in the middle of a section of the late part. */
function flip(path: string, name: string): void {
  using file = new DiskSections(path);
  using late = file.fileIn(SECTIONS.extended);
  const { bytes, offset } = late.entries.find((each) => each.name === name)!;
  const at = offset + (bytes >> 1);
  const fd = openSync(path, "r+");
  const byte = Buffer.alloc(1);
  readSync(fd, byte, 0, 1, at);
  byte[0]! ^= 1;
  writeSync(fd, byte, 0, 1, at);
  closeSync(fd);
}

suite("the part of a snapshot that is read on first use", () => {
  test("is read only as far as searches need it, and gives the same answers", async () => {
    using demo = await demoStore();
    const file = demo.store.share(demo.id);
    using directory = new Directory(new Snapshot(file));
    using whole = new Directory(new Snapshot(demo.store.read(demo.id)));
    directory.search.page(OWN_NAME);
    assert.deepEqual(lateNamesInMemory(file), []);
    const found = directory.search.page(ANY_NAME);
    assert.deepEqual(found, whole.search.page(ANY_NAME));
    assert.ok(found.total > directory.search.page(OWN_NAME).total);
    const read = lateNamesInMemory(file);
    assert.ok(read.includes("name.owners"), read.join(" "));
    assert.ok(!read.includes("mailing.area"), read.join(" "));
    const mailed = {
      place: { state: "CA", purpose: "mailing" },
      limit: 50,
      skip: 0,
    } as const;
    const byMail = directory.search.registryPage(mailed);
    assert.deepEqual(byMail, whole.search.registryPage(mailed));
    assert.ok(byMail.total > 0);
    assert.ok(lateNamesInMemory(file).includes("mailing.area"));
    assert.ok(!lateNamesInMemory(file).includes("secondary.area"));
  });

  test("passes all of verify", async () => {
    using demo = await demoStore();
    using snapshot = new Snapshot(demo.store.share(demo.id));
    assert.deepEqual(verifySnapshot(snapshot), []);
  });

  test("is read from the open file after that was removed, and by one thread for all", async () => {
    using demo = await demoStore();
    const file = demo.store.share(demo.id);
    using directory = new Directory(new Snapshot(file));
    rmSync(demo.path);
    const found = directory.search.page(ANY_NAME);
    assert.ok(found.total > 0);
    using later = new Directory(new Snapshot(file));
    assert.deepEqual(later.search.page(ANY_NAME), found);
    assert.throws(
      () =>
        later.search.registryPage({
          place: { state: "CA", purpose: null },
          limit: 1,
          skip: 0,
        }),
      (error) =>
        error instanceof SnapshotFormatError &&
        /cannot be read \(ENOENT.*; check the disk with snapshots verify/.test(
          error.message,
        ),
    );
  });

  test("is refused if it is damaged, but not the rest, and read once it is whole again", async () => {
    using demo = await demoStore();
    const file = demo.store.share(demo.id);
    using directory = new Directory(new Snapshot(file));
    flip(demo.path, "name.owners");
    for (let time = 0; time < 2; time++)
      assert.throws(() => directory.search.page(ANY_NAME), {
        name: "SnapshotFormatError",
        message:
          'Section "name.owners" in "scopes" does not match its checksum; roll back or import again.',
      });
    assert.ok(directory.search.page(OWN_NAME).total > 0);
    flip(demo.path, "name.owners");
    assert.ok(directory.search.page(ANY_NAME).total > 0);
  });

  test("is refused if the file was cut", async () => {
    using demo = await demoStore();
    const file = demo.store.share(demo.id);
    using directory = new Directory(new Snapshot(file));
    truncateSync(demo.path, 10_000);
    assert.throws(() => directory.search.page(ANY_NAME), {
      name: "SnapshotFormatError",
      message: /truncated/,
    });
  });

  test("is refused once the snapshot is closed", async () => {
    using demo = await demoStore();
    const snapshot = new Snapshot(demo.store.share(demo.id));
    snapshot[Symbol.dispose]();
    assert.throws(() => snapshot.extended.names, {
      message: /cannot be read \(The snapshot is closed\)/,
    });
  });
});
