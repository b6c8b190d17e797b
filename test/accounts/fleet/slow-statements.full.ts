import assert from "node:assert/strict";
import { kill } from "node:process";
import { suite, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { Client } from "pg";
import type { AccountHandle } from "../../../src/accounts/metering/gate.ts";
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

/** Another program's session on the database. */
async function connect({ place }: Installation) {
  assert.ok(place.kind === "postgresql");
  const client = new Client(place.url);
  await client.connect();
  return {
    async lock({ id }: AccountHandle) {
      await client.query("BEGIN");
      await client.query(
        "UPDATE api_usage SET updated_at = updated_at WHERE account_id = $1",
        [id],
      );
    },
    async unlock() {
      await client.query("ROLLBACK");
    },
    /** The server's process for the connection that the service used last, and will use next. */
    async lastUsed() {
      const { rows } = await client.query<{ pid: number }>(
        `SELECT pid FROM pg_stat_activity WHERE datname = current_database()
AND query LIKE '%FROM api_key_change%' AND pid <> pg_backend_pid() ORDER BY state_change DESC LIMIT 1`,
      );
      assert.ok(rows[0] !== undefined);
      return rows[0].pid;
    },
    [Symbol.asyncDispose]: () => client.end(),
  };
}

/** A process with two accounts, of which the first has used one answer of this month. */
async function start(installation: Installation, options?: ProcessOptions) {
  const { accounts } = installation;
  const keys = [
    await issueKey(accounts, "ada@clinic.example"),
    await issueKey(accounts, "bob@clinic.example"),
  ] as const;
  const process = await installation.startProcess(undefined, options);
  const { gate, keeper } = process;
  const ada = await accountOf(gate, keys[0], START_MS);
  const bob = await accountOf(gate, keys[1], START_MS);
  assert.equal(await takeOne(gate, ada, START_MS), "taken");
  await keeper.quota.recall(null);
  const used = ({ id }: AccountHandle) => accounts.usage.thisMonth(id);
  return { process, gate, quota: keeper.quota, ada, bob, used };
}

/** Stops the server's process for the connection that a service process uses next. */
async function silence(
  installation: Installation,
  process: ServiceProcess,
): Promise<{ resume(): void } & Disposable> {
  await using other = await connect(installation);
  await process.hear();
  const pid = await other.lastUsed();
  const resume = () => void kill(pid, "SIGCONT");
  kill(pid, "SIGSTOP");
  return { resume, [Symbol.dispose]: resume };
}

suite("statements that take long", { skip: NO_POSTGRESQL }, () => {
  for (const whenAway of ["strict", "grace"] as const)
    test(`${whenAway}: an account that is locked waits with few statements, and others get their answers`, async () => {
      await using installation = await installOnPostgresql();
      const { ada, bob, gate, quota, used } = await start(installation, {
        whenAway,
      });
      await using other = await connect(installation);
      assert.equal(await takeTimes(gate, ada, 10, START_MS), 10);
      await quota.serve();
      assert.ok(quota.left > 0);
      await other.lock(ada);
      const { statements } = quota.counts;
      // Gives back what is left, and waits for more.
      const givingBack = quota.recall(null);
      const waiting = takeOne(gate, ada, START_MS, "batch", 500);
      const startMs = performance.now();
      assert.equal(await takeOne(gate, bob, START_MS), "taken");
      const tookMs = performance.now() - startMs;
      assert.ok(tookMs < 1_000, `${tookMs}`);
      assert.equal(await waiting, "unavailable", "not counted unpaid");
      const sent = quota.counts.statements - statements;
      assert.ok(sent < 60, `${sent} statements`);
      await other.unlock();
      await givingBack;
      assert.equal(await takeOne(gate, ada, START_MS, "batch", 500), "taken");
      await quota.returnAll();
      assert.deepEqual([await used(ada), await used(bob)], [511, 1]);
    });

  test("what is given back while the account is locked is given back completely once it is free, also at a stop", async () => {
    await using installation = await installOnPostgresql();
    const { ada, gate, process, quota, used } = await start(installation);
    await using other = await connect(installation);
    assert.equal(await takeOne(gate, ada, START_MS, "batch", 100), "taken");
    await quota.recall(null);
    await other.lock(ada);
    for (let time = 0; time < 10; time++) {
      gate.giveBack(ada, START_MS, "batch", 4);
      void quota.recall(null);
      await new Promise((resolve) => setImmediate(resolve));
    }
    const stopped = process.stop();
    await sleep(500);
    assert.equal(await used(ada), 101);
    await other.unlock();
    await stopped;
    assert.equal(await used(ada), 61);
  });

  test("a stop waits for a statement that is slow", async () => {
    await using installation = await installOnPostgresql();
    const { ada, gate, process, quota, used } = await start(installation);
    await takeTimes(gate, ada, 10, START_MS);
    await process.keeper.flusher.flush();
    await quota.serve();
    assert.ok(quota.left > 0);
    using silent = await silence(installation, process);
    const stopped = process.stop();
    assert.equal(
      await Promise.race([stopped, sleep(700, "waiting")]),
      "waiting",
    );
    silent.resume();
    await stopped;
    assert.equal(await used(ada), 11);
  });

  test("a connection that is silent keeps the accounts of its statement waiting, not others", async () => {
    await using installation = await installOnPostgresql();
    const { ada, bob, gate, process } = await start(installation);
    using silent = await silence(installation, process);
    const first = takeOne(gate, ada, START_MS).then(() => "ada");
    // Too late for the same statement.
    await sleep(100);
    const second = takeOne(gate, bob, START_MS).then(() => "bob");
    assert.equal(await Promise.race([first, second]), "bob");
    silent.resume();
    assert.equal(await first, "ada");
  });
});
