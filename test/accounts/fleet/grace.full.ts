import assert from "node:assert/strict";
import { suite, test } from "node:test";
import {
  START_MS,
  accountOf,
  issueKey,
  takeOne,
  takeTimes,
  type Installation,
} from "../../support/app/accounts-installation.ts";
import { installOnOwnPostgresql } from "../../support/postgresql/on-both.ts";
import {
  NO_POSTGRESQL,
  postgresqlOfFile,
} from "../../support/postgresql/postgresql.ts";
import { until } from "../../support/pure/until.ts";

const QUOTA = 1_000;
/** The most that a node prepays: a quarter of its third, and a quarter of that when it renews it. */
const CHUNK = (QUOTA / 12) * 1.25;

/** Three processes that share an account, of which the first has answered most. */
async function startThree(
  installation: Installation,
  whenAway: "strict" | "grace",
) {
  const key = await issueKey(installation.accounts);
  const start = async () => {
    const process = await installation.startProcess(undefined, { whenAway });
    const { gate, keeper } = process;
    const account = await accountOf(gate, key, START_MS);
    const take = () => takeOne(gate, account, START_MS);
    return { gate, keeper, quota: keeper.quota, account, take };
  };
  const nodes = [await start(), await start(), await start()] as const;
  const [{ account, gate }, ...others] = nodes;
  assert.equal(await takeTimes(gate, account, 600, START_MS), 600);
  for (const { take } of others) assert.equal(await take(), "taken");
  for (const { quota } of nodes) await quota.serve();
  const used = () => installation.accounts.usage.thisMonth(account.id);
  return { nodes, given: 602, used };
}

suite("PostgreSQL is away from three nodes", { skip: NO_POSTGRESQL }, () => {
  test("grace: each gives what it last knew to be left, and all of it is counted afterwards", async () => {
    const server = await postgresqlOfFile();
    await using installation = await installOnOwnPostgresql();
    const { nodes, used, ...before } = await startThree(installation, "grace");
    let { given } = before;
    await server.stop();
    for (const { account, gate, quota, take } of nodes) {
      const known = gate.quota(account, START_MS).remaining + quota.left;
      assert.ok(known > 0);
      let own = 0;
      while ((await take()) === "taken") own++;
      assert.ok(own <= known, `${own} of ${known}`);
      assert.equal(gate.quota(account, START_MS).remaining, 0);
      given += own;
    }
    assert.ok(given > QUOTA);
    await server.resume();
    // What one had prepaid another gave too.
    await until("all to be counted", async () => (await used()) >= given);
    assert.ok((await used()) <= given + nodes.length * CHUNK);
  });

  test("strict: together they never give more than the quota, and the rest once it is back", async () => {
    const server = await postgresqlOfFile();
    await using installation = await installOnOwnPostgresql();
    const { nodes, used, ...before } = await startThree(installation, "strict");
    let { given } = before;
    const takeAll = async () => {
      const reasons = [];
      for (const { take } of nodes) {
        let taking = await take();
        for (; taking === "taken"; taking = await take()) given++;
        reasons.push(taking);
      }
      return reasons;
    };
    await server.stop();
    assert.deepEqual(await takeAll(), Array(3).fill("unavailable"));
    assert.ok(given < QUOTA);
    await server.resume();
    for (const { keeper } of nodes) await keeper.readKeys();
    await until("the rest of the quota", async () =>
      (await takeAll()).every((taking) => taking === "used_up"),
    );
    assert.equal(await used(), QUOTA);
    assert.ok(given <= QUOTA && given >= QUOTA - nodes.length * CHUNK);
  });
});
