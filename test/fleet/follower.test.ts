import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { once } from "node:events";
import {
  closeSync,
  cpSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { suite, test } from "node:test";
import pino from "pino";
import type { NodeReport } from "../../src/accounts/fleet/fleet-nodes.ts";
import type { Publication } from "../../src/accounts/fleet/publications.ts";
import { Follower } from "../../src/fleet/follower.ts";
import type { ObjectStore } from "../../src/fleet/objects/object-store.ts";
import { openStore } from "../../src/fleet/objects/open-store.ts";
import { ImportLock } from "../../src/importing/import-lock.ts";
import { Output } from "../../src/cli/output/output.ts";
import { startService } from "../../src/server/service.ts";
import type { SnapshotStore } from "../../src/store/store.ts";
import { cases, fullTest } from "../support/pure/full-run.ts";
import { people, person } from "../support/pure/registry/small-registry.ts";
import { until } from "../support/pure/until.ts";
import { serviceOptions } from "../support/app/service-options.ts";
import { assertCopied, FleetFolders, NO_ENVIRONMENT } from "./fleet-folders.ts";

const ID = /"snapshot":"(\d{8}T\d{9}Z)"/;

/** A node: a service on a data folder, which follows the store's `publication.json`. */
async function startNode(fleet: FleetFolders, store: SnapshotStore) {
  await using owned = new AsyncDisposableStack();
  const logFile = fleet.path("node.log");
  const fd = openSync(logFile, "a");
  owned.defer(() => closeSync(fd));
  const started = await startService({
    ...serviceOptions(store.dataDir, {
      logLevel: "info",
      metrics: { host: "127.0.0.1", port: 0 },
      snapshotStore: { url: fleet.fileUrl, environment: NO_ENVIRONMENT },
    }),
    store,
    output: new Output(fd),
  });
  assert.ok(started.outcome === "started");
  const service = owned.use(started.service);
  const get = async (path: string) => {
    const answer = await fetch(`http://127.0.0.1:${service.port}${path}`);
    return { status: answer.status, body: await answer.text() };
  };
  const running = owned.move();
  return {
    log: () => readFileSync(logFile, "utf8"),
    readiness: async () => (await get("/readyz")).status,
    /** The snapshot that is served; null for none. */
    served: async () => ID.exec((await get("/v1/status")).body)?.[1] ?? null,
    behind: async () => {
      const answer = await fetch(
        `http://127.0.0.1:${service.metricsPort}/metrics`,
      );
      const value = /^provider_directory_publication_behind_seconds (\S+)$/m;
      return Number(value.exec(await answer.text())?.[1]);
    },
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  };
}

suite("a node that follows a store", () => {
  fullTest(
    "refuses what is no file in the store, goes on with what it serves, and stops",
    async () => {
      using fleet = new FleetFolders();
      const store = fleet.node();
      const file = join(fleet.storeFolder, "publication.json");
      const id = await fleet.import();
      await fleet.publish();
      const socket = createServer().listen(fleet.path("socket"));
      await once(socket, "listening");
      execFileSync("mkfifo", [fleet.path("pipe")]);
      await using node = await startNode(fleet, store);
      await until("data", async () => (await node.served()) === id);
      const refusals = () =>
        node.log().match(/is not a file, but/g)?.length ?? 0;
      const places: (() => void)[] = [
        () => execFileSync("mkfifo", [file]),
        () => mkdirSync(file),
        () => symlinkSync(fleet.path("socket"), file),
        () => symlinkSync("/dev/zero", file),
        () => symlinkSync(fleet.path("pipe"), file),
      ];
      let served = id;
      for (const [index, place] of cases(places).entries()) {
        const named = readFileSync(file);
        rmSync(file);
        place();
        await until("a sentence", () => refusals() === index + 1);
        assert.equal(await node.served(), served);
        rmSync(file, { recursive: true });
        writeFileSync(file, named);
        served = await fleet.import(people(index + 10));
        await fleet.publish();
        await until("the next", async () => (await node.served()) === served);
      }
      rmSync(file);
      execFileSync("mkfifo", [file]);
      socket.close();
    },
  );

  fullTest(
    "ignores an older publication and another of the same epoch, also after a restart, and takes the next",
    async () => {
      using fleet = new FleetFolders();
      const store = fleet.node();
      const file = join(fleet.storeFolder, "publication.json");
      const publish = async (providers: number) => {
        const id = await fleet.import(people(providers));
        await fleet.publish();
        return { id, named: readFileSync(file, "utf8") };
      };
      const OLDER = /the store names an older publication/g;
      const first = await publish(100);
      const second = await publish(101);
      {
        await using node = await startNode(fleet, store);
        await until("2", async () => (await node.served()) === second.id);
        assert.equal(await node.behind(), 0);
        // The mirror is restored from a backup.
        writeFileSync(file, first.named);
        await until("a line", () => node.log().match(OLDER)?.length === 1);
        assert.equal(await node.served(), second.id);
        await until("the metric", async () => (await node.behind()) > 0);
      }
      {
        await using node = await startNode(fleet, store);
        await until("data", async () => (await node.readiness()) === 200);
        await until("a line", () => node.log().match(OLDER)?.length === 2);
        assert.equal(await node.served(), second.id);
        const { manifest, snapshot } = JSON.parse(first.named);
        const forged = { ...JSON.parse(second.named), manifest, snapshot };
        writeFileSync(file, JSON.stringify(forged));
        // Each is logged once, not at every poll.
        await until("a line", () => node.log().match(OLDER)?.length === 3);
        assert.equal(await node.served(), second.id);
        writeFileSync(file, second.named);
        const third = await publish(102);
        assert.equal(JSON.parse(third.named).epoch, 3);
        await until("3", async () => (await node.served()) === third.id);
        assert.equal(node.log().match(OLDER)?.length, 3);
      }
    },
  );

  fullTest(
    "follows a publisher whose store was emptied or restored, and one with a new folder as the message says",
    async () => {
      using fleet = new FleetFolders();
      const store = fleet.node();
      const applied = join(store.dataDir, "publication.json");
      const lastNumber = join(fleet.importer.dataDir, "published.json");
      const backup = fleet.path("backup");
      let id = await fleet.import(people(100));
      await fleet.publish();
      cpSync(fleet.storeFolder, backup, { recursive: true });
      id = await fleet.import(people(101));
      await fleet.publish();
      {
        await using node = await startNode(fleet, store);
        const follows = async (epoch: number) => {
          assert.match(
            await fleet.publish(),
            new RegExp(`publication ${epoch}`),
          );
          await until("it", () => JSON.parse(textOf(applied)).epoch === epoch);
          await until("it", async () => (await node.served()) === id);
        };
        await until("2", async () => (await node.served()) === id);
        emptyFolder(fleet.storeFolder);
        await follows(3);
        emptyFolder(fleet.storeFolder);
        cpSync(backup, fleet.storeFolder, { recursive: true });
        id = await fleet.import(people(102));
        await follows(4);

        emptyFolder(fleet.storeFolder);
        rmSync(lastNumber);
        id = await fleet.import(people(103));
        await fleet.publish();
        await until("what to do", () =>
          node.log().includes(`delete publication.json in ${store.dataDir}`),
        );
        assert.notEqual(await node.served(), id);
      }
      rmSync(applied);
      await using node = await startNode(fleet, store);
      await until("1", async () => (await node.served()) === id);
    },
  );

  fullTest(
    "takes a file in its folder that names no publication for none, and says so",
    async () => {
      using fleet = new FleetFolders();
      const store = fleet.node();
      const applied = join(store.dataDir, "publication.json");
      const id = await fleet.import(people(100));
      await fleet.publish();
      await fleet.pull(store);
      const { manifest, snapshot } = await published(fleet);
      const damaged = [
        "",
        "{}",
        "[]",
        "5",
        "null",
        JSON.stringify({ epoch: "9", manifest, snapshot }),
        JSON.stringify({ epoch: 0, manifest, snapshot }),
        JSON.stringify({ epoch: 1e308, manifest, snapshot }),
        JSON.stringify({ epoch: 9, manifest: "x", snapshot }),
      ];
      for (const [index, text] of cases(damaged).entries()) {
        writeFileSync(applied, text);
        await using node = await startNode(fleet, store);
        await until(
          text,
          () => JSON.parse(textOf(applied) || "0")?.epoch === 1,
        );
        assert.equal(await node.served(), id);
        const said = /publication\.json is damaged/g;
        assert.equal(node.log().match(said)?.length, index + 1, text);
      }
    },
  );

  fullTest(
    "starts empty, is not ready, serves the publication once it has it, and follows the next ones and a rollback",
    async () => {
      using fleet = new FleetFolders();
      const store = fleet.node();
      await using node = await startNode(fleet, store);
      assert.equal(await node.readiness(), 503);
      assert.equal(await node.served(), null);
      const ids: string[] = [];
      for (const rows of [
        people(100),
        [person(1, { city: "SPRINGFIELD" })],
        [person(500)],
      ]) {
        const id = await fleet.import(rows);
        await fleet.publish();
        await until(`snapshot ${id}`, async () => (await node.served()) === id);
        assertCopied(store, fleet.importer);
        ids.push(id);
      }
      assert.equal(await node.readiness(), 200);
      assert.equal(await node.behind(), 0);
      assert.deepEqual(store.ids(), ids.toReversed().slice(0, 2));
      assert.match(node.log(), /"epoch":3,[^\n]*"publication is current"/);

      await fleet.rollBack();
      await fleet.publish();
      await until("the rollback", async () => (await node.served()) === ids[1]);
    },
  );

  fullTest(
    "with a damaged object, stays unready while it serves nothing, names the checksum, and gets over it",
    async () => {
      using fleet = new FleetFolders();
      const store = fleet.node();
      const id = await fleet.import(people(100));
      await fleet.publish();
      const object = fleet.largestObject();
      let intact = Buffer.alloc(0);
      fleet.change(object, (bytes) => {
        intact = Buffer.from(bytes);
        bytes[40] = (bytes[40] ?? 0) ^ 1;
        return bytes;
      });
      await using node = await startNode(fleet, store);
      await until("the log to name the checksum", () =>
        new RegExp(`objects/${object} of \\S+ is damaged`).test(node.log()),
      );
      assert.equal(await node.readiness(), 503);
      assert.ok((await node.behind()) > 0);
      assert.deepEqual(store.ids(), []);
      fleet.change(object, () => intact);
      await until("the snapshot", async () => (await node.served()) === id);
      assertCopied(store, fleet.importer);
    },
  );

  fullTest(
    "keeps serving while the store is away or another import runs, and then catches up",
    async () => {
      using fleet = new FleetFolders();
      const store = fleet.node();
      const first = await fleet.import(people(100));
      await fleet.publish();
      await using node = await startNode(fleet, store);
      await until("the first", async () => (await node.served()) === first);
      const second = await fleet.import([person(1, { city: "SPRINGFIELD" })]);
      {
        using lock = ImportLock.take(store.dataDir);
        assert.ok(lock !== null);
        await fleet.publish();
        await until("the log to say why", () =>
          /Another import or update is running on this data folder/.test(
            node.log(),
          ),
        );
        assert.equal(await node.served(), first);
      }
      await until("the second", async () => (await node.served()) === second);

      const away = `${fleet.storeFolder}.away`;
      renameSync(fleet.storeFolder, away);
      await until("the log to say that the store is away", () =>
        /is not a folder\. Mount its disk/.test(node.log()),
      );
      assert.equal(await node.readiness(), 200);
      renameSync(away, fleet.storeFolder);
      const third = await fleet.import([person(2, { city: "SPRINGFIELD" })]);
      await fleet.publish();
      await until("the third", async () => (await node.served()) === third);
    },
  );

  fullTest("replaces a copy that was damaged in its data folder", async () => {
    using fleet = new FleetFolders();
    const store = fleet.node();
    const id = await fleet.import(people(100));
    await fleet.publish();
    await fleet.pull(store);
    const path = store.pathOf(id);
    const bytes = readFileSync(path);
    const middle = bytes.length >>> 1;
    bytes[middle] = (bytes[middle] ?? 0) ^ 1;
    writeFileSync(path, bytes);
    await using node = await startNode(fleet, store);
    await until("an intact copy", () => !readFileSync(path).equals(bytes));
    await until("the snapshot", async () => (await node.served()) === id);
    assertCopied(store, fleet.importer);
  });
});

function textOf(path: string): string {
  return readFileSync(path, "utf8");
}

function emptyFolder(path: string): void {
  for (const name of readdirSync(path))
    rmSync(join(path, name), { recursive: true });
}

/** A follower without a service: what `current` says counts as served. */
async function follow(
  fleet: FleetFolders,
  store: SnapshotStore,
  objects?: ObjectStore,
) {
  const reports: NodeReport[] = [];
  const follower = new Follower({
    objects:
      objects ??
      (await openStore({ url: fleet.fileUrl, environment: NO_ENVIRONMENT })),
    store,
    clock: Date.now,
    logger: pino({ level: "silent" }),
    served: () => store.currentId(),
    isDamaged: () => false,
    onReport: (report) => void reports.push(report),
    onExpected: () => undefined,
  });
  return {
    follower,
    reports,
    learn: async (pending: Publication | null = null) => {
      const active = await published(fleet);
      follower.learn({ active, pending });
      return active;
    },
    [Symbol.asyncDispose]: () => follower[Symbol.asyncDispose](),
  };
}

/** A store whose first object stops until `go`, or until the pull is aborted. */
async function stallingOnce(fleet: FleetFolders) {
  const objects = await openStore({
    url: fleet.fileUrl,
    environment: NO_ENVIRONMENT,
  });
  const { promise: isStalled, resolve: stalled } =
    Promise.withResolvers<void>();
  const { promise: isOver, resolve: go } = Promise.withResolvers<void>();
  let stalls = true;
  const read: ObjectStore["read"] = (key, from, signal, use) =>
    objects.read(key, from, signal, async (bytes) => {
      if (stalls && key.startsWith("objects/")) {
        stalls = false;
        stalled();
        await Promise.race([once(signal, "abort"), isOver]);
        signal.throwIfAborted();
      }
      return await use(bytes);
    });
  const stalling: ObjectStore = Object.assign(Object.create(objects), { read });
  return { objects: stalling, isStalled, go };
}

async function publishNext(fleet: FleetFolders) {
  await fleet.import();
  await fleet.publish();
  return await published(fleet);
}

async function published(fleet: FleetFolders) {
  const text = await readFile(
    join(fleet.storeFolder, "publication.json"),
    "utf8",
  );
  return { ...JSON.parse(text), activatedAt: Date.now() - 5_000 };
}

suite("a follower", () => {
  test("holds a pending publication without serving it, until it is active", async () => {
    using fleet = new FleetFolders();
    const store = fleet.node();
    const first = await fleet.import(people(20));
    await fleet.publish();
    await using following = await follow(fleet, store);
    const active = await following.learn();
    await until("the first", () => store.currentId() === first);
    const second = await fleet.import([person(1)]);
    await fleet.publish();
    const pending = await published(fleet);
    following.follower.learn({ active, pending });
    await until(
      "the second to be here",
      () => following.follower.report.heldEpoch === 2,
    );
    assert.deepEqual(following.follower.report, {
      heldEpoch: 2,
      servedEpoch: 1,
      problem: null,
    });
    assert.equal(store.currentId(), first);
    following.follower.learn({ active: pending, pending: null });
    await until("the second", () => store.currentId() === second);
    assert.equal(following.follower.behindMs, 0);
  });

  test("leaves a publication that was replaced while it was downloaded", async () => {
    using fleet = new FleetFolders();
    const store = fleet.node();
    await fleet.import(people(20));
    await fleet.publish();
    const { objects, isStalled } = await stallingOnce(fleet);
    await using following = await follow(fleet, store, objects);
    await following.learn();
    await isStalled;
    const second = await fleet.import([person(1)]);
    await fleet.publish();
    await following.learn();
    await until("the second", () => store.currentId() === second);
    assert.deepEqual(store.ids(), [second]);
    assert.deepEqual(store.builds.list(), []);
  });

  test("finishes the newer one of two publications that a store names in turn, and takes the older one if the newer is lost", async () => {
    using fleet = new FleetFolders();
    const store = fleet.node();
    const [older, newer] = [await publishNext(fleet), await publishNext(fleet)];
    {
      const { objects, isStalled, go } = await stallingOnce(fleet);
      await using following = await follow(fleet, store, objects);
      following.follower.learnFromStore(newer);
      await isStalled;
      following.follower.learnFromStore(older);
      following.follower.learnFromStore(newer);
      following.follower.learnFromStore(older);
      assert.match(
        following.follower.report.problem ?? "",
        /but this node has or downloads publication 2/,
      );
      go();
      await until("2", () => store.currentId() === newer.snapshot);
      assert.deepEqual(store.ids(), [newer.snapshot]);
    }
    const other = fleet.node("other");
    rmSync(join(fleet.storeFolder, "manifests", `${newer.manifest}.json`));
    await using following = await follow(fleet, other);
    following.follower.learnFromStore(newer);
    await until("the failure", () =>
      /has no manifests/.test(following.follower.report.problem ?? ""),
    );
    following.follower.learnFromStore(older);
    await until("1", () => other.currentId() === older.snapshot);
  });

  test("lets an operator roll back in the data folder, and says so, until the next publication", async () => {
    using fleet = new FleetFolders();
    const store = fleet.node();
    const ids: string[] = [];
    await using following = await follow(fleet, store);
    for (const rows of [people(20), [person(1)]]) {
      ids.push(await fleet.import(rows));
      await fleet.publish();
      await following.learn();
      await until("the snapshot", () => store.currentId() === ids.at(-1));
    }
    store.rollBackTo(ids[0] ?? "", Date.now());
    await until("the report", () =>
      /was made current in this data folder instead of publication 2/.test(
        following.follower.report.problem ?? "",
      ),
    );
    assert.equal(store.currentId(), ids[0]);
    // Also after a restart.
    await following[Symbol.asyncDispose]();
    await using again = await follow(fleet, store);
    await again.learn();
    await until("the report", () => again.follower.report.problem !== null);
    assert.equal(store.currentId(), ids[0]);
    const third = await fleet.import([person(2)]);
    await fleet.publish();
    await again.learn();
    await until("the third", () => store.currentId() === third);
    await until("no problem", () => again.follower.report.problem === null);
  });

  test("pulls the next publication even if the active one is lost", async () => {
    using fleet = new FleetFolders();
    const store = fleet.node();
    await fleet.import(people(20));
    await fleet.publish();
    const lost = await published(fleet);
    await fleet.import([person(1)]);
    await fleet.publish();
    const next = await published(fleet);
    rmSync(join(fleet.storeFolder, "manifests", `${lost.manifest}.json`));
    await using node = await follow(fleet, store);
    node.follower.learn({
      active: lost,
      pending: { ...next, activatedAt: null },
    });
    await until(
      "the next publication to be here",
      () => node.reports.at(-1)?.heldEpoch === next.epoch,
    );
    assert.equal(store.currentId(), null);
    node.follower.learn({ active: next, pending: null });
    await until("it to be current", () => store.currentId() === next.snapshot);
  });

  test("doesn't hold a publication whose number another one had before the database was restored", async () => {
    using fleet = new FleetFolders();
    const store = fleet.node();
    await using node = await follow(fleet, store);
    const lists: Awaited<ReturnType<typeof published>>[] = [];
    for (const rows of [people(20), [person(1)]]) {
      await fleet.import(rows);
      await fleet.publish();
      lists.push(await node.learn());
      await until(
        "it to be here",
        () => node.follower.report.heldEpoch === lists.length,
      );
    }
    const [first, second] = lists;
    assert.ok(first !== undefined && second !== undefined);
    const another = { ...second, manifest: "a".repeat(64) };
    node.follower.learn({ active: first, pending: second });
    node.follower.learn({ active: first, pending: another });
    assert.notEqual(node.follower.report.heldEpoch, 2);
    await until("the failure", () =>
      /has no manifests/.test(node.follower.report.problem ?? ""),
    );
    assert.equal(node.follower.report.heldEpoch, 1);
  });

  test("is left behind when it serves another snapshot for longer than a switch takes", async () => {
    using fleet = new FleetFolders();
    const store = fleet.node();
    const first = await fleet.import(people(20));
    await fleet.publish();
    await fleet.pull(store);
    await fleet.import([person(1)]);
    await fleet.publish();
    const active = await published(fleet);
    rmSync(fleet.storeFolder, { recursive: true });
    let nowMs = 0;
    let served = first;
    await using follower = new Follower({
      objects: await openStore({
        url: fleet.fileUrl,
        environment: NO_ENVIRONMENT,
      }),
      store,
      clock: () => nowMs,
      logger: pino({ level: "silent" }),
      served: () => served,
      isDamaged: () => false,
      onReport: () => undefined,
      onExpected: () => undefined,
    });
    assert.equal(follower.isLeftBehind, false);
    follower.learn({ active, pending: null });
    nowMs = 30_000;
    assert.equal(follower.isLeftBehind, false);
    nowMs = 30_001;
    assert.equal(follower.isLeftBehind, true);
    served = active.snapshot;
    assert.equal(follower.isLeftBehind, false);
  });
});
