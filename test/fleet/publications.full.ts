import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { suite, test } from "node:test";
import { openAccounts } from "../../src/accounts/accounts.ts";
import { openDatabase } from "../../src/accounts/database/open-database.ts";
import type { DatabasePlace } from "../../src/accounts/database/database.ts";
import type { NodeReport } from "../../src/accounts/fleet/fleet-nodes.ts";
import type { Publications } from "../../src/accounts/fleet/publications.ts";
import { BUILT_IN_PLANS } from "../../src/accounts/plans.ts";
import { openStore } from "../../src/fleet/objects/open-store.ts";
import { activate } from "../../src/fleet/publish/activate.ts";
import { publish } from "../../src/fleet/publish/publish.ts";
import { startService } from "../../src/server/service.ts";
import { runProgram, succeed } from "../support/program/program.ts";
import { until } from "../support/pure/until.ts";
import { people, person } from "../support/pure/registry/small-registry.ts";
import { cuttingProxy } from "../support/app/servers/cutting-proxy.ts";
import {
  NO_POSTGRESQL,
  postgresqlOfRun,
} from "../support/postgresql/postgresql.ts";
import { serviceOptions } from "../support/app/service-options.ts";
import {
  assertCopied,
  FleetFolders,
  NEVER,
  NO_ENVIRONMENT,
} from "./fleet-folders.ts";

const skip = NO_POSTGRESQL;
const MANIFEST = "a".repeat(64);

/** Data folders, a store and a database. */
async function fleetOnPostgresql() {
  await using owned = new AsyncDisposableStack();
  const folders = owned.use(new FleetFolders());
  const place = await (await postgresqlOfRun()).makeDatabase();
  const accounts = owned.use(
    await openAccounts({
      place,
      plans: BUILT_IN_PLANS,
      clock: Date.now,
      random: randomBytes,
      actor: "test",
    }),
  );
  const { nodes, publications } = accounts;
  assert.ok(nodes !== null && publications !== null);
  const running = owned.move();
  const atDatabase = ["--database-url", place.url, "--node-name", "importer"];
  return {
    folders,
    place,
    nodes,
    publications,
    publish: (...args: string[]) => folders.publish(...atDatabase, ...args),
    tryPublish: (...args: string[]) =>
      folders.tryPublish(...atDatabase, ...args),
    /** A node that only says what it has. */
    beat: (name: string, report: Partial<NodeReport>) =>
      nodes.beat(
        { process: `process of ${name}`, name, version: "1.0.0" },
        { heldEpoch: 0, servedEpoch: null, problem: null, ...report },
      ),
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  };
}

/** A node over the database that follows the store. */
async function startNode(
  folders: FleetFolders,
  database: DatabasePlace,
  name: string,
) {
  const store = folders.node(name);
  const started = await startService({
    ...serviceOptions(store.dataDir, {
      database,
      nodeName: name,
      snapshotStore: { url: folders.fileUrl, environment: NO_ENVIRONMENT },
    }),
    store,
  });
  assert.ok(started.outcome === "started");
  const { service } = started;
  return {
    store,
    served: () => service.snapshot?.id ?? null,
    [Symbol.asyncDispose]: () => service[Symbol.asyncDispose](),
  };
}

