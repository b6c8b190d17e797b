import assert from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import { test } from "node:test";
import { setImmediate } from "node:timers/promises";
import { Client } from "pg";
import { until } from "../../support/pure/until.ts";
import { NO_POSTGRESQL } from "../../support/postgresql/postgresql.ts";
import {
  START_MS,
  accountOf,
  install as installSqlite,
  issueKey,
  takeOne,
  takeTimes,
} from "../../support/app/accounts-installation.ts";
import {
  installOnPostgresql,
  suiteOnBoth,
} from "../../support/postgresql/on-both.ts";
import { startHttpService } from "../../support/app/http-service.ts";

const ADA = "ada@clinic.example";
const PATH = "/v1/providers/1234567893";

suiteOnBoth("attacks on the gate", (install) => {
  test("a deleted account gets no answers beyond its quota while its key is known, on any process", async () => {
    await using installation = await install();
    const { accounts } = installation;
    const key = await issueKey(accounts, ADA);
    const processes = [
      await installation.startProcess(),
      await installation.startProcess(),
    ];
    let answered = 0;
    for (const { gate } of processes) {
      const account = await accountOf(gate, key, START_MS);
      answered += await takeTimes(gate, account, 490, START_MS);
    }
    await accounts.users.delete(ADA);
    for (const { gate } of processes) {
      const account = await accountOf(gate, key, START_MS);
      answered += await takeTimes(gate, account, 100, START_MS);
    }
    assert.ok(answered <= 1_000, `${answered}`);
  });

  test("what is given back long after it was taken returns to the database at the end", async (context) => {
    await using installation = await install();
    const { accounts } = installation;
    const key = await issueKey(accounts, ADA);
    const served = await installation.startProcess();
    const { gate, keeper } = served;
    const account = await accountOf(gate, key, START_MS);
    const taken = await takeOne(gate, account, START_MS, "export", 400);
    assert.equal(taken, "taken");
    let nowMs = performance.now();
    context.mock.method(performance, "now", () => nowMs);
    for (let minute = 0; minute < 3; minute++) {
      await keeper.quota.sweep();
      nowMs += 60_000;
    }
    context.mock.restoreAll();
    gate.giveBack(account, START_MS, "export", 400);
    await served.stop();
    assert.equal(await accounts.usage.thisMonth(account.id), 0);
  });

  test("a key that was revoked while the process was suspended is refused at the first request", async (context) => {
    await using service = await startHttpService({ install });
    const { installation, paidKey } = service;
    assert.equal((await service.get(PATH)).statusCode, 404);
    await installation.accounts.keys.revoke(paidKey);
    const [second, nanosecond] = process.hrtime();
    context.mock.method(process, "hrtime", () => [second + 3, nanosecond]);
    assert.equal((await service.get(PATH)).statusCode, 401);
  });
});

test("keys are read while other processes keep the file locked", async () => {
  await using installation = await installSqlite();
  const { accounts, place } = installation;
  assert.ok(place.kind === "sqlite");
  const key = await issueKey(accounts, ADA);
  const served = await installation.startProcess();
  const account = await accountOf(served.gate, key, START_MS);
  await takeTimes(served.gate, account, 1, START_MS);
  await accounts.keys.revoke(key);
  using locked = new DatabaseSync(place.file);
  locked.exec("BEGIN IMMEDIATE");
  const { statements } = served.keeper.quota.counts;
  const writing = takeTimes(served.gate, account, 10, START_MS);
  await until(
    "a statement to wait",
    () => served.keeper.quota.counts.statements > statements,
  );
  const startMs = performance.now();
  await served.hear();
  assert.equal(served.gate.verify(key, START_MS).status, "unknown");
  assert.ok(performance.now() - startMs < 2_000);
  locked.exec("COMMIT");
  assert.equal(await writing, 10);
});

test("processes over one file exceed no quota while others keep it locked", async () => {
  await using installation = await installSqlite();
  const { accounts, place } = installation;
  assert.ok(place.kind === "sqlite");
  const key = await issueKey(accounts, ADA);
  const processes = [
    await installation.startProcess(undefined, { pollMs: 1_000 }),
    await installation.startProcess(undefined, { pollMs: 1_000 }),
  ];
  /** Takes as often at once on each; returns how often that was allowed. */
  async function takeOnAll(times: number): Promise<number> {
    const takings = processes.flatMap(({ gate }) =>
      Array.from({ length: times }, async () =>
        takeOne(gate, await accountOf(gate, key, START_MS), START_MS),
      ),
    );
    const all = await Promise.all(takings);
    return all.filter((taking) => taking === "taken").length;
  }
  let answered = await takeOnAll(300);
  using locked = new DatabaseSync(place.file);
  locked.exec("BEGIN IMMEDIATE");
  // Longer than a statement waits for the lock.
  const untilMs = performance.now() + 6_000;
  while (performance.now() < untilMs) {
    answered += await takeOnAll(100);
    await setImmediate();
  }
  locked.exec("COMMIT");
  answered += await takeOnAll(1_000);
  assert.ok(answered <= 1_000, `${answered}`);
});

test(
  "a new key waits while the database hangs, and is not called invalid",
  { skip: NO_POSTGRESQL },
  async () => {
    await using service = await startHttpService({
      install: installOnPostgresql,
    });
    const { installation } = service;
    const { place } = installation;
    assert.ok(place.kind === "postgresql");
    const key = await issueKey(installation.accounts, ADA);
    const headers = { authorization: `Bearer ${key}` };
    const client = new Client({ connectionString: place.url });
    await client.connect();
    try {
      await client.query("BEGIN; LOCK TABLE api_key_change");
      assert.equal((await service.ask({ url: PATH, headers })).statusCode, 503);
    } finally {
      await client.end();
    }
    await service.hear();
    assert.equal((await service.ask({ url: PATH, headers })).statusCode, 404);
  },
);
