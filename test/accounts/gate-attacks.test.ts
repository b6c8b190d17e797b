import assert from "node:assert/strict";
import { test } from "node:test";
import {
  START_MS,
  accountOf,
  issueKey,
  suiteOnBoth,
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
});
