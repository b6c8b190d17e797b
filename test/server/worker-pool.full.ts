import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { mock, suite, test } from "node:test";
import { Worker } from "node:worker_threads";
import pino from "pino";
import { openAccounts } from "../../src/accounts/accounts.ts";
import { createWorkbookMemory } from "../../src/http/exports/workbook/workbook-places.ts";
import { createIpRateLimiterMemory } from "../../src/http/limits/ip-rate-limiter.ts";
import { createExpectedMemory } from "../../src/server/expected-snapshots.ts";
import { createReadinessMemory } from "../../src/server/readiness.ts";
import { releaseOldSnapshot } from "../../src/server/workers/worker-context.ts";
import type {
  SnapshotToServe,
  ToWorker,
} from "../../src/server/workers/messages.ts";
import { WorkerPool } from "../../src/server/workers/worker-pool.ts";
import { readUpdatedDaysInBackground } from "../../src/snapshot/postings/updated-days.ts";
import { Snapshot } from "../../src/snapshot/snapshot.ts";
import { createKey } from "../support/program/create-key.ts";
import { until } from "../support/pure/until.ts";
import type { RawRow } from "../support/pure/registry/raw-row.ts";
import {
  people,
  person,
  SmallRegistry,
} from "../support/pure/registry/small-registry.ts";
import { startMetering } from "../support/app/metering-process.ts";
import { serviceSettings } from "../support/app/service-settings.ts";

const HOUR_MS = 3_600_000;
/** Providers whose export doesn't fit in the buffers of a connection. */
const MANY = 20_000;
const LONG = "LONG ".repeat(100);

/** A pool of one worker, what it is sent, three snapshots, and a client. */
async function startPool(
  weeks: readonly RawRow[][] = [people(1), people(2), people(3)],
) {
  await using owned = new AsyncDisposableStack();
  const registry = owned.use(new SmallRegistry());
  for (const [index, rows] of weeks.entries())
    await registry.import(
      `npidata_pfile_2026010${index + 1}-2026010${index + 1}.csv`,
      rows,
    );
  const { store } = registry;
  const snapshots = store
    .ids()
    .toReversed()
    .map((id) => ({ id, toServe: toServe(registry, id) }));
  const [first, second, third] = snapshots;
  assert.ok(first && second && third);

  /** Called with each message to a worker; what it returns false for is held back. */
  const watching = { see: (_message: ToWorker): boolean => true };
  let worker: Worker | null = null;
  // oxlint-disable-next-line typescript/unbound-method -- called with the worker
  const post = Worker.prototype.postMessage;
  const posted = mock.method(
    Worker.prototype,
    "postMessage",
    function (this: Worker, ...args: Parameters<typeof post>) {
      // oxlint-disable-next-line typescript/no-this-alias -- the worker that the pool made
      worker = this;
      if (watching.see(args[0])) post.apply(this, args);
    },
  );
  owned.defer(() => posted.mock.restore());
  const key = await createKey(store.dataDir);
  const settings = serviceSettings(store.dataDir);
  const accounts = owned.use(
    await openAccounts({
      place: settings.database,
      plans: settings.plans,
      clock: Date.now,
      random: randomBytes,
      actor: "test",
    }),
  );
  const metering = owned.use(
    await startMetering({
      accounts,
      plans: settings.plans,
      onError(error) {
        throw error;
      },
    }),
  );
  const pool = new WorkerPool({
    setup: {
      settings,
      source: { process: "test", node: "test", version: "0" },
      address: "127.0.0.1",
      tagSecret: randomBytes(32),
      gate: metering.memory,
      readiness: createReadinessMemory(),
      expected: createExpectedMemory(),
      ipRateLimiter: createIpRateLimiterMemory("salt"),
      registryVisitors: createIpRateLimiterMemory("salt"),
      workbooks: createWorkbookMemory(),
      fileDays: null,
    },
    answers: null,
    logger: pino({ level: "silent" }),
    writeLog: () => undefined,
    show: () => undefined,
    clock: Date.now,
  });
  owned.defer(() => pool.drain(0));
  await pool.started();
  const listening = await pool.listen(0);
  assert.ok(listening.outcome === "listening");
  const url = `http://127.0.0.1:${listening.port}/v1/providers/search?state=IL`;
  const running = owned.move();
  return {
    pool,
    first,
    second,
    third,
    watching,
    post: (message: ToWorker) => worker && post.call(worker, message),
    kill: () => worker?.terminate(),
    /** Starts an export from a snapshot, over a connection that reads nothing by itself. */
    beginExport: async (snapshot: string): Promise<Socket> => {
      const client = connect(listening.port, "127.0.0.1");
      client.on("error", () => undefined);
      client.write(
        `GET /v1/providers/export?snapshot=${snapshot} HTTP/1.1\r\nHost: directory.example\r\nConnection: close\r\nAuthorization: Bearer ${key}\r\n\r\n`,
      );
      await once(client, "readable");
      return client;
    },
    /** The status of an answer from a snapshot; 0 while nothing listens. */
    status: (snapshot: string) =>
      fetch(`${url}&snapshot=${snapshot}`, {
        headers: { authorization: `Bearer ${key}`, connection: "close" },
      }).then(
        ({ status }) => status,
        () => 0,
      ),
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  };
}

