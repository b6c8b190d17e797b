import assert from "node:assert/strict";
import { test } from "node:test";
import { openDatabase } from "../../src/accounts/database/open-database.ts";
import type { Operation } from "../../src/contract/operation.ts";
import {
  START_MS,
  accountOf,
  issueKey,
  takeTimes,
  type Installation,
  type ServiceProcess,
} from "../support/app/accounts-installation.ts";
import { suiteOnBoth } from "../support/postgresql/on-both.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

async function use(
  { gate }: ServiceProcess,
  key: string,
  operation: Operation,
  times: number,
  nowMs: number,
): Promise<void> {
  const account = await accountOf(gate, key, nowMs);
  await takeTimes(gate, account, times, nowMs, operation);
}

/** Sums by key, in the order in which the keys were made. */
async function thisMonth({ accounts }: Installation): Promise<number[]> {
  const listed = await accounts.keys.list();
  assert.ok(listed.outcome === "listed");
  return listed.keys.map(({ usedThisMonth }) => usedThisMonth);
}

suiteOnBoth("usage by key", (install) => {
  test("usage is stored by key, operation and hour, one row each", async () => {
    await using installation = await install();
    const { accounts, clock } = installation;
    const keys = [await issueKey(accounts), await issueKey(accounts)];
    const [one = "", other = ""] = keys;
    const processes = [
      await installation.startProcess(),
      await installation.startProcess(),
    ];
    for (const process of processes) {
      for (const ms of [0, 1_000, 2_000]) {
        clock.nowMs = START_MS + ms;
        await use(process, one, "lookup", 2, clock.nowMs);
        await process.write();
      }
    }
    const [process] = processes;
    assert.ok(process !== undefined);
    await use(process, one, "search", 3, clock.nowMs);
    await use(process, other, "nearby", 4, clock.nowMs);
    clock.nowMs = START_MS + HOUR_MS;
    await process.write();
    await use(process, one, "lookup", 5, clock.nowMs);
    await process.write();
    clock.nowMs = START_MS + DAY_MS;
    await use(process, one, "changes", 1, clock.nowMs);
    await process.write();

    assert.deepEqual(await accounts.usage.byDay(1, START_MS), [
      { day: "2026-11-20", keyId: 1, operation: "lookup", used: 17 },
      { day: "2026-11-20", keyId: 1, operation: "search", used: 3 },
      { day: "2026-11-20", keyId: 2, operation: "nearby", used: 4 },
      { day: "2026-11-21", keyId: 1, operation: "changes", used: 1 },
    ]);
    assert.deepEqual(
      (await accounts.usage.byDay(1, START_MS + DAY_MS)).map(({ day }) => day),
      ["2026-11-21"],
    );
    assert.deepEqual(await thisMonth(installation), [21, 4]);
    assert.equal(await accounts.usage.thisMonth(1), 25);
    await using db = await openDatabase(installation.place);
    const rows = await db.selectFrom("api_usage_hour").selectAll().execute();
    assert.equal(rows.length, 5, "one row for a key, an hour and an operation");
    clock.nowMs = Date.UTC(2026, 11, 1);
    assert.deepEqual(await thisMonth(installation), [0, 0]);
  });

  test("a refused request is not counted for any key", async () => {
    await using installation = await install();
    const key = await issueKey(installation.accounts);
    const process = await installation.startProcess();
    await use(process, key, "lookup", 1_100, START_MS);
    await process.write();
    assert.deepEqual(await thisMonth(installation), [1_000]);
  });

  test("hourly usage is kept for thirteen months", async () => {
    await using installation = await install();
    const { accounts, clock } = installation;
    const key = await issueKey(accounts);
    const process = await installation.startProcess();
    await use(process, key, "lookup", 2, START_MS);
    await process.write();
    const days = async () => (await accounts.usage.byDay(1, 0)).length;
    clock.nowMs = Date.UTC(2027, 11, 31, 23);
    await process.write();
    assert.equal(await days(), 1);
    clock.nowMs = Date.UTC(2028, 0, 1, 1);
    await process.write();
    assert.equal(await days(), 0);
    assert.equal(await accounts.usage.thisMonth(1), 0);
  });

  test("usage written after an account's deletion is added to the sums of deleted accounts", async () => {
    await using installation = await install();
    const { accounts, clock, place } = installation;
    const [ada, eve] = ["ada@clinic.example", "eve@clinic.example"] as const;
    const key = await issueKey(accounts, ada);
    const other = await issueKey(accounts, eve);
    const process = await installation.startProcess();
    await use(process, key, "lookup", 5, clock.nowMs);
    await use(process, other, "lookup", 2, clock.nowMs);
    await process.write();
    await use(process, key, "lookup", 3, clock.nowMs);
    await accounts.users.delete(ada);
    await process.write();
    clock.nowMs += HOUR_MS;
    await process.write();

    await using db = await openDatabase(place);
    const byAccount = await db
      .selectFrom("api_usage")
      .select(["account_id as of", "used"])
      .orderBy("of")
      .execute();
    const byKey = await db
      .selectFrom("api_usage_hour")
      .select(["key_id as of", "used"])
      .orderBy("of")
      .execute();
    for (const rows of [byAccount, byKey])
      assert.deepEqual(
        rows.map(({ of, used }) => [of, used]),
        [
          [0, 8],
          [2, 2],
        ],
      );
  });
});
