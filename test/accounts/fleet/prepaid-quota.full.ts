import assert from "node:assert/strict";
import { suite, test } from "node:test";
import type { Gate } from "../../../src/accounts/metering/thread-gate.ts";
import { openDatabase } from "../../../src/accounts/database/open-database.ts";
import { configurePlans } from "../../../src/accounts/plans.ts";
import {
  START_MS,
  accountOf,
  issueKey,
  takeOne,
  takeTimes,
  type Installation,
  type ProcessOptions,
  type ServiceProcess,
} from "../../support/app/accounts-installation.ts";
import { installOnPostgresql } from "../../support/postgresql/on-both.ts";
import { NO_POSTGRESQL } from "../../support/postgresql/postgresql.ts";

const ADA = "ada@clinic.example";
const DECEMBER_MS = Date.UTC(2026, 11, 1);

async function installWithPlans(
  named: Parameters<typeof configurePlans>[0],
): Promise<Installation> {
  const configured = configurePlans(named);
  assert.ok(configured.outcome === "plans");
  return installOnPostgresql({ plans: configured.plans });
}

/** Three processes, the first two by name, and a key of a new account. */
async function threeWithKey(
  installation: Installation,
  { plan, ...options }: ProcessOptions & { readonly plan?: string } = {},
) {
  const key = await issueKey(installation.accounts, ADA, plan);
  const start = () => installation.startProcess(undefined, options);
  const processes = [await start(), await start(), await start()] as const;
  const [one, other] = processes;
  return { key, processes, one, other };
}

/** Takes from gates in turn until none of them has anything left; returns how many answers that were. */
async function takeRoundRobin(
  processes: readonly ServiceProcess[],
  key: string,
  nowMs = START_MS,
): Promise<number> {
  const gates = await Promise.all(
    processes.map(async ({ gate }) => ({
      gate,
      account: await accountOf(gate, key, nowMs),
    })),
  );
  let taken = 0;
  for (let refused = 0, turn = 0; refused < gates.length; turn++) {
    const { account, gate } = gates[turn % gates.length]!;
    if ((await takeOne(gate, account, nowMs)) === "taken") {
      taken++;
      refused = 0;
    } else refused++;
  }
  return taken;
}

/** The uses by month that the database has. */
async function recorded({ place }: Installation): Promise<number[]> {
  await using db = await openDatabase(place);
  const rows = await db
    .selectFrom("api_usage")
    .select("used")
    .orderBy("month")
    .execute();
  return rows.map(({ used }) => used);
}

function statementsOf(processes: readonly ServiceProcess[]): number {
  return processes.reduce(
    (sum, { keeper }) => sum + keeper.quota.counts.statements,
    0,
  );
}

async function stopAll(processes: readonly ServiceProcess[]): Promise<void> {
  for (const process of processes) await process.stop();
}

