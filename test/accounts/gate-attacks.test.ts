import assert from "node:assert/strict";
import { test } from "node:test";
import { Client } from "pg";
import { NO_POSTGRESQL } from "../support/servers/postgresql.ts";
import {
  START_MS,
  accountOf,
  installOnPostgresql,
  issueKey,
  suiteOnBoth,
  takeOne,
  takeTimes,
} from "../support/service/accounts-installation.ts";
import { startHttpService } from "../support/service/http-service.ts";

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
    const { gate, keeper, stop } = await installation.startProcess();
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
    await stop();
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
