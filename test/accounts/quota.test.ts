import assert from "node:assert/strict";
import { test } from "node:test";
import { openDatabase } from "../../src/accounts/database/open-database.ts";
import { BUILT_IN_PLANS } from "../../src/accounts/plans.ts";
import { until } from "../support/pure/until.ts";
import {
  START_MS,
  accountOf,
  issueKey,
  takeOne,
  takeTimes,
  verdictOf,
} from "../support/app/accounts-installation.ts";
import { suiteOnBoth } from "../support/postgresql/on-both.ts";

const DECEMBER_MS = Date.UTC(2026, 11, 1);
const JANUARY_MS = Date.UTC(2027, 0, 1);

suiteOnBoth("the monthly quota", (install) => {
  test("a new month has the plan's full quota, and reports its end", async () => {
    await using installation = await install();
    const key = await issueKey(installation.accounts);
    const { gate } = await installation.startProcess();
    const account = await accountOf(gate, key, START_MS);
    assert.deepEqual(gate.quota(account, START_MS), {
      limit: 1_000,
      remaining: 1_000,
      resetSeconds: (DECEMBER_MS - START_MS) / 1_000,
      resetAt: DECEMBER_MS / 1_000,
      windowSeconds: 30 * 86_400,
    });
    assert.equal(gate.quota(account, DECEMBER_MS - 1).resetSeconds, 1);
    assert.equal(gate.quota(account, DECEMBER_MS).windowSeconds, 31 * 86_400);
  });

  test("reading the quota counts nothing, taking from it counts one", async () => {
    await using installation = await install();
    const key = await issueKey(installation.accounts);
    const { gate } = await installation.startProcess();
    const account = await accountOf(gate, key, START_MS);
    gate.quota(account, START_MS);
    assert.equal(await takeOne(gate, account, START_MS), "taken");
    assert.equal(gate.quota(account, START_MS).remaining, 999);
  });

  test("several answers are counted together, all of them or none", async () => {
    await using installation = await install();
    const { accounts } = installation;
    const key = await issueKey(accounts);
    const { gate, write } = await installation.startProcess();
    const account = await accountOf(gate, key, START_MS);
    const take = (answers: number) =>
      takeOne(gate, account, START_MS, "lookup", answers);
    assert.equal(await take(1_001), "used_up");
    assert.equal(gate.quota(account, START_MS).remaining, 1_000);
    assert.equal(await take(700), "taken");
    assert.equal(await take(301), "used_up");
    assert.equal(gate.quota(account, START_MS).remaining, 300);
    assert.equal(await take(300), "taken");
    assert.equal(await take(1), "used_up");
    await write();
    assert.equal(await accounts.usage.thisMonth(account.id), 1_000);
    const listed = await accounts.keys.list();
    assert.ok(listed.outcome === "listed");
    assert.equal(listed.keys[0]?.usedThisMonth, 1_000);
  });

  test("what was given back can be used again, and isn't written as used", async () => {
    await using installation = await install();
    const { accounts } = installation;
    const key = await issueKey(accounts);
    const { gate, write } = await installation.startProcess();
    const account = await accountOf(gate, key, START_MS);
    const take = (answers: number) =>
      takeOne(gate, account, START_MS, "batch", answers);
    assert.equal(await take(1_000), "taken");
    gate.giveBack(account, START_MS, "batch", 400);
    assert.equal(gate.quota(account, START_MS).remaining, 400);
    assert.equal(await take(401), "used_up");
    assert.equal(await take(300), "taken");
    await write();
    assert.equal(await accounts.usage.thisMonth(account.id), 900);
    const listed = await accounts.keys.list();
    assert.ok(listed.outcome === "listed");
    assert.equal(listed.keys[0]?.usedThisMonth, 900);
  });

  test("the free plan gives exactly 1,000 answers a month and then none", async () => {
    await using installation = await install();
    const key = await issueKey(installation.accounts);
    const { gate, write, accounts } = await installation.startProcess();
    const account = await accountOf(gate, key, START_MS);
    assert.equal(await takeTimes(gate, account, 1_200, START_MS), 1_000);
    assert.equal(gate.quota(account, START_MS).remaining, 0);
    await write();
    assert.equal(await accounts.usage.thisMonth(account.id), 1_000);
  });

  test("all keys of an account share its quota and its burst; accounts share nothing", async () => {
    await using installation = await install();
    const keys = [
      await issueKey(installation.accounts, "ada@clinic.example"),
      await issueKey(installation.accounts, "ada@clinic.example"),
      await issueKey(installation.accounts, "eve@clinic.example"),
    ];
    const { gate } = await installation.startProcess();
    const [one, same, other] = await Promise.all(
      keys.map((key) => accountOf(gate, key, START_MS)),
    );
    assert.ok(one && same && other);
    await takeTimes(gate, one, 400, START_MS);
    await takeTimes(gate, same, 400, START_MS);
    for (let time = 0; time < 10; time++) gate.takeBurst(one, START_MS);
    assert.equal(gate.quota(one, START_MS).remaining, 200);
    assert.equal(gate.quota(other, START_MS).remaining, 1_000);
    assert.equal(gate.takeBurst(same, START_MS).allowed, false);
    assert.equal(gate.takeBurst(other, START_MS).allowed, true);
  });

  test("the burst is the plan's: 10 for free, 50 for paid", async () => {
    await using installation = await install();
    for (const [plan, burst] of [
      ["free", 10],
      ["paid", 50],
    ] as const) {
      const key = await issueKey(
        installation.accounts,
        `${plan}@b.example`,
        plan,
      );
      const { gate } = await installation.startProcess();
      const account = await accountOf(gate, key, START_MS);
      let allowed = 0;
      while (gate.takeBurst(account, START_MS).allowed) allowed++;
      assert.equal(allowed, burst);
    }
  });

  test("a larger or smaller plan applies to the current month", async () => {
    await using installation = await install();
    const { accounts } = installation;
    const key = await issueKey(accounts, "ada@clinic.example");
    const process = await installation.startProcess();
    const { gate } = process;
    await takeTimes(
      gate,
      await accountOf(gate, key, START_MS),
      1_001,
      START_MS,
    );
    await accounts.users.setPlan("ada@clinic.example", "paid");
    await process.hear();
    let nowMs = START_MS + 5_000;
    const paid = await accountOf(gate, key, nowMs);
    assert.equal(gate.quota(paid, nowMs).remaining, 24_000);
    await takeTimes(gate, paid, 100, nowMs);
    await accounts.users.setPlan("ada@clinic.example", "free");
    await process.hear();
    nowMs += 5_000;
    const free = await accountOf(gate, key, nowMs);
    assert.equal(gate.quota(free, nowMs).remaining, 0);
    assert.equal(await takeOne(gate, free, nowMs), "used_up");
  });

  test("a process continues the counts of the previous one", async () => {
    await using installation = await install();
    const key = await issueKey(installation.accounts);
    const first = await installation.startProcess();
    await takeTimes(
      first.gate,
      await accountOf(first.gate, key, START_MS),
      300,
      START_MS,
    );
    await first.stop();
    const second = await installation.startProcess();
    const account = await accountOf(second.gate, key, START_MS);
    assert.equal(second.gate.quota(account, START_MS).remaining, 700);
    assert.equal(await takeTimes(second.gate, account, 1_000, START_MS), 700);
  });

  test("the month changes at midnight UTC, and nothing of the old one is lost or carried over", async () => {
    await using installation = await install();
    const { clock } = installation;
    const key = await issueKey(installation.accounts);
    const { gate, write, accounts } = await installation.startProcess();
    const account = await accountOf(gate, key, START_MS);
    await takeTimes(gate, account, 10, START_MS);
    await write();
    await takeTimes(gate, account, 7, DECEMBER_MS - 1);
    await takeTimes(gate, account, 3, DECEMBER_MS);
    // A thread with a slow clock still counts in the old month.
    await takeTimes(gate, account, 2, DECEMBER_MS - 1);
    assert.equal(gate.quota(account, DECEMBER_MS).remaining, 997);
    assert.equal(gate.quota(account, DECEMBER_MS - 1).remaining, 981);
    clock.nowMs = DECEMBER_MS + 500;
    assert.equal(await write(), 12);
    assert.equal(await accounts.usage.thisMonth(account.id), 3);
    clock.nowMs = START_MS;
    assert.equal(await accounts.usage.thisMonth(account.id), 19);
    clock.nowMs = JANUARY_MS;
    assert.equal(gate.quota(account, JANUARY_MS).remaining, 1_000);
    await takeTimes(gate, account, 4, JANUARY_MS);
    await write();
    assert.equal(await accounts.usage.thisMonth(account.id), 4);
  });

  test("a month that another process has started is continued from its count", async () => {
    await using installation = await install();
    const { clock } = installation;
    const key = await issueKey(installation.accounts);
    const idle = await installation.startProcess();
    const busy = await installation.startProcess();
    await takeTimes(
      idle.gate,
      await accountOf(idle.gate, key, START_MS),
      10,
      START_MS,
    );
    await idle.write();
    clock.nowMs = DECEMBER_MS + 86_400_000;
    const account = await accountOf(busy.gate, key, clock.nowMs);
    await takeTimes(busy.gate, account, 600, clock.nowMs);
    await busy.write();
    clock.nowMs += 86_400_000;
    await accountOf(idle.gate, key, clock.nowMs);
    assert.equal(idle.gate.quota(account, clock.nowMs).remaining, 400);
  });

  test("what two processes on one database count adds up, to the last answer", async () => {
    await using installation = await install();
    const { accounts } = installation;
    const key = await issueKey(accounts);
    const [one, other] = [
      await installation.startProcess(),
      await installation.startProcess(),
    ];
    const account = await accountOf(one.gate, key, START_MS);
    const elsewhere = await accountOf(other.gate, key, START_MS);
    await takeTimes(one.gate, account, 300, START_MS);
    await takeTimes(other.gate, elsewhere, 200, START_MS);
    await one.write();
    await other.write();
    assert.equal(await accounts.usage.thisMonth(account.id), 500);
    // What one has prepaid counts as used for the other.
    assert.equal(await takeTimes(one.gate, account, 1, START_MS), 1);
    assert.equal(await takeTimes(other.gate, elsewhere, 1, START_MS), 1);
    const { remaining } = other.gate.quota(elsewhere, START_MS);
    assert.ok(remaining <= 498, `${remaining}`);
    await one.write();
    assert.equal(await takeTimes(other.gate, elsewhere, 1_000, START_MS), 498);
    assert.equal(await takeOne(one.gate, account, START_MS), "used_up");
    await other.write();
    assert.equal(await accounts.usage.thisMonth(account.id), 1_000);
  });

  test("concurrent flushes write everything once", async () => {
    await using installation = await install();
    const key = await issueKey(installation.accounts);
    const { gate, write, accounts } = await installation.startProcess();
    const account = await accountOf(gate, key, START_MS);
    await takeTimes(gate, account, 20, START_MS);
    const flushes = [write(), write(), write()];
    await takeTimes(gate, account, 3, START_MS);
    await Promise.all(flushes);
    await write();
    assert.equal(await accounts.usage.thisMonth(account.id), 23);
    assert.equal(gate.quota(account, START_MS).remaining, 977);
  });

  test("counts of thousands of accounts are written together", async () => {
    await using installation = await install();
    const { gate, keeper, write, accounts } = await installation.startProcess({
      accounts: 3_000,
      keys: 1,
    });
    const plan = BUILT_IN_PLANS.get("free");
    assert.ok(plan);
    await using db = await openDatabase(installation.place);
    for (let first = 1; first <= 2_500; first += 500)
      await db
        .insertInto("api_account")
        .values(
          Array.from({ length: 500 }, (_, index) => ({
            email: `${first + index}@clinic.example`,
            plan: plan.name,
            created_at: START_MS,
          })),
        )
        .execute();
    await Promise.all(
      Array.from({ length: 2_500 }, async (_, index) => {
        const account = gate.accountOf(index + 1, plan);
        assert.ok(account);
        // On a busy machine the database may answer too late for a request, which then comes again.
        for (let left = 1 + ((index + 1) % 3); left > 0;)
          left -= await takeTimes(gate, account, 1, START_MS);
      }),
    );
    assert.ok(keeper.quota.counts.statements < 100);
    await write();
    for (const id of [1, 500, 501, 2_500]) {
      assert.equal(await accounts.usage.thisMonth(id), 1 + (id % 3));
    }
  });

  test("a flush that fails loses nothing", async () => {
    await using installation = await install();
    const key = await issueKey(installation.accounts);
    const { gate, write, accounts } = await installation.startProcess();
    const account = await accountOf(gate, key, START_MS);
    await takeTimes(gate, account, 8, START_MS);
    await using db = await openDatabase(installation.place);
    await db.schema
      .alterTable("api_usage_hour")
      .renameTo("elsewhere")
      .execute();
    await assert.rejects(write());
    await db.schema
      .alterTable("elsewhere")
      .renameTo("api_usage_hour")
      .execute();
    await takeTimes(gate, account, 2, START_MS);
    assert.equal(await write(), 10);
    const listed = await accounts.keys.list();
    assert.ok(listed.outcome === "listed");
    assert.equal(listed.keys[0]?.usedThisMonth, 10);
    assert.equal(listed.keys[0]?.lastUsedAt, START_MS);
  });

  test("keys of accounts beyond the memory's capacity are refused until a restart, and reported", async () => {
    await using installation = await install();
    const { gate, keeper } = await installation.startProcess({
      accounts: 2,
      keys: 2,
    });
    const statuses: string[] = [];
    for (const name of ["a", "b", "c"]) {
      const key = await issueKey(installation.accounts, `${name}@b.example`);
      statuses.push((await verdictOf(gate, key, START_MS)).status);
    }
    assert.deepEqual(statuses, ["valid", "valid", "unavailable"]);
    assert.ok(keeper.overflows > 0);
  });

  test("clearing an account's usage gives it its month back", async () => {
    await using installation = await install();
    const key = await issueKey(installation.accounts);
    const { gate, write } = await installation.startProcess();
    const account = await accountOf(gate, key, START_MS);
    await takeTimes(gate, account, 1_000, START_MS);
    await write();
    await using db = await openDatabase(installation.place);
    await db.updateTable("api_usage").set({ used: 0 }).execute();
    // It asks again after a second.
    await until(
      "the month to start again",
      () => gate.quota(account, START_MS).remaining === 1_000,
    );
  });
});
