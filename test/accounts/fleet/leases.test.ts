import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { sql } from "kysely";
import { Client } from "pg";
import { openDatabase } from "../../../src/accounts/database/open-database.ts";
import type { Gate } from "../../../src/accounts/metering/gate.ts";
import { LeaseCells } from "../../../src/accounts/leases/lease-cells.ts";
import { monthAt } from "../../../src/accounts/metering/month.ts";
import { UsageTable } from "../../../src/accounts/metering/usage-table.ts";
import { configurePlans } from "../../../src/accounts/plans.ts";
import {
  START_MS,
  accountOf,
  installOnPostgresql,
  issueKey,
  takeOne,
  takeTimes,
  type Installation,
  type ServiceProcess,
} from "../../support/service/accounts-installation.ts";
import { NO_POSTGRESQL } from "../../support/servers/postgresql.ts";

const ADA = "ada@clinic.example";
const DECEMBER_MS = Date.UTC(2026, 11, 1);

/** Counts the statements of this process, on all connections. */
function countStatements(): { readonly count: number } & Disposable {
  const { prototype } = Client;
  const query: unknown = Reflect.get(prototype, "query");
  assert.ok(typeof query === "function");
  let count = 0;
  Reflect.set(prototype, "query", function (this: Client, ...given: unknown[]) {
    count++;
    return Reflect.apply(query, this, given);
  });
  return {
    get count() {
      return count;
    },
    [Symbol.dispose]: () => void Reflect.set(prototype, "query", query),
  };
}

async function threeProcesses(
  installation: Installation,
): Promise<readonly ServiceProcess[]> {
  return [
    await installation.startProcess(),
    await installation.startProcess(),
    await installation.startProcess(),
  ];
}

async function installWithPlans(
  named: Parameters<typeof configurePlans>[0],
): Promise<Installation> {
  const configured = configurePlans(named);
  assert.ok(configured.outcome === "plans");
  return installOnPostgresql({ plans: configured.plans });
}

/** Three processes, the first two by name, and a key of a new account. */
async function threeWithKey(installation: Installation) {
  const key = await issueKey(installation.accounts);
  const processes = await threeProcesses(installation);
  const [one, other] = processes;
  assert.ok(one && other);
  return { key, processes, one, other };
}

/** Takes from gates in turn until none of them has anything left; returns how many answers that were. */
async function takeRoundRobin(
  gates: readonly Gate[],
  key: string,
  nowMs = START_MS,
): Promise<number> {
  const accounts = await Promise.all(
    gates.map((gate) => accountOf(gate, key, nowMs)),
  );
  let taken = 0;
  for (let refused = 0, turn = 0; refused < gates.length; turn++) {
    const index = turn % gates.length;
    const taking = await takeOne(gates[index]!, accounts[index]!, nowMs);
    if (taking === "taken") {
      taken++;
      refused = 0;
    } else refused++;
  }
  return taken;
}

/** What the database has of the only account. */
async function recorded(installation: Installation) {
  await using db = await openDatabase(installation.place);
  const rows = await db
    .selectFrom("api_usage")
    .select(["month", "used", "leased"])
    .where("account_id", "=", 1)
    .orderBy("month")
    .execute();
  return rows;
}

/** Lets a process look as if it had been dead for an hour. */
async function giveUp(installation: Installation): Promise<void> {
  await using db = await openDatabase(installation.place);
  const leases = await db
    .selectFrom("api_lease")
    .select("process")
    .distinct()
    .execute();
  for (const { process } of leases)
    await db
      .insertInto("fleet_node")
      .values({
        process,
        name: "gone",
        version: "1",
        started_at: 0,
        seen_at: 0,
      })
      .onConflict((conflict) =>
        conflict.column("process").doUpdateSet({ seen_at: 0 }),
      )
      .execute();
}

