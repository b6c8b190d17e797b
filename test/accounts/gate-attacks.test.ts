import assert from "node:assert/strict";
import { test } from "node:test";
import {
  START_MS,
  accountOf,
  issueKey,
  suiteOnBoth,
  takeOne,
  takeTimes,
} from "../support/service/accounts-installation.ts";

const ADA = "ada@clinic.example";

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
});
