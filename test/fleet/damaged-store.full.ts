import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import {
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { suite, test } from "node:test";
import { constants, zstdCompressSync, zstdDecompressSync } from "node:zlib";
import { PROVIDERS_FILE } from "../../src/snapshot/container/section-file.ts";
import type { ObjectStore } from "../../src/fleet/objects/object-store.ts";
import { openStore } from "../../src/fleet/objects/open-store.ts";
import { NO_MOUNT, smallDisk } from "../support/program/broken-outputs.ts";
import { SnapshotStore } from "../../src/store/store.ts";
import { people, person } from "../support/pure/registry/small-registry.ts";
import { assertCopied, FleetFolders, NO_ENVIRONMENT } from "./fleet-folders.ts";

/** A fleet whose node serves a first publication, while the store has a second one. */
async function twoPublications() {
  const fleet = new FleetFolders();
  const node = fleet.node();
  const first = await fleet.import(people(200));
  await fleet.publish();
  await fleet.pull(node);
  const before = new Set(fleet.objects());
  const second = await fleet.import([person(1, { city: "SPRINGFIELD" })]);
  await fleet.publish();
  const fresh = fleet.objects().filter((name) => !before.has(name));
  return {
    fleet,
    node,
    first,
    second,
    fresh,
    [Symbol.dispose]: () => fleet[Symbol.dispose](),
  };
}

/** Changes the published manifest, and points the store at the result. */
function forge(
  { storeFolder }: FleetFolders,
  edit: (manifest: Record<string, unknown>) => unknown,
): void {
  const pointer = join(storeFolder, "publication.json");
  const publication = JSON.parse(readFileSync(pointer, "utf8"));
  const folder = join(storeFolder, "manifests");
  const manifest: Record<string, unknown> = JSON.parse(
    readFileSync(join(folder, `${publication.manifest}.json`), "utf8"),
  );
  const edited = edit(manifest) ?? manifest;
  const text = typeof edited === "string" ? edited : JSON.stringify(edited);
  const sha256 = createHash("sha256").update(text).digest("hex");
  writeFileSync(join(folder, `${sha256}.json`), text);
  writeFileSync(pointer, JSON.stringify({ ...publication, manifest: sha256 }));
}

suite("objects that are not what their checksums say", () => {
  test("are never served, whichever object and whatever is wrong with it, and are fetched again", async () => {
    using place = await twoPublications();
    const { first, fleet, fresh, node, second } = place;
    assert.ok(fresh.length >= 5);
    const damages: [RegExp, (bytes: Buffer) => Uint8Array][] = [
      [/is damaged/, (bytes) => flipped(bytes, bytes.length >>> 1)],
      [/is damaged/, (bytes) => flipped(bytes, bytes.length - 1)],
      [/ended after \d+ of \d+ bytes/, (bytes) => bytes.subarray(0, 20)],
      [/ended after \d+ of \d+ bytes/, () => Buffer.alloc(0)],
      [/is longer than its/, (bytes) => Buffer.concat([bytes, bytes])],
      [
        /the SHA-256 of its \d+ bytes is [0-9a-f]{64}/,
        (bytes) => sameLength(bytes, zstdCompressSync(Buffer.from("other"))),
      ],
    ];
    const all = damages.flatMap((damage) =>
      fresh.map((name) => ({ name, damage })),
    );
    for (const {
      name,
      damage: [message, damage],
    } of all) {
      const path = join(fleet.storeFolder, "objects", name);
      const bytes = readFileSync(path);
      // Files that came through before would not be fetched again.
      node.builds.discardAll();
      fleet.change(name, damage);
      await assert.rejects(fleet.pull(node), (error: Error) => {
        assert.match(error.message, message);
        assert.match(error.message, new RegExp(name));
        return true;
      });
      assert.equal(node.currentId(), first);
      assert.equal(existsSync(node.dirOf(second)), false);
      writeFileSync(path, bytes);
      // A download that ended early may go on; it is then the right bytes, or found damaged.
      if (/ended/.test(message.source)) continue;
      const left = readdirSync(node.builds.dirOf(second));
      assert.deepEqual(
        left.filter((each) => /part$|unpacked$/.test(each)),
        [],
      );
    }
    await fleet.pull(node);
    assertCopied(node, fleet.importer);
  });

  test("are repaired by publish --force", async () => {
    using place = await twoPublications();
    const { fleet, fresh, node } = place;
    for (const name of fresh) fleet.change(name, (bytes) => flipped(bytes, 9));
    await assert.rejects(fleet.pull(node), /run publish --force/);
    assert.match(
      await fleet.publish("--force"),
      /publication 2 .*: 6 objects.*; 2 were/s,
    );
    await fleet.pull(node);
    assertCopied(node, fleet.importer);
  });

  test("of another version of zstd are not damaged, and stay as they are", async () => {
    using fleet = new FleetFolders();
    await fleet.import(people(200));
    await fleet.publish();
    const params = { [constants.ZSTD_c_compressionLevel]: 19 };
    for (const name of fleet.objects())
      fleet.change(name, (bytes) =>
        zstdCompressSync(zstdDecompressSync(bytes), { params }),
      );
    const objects = () =>
      new Map(
        fleet
          .objects()
          .map((name) => [
            name,
            readFileSync(join(fleet.storeFolder, "objects", name)),
          ]),
      );
    const before = objects();
    forge(fleet, (manifest) => {
      const withLengths = JSON.stringify(
        manifest,
        function (this: { readonly sha256?: string }, key, value) {
          const object = before.get(`${this.sha256}.zst`);
          return key === "objectBytes" ? object?.length : value;
        },
        1,
      );
      return `${withLengths}\n`;
    });
    await fleet.publish("--force");
    assert.deepEqual(objects(), before);
    await fleet.pull(fleet.node());
    assertCopied(fleet.node(), fleet.importer);
  });

  test("missing ones, and a missing manifest, are named with what to do", async () => {
    using place = await twoPublications();
    const { fleet, fresh, node } = place;
    rmSync(join(fleet.storeFolder, "objects", fresh[0] ?? ""));
    await assert.rejects(
      fleet.pull(node),
      new RegExp(`has no objects/${fresh[0]}.*publish --force`),
    );
    rmSync(join(fleet.storeFolder, "manifests"), { recursive: true });
    await assert.rejects(fleet.pull(node), /has no manifests\/.*publish again/);
    rmSync(fleet.storeFolder, { recursive: true });
    await assert.rejects(fleet.pull(node), /is not a folder/);
  });

  test("that unpack to more than the manifest says write no more than that", async () => {
    using place = await twoPublications();
    const { fleet, node } = place;
    const bomb = zstdCompressSync(Buffer.alloc(64 << 20));
    let name = "";
    forge(fleet, (manifest) => {
      const files = filesOf(manifest);
      const file = files.find((each) => each.name === "providers.snapshot");
      assert.ok(file !== undefined);
      file.objectBytes = bomb.length;
      name = `${file.sha256}.zst`;
    });
    fleet.change(name, () => bomb);
    await assert.rejects(fleet.pull(node), /unpacks to more than its/);
  });
});

suite("a hostile store", () => {
  const names = [
    "../../../escaped",
    "/tmp/escaped",
    "providers.snapshot/../../escaped",
    "current",
    "history.json",
    "manifest.json",
    "providers.details-../../x",
    ".",
    "",
    "providers.snapshot\u0000",
    "providers.snapshot\n",
  ];
  test("cannot name a file that is not a snapshot's", async () => {
    using place = await twoPublications();
    const { first, fleet, node } = place;
    const pointer = join(fleet.storeFolder, "publication.json");
    const before = readFileSync(pointer);
    for (const name of names) {
      forge(fleet, (manifest) => {
        const [file] = filesOf(manifest);
        assert.ok(file !== undefined);
        filesOf(manifest).push({ ...file, name });
      });
      await assert.rejects(fleet.pull(node), /is not a manifest of a snapshot/);
      assert.equal(node.currentId(), first);
      writeFileSync(pointer, before);
    }
  });

  test("cannot name another snapshot, a file twice, a folder, or a length that is none", async () => {
    const forgeries: ((manifest: Record<string, unknown>) => unknown)[] = [
      (manifest) => void (manifest["snapshot"] = "../x"),
      (manifest) => void filesOf(manifest).push(...filesOf(manifest)),
      (manifest) => void (manifest["files"] = []),
      ...[-1, 1.5, 2 ** 60, "1", null].map(
        (bytes) => (manifest: Record<string, unknown>) => {
          const [file] = filesOf(manifest);
          Object.assign(file ?? {}, { bytes });
        },
      ),
      () => "[]",
      () => "null",
      () => "not JSON",
      () => "",
    ];
    using place = await twoPublications();
    const { first, fleet, node } = place;
    const pointer = join(fleet.storeFolder, "publication.json");
    const before = readFileSync(pointer);
    for (const edit of forgeries) {
      forge(fleet, edit);
      await assert.rejects(fleet.pull(node), /is not a manifest of a snapshot/);
      assert.equal(node.currentId(), first);
      writeFileSync(pointer, before);
    }
    forge(fleet, (manifest) => {
      manifest["snapshot"] = "20200101T000000000Z";
    });
    await assert.rejects(fleet.pull(node), /is that of snapshot 2020/);
  });

  test("cannot make a node read an endless manifest or publication", async () => {
    using place = await twoPublications();
    const { fleet, node } = place;
    forge(fleet, (manifest) => JSON.stringify(manifest) + " ".repeat(5 << 20));
    await assert.rejects(fleet.pull(node), /is larger than 4096 KB/);
    writeFileSync(
      join(fleet.storeFolder, "publication.json"),
      " ".repeat(1 << 20),
    );
    await assert.rejects(fleet.pull(node), /is larger than 64 KB/);
  });

  test("cannot fill the disk: lengths that don't fit are refused before anything is downloaded", async () => {
    using place = await twoPublications();
    const { fleet, node, second } = place;
    forge(fleet, (manifest) => {
      const [file] = filesOf(manifest);
      Object.assign(file ?? {}, { bytes: 2 ** 41, objectBytes: 2 ** 41 });
    });
    await assert.rejects(
      fleet.pull(node),
      /has [\d,]+ MB free, but the published snapshot needs [\d,]+ MB\. Free some space\./,
    );
    assert.deepEqual(
      readdirSync(node.builds.dirOf(second)).filter((name) =>
        name.endsWith(".part"),
      ),
      [],
    );
  });

  test("cannot put another snapshot's file under a snapshot's ID", async () => {
    using place = await twoPublications();
    const { first, fleet, node } = place;
    const other = "20200101T000000000Z";
    forge(fleet, (manifest) => void (manifest["snapshot"] = other));
    const pointer = join(fleet.storeFolder, "publication.json");
    const publication = JSON.parse(readFileSync(pointer, "utf8"));
    writeFileSync(pointer, JSON.stringify({ ...publication, snapshot: other }));
    await assert.rejects(fleet.pull(node), /is not that of snapshot 2020/);
    assert.equal(node.currentId(), first);
    assert.equal(existsSync(node.dirOf(other)), false);
  });
});

test("a publication in another format is refused with a sentence, before anything is downloaded", async () => {
  using place = await twoPublications();
  const { first, fleet, node } = place;
  forge(fleet, (manifest) => {
    const version = PROVIDERS_FILE.version + 1;
    Object.assign(manifest, {
      program: "9.0.0",
      formats: { snapshot: version, details: 2, entries: 1 },
    });
  });
  await assert.rejects(
    fleet.pull(node),
    /was written by version 9\.0\.0 in snapshot format 4, but this program reads 3\. Run the same version on importer and nodes; until then this node keeps what it has\./,
  );
  forge(fleet, (manifest) => ({ ...manifest, format: 2, program: "9.0.0" }));
  await assert.rejects(
    fleet.pull(node),
    /in manifest format 2, but this program reads 1\. Upgrade this node/,
  );
  assert.equal(node.currentId(), first);
});

test(
  "a disk that is full during a pull leaves what is served, and the pull goes on when there is room",
  { skip: NO_MOUNT },
  async () => {
    using place = await twoPublications();
    const { fleet } = place;
    using disk = smallDisk("20m");
    const node = new SnapshotStore(join(disk.path, "node"));
    const ballast = join(disk.path, "ballast");
    writeFileSync(ballast, Buffer.alloc((20 << 20) - (120 << 10)));
    await assert.rejects(fleet.pull(node), /MB free, but .* needs/);
    assert.equal(node.currentId(), null);
    rmSync(ballast);
    // Something else fills the disk meanwhile.
    const store = await openStore({
      url: fleet.fileUrl,
      environment: NO_ENVIRONMENT,
    });
    const filling: ObjectStore = {
      name: store.name,
      isReadOnly: true,
      read: (key, from, signal, use) =>
        store.read(key, from, signal, (bytes) => {
          if (key.startsWith("objects/")) fill(ballast);
          return use(bytes);
        }),
      write: () => Promise.reject(new Error("not written")),
      list: () => Promise.reject(new Error("not listed")),
      remove: () => Promise.reject(new Error("not removed")),
      [Symbol.dispose]: () => undefined,
    };
    await assert.rejects(
      fleet.pull(node, filling),
      /^FleetError: The disk is full \(\S+\)\. Free some space; the download of objects\/\S+ from \S+ then continues\.$/,
    );
    assert.equal(node.currentId(), null);
    rmSync(ballast);
    await fleet.pull(node);
    assertCopied(node, fleet.importer);
  },
);

/** Fills a disk to the last byte. */
function fill(path: string): void {
  for (const bytes of [1 << 20, 1 << 12])
    try {
      for (;;) writeFileSync(path, Buffer.alloc(bytes), { flag: "a" });
    } catch {
      // No more fits.
    }
}

interface ForgedFile {
  name: string;
  bytes: number;
  sha256: string;
  objectBytes: number;
}

function filesOf(manifest: Record<string, unknown>): ForgedFile[] {
  const { files } = manifest;
  assert.ok(Array.isArray(files));
  return files;
}

function flipped(bytes: Buffer, at: number): Buffer {
  const copy = Buffer.from(bytes);
  copy[at] = (copy[at] ?? 0) ^ 0x10;
  return copy;
}

/** Bytes of the same length that unpack to something else: a frame to skip fills them up. */
function sameLength(bytes: Buffer, other: Buffer): Buffer {
  const skipped = Buffer.alloc(Math.max(8, bytes.length - other.length));
  skipped.writeUInt32LE(0x184d2a50, 0);
  skipped.writeUInt32LE(skipped.length - 8, 4);
  return Buffer.concat([other, skipped]);
}