function toServe({ store }: SmallRegistry, id: string): SnapshotToServe {
  const file = store.share(id);
  using snapshot = new Snapshot(file);
  const { count } = snapshot;
  const { column: updated } = readUpdatedDaysInBackground(file.bytes, count);
  return { file, detailsPath: store.detailsPathOf(id), updated };
}

suite("a worker that replaces one that died", () => {
  for (const [what, statuses] of [
    ["released", [412, 200, 412]],
    ["replaced", [412, 200, 200]],
  ] as const)
    test(`has the same snapshots as other workers when one is ${what} while it opens them`, async () => {
      await using running = await startPool();
      const { first, pool, second, status, third, watching } = running;
      await pool.open(first.toServe, HOUR_MS);
      await pool.open(second.toServe, HOUR_MS);
      assert.equal(await status(first.id), 200);
      let opened = 0;
      watching.see = (message) => {
        if (message.kind === "open" && ++opened === 1)
          queueMicrotask(() => {
            if (what === "released") void pool.releasePrevious();
            else void pool.open(third.toServe, HOUR_MS);
          });
        return true;
      };
      await running.kill();
      await until(
        "the replacement",
        async () => (await status(second.id)) === 200,
      );
      assert.deepEqual(
        [
          await status(first.id),
          await status(second.id),
          await status(third.id),
        ],
        statuses,
      );
    });
});

test("a snapshot is released when all workers have released it", async () => {
  await using running = await startPool();
  const { first, pool, post, second, watching } = running;
  await pool.open(first.toServe, HOUR_MS);
  await pool.open(second.toServe, HOUR_MS);
  const held = Promise.withResolvers<() => void>();
  watching.see = (message) => {
    if (message.kind !== "release_previous") return true;
    held.resolve(() => void post(message));
    return false;
  };
  let isReleased = false;
  const released = pool.releasePrevious().then(() => (isReleased = true));
  const release = await held.promise;
  // The supervisor itself takes this long.
  await releaseOldSnapshot();
  await releaseOldSnapshot();
  assert.equal(isReleased, false);
  release();
  await released;
});

test("exports go on with their snapshot over swaps, and are cut when it is released", async () => {
  const weeks = ["FIRST", "SECOND", "THIRD"].map((first) =>
    Array.from({ length: MANY }, (_, number) =>
      person(number, { first, address1: LONG }),
    ),
  );
  await using running = await startPool(weeks);
  const { beginExport, first, pool, second, third } = running;
  await pool.open(first.toServe, HOUR_MS);
  const whole = await beginExport(first.id);
  const cut = await beginExport(first.id);
  await pool.open(second.toServe, HOUR_MS);
  const pinned = await beginExport(first.id);
  const next = await beginExport(second.id);
  assertWhole(await restOf(whole), "FIRST");

  await pool.releasePrevious();
  for (const client of [cut, pinned])
    await assert.rejects(restOf(client), { code: "ECONNRESET" });

  // They go on even if no previous snapshot is kept.
  await pool.open(third.toServe, 0);
  const last = await beginExport(third.id);
  const [nextText, lastText] = await Promise.all([restOf(next), restOf(last)]);
  assertWhole(nextText, "SECOND");
  assertWhole(lastText, "THIRD");
});

/** Holds an export to be complete, and all from one week. */
function assertWhole(text: string, first: string): void {
  assert.ok(text.endsWith("\r\n0\r\n\r\n"));
  const names = text.match(/"first":"[A-Z]+"/g) ?? [];
  assert.equal(names.length, MANY);
  assert.deepEqual(new Set(names), new Set([`"first":"${first}"`]));
}

async function restOf(client: Socket): Promise<string> {
  const pieces: Buffer[] = [];
  for await (const piece of client) {
    assert.ok(piece instanceof Buffer);
    pieces.push(piece);
  }
  return Buffer.concat(pieces).toString();
}