suite("publications in PostgreSQL", { skip }, () => {
  test("of many publishers of one epoch, one wins; a later epoch keeps earlier ones from being activated", async () => {
    await using fleet = await fleetOnPostgresql();
    const { publications } = fleet;
    const [first, second] = ["20261101T000000000Z", "20261108T000000000Z"];
    const outcomes = await Promise.all(
      Array.from({ length: 8 }, (_, index) =>
        publications.add(
          { epoch: 1, snapshot: first, manifest: MANIFEST },
          `publisher ${index}`,
        ),
      ),
    );
    assert.equal(outcomes.filter((isWinner) => isWinner).length, 1);
    assert.equal((await publications.state()).active, null);
    assert.equal((await publications.state()).pending?.epoch, 1);
    const next = { epoch: 2, snapshot: second, manifest: MANIFEST };
    assert.equal(await publications.add(next, "p"), true);
    assert.equal(await publications.activate(1), false);
    assert.equal(await publications.activate(2), true);
    assert.equal(await publications.activate(2), true);
    assert.equal(await publications.add({ ...next, epoch: 1 }, "p"), false);
    const { active, pending } = await publications.state();
    assert.equal(active?.epoch, 2);
    assert.ok((active.activatedAt ?? 0) >= active.publishedAt);
    assert.equal(pending, null);
  });

  test("the loser ends with a sentence", async () => {
    await using fleet = await fleetOnPostgresql();
    const { folders, publications } = fleet;
    const id = await folders.import();
    using objects = await openStore({
      url: folders.fileUrl,
      environment: NO_ENVIRONMENT,
    });
    // Another one publishes while this one uploads.
    const slow: Pick<Publications, "add" | "newest" | "state"> = {
      state: () => publications.state(),
      newest: () => publications.newest(),
      async add(publication, publisher) {
        await publications.add(
          { ...publication, snapshot: "20261101T000000000Z" },
          "other.example",
        );
        return await publications.add(publication, publisher);
      },
    };
    await assert.rejects(
      publish({
        store: folders.importer,
        objects,
        publications: slow,
        publisher: "importer",
        program: "1.0.0",
        again: false,
        now: Date.now,
        signal: NEVER,
        onFile: () => undefined,
        onWarning: () => undefined,
      }),
      /^FleetError: Another publisher was faster: other\.example published snapshot 20261101T000000000Z as publication 1\. To serve yours instead, publish again\.$/,
    );
    assert.match(
      await fleet.publish(),
      new RegExp(`Uploaded publication 2 \\(snapshot ${id}\\): 0 objects`),
    );
  });

  test("a publication that no running node holds is not activated, and the next run goes on", async () => {
    await using fleet = await fleetOnPostgresql();
    const { folders, publications } = fleet;
    await folders.import();
    const problem = "The disk is full.";
    await fleet.beat("a", { problem });
    const { code, err } = await fleet.tryPublish("--publish-wait", "0");
    assert.equal(code, 1);
    assert.match(
      err,
      /Publication 1 is not activated: none of the 1 nodes has it, .* a: The disk is full\. To keep waiting, publish again/,
    );
    assert.equal((await publications.state()).active, null);
    assert.equal(
      existsSync(join(folders.storeFolder, "publication.json")),
      false,
    );
    await fleet.beat("a", { heldEpoch: 1 });
    assert.match(
      await fleet.publish(),
      /^Continuing with publication 1 .*\nPublication 1 is active\. 1 of 1 running nodes have it\.\n$/,
    );
    assert.equal((await publications.state()).active?.epoch, 1);
    assert.match(await fleet.publish(), /^Nothing to publish: the newest/);
  });

  test("stragglers are left behind when the time is over; nodes that don't pull are not waited for", async () => {
    await using fleet = await fleetOnPostgresql();
    await fleet.folders.import();
    await fleet.beat("a", { heldEpoch: 1 });
    await fleet.beat("b", { problem: "The disk is full." });
    await fleet.beat("importer", { heldEpoch: null });
    const { code, err, out } = await fleet.tryPublish("--publish-wait", "0");
    assert.equal(code, 0, err);
    assert.match(out, /Publication 1 is active\. 1 of 2 running nodes have it/);
    assert.equal(err, "Left behind: b. The disk is full.\n");
  });

  test("after an outage of the database, nodes have time to show that they run, and killed ones no longer than that", async () => {
    await using fleet = await fleetOnPostgresql();
    const { nodes, place, publications } = fleet;
    await using db = await openDatabase(place);
    const publication = {
      epoch: 1,
      snapshot: "20261101T000000000Z",
      manifest: MANIFEST,
    };
    await publications.add(publication, "p");
    for (const name of ["a", "killed"]) await fleet.beat(name, {});
    await db
      .updateTable("fleet_node")
      .set((set) => ({ seen_at: set("seen_at", "-", 60_000) }))
      .execute();
    const waiting = Promise.withResolvers<string[]>();
    const activating = activate({
      publication,
      publications,
      nodes,
      waitMs: 0,
      signal: NEVER,
      onWaiting: (missing) => waiting.resolve(missing.map(({ name }) => name)),
    });
    assert.deepEqual(await Promise.race([waiting.promise, activating]), [
      "a",
      "killed",
    ]);
    await fleet.beat("a", { heldEpoch: 1 });
    assert.deepEqual(await activating, { live: 1, missing: [] });
    await fleet.beat("a", { heldEpoch: null });
    const next = { ...publication, epoch: 2 };
    await publications.add(next, "p");
    const afterwards = activate({
      publication: next,
      publications,
      nodes,
      waitMs: 0,
      signal: NEVER,
      onWaiting: () => undefined,
    });
    assert.deepEqual(await afterwards, { live: 0, missing: [] });
  });

  test("after the database was restored, numbers are not used again", async () => {
    await using fleet = await fleetOnPostgresql();
    const { folders, place, publications } = fleet;
    const first = await folders.import();
    await fleet.publish();
    await folders.import([person(7)]);
    await fleet.publish();
    await folders.rollBack();
    await fleet.publish();
    await using db = await openDatabase(place);
    await db.deleteFrom("fleet_publication").where("epoch", ">", 1).execute();
    assert.equal((await publications.newest())?.snapshot, first);
    assert.match(await fleet.publish(), /Publication 4 is active/);
    assert.equal((await publications.state()).active?.snapshot, first);
    assert.match(await fleet.publish(), /^Nothing to publish/);
  });

  test("a database that goes away in the middle is said in a sentence, and the next run completes", async () => {
    await using fleet = await fleetOnPostgresql();
    const { folders, place, publications } = fleet;
    assert.ok(place.kind === "postgresql");
    for (let messages = 1; ; messages += 3) {
      const id = await folders.import([person(messages)]);
      await using proxy = await cuttingProxy(place.url, messages);
      const { code, err } = await folders.tryPublish(
        "--database-url",
        proxy.url,
      );
      if (code === 0) return;
      assert.match(err, /^provider-directory: The accounts database cannot be/);
      assert.equal(err.split("\n").length, 2, err);
      await fleet.publish();
      const { active, pending } = await publications.state();
      assert.equal(active?.snapshot, id);
      assert.equal(pending, null);
    }
  });
});

