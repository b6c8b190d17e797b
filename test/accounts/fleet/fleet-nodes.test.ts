import assert from "node:assert/strict";
import { test } from "node:test";
import { FleetNodes } from "../../../src/accounts/fleet/fleet-nodes.ts";
import { openDatabase } from "../../../src/accounts/database/open-database.ts";
import {
  NO_POSTGRESQL,
  postgresqlOfRun,
} from "../../support/postgresql/postgresql.ts";

const skip = NO_POSTGRESQL;
const NOTHING = { heldEpoch: null, servedEpoch: null, problem: null };

function node(process: string) {
  return { process, name: `${process}.example`, version: "1.0.0" };
}

test(
  "a heartbeat counts the nodes seen in the last fifteen seconds",
  { skip },
  async () => {
    const place = await (await postgresqlOfRun()).makeDatabase();
    await using db = await openDatabase(place);
    const nodes = new FleetNodes(db);
    assert.equal((await nodes.beat(node("a"), NOTHING)).liveNodes, 1);
    assert.equal((await nodes.beat(node("b"), NOTHING)).liveNodes, 2);
    assert.equal((await nodes.beat(node("a"), NOTHING)).liveNodes, 2);
    await db
      .updateTable("fleet_node")
      .set((set) => ({ seen_at: set("seen_at", "-", 15_000) }))
      .where("process", "=", "b")
      .execute();
    assert.equal((await nodes.beat(node("a"), NOTHING)).liveNodes, 1);
    await nodes.beat(node("b"), NOTHING);
    await nodes.leave("a");
    assert.equal((await nodes.beat(node("b"), NOTHING)).liveNodes, 1);
  },
);

test(
  "a heartbeat reports the node's snapshot and its faults",
  { skip },
  async () => {
    const place = await (await postgresqlOfRun()).makeDatabase();
    await using db = await openDatabase(place);
    const nodes = new FleetNodes(db);
    await nodes.beat(node("a"), NOTHING);
    const problem = "The disk is full.";
    await nodes.beat(node("a"), { heldEpoch: 7, servedEpoch: 6, problem });
    const row = await db
      .selectFrom("fleet_node")
      .selectAll()
      .executeTakeFirstOrThrow();
    const { seen_at, started_at, ...told } = row;
    assert.deepEqual(told, {
      process: "a",
      name: "a.example",
      version: "1.0.0",
      held_epoch: 7,
      served_epoch: 6,
      problem,
    });
    assert.ok(seen_at >= started_at);
  },
);

test("a node that vanished is kept for a day", { skip }, async () => {
  const place = await (await postgresqlOfRun()).makeDatabase();
  await using db = await openDatabase(place);
  const nodes = new FleetNodes(db);
  for (const name of ["gone", "here"]) await nodes.beat(node(name), NOTHING);
  const names = async () =>
    (
      await db
        .selectFrom("fleet_node")
        .select("process")
        .orderBy("process")
        .execute()
    ).map(({ process }) => process);
  await db
    .updateTable("fleet_node")
    .set((set) => ({ seen_at: set("seen_at", "-", 86_000_000) }))
    .where("process", "!=", "here")
    .execute();
  await nodes.purge();
  assert.deepEqual(await names(), ["gone", "here"]);
  await db
    .updateTable("fleet_node")
    .set((set) => ({ seen_at: set("seen_at", "-", 400_001) }))
    .where("process", "!=", "here")
    .execute();
  await nodes.purge();
  assert.deepEqual(await names(), ["here"]);
});
