import assert from "node:assert/strict";
import {
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { suite, test } from "node:test";
import { readPublicationFile } from "../../src/fleet/manifest.ts";
import { openStore } from "../../src/fleet/objects/open-store.ts";
import { announce } from "../../src/fleet/publish/publish.ts";
import { isHeld } from "../../src/fleet/pull/pull.ts";
import { Directory } from "../../src/search/directory.ts";
import { Snapshot } from "../../src/snapshot/snapshot.ts";
import { people, person } from "../support/pure/registry/small-registry.ts";
import { cutAfter, FileServer } from "../update/file-server.ts";
import {
  assertCopied,
  FleetFolders,
  NEVER,
  NO_ENVIRONMENT,
} from "./fleet-folders.ts";

const DAY_MS = 86_400_000;

suite("publishing to a folder", () => {
  test("a node gets the same files and the same list of changes, week after week, and downloads only what is new", async () => {
    using fleet = new FleetFolders();
    const node = fleet.node();
    await fleet.import(people(300));
    assert.match(
      await fleet.publish(),
      /^Uploading .*\nUploaded publication 1 \(snapshot \S+\): 6 objects/s,
    );
    const first = await fleet.pull(node);
    assertCopied(node, fleet.importer);

    await fleet.import([
      person(1, { city: "SPRINGFIELD" }),
      {
        ...person(2),
        "Provider First Line Business Mailing Address": "PO BOX 2",
      },
      person(900),
    ]);
    assert.match(
      await fleet.publish(),
      /publication 2 .* 2 were there already/s,
    );
    const second = await fleet.pull(node);
    assertCopied(node, fleet.importer);
    // The full file's entries of details are linked, not downloaded.
    assert.equal(second.files, first.files + 1 - 1);
    const entries = readdirSync(node.dirOf(node.ids().at(-1) ?? "")).find(
      (name) => name.startsWith("providers.details-"),
    );
    const inodes = node
      .ids()
      .map((id) => statSync(join(node.dirOf(id), entries ?? "")).ino);
    assert.equal(new Set(inodes).size, 1);

    // A node that starts empty gets the whole list of changes.
    const late = fleet.node("late");
    await fleet.pull(late);
    assertCopied(late, fleet.importer);

    // The week adds a provider, so the counts of taxonomies are the new ones on every node.
    const counts = [fleet.importer, node, late].map((store) => {
      const id = store.currentId() ?? store.ids().at(-1) ?? "";
      using directory = new Directory(new Snapshot(store.share(id)));
      return directory.lookup.taxonomies.find("207Q00000X")?.active_providers;
    });
    const now = { individuals: 301, organizations: 0 };
    const expected = { primary: now, any: now };
    assert.deepEqual(counts, [expected, expected, expected]);
  });

  test("publishing again does nothing, and says so", async () => {
    using fleet = new FleetFolders();
    const id = await fleet.import();
    await fleet.publish();
    const before = readdirSync(fleet.storeFolder, { recursive: true });
    assert.equal(
      await fleet.publish(),
      `Nothing to publish: the newest is publication 1 (snapshot ${id}).\n`,
    );
    assert.deepEqual(
      readdirSync(fleet.storeFolder, { recursive: true }),
      before,
    );
  });

  test("a damaged publication.json is replaced, with the next number", async () => {
    using fleet = new FleetFolders();
    const file = join(fleet.storeFolder, "publication.json");
    const id = await fleet.import();
    await fleet.publish();
    let epoch = 1;
    for (const text of [
      readFileSync(file, "utf8").slice(0, 50),
      JSON.stringify({
        ...JSON.parse(readFileSync(file, "utf8")),
        epoch: 2e99,
      }),
      " ".repeat(1 << 17),
    ])
      for (const args of [[], ["--force"]]) {
        writeFileSync(file, text);
        await fleet.publish(...args);
        const named = JSON.parse(readFileSync(file, "utf8"));
        assert.equal(named.epoch, ++epoch);
        assert.equal(named.snapshot, id);
      }
  });

  test("a damaged record of the last number is said, and replaced", async () => {
    using fleet = new FleetFolders();
    const kept = join(fleet.importer.dataDir, "published.json");
    await fleet.import();
    await fleet.publish();
    writeFileSync(kept, "{}");
    const { code, err } = await fleet.tryPublish();
    assert.equal(code, 0);
    assert.match(err, /published\.json is damaged/);
    assert.equal(JSON.parse(readFileSync(kept, "utf8")).epoch, 1);
  });

  test("a slow publisher doesn't replace a newer publication in the store", async () => {
    using fleet = new FleetFolders();
    using objects = await openStore({
      url: fleet.fileUrl,
      environment: NO_ENVIRONMENT,
    });
    await fleet.import();
    await fleet.publish();
    const slow = await readPublicationFile(objects, NEVER);
    await fleet.import([person(7)]);
    await fleet.publish();
    const newer = await readPublicationFile(objects, NEVER);
    assert.ok(slow !== null && newer !== null);
    assert.equal(await announce(slow, objects, Date.now, NEVER), false);
    assert.deepEqual(await readPublicationFile(objects, NEVER), newer);
    assert.equal(await announce(newer, objects, Date.now, NEVER), true);
  });

  test("a rollback is published like any snapshot, and a node that still has it downloads nothing", async () => {
    using fleet = new FleetFolders();
    const node = fleet.node();
    const first = await fleet.import();
    await fleet.publish();
    await fleet.pull(node);
    await fleet.import([person(7)]);
    await fleet.publish();
    await fleet.pull(node);
    await fleet.rollBack();
    assert.match(
      await fleet.publish(),
      /Uploaded publication 3 .*: 0 objects, 0 bytes; 6 were there already/,
    );
    assert.deepEqual(await fleet.pull(node), { files: 0, bytes: 0 });
    assert.equal(node.currentId(), first);
    assertCopied(node, fleet.importer);
  });

  test("without data, without a store and to a web server, it fails with a sentence", async () => {
    using fleet = new FleetFolders();
    const empty = await fleet.tryPublish();
    assert.equal(empty.code, 1);
    assert.match(empty.err, /has no current snapshot to publish/);
    await fleet.import();
    for (const [args, sentence] of [
      [["--snapshot-store", "https://example.org/s"], /can only be read/],
      [
        ["--snapshot-store", "file:///nowhere/at/all"],
        /The snapshot store \/nowhere\/at\/all is not a folder\. Mount its disk/,
      ],
    ] as const) {
      const { code, err } = await fleet.tryPublish(...args);
      assert.equal(code, 1);
      assert.match(err, sentence);
      assert.equal(err.split("\n").length, 2, err);
    }
  });

  test("a damaged snapshot is not published", async () => {
    using fleet = new FleetFolders();
    const id = await fleet.import(people(300));
    const path = fleet.importer.pathOf(id);
    const bytes = readFileSync(path);
    const middle = bytes.length >>> 1;
    bytes[middle] = (bytes[middle] ?? 0) ^ 1;
    writeFileSync(path, bytes);
    const { code, err } = await fleet.tryPublish();
    assert.equal(code, 1);
    assert.match(
      err,
      /is not published, because .* does not match its checksum/,
    );
    assert.equal(
      existsSync(join(fleet.storeFolder, "publication.json")),
      false,
    );
  });

  test("objects that the two newest publications don't use are removed after a day, and no others", async () => {
    using fleet = new FleetFolders();
    for (const count of [10, 20, 30]) {
      await fleet.import(people(count));
      await fleet.publish();
    }
    const all = fleet.objects();
    const stranger = join(fleet.storeFolder, "objects", "README");
    writeFileSync(stranger, "not ours");
    for (const name of [...all, "README"]) {
      const old = Date.now() / 1000 - 2 * DAY_MS;
      utimesSync(join(fleet.storeFolder, "objects", name), old, old);
    }
    await fleet.import(people(40));
    assert.match(await fleet.publish(), /removed old objects: \d+/);
    const left = new Set(fleet.objects());
    assert.ok(all.some((name) => !left.has(name)));
    assert.ok(existsSync(stranger));
    const node = fleet.node();
    await fleet.pull(node);
    assertCopied(node, fleet.importer);
    // The one before can still be pulled by nodes that have not heard of the newest.
    const { previous } = JSON.parse(
      readFileSync(join(fleet.storeFolder, "publication.json"), "utf8"),
    );
    const manifest = JSON.parse(
      readFileSync(
        join(fleet.storeFolder, "manifests", `${previous}.json`),
        "utf8",
      ),
    );
    for (const { sha256 } of [...manifest.files, ...manifest.changes])
      assert.ok(left.has(`${sha256}.zst`));
  });
});

suite("pulling from a web server", () => {
  test("a node gets the same, and resumes an interrupted download where it stopped", async () => {
    using fleet = new FleetFolders();
    await fleet.import(people(300));
    await fleet.publish();
    await using server = await FileServer.start();
    serve(fleet, server);
    const node = fleet.node();
    const largest = `/mirror/objects/${fleet.largestObject()}`;
    server.faults.set(largest, [cutAfter(1_000, node.dataDir)]);
    const url = server.url("/mirror").href;
    await assert.rejects(fleet.pull(node, url), /failed|ended after/);
    assert.equal(node.currentId(), null);
    await fleet.pull(node, url);
    assertCopied(node, fleet.importer);
    const asked = server.asked.filter(({ path }) => path === largest);
    assert.deepEqual(
      asked.map(({ range }) => range),
      [undefined, "bytes=1000-"],
    );
  });

  test("from a server that sends no ranges, the whole object is downloaded again", async () => {
    using fleet = new FleetFolders();
    await fleet.import(people(300));
    await fleet.publish();
    await using server = await FileServer.start();
    serve(fleet, server, false);
    const node = fleet.node();
    const largest = `/mirror/objects/${fleet.largestObject()}`;
    server.faults.set(largest, [cutAfter(1_000, node.dataDir)]);
    const url = server.url("/mirror/").href;
    await assert.rejects(fleet.pull(node, url));
    await fleet.pull(node, url);
    assertCopied(node, fleet.importer);
  });
});

test("a snapshot that was deleted from the data folder is pulled again", async () => {
  using fleet = new FleetFolders();
  const node = fleet.node();
  const id = await fleet.import();
  await fleet.publish();
  await fleet.pull(node);
  rmSync(node.dirOf(id), { recursive: true });
  await fleet.pull(node);
  assertCopied(node, fleet.importer);
});

test("a data folder that imported the published snapshot itself has it without a download", async () => {
  using fleet = new FleetFolders();
  await fleet.import();
  await fleet.publish();
  assert.deepEqual(await fleet.pull(fleet.importer), { files: 0, bytes: 0 });
  const file = JSON.parse(
    readFileSync(join(fleet.storeFolder, "publication.json"), "utf8"),
  );
  assert.ok(isHeld(fleet.importer, file));
});

/** Serves the store's folder at `/mirror`. */
function serve(
  { storeFolder }: FleetFolders,
  server: FileServer,
  ranges = true,
): void {
  for (const name of readdirSync(storeFolder, {
    recursive: true,
    encoding: "utf8",
  })) {
    const path = join(storeFolder, name);
    if (statSync(path).isFile())
      server.files.set(`/mirror/${name}`, {
        bytes: readFileSync(path),
        ranges,
      });
  }
}