test(
  "two nodes get a publication, switch together, and the fleet command lists them",
  { skip },
  async () => {
    await using fleet = await fleetOnPostgresql();
    const { folders, place } = fleet;
    assert.ok(place.kind === "postgresql");
    await using a = await startNode(folders, place, "a");
    await using b = await startNode(folders, place, "b");
    const held = (await fleet.nodes.list()).map(({ heldEpoch }) => heldEpoch);
    assert.deepEqual(held, [0, 0], "both say at once that they pull");
    for (const rows of [people(50), [person(1, { city: "SPRINGFIELD" })]]) {
      const id = await folders.import(rows);
      await fleet.publish();
      await until("both nodes", () => a.served() === id && b.served() === id);
      assertCopied(a.store, folders.importer);
      assertCopied(b.store, folders.importer);
    }
    const list = ["fleet", "--database-url", place.url];
    const listed = async () => JSON.parse(await succeed([...list, "--json"]));
    await until("the heartbeats", async () =>
      (await listed()).nodes.every(
        (node: { problem: unknown; served_epoch: number }) =>
          node.problem === null && node.served_epoch === 2,
      ),
    );
    const { active, nodes, pending } = await listed();
    assert.equal(active.epoch, 2);
    assert.equal(active.publisher, "importer");
    assert.equal(pending, null);
    assert.deepEqual(
      nodes.map(
        ({ behind_seconds, held_epoch, name }: Record<string, unknown>) => ({
          name,
          held_epoch,
          behind_seconds,
        }),
      ),
      ["a", "b"].map((name) => ({ name, held_epoch: 2, behind_seconds: 0 })),
    );
    const text = await succeed(list);
    assert.match(text, /^Publication 2: snapshot \S+, published by importer/);
    assert.match(text, /^NODE +VERSION +UP +SEEN +HOLDS +SERVES/m);
    assert.match(text, /^a +0 /m);
  },
);

test(
  "the fleet command says what is wrong with each node",
  { skip },
  async () => {
    await using fleet = await fleetOnPostgresql();
    const { place } = fleet;
    assert.ok(place.kind === "postgresql");
    await fleet.folders.import();
    await fleet.publish();
    await fleet.beat("good", { heldEpoch: 1, servedEpoch: 1 });
    await fleet.beat("full", { problem: "The disk is full." });
    await fleet.beat("apart", { heldEpoch: null });
    await fleet.beat("late", { heldEpoch: 1, servedEpoch: null });
    await fleet.nodes.beat(
      { process: "twin", name: "good", version: "1.0.0" },
      { heldEpoch: 1, servedEpoch: 1, problem: null },
    );
    const out = await succeed(["fleet", "--database-url", place.url]);
    for (const line of [
      "full: The disk is full.",
      "apart: It does not pull publications. Set SNAPSHOT_STORE.",
      "late: It serves no publication yet, and 1 is active.",
      "good: Another running node has the same name. Set NODE_NAME.",
    ])
      assert.ok(out.includes(`\n${line}\n`), `${line} in ${out}`);
    const { code, err } = await runProgram(["fleet"]);
    assert.equal(code, 1);
    assert.match(err, /Set DATABASE_URL/);
  },
);