suite("prepaid quotas of nodes on PostgreSQL", { skip: NO_POSTGRESQL }, () => {
  for (const [quota, most] of [
    [1_000, 100],
    [20_000, 200],
  ] as const)
    test(`three nodes give exactly ${quota} answers of ${quota}, with at most ${most} statements`, async () => {
      await using installation = await installWithPlans({
        paid: { monthlyQuota: quota, burstPerSecond: 50 },
      });
      const { key, processes } = await threeWithKey(installation, {
        plan: "paid",
      });
      assert.equal(await takeRoundRobin(processes, key), quota);
      const statements = statementsOf(processes);
      assert.ok(statements <= most, `${statements}`);
      await stopAll(processes);
      assert.deepEqual(await recorded(installation), [quota]);
    });

  test("a node that stops gives back what it didn't use, and others can use it", async () => {
    await using installation = await installOnPostgresql();
    const { key, one, other } = await threeWithKey(installation);
    const account = await accountOf(one.gate, key, START_MS);
    await takeTimes(one.gate, account, 3, START_MS);
    await one.stop();
    assert.deepEqual(await recorded(installation), [3]);
    assert.equal(await takeRoundRobin([other], key), 997);
  });

  test("what a node didn't use for a while is given back, and not before", async () => {
    await using installation = await installOnPostgresql();
    const { key, one } = await threeWithKey(installation);
    const idle = await installation.startProcess(undefined, { idleMs: 0 });
    let used = 0;
    for (const { gate, keeper } of [one, idle]) {
      const account = await accountOf(gate, key, START_MS);
      used += await takeTimes(gate, account, 30, START_MS);
      await keeper.quota.serve();
      await keeper.quota.sweep();
    }
    const { left } = one.keeper.quota;
    assert.ok(left > 0);
    assert.equal(idle.keeper.quota.left, 0);
    assert.deepEqual(await recorded(installation), [used + left]);
  });

  test("what is given back after the use was cleared doesn't add to the quota", async () => {
    await using installation = await installOnPostgresql();
    const { key, one, other, processes } = await threeWithKey(installation);
    const account = await accountOf(one.gate, key, START_MS);
    await takeTimes(one.gate, account, 30, START_MS);
    await using db = await openDatabase(installation.place);
    await db.updateTable("api_usage").set({ used: 0 }).execute();
    await one.stop();
    assert.equal(await takeRoundRobin([other], key), 1_000);
    await stopAll(processes);
    assert.deepEqual(await recorded(installation), [1_000]);
  });

  test("a new month is prepaid apart, and what is left of the old one is given back", async () => {
    await using installation = await installOnPostgresql();
    const { clock } = installation;
    const { key, one, other, processes } = await threeWithKey(installation);
    const account = await accountOf(one.gate, key, START_MS);
    await takeTimes(one.gate, account, 30, START_MS);
    clock.nowMs = DECEMBER_MS;
    assert.equal(await takeRoundRobin([one, other], key, DECEMBER_MS), 1_000);
    await stopAll(processes);
    assert.deepEqual(await recorded(installation), [30, 1_000]);
  });

  test("a larger plan counts at once, and under a smaller one nothing more is taken than it allows", async () => {
    await using installation = await installWithPlans({
      small: { monthlyQuota: 160, burstPerSecond: 10 },
      large: { monthlyQuota: 3_000, burstPerSecond: 10 },
    });
    const { users } = installation.accounts;
    const { key, processes } = await threeWithKey(installation, {
      plan: "large",
    });
    const change = async (plan: string) => {
      await users.setPlan(ADA, plan);
      for (const process of processes) await process.hear();
      // Waits for what is on its way back.
      for (const { keeper } of processes) await keeper.quota.serve();
    };
    for (const { gate } of processes) {
      const account = await accountOf(gate, key, START_MS);
      assert.equal(await takeTimes(gate, account, 50, START_MS), 50);
    }
    await change("small");
    assert.equal(await takeRoundRobin(processes, key), 10);
    await change("large");
    assert.equal(await takeRoundRobin(processes, key), 2_840);
    await change("small");
    assert.equal(await takeRoundRobin(processes, key), 0);
    await stopAll(processes);
    assert.deepEqual(await recorded(installation), [3_000]);
  });

  test("an account that is suspended or deleted gets nothing more of what is prepaid, and its use is what was answered", async () => {
    await using installation = await installOnPostgresql();
    const { accounts } = installation;
    const { key, one } = await threeWithKey(installation);
    const { gate } = one;
    const account = await accountOf(gate, key, START_MS);
    await takeTimes(gate, account, 30, START_MS);
    await accounts.users.suspend(ADA);
    await one.hear();
    assert.deepEqual(gate.verify(key, START_MS), { status: "suspended" });
    await accounts.users.delete(ADA);
    await one.hear();
    assert.equal(gate.verify(key, START_MS).status, "unknown");
    await one.stop();
    await accounts.purge(START_MS);
    assert.deepEqual(await recorded(installation), [30]);
  });

  test("the last answers of a month wait for what is prepaid, and are given on whichever node", async () => {
    await using installation = await installOnPostgresql();
    const { key, one, other, processes } = await threeWithKey(installation);
    const account = await accountOf(one.gate, key, START_MS);
    assert.equal(await takeTimes(one.gate, account, 500, START_MS), 500);
    await one.keeper.quota.serve();
    const { left } = one.keeper.quota;
    assert.ok(left > 0);
    const rest = 500 - left;
    assert.equal(await takeRoundRobin([other], key), rest);
    await one.keeper.quota.recall(null);
    await accountOf(other.gate, key, START_MS);
    assert.equal(await takeRoundRobin([other, one], key), left);
    await stopAll(processes);
    assert.deepEqual(await recorded(installation), [1_000]);
  });

  test("several answers are prepaid together although that is more than a node's share", async () => {
    await using installation = await installOnPostgresql();
    const { key, one, other, processes } = await threeWithKey(installation);
    const account = await accountOf(one.gate, key, START_MS);
    const elsewhere = await accountOf(other.gate, key, START_MS);
    const take = (gate: Gate, answers: number) =>
      takeOne(
        gate,
        gate === one.gate ? account : elsewhere,
        START_MS,
        "batch",
        answers,
      );
    assert.equal(await take(one.gate, 500), "taken");
    assert.equal(await take(other.gate, 501), "used_up");
    assert.equal(await take(one.gate, 490), "taken", "nothing was counted");
    await one.keeper.quota.recall(null);
    assert.equal(await take(other.gate, 11), "used_up");
    assert.equal(await take(other.gate, 10), "taken");
    await stopAll(processes);
    assert.deepEqual(await recorded(installation), [1_000]);
  });

  test("requests for few and many answers that wait together each get what the month allows", async () => {
    await using installation = await installOnPostgresql();
    const { key, one } = await threeWithKey(installation);
    const account = await accountOf(one.gate, key, START_MS);
    const takings = await Promise.all(
      [1, 900, 2_000, 90, 1_001, 9].map((answers) =>
        takeOne(one.gate, account, START_MS, "batch", answers),
      ),
    );
    assert.deepEqual(takings, [
      "taken",
      "taken",
      "used_up",
      "taken",
      "used_up",
      "taken",
    ]);
    assert.equal(one.gate.quota(account, START_MS).remaining, 0);
    await one.stop();
    assert.deepEqual(await recorded(installation), [1_000]);
  });

  test("an account whose quota is used up is asked about once a second, not with each request", async () => {
    await using installation = await installOnPostgresql();
    const { key, one } = await threeWithKey(installation);
    await takeRoundRobin([one], key);
    const account = await accountOf(one.gate, key, START_MS);
    const before = statementsOf([one]);
    const startMs = performance.now();
    for (let time = 0; time < 1_000; time++) {
      assert.equal(await takeOne(one.gate, account, START_MS), "used_up");
      assert.equal(one.gate.quota(account, START_MS).remaining, 0);
    }
    const most = 2 + (performance.now() - startMs) / 500;
    assert.ok(statementsOf([one]) - before <= most);
  });

  test("a refusal of many answers says how many the account could still get", async () => {
    await using installation = await installOnPostgresql();
    const { key, one, other } = await threeWithKey(installation);
    const account = await accountOf(one.gate, key, START_MS);
    await takeTimes(one.gate, account, 100, START_MS);
    await one.keeper.quota.serve();
    const { left } = one.keeper.quota;
    const elsewhere = await accountOf(other.gate, key, START_MS);
    const take = (answers: number) =>
      takeOne(other.gate, elsewhere, START_MS, "batch", answers);
    assert.equal(await take(1_000), "used_up");
    const { remaining } = other.gate.quota(elsewhere, START_MS);
    assert.equal(remaining, 900 - left);
    assert.equal(await take(remaining), "taken");
  });
});
