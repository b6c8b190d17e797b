import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { suite, test } from "node:test";
import type { Worker } from "node:worker_threads";
import { openAccounts } from "../../src/accounts/accounts.ts";
import { configurePlans } from "../../src/accounts/plans.ts";
import { startService } from "../../src/server/service.ts";
import { issueKey } from "../support/app/accounts-installation.ts";
import {
  NO_POSTGRESQL,
  postgresqlOfFile,
} from "../support/postgresql/postgresql.ts";
import { demoFolder } from "../support/program/demo-folder.ts";
import { until } from "../support/pure/until.ts";
import { serviceOptions } from "../support/app/service-options.ts";

/** As many as make it all but impossible that the system gives all connections to one of two workers. */
const CONNECTIONS = 40;

/** A service with two workers over PostgreSQL, and a key that one request was asked with. */
async function start() {
  await using owned = new AsyncDisposableStack();
  const folder = owned.use(await demoFolder());
  const postgresql = await postgresqlOfFile();
  const configured = configurePlans({
    free: { monthlyQuota: 1_000_000, burstPerSecond: 100_000 },
  });
  assert.ok(configured.outcome === "plans");
  const { plans } = configured;
  const place = await postgresql.makeDatabase();
  const accounts = await openAccounts({
    place,
    plans,
    clock: Date.now,
    random: randomBytes,
    actor: "test",
  });
  const key = await issueKey(accounts);
  await accounts[Symbol.asyncDispose]();
  const threads: Worker[] = [];
  const note = (worker: Worker): void => void threads.push(worker);
  process.on("worker", note);
  owned.defer(() => void process.off("worker", note));
  const started = await startService(
    serviceOptions(folder.path, { database: place, plans, workers: 2 }),
  );
  assert.ok(started.outcome === "started");
  const { service } = started;
  owned.use(service);
  /** The statuses of searches, each on its own connection. */
  const statuses = (times: number): Promise<number[]> =>
    Promise.all(
      Array.from({ length: times }, () =>
        fetch(`http://127.0.0.1:${service.port}/v1/providers/search?limit=1`, {
          headers: { authorization: `Bearer ${key}`, connection: "close" },
        }).then(
          async (answer) => {
            await answer.arrayBuffer();
            return answer.status;
          },
          () => 0,
        ),
      ),
    );
  await until(
    "data to be served",
    async () =>
      (await fetch(`http://127.0.0.1:${service.port}/readyz`)).status === 200,
  );
  const running = owned.move();
  return {
    postgresql,
    statuses,
    threads,
    async [Symbol.asyncDispose]() {
      await postgresql.resume();
      await running.disposeAsync();
    },
  };
}

suite(
  "a key that one worker knows, after PostgreSQL goes away,",
  { skip: NO_POSTGRESQL },
  () => {
    test("keeps working at all workers of the process", async () => {
      await using running = await start();
      const { postgresql, statuses } = running;
      assert.deepEqual(await statuses(1), [200]);
      await postgresql.stop();
      assert.deepEqual(new Set(await statuses(CONNECTIONS)), new Set([200]));
    });

    test("keeps working at a worker that replaces one that died", async () => {
      await using running = await start();
      const { postgresql, statuses, threads } = running;
      assert.deepEqual(await statuses(1), [200]);
      await postgresql.stop();
      for (const thread of threads.slice()) await thread.terminate();
      // Until the new ones listen, connections are refused.
      await until("two new workers", () => threads.length === 4);
      await until("answers", async () => (await statuses(1))[0] !== 0);
      const answered = await statuses(CONNECTIONS);
      assert.ok(answered.includes(200));
      assert.deepEqual(
        answered.filter((status) => status >= 400),
        [],
      );
    });
  },
);
