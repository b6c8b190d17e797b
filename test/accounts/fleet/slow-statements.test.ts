import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { Client } from "pg";
import type { WhenAway } from "../../../src/accounts/leases/leased-quota.ts";
import { monthAt } from "../../../src/accounts/metering/month.ts";
import type { Gate } from "../../../src/accounts/metering/gate.ts";
import {
  START_MS,
  accountOf,
  installOnPostgresql,
  issueKey,
  takeOne,
  type Installation,
} from "../../support/service/accounts-installation.ts";
import { NO_POSTGRESQL } from "../../support/servers/postgresql.ts";

const ADA = "ada@clinic.example";
const BOB = "bob@clinic.example";

/** Another program's session on the database. */
async function connect({ place }: Installation) {
  assert.ok(place.kind === "postgresql");
  const client = new Client(place.url);
  await client.connect();
  return {
    query: (sql: string, values: readonly unknown[] = []) =>
      client.query<{ pid: number }>(sql, [...values]),
    [Symbol.asyncDispose]: () => client.end(),
  };
}

/** A process whose two accounts are known and have no lease of this month yet. */
async function start(
  installation: Installation,
  pollMs?: number,
  whenAway?: WhenAway,
) {
  const keys = [
    await issueKey(installation.accounts, ADA),
    await issueKey(installation.accounts, BOB),
  ] as const;
  const process = await installation.startProcess(undefined, {
    ...(pollMs === undefined ? {} : { pollMs }),
    ...(whenAway === undefined ? {} : { whenAway }),
  });
  const { gate } = process;
  const [ada, bob] = [
    await accountOf(gate, keys[0], START_MS),
    await accountOf(gate, keys[1], START_MS),
  ];
  return { process, gate, ada, bob };
}

/** What a request gets that waits for its quota once. */
async function takeAfterOneWait(
  gate: Gate,
  account: Parameters<Gate["takeQuota"]>[0],
) {
  const taking = gate.takeQuota(account, START_MS, "lookup");
  if (taking !== "pending") return taking;
  await gate.awaitQuota(account, START_MS);
  return gate.takeQuota(account, START_MS, "lookup");
}

suite("statements that take long", { skip: NO_POSTGRESQL }, () => {
  for (const whenAway of ["strict", "grace"] as const)
    test(`${whenAway}: an account that is locked waits, and others get their answers`, async () => {
      await using installation = await installOnPostgresql();
      const { ada, bob, gate, process } = await start(
        installation,
        1_000,
        whenAway,
      );
      // A lease may be returned at once: the feed lists the new keys as changes.
      assert.equal(await takeOne(gate, ada, START_MS), "taken");
      // What is left is returned.
      await process.broker?.leases.returnAll();
      await using other = await connect(installation);
      await other.query("BEGIN");
      await other.query(
        "UPDATE api_usage SET viewed = viewed WHERE account_id = $1",
        [ada.id],
      );
      const waiting = takeAfterOneWait(gate, ada);
      assert.equal(await takeOne(gate, bob, START_MS), "taken");
      assert.equal(await waiting, "pending", "not counted without a lease");
      assert.equal(await takeOne(gate, bob, START_MS), "taken");
      await other.query("ROLLBACK");
      assert.equal(await takeOne(gate, ada, START_MS), "taken");
    });

  test("usage of an account that is locked is written once it is free, and that of others at once", async () => {
    await using installation = await installOnPostgresql();
    const { ada, bob, gate, process } = await start(installation);
    const { flusher } = process;
    for (const account of [ada, bob]) await takeOne(gate, account, START_MS);
    await using other = await connect(installation);
    const lock = async () => {
      await other.query("BEGIN");
      await other.query(
        "UPDATE api_usage SET viewed = viewed WHERE account_id = $1",
        [ada.id],
      );
    };
    const written = async () => [
      (await usage.thisMonth(ada.id)).used,
      (await usage.thisMonth(bob.id)).used,
    ];
    const { usage } = installation.accounts;
    await lock();
    const { accounts, counted } = await flusher.flush();
    assert.deepEqual({ accounts, counted }, { accounts: 1, counted: 1 });
    assert.deepEqual(await written(), [0, 1]);
    assert.equal(flusher.unwritten, 1);
    for (const account of [ada, bob]) await takeOne(gate, account, START_MS);
    await flusher.flush();
    assert.deepEqual(await written(), [0, 2]);
    await other.query("ROLLBACK");
    await flusher.flush();
    assert.deepEqual(await written(), [2, 2]);

    await lock();
    await takeOne(gate, ada, START_MS);
    const stopped = flusher[Symbol.asyncDispose]();
    await other.query("SELECT pg_sleep(0.5)");
    await other.query("ROLLBACK");
    await stopped;
    assert.deepEqual(await written(), [3, 2]);
  });

  test("a batch whose answer was lost has the accounts that it skipped still to write", async () => {
    await using installation = await installOnPostgresql();
    const { ada, bob } = await start(installation);
    const { usage } = installation.accounts;
    const write = async (number: number) => {
      const deltas = [ada, bob].map(({ id }) => ({
        accountId: id,
        month: monthAt(START_MS).number,
        count: 1,
      }));
      const { totals } = await usage.record(
        { writer: "node", number, deltas, uses: [], parts: [] },
        { nowMs: START_MS, sinceMs: null },
      );
      return totals.map((total) => total?.used ?? null);
    };
    assert.deepEqual(await write(1), [1, 1]);
    await using other = await connect(installation);
    await other.query("BEGIN");
    await other.query(
      "UPDATE api_usage SET viewed = viewed WHERE account_id = $1",
      [ada.id],
    );
    assert.deepEqual(await write(2), [null, 2]);
    await other.query("ROLLBACK");
    assert.deepEqual(await write(2), [null, 2]);
    assert.deepEqual(await write(3), [2, 3]);
  });

  test("a connection that is silent keeps the accounts of its statement waiting, not others", async () => {
    await using installation = await installOnPostgresql();
    const { ada, bob, gate, process } = await start(installation);
    await using other = await connect(installation);
    // The next statement is sent on the connection that was used last.
    await process.broker?.poll();
    const { rows } = await other.query(
      `SELECT pid FROM pg_stat_activity WHERE datname = current_database()
AND query LIKE '%api_key_change change%' AND pid <> pg_backend_pid() ORDER BY state_change DESC LIMIT 1`,
    );
    const pid = rows[0]?.pid ?? NaN;
    globalThis.process.kill(pid, "SIGSTOP");
    try {
      const first = takeOne(gate, ada, START_MS).then(() => "ada");
      // Too late for the same statement.
      await new Promise((resolve) => setTimeout(resolve, 100));
      const second = takeOne(gate, bob, START_MS).then(() => "bob");
      assert.equal(await Promise.race([first, second]), "bob");
      globalThis.process.kill(pid, "SIGCONT");
      assert.equal(await first, "ada");
    } finally {
      globalThis.process.kill(pid, "SIGCONT");
    }
  });
});