suite("leases of quotas on PostgreSQL", { skip: NO_POSTGRESQL }, () => {
  for (const [plan, quota] of [
    ["free", 1_000],
    ["paid", 25_000],
  ] as const)
    test(`three processes give exactly ${quota} answers of ${quota}, with at most a tenth as many statements`, async () => {
      await using installation = await installOnPostgresql();
      const key = await issueKey(installation.accounts, ADA, plan);
      const processes = await threeProcesses(installation);
      const gates = processes.map(({ gate }) => gate);
      for (const gate of gates) await accountOf(gate, key, START_MS);
      // The first flush also deletes what is past its retention.
      for (const { flusher } of processes) await flusher.flush();
      using statements = countStatements();
      assert.equal(await takeRoundRobin(gates, key), quota);
      for (const { flusher } of processes) await flusher.flush();
      assert.ok(statements.count <= quota / 10, `${statements.count}`);
      assert.deepEqual(await recorded(installation), [
        { month: "2026-11", used: quota, leased: 0 },
      ]);
    });

  test("a process that stops returns what it leased", async () => {
    await using installation = await installOnPostgresql();
    const key = await issueKey(installation.accounts);
    const [one, other] = await threeProcesses(installation);
    assert.ok(one && other);
    const account = await accountOf(one.gate, key, START_MS);
    await takeTimes(one.gate, account, 3, START_MS);
    await one.stop();
    assert.deepEqual(await recorded(installation), [
      { month: "2026-11", used: 3, leased: 0 },
    ]);
    assert.equal(await takeRoundRobin([other.gate], key), 997);
  });

  test("what a vanished process leased counts as used, and no longer when it is back", async () => {
    await using installation = await installOnPostgresql();
    const key = await issueKey(installation.accounts);
    const [gone, other] = await threeProcesses(installation);
    assert.ok(gone && other);
    const account = await accountOf(gone.gate, key, START_MS);
    await takeTimes(gone.gate, account, 3, START_MS);
    await giveUp(installation);
    await other.broker?.leases.fold();
    const [row] = await recorded(installation);
    assert.ok(row !== undefined && row.used >= 3 && row.leased === 0);
    // It was only cut off.
    const rest = await takeRoundRobin([other.gate, gone.gate], key);
    for (const { flusher } of [gone, other]) await flusher.flush();
    assert.equal(3 + rest, 1_000);
    assert.deepEqual(await recorded(installation), [
      { month: "2026-11", used: 1_000, leased: 0 },
    ]);
  });

  test("a new month has new leases, and those of the old one are returned", async () => {
    await using installation = await installOnPostgresql();
    const { clock } = installation;
    const { key, one, other, processes } = await threeWithKey(installation);
    const account = await accountOf(one.gate, key, START_MS);
    await takeTimes(one.gate, account, 30, START_MS);
    clock.nowMs = DECEMBER_MS;
    const gates = [one.gate, other.gate];
    assert.equal(await takeRoundRobin(gates, key, DECEMBER_MS), 1_000);
    for (const process of processes) await process.stop();
    assert.deepEqual(await recorded(installation), [
      { month: "2026-11", used: 30, leased: 0 },
      { month: "2026-12", used: 1_000, leased: 0 },
    ]);
  });

  test("a larger plan counts at once, and a smaller one stops what is leased", async () => {
    await using installation = await installWithPlans({
      small: { monthlyQuota: 100, burstPerSecond: 10 },
      large: { monthlyQuota: 300, burstPerSecond: 10 },
    });
    const { accounts } = installation;
    const key = await issueKey(accounts, ADA, "small");
    const processes = await threeProcesses(installation);
    const gates = processes.map(({ gate }) => gate);
    assert.equal(await takeRoundRobin(gates, key), 100);
    await accounts.users.setPlan(ADA, "large");
    for (const process of processes) await process.hear();
    const [first] = gates;
    assert.ok(first !== undefined);
    const account = await accountOf(first, key, START_MS);
    assert.equal(await takeTimes(first, account, 20, START_MS), 20);
    for (const { flusher } of processes.toReversed()) await flusher.flush();
    await accounts.users.setPlan(ADA, "small");
    for (const process of processes) await process.hear();
    assert.equal(await takeRoundRobin(gates, key), 0);
  });

  test("what is leased of a larger plan doesn't exceed the smaller one", async () => {
    await using installation = await installWithPlans({
      small: { monthlyQuota: 160, burstPerSecond: 100 },
      large: { monthlyQuota: 3_000, burstPerSecond: 100 },
    });
    const { accounts } = installation;
    const key = await issueKey(accounts, ADA, "large");
    const processes = await threeProcesses(installation);
    for (const { gate } of processes) {
      const account = await accountOf(gate, key, START_MS);
      assert.equal(await takeTimes(gate, account, 50, START_MS), 50);
    }
    await accounts.users.setPlan(ADA, "small");
    for (const process of processes) {
      await process.hear();
      await process.broker?.leases.sweep();
    }
    const gates = processes.map(({ gate }) => gate);
    assert.equal(await takeRoundRobin(gates, key), 10);
  });

  test("an account that is suspended or deleted gets nothing more of its lease", async () => {
    await using installation = await installOnPostgresql();
    const { accounts } = installation;
    const key = await issueKey(accounts, ADA);
    const process = await installation.startProcess();
    const { gate } = process;
    const account = await accountOf(gate, key, START_MS);
    await takeTimes(gate, account, 3, START_MS);
    await accounts.users.suspend(ADA);
    await process.hear();
    assert.deepEqual(gate.verify(key, START_MS), { status: "suspended" });
    await accounts.users.delete(ADA);
    await process.hear();
    assert.equal(gate.verify(key, START_MS).status, "unknown");
    await process.stop();
    await accounts.purge(START_MS);
    await using db = await openDatabase(installation.place);
    assert.deepEqual(
      await db.selectFrom("api_lease").selectAll().execute(),
      [],
    );
    const { used } = await db
      .selectFrom("api_usage")
      .select(({ fn }) => fn.sum<number>("used").as("used"))
      .executeTakeFirstOrThrow();
    assert.equal(used, 3, "its answers are in the sums of deleted accounts");
  });

  test("all leases of a vanished process count as used at once, however many it had", async () => {
    await using installation = await installOnPostgresql();
    const { broker } = await installation.startProcess();
    await using db = await openDatabase(installation.place);
    for (const statement of [
      "INSERT INTO api_usage (account_id, month, used, leased, updated_at) SELECT id, '2026-11', 0, 2, 0 FROM generate_series(1, 2500) id",
      "INSERT INTO api_lease (account_id, month, process, remaining) SELECT id, '2026-11', 'gone', 2 FROM generate_series(1, 2500) id",
    ])
      await sql.raw(statement).execute(db);
    await giveUp(installation);
    assert.equal(await broker?.leases.fold(), 5_000);
    const sums = await db
      .selectFrom("api_usage")
      .select(({ fn }) => [
        fn.sum<number>("used").as("used"),
        fn.sum<number>("leased").as("leased"),
      ])
      .executeTakeFirst();
    assert.deepEqual({ ...sums }, { used: 5_000, leased: 0 });
  });

  test("accounts that are active elsewhere cost a process nothing", async () => {
    await using installation = await installOnPostgresql();
    const idle = await installation.startProcess();
    await idle.hear();
    await idle.flusher.flush();
    await using db = await openDatabase(installation.place);
    for (let first = 1; first <= 100_000; first += 10_000)
      await db
        .insertInto("api_usage")
        .columns(["account_id", "month", "used", "viewed", "updated_at"])
        .expression(
          db.selectNoFrom((select) => [
            select
              .fn<number>("generate_series", [
                select.lit(first),
                select.lit(first + 9_999),
              ])
              .as("account_id"),
            select.val("2026-11").as("month"),
            select.lit(1).as("used"),
            select.lit(0).as("viewed"),
            select.val(START_MS).as("updated_at"),
          ]),
        )
        .execute();
    using statements = countStatements();
    await idle.flusher.flush();
    assert.equal(statements.count, 0);
    await idle.broker?.poll();
    assert.equal(statements.count, 1, "the feed of keys");
  });

  test("an account's page shows what was answered before the last flush, whatever is leased", async () => {
    await using installation = await installOnPostgresql();
    const { accounts } = installation;
    const key = await issueKey(accounts);
    const { gate, flusher } = await installation.startProcess();
    const account = await accountOf(gate, key, START_MS);
    await takeTimes(gate, account, 7, START_MS);
    await flusher.flush();
    assert.equal((await accounts.usage.thisMonth(account.id)).used, 7);
    assert.equal(gate.quota(account, START_MS).remaining, 993);
  });

  test("an account for which memory is full keeps no other from its lease", async () => {
    await using installation = await installOnPostgresql();
    const { accounts } = installation;
    const keys = [
      await issueKey(accounts, ADA),
      await issueKey(accounts, "bob@clinic.example"),
    ] as const;
    const process = await installation.startProcess({
      accounts: 1,
      keys: 10,
    });
    const { broker, flusher, gate } = process;
    const ada = await accountOf(gate, keys[0], START_MS);
    const bob = await accountOf(gate, keys[1], START_MS);
    // Counted by the thread, and asked about once that is used up.
    assert.equal(await takeTimes(gate, bob, 1_001, START_MS), 1_000);
    assert.equal(gate.quota(bob, START_MS).remaining, 0);
    await gate.awaitQuota(bob, START_MS);
    // Whatever asks for such a lease: what is granted is returned.
    await broker?.leases.ask({
      accountId: bob.id,
      month: monthAt(START_MS).number,
      quota: 2_000,
      burstPerSecond: 10,
      answers: 1,
    });
    assert.equal(await takeTimes(gate, ada, 5, START_MS), 5);
    await flusher.flush();
    await process.stop();
    await using db = await openDatabase(installation.place);
    assert.deepEqual(
      await db
        .selectFrom("api_usage")
        .select(["account_id", "used", "leased"])
        .where("account_id", "=", ada.id)
        .execute(),
      [{ account_id: ada.id, used: 5, leased: 0 }],
    );
    assert.deepEqual(
      await db.selectFrom("api_lease").selectAll().execute(),
      [],
      "all is returned",
    );
  });

  test("an answer that is counted while usage is written is no longer leased in the end", async () => {
    await using installation = await installOnPostgresql();
    const key = await issueKey(installation.accounts);
    const { gate, flusher, usage } = await installation.startProcess();
    const account = await accountOf(gate, key, START_MS);
    await takeTimes(gate, account, 1, START_MS);
    await flusher.flush();
    const [before] = await recorded(installation);
    assert.ok(before !== undefined);
    // As a thread does it; the flush comes in between.
    const month = monthAt(START_MS).number;
    const cells = new LeaseCells(usage);
    cells.take(account.id, month, 1);
    new UsageTable(usage).add(account.id, month, 1);
    await flusher.flush();
    cells.noteTaken(account.id, month, 1);
    await flusher.flush();
    const after = { used: 2, leased: before.leased - 1 };
    assert.deepEqual(await recorded(installation), [{ ...before, ...after }]);
  });

  test("an account whose quota is used up is asked about once a second, not with each request", async () => {
    await using installation = await installOnPostgresql();
    const key = await issueKey(installation.accounts);
    const process = await installation.startProcess();
    const { broker, gate } = process;
    await takeRoundRobin([gate], key);
    const account = await accountOf(gate, key, START_MS);
    const before = broker?.leases.counts.statements ?? NaN;
    for (let time = 0; time < 1_000; time++) {
      assert.equal(gate.takeQuota(account, START_MS, "lookup"), "used_up");
      assert.equal(gate.quota(account, START_MS).remaining, 0);
    }
    await process.hear();
    const after = broker?.leases.counts.statements ?? NaN;
    assert.ok(after - before <= 2, `${after - before}`);
  });

  test("several answers are leased together although that is more than a node's share", async () => {
    await using installation = await installOnPostgresql();
    const { key, one, other, processes } = await threeWithKey(installation);
    const account = await accountOf(one.gate, key, START_MS);
    const take = ({ gate }: ServiceProcess, answers: number) =>
      takeOne(gate, account, START_MS, "lookup", answers);
    assert.equal(await take(one, 500), "taken");
    // It asked for more meanwhile, and gets all before the other asks.
    await one.gate.awaitQuota(account, START_MS, 500);
    await accountOf(other.gate, key, START_MS);
    assert.equal(await take(other, 501), "used_up");
    assert.equal(await take(one, 490), "taken", "nothing was counted");
    assert.equal(await take(one, 11), "used_up");
    assert.equal(await take(one, 1), "taken");
    for (const process of processes) await process.stop();
    assert.deepEqual(await recorded(installation), [
      { month: "2026-11", used: 991, leased: 0 },
    ]);
  });

  test("the last answers of a month are refused where they aren't leased, and given where they are", async () => {
    await using installation = await installOnPostgresql();
    const { key, one, other, processes } = await threeWithKey(installation);
    const account = await accountOf(one.gate, key, START_MS);
    const elsewhere = await accountOf(other.gate, key, START_MS);
    assert.equal(await takeOne(other.gate, elsewhere, START_MS), "taken");
    const take = (answers: number) =>
      takeOne(one.gate, account, START_MS, "lookup", answers);
    assert.equal(await take(500), "taken");
    // It asked for as many again, which are too many, and gets its share.
    await one.gate.awaitQuota(account, START_MS, 500);
    assert.equal(await take(490), "taken");
    assert.equal(await take(1), "used_up", "the other has the last nine");
    assert.equal(await takeTimes(other.gate, elsewhere, 10, START_MS), 9);
    for (const process of processes) await process.stop();
    assert.deepEqual(await recorded(installation), [
      { month: "2026-11", used: 1_000, leased: 0 },
    ]);
  });

  test("requests for few and many answers that wait together each get what the month allows", async () => {
    await using installation = await installOnPostgresql();
    const key = await issueKey(installation.accounts);
    const process = await installation.startProcess();
    const account = await accountOf(process.gate, key, START_MS);
    const sizes = [1, 900, 2_000, 90, 1_001, 9];
    const takings = await Promise.all(
      sizes.map((answers) =>
        takeOne(process.gate, account, START_MS, "lookup", answers),
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
    assert.equal(process.gate.quota(account, START_MS).remaining, 0);
    await process.stop();
    assert.deepEqual(await recorded(installation), [
      { month: "2026-11", used: 1_000, leased: 0 },
    ]);
  });

  test("a refusal of many answers says how many this process could still get", async () => {
    await using installation = await installOnPostgresql();
    const key = await issueKey(installation.accounts);
    const [one, other] = await threeProcesses(installation);
    assert.ok(one && other);
    const account = await accountOf(one.gate, key, START_MS);
    await takeTimes(one.gate, account, 1, START_MS);
    const elsewhere = await accountOf(other.gate, key, START_MS);
    const taking = await takeOne(
      other.gate,
      elsewhere,
      START_MS,
      "lookup",
      1_000,
    );
    assert.equal(taking, "used_up");
    const { remaining } = other.gate.quota(elsewhere, START_MS);
    assert.ok(remaining > 0 && remaining < 1_000, `${remaining}`);
  });
});
