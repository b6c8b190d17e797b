import assert from "node:assert/strict";
import {
  closeSync,
  copyFileSync,
  openSync,
  readFileSync,
  readSync,
  rmSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { suite, test } from "node:test";
import { checkSnapshot } from "../../src/cli/commands/snapshots.ts";
import { Directory } from "../../src/search/directory.ts";
import {
  extendedPath,
  openExtendedFile,
} from "../../src/snapshot/container/shared-file.ts";
import { Snapshot } from "../../src/snapshot/snapshot.ts";
import { verifySnapshot } from "../../src/snapshot/verify/verify.ts";
import { SnapshotStore } from "../../src/store/store.ts";
import { runProgram } from "../support/program/program.ts";
import { temporaryFolder } from "../support/pure/temporary-folder.ts";
import { loadedNames } from "../support/pure/engine/loaded-names.ts";

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

/** Flips one bit in the middle of a section of the extended index. */
function flip(path: string, name: string): void {
  using file = openExtendedFile(path)!;
  const { bytes, offset } = file.entries.find((each) => each.name === name)!;
  const at = offset + (bytes >> 1);
  const fd = openSync(file.path, "r+");
  const byte = Buffer.alloc(1);
  readSync(fd, byte, 0, 1, at);
  byte[0]! ^= 1;
  writeSync(fd, byte, 0, 1, at);
  closeSync(fd);
}

suite("the extended index, which is read on first use", () => {
  test("is read only as far as searches need it, and gives the same answers", async () => {
    using demo = await demoStore();
    const file = demo.store.share(demo.id);
    using directory = new Directory(new Snapshot(file));
    directory.search.page(OWN_NAME);
    assert.deepEqual(loadedNames(file), []);
    const found = directory.search.page(ANY_NAME);
    assert.ok(found.total > directory.search.page(OWN_NAME).total);
    const read = loadedNames(file);
    assert.ok(read.includes("name.owners"), read.join(" "));
    assert.ok(!read.includes("mailing.area"), read.join(" "));
    const mailed = {
      place: { state: "CA", purpose: "mailing" },
      limit: 50,
      skip: 0,
    } as const;
    const byMail = directory.search.registryPage(mailed);
    assert.ok(byMail.total > 0);
    assert.ok(loadedNames(file).includes("mailing.area"));
    assert.ok(!loadedNames(file).includes("secondary.area"));
  });

  test("passes all of verify, which names each damaged section", async () => {
    using demo = await demoStore();
    using snapshot = new Snapshot(demo.store.share(demo.id));
    assert.deepEqual(verifySnapshot(snapshot), []);
    flip(demo.path, "mailing.area");
    assert.deepEqual(verifySnapshot(snapshot), [
      'Section "extended: mailing.area" does not match its checksum.',
    ]);
  });

  test("is reported by verify if it is missing, or another snapshot's", async () => {
    using demo = await demoStore();
    const path = extendedPath(demo.path);
    const verified = (): string[] => {
      using snapshot = new Snapshot(demo.store.share(demo.id));
      return verifySnapshot(snapshot);
    };
    using other = await demoStore();
    copyFileSync(extendedPath(other.path), path);
    assert.deepEqual(verified(), [
      "Check failed: the extended index is the snapshot's.",
    ]);
    rmSync(path);
    assert.deepEqual(checkSnapshot(demo.store, demo.id).faults, [
      `The extended index ${path} is missing; roll back or import again.`,
    ]);
  });

  test("is read from the open file after that was removed, and once for all threads", async () => {
    using demo = await demoStore();
    const file = demo.store.share(demo.id);
    using directory = new Directory(new Snapshot(file));
    using other = new Directory(new Snapshot(file));
    const path = extendedPath(demo.path);
    const whole = readFileSync(path);
    rmSync(path);
    const found = directory.search.page(ANY_NAME);
    assert.ok(found.total > 0);
    writeFileSync(path, new Uint8Array(whole.length));
    assert.deepEqual(other.search.page(ANY_NAME), found);
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
          'The section "name.owners" does not match its checksum; roll back or import again.',
      });
    assert.ok(directory.search.page(OWN_NAME).total > 0);
    flip(demo.path, "name.owners");
    assert.ok(directory.search.page(ANY_NAME).total > 0);
  });

  test("is refused if the file was cut", async () => {
    using demo = await demoStore();
    const file = demo.store.share(demo.id);
    using directory = new Directory(new Snapshot(file));
    truncateSync(extendedPath(demo.path), 10_000);
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
