import assert from "node:assert/strict";
import { test } from "node:test";
import type { Gate, Viewer } from "../../src/accounts/metering/gate.ts";
import { configurePlans } from "../../src/accounts/plans.ts";
import {
  issueKey,
  accountOf,
  START_MS,
  takeTimes,
  suiteOnBoth,
} from "../support/service/accounts-installation.ts";

const ADA = "ada@clinic.example";
const PLAN = {
  name: "free",
  monthlyQuota: 1_000,
  burstPerSecond: 10,
  explorerPages: 100,
};

function view(gate: Gate, viewer: Viewer, times: number): number {
  let viewed = 0;
  for (let time = 0; time < times; time++)
    if (gate.explorer.take(viewer, START_MS)) viewed++;
  return viewed;
}

suiteOnBoth("pages of the explorer", (install) => {
  test("pages and answers are counted separately, by all threads together, and written", async () => {
    await using installation = await install();
    const { accounts } = installation;
    const key = await issueKey(accounts, ADA);
    const process = await installation.startProcess();
    const other = process.openGate();
    const account = await accountOf(process.gate, key, START_MS);
    const viewer = { id: account.id, plan: PLAN };
    assert.equal(process.gate.explorer.month(viewer, START_MS), null);
    assert.equal(process.gate.explorer.take(viewer, START_MS), false);
    process.gate.explorer.begin(viewer.id, 0, START_MS);
    // A second start with another number changes nothing.
    other.explorer.begin(viewer.id, 50, START_MS);
    assert.equal(view(process.gate, viewer, 30), 30);
    assert.equal(view(other, viewer, 30), 30);
    assert.equal(await takeTimes(process.gate, account, 7, START_MS), 7);
    await process.flusher.flush();
    assert.equal((await accounts.usage.thisMonth(viewer.id)).viewed, 60);
    assert.equal((await accounts.usage.thisMonth(viewer.id)).used, 7);
    assert.equal(view(process.gate, viewer, 100), 40);
    assert.equal(other.explorer.month(viewer, START_MS)?.remaining, 0);
    assert.equal(process.flusher.unwritten, 40);
    await process.flusher.flush();
    assert.equal((await accounts.usage.thisMonth(viewer.id)).viewed, 100);
    assert.equal(process.gate.quota(account, START_MS).remaining, 993);
  });

  test("a flush brings in other processes' counts", async () => {
    await using installation = await install();
    const { accounts } = installation;
    await accounts.users.create(ADA);
    const viewer = {
      id: (await accounts.users.find(ADA))?.id ?? 0,
      plan: PLAN,
    };
    const one = await installation.startProcess();
    const two = await installation.startProcess();
    one.gate.explorer.begin(viewer.id, 0, START_MS);
    two.gate.explorer.begin(viewer.id, 0, START_MS);
    for (const { gate } of [one, two])
      gate.explorer.takeBurst(viewer.id, { perSecond: 1, size: 1 }, START_MS);
    assert.equal(view(one.gate, viewer, 60), 60);
    await one.flusher.flush();
    await two.flusher.flush();
    assert.equal(view(two.gate, viewer, 100), 40);
    await two.flusher.flush();
    await one.flusher.flush();
    assert.equal(view(one.gate, viewer, 1), 0);
    assert.equal((await accounts.usage.thisMonth(viewer.id)).viewed, 100);
  });
});

test("a plan's explorer pages default to its quota", () => {
  const configured = configurePlans({
    paid: { monthlyQuota: 50_000 },
    team: { monthlyQuota: 10, burstPerSecond: 1, explorerPages: 99 },
  });
  if (configured.outcome !== "plans") throw new Error(configured.outcome);
  const pages = [...configured.plans.values()].map(
    (plan) => plan.explorerPages,
  );
  assert.deepEqual(pages, [1_000, 50_000, 99]);
  const bad = configurePlans({ free: { explorerPages: 0 } });
  assert.deepEqual(bad, {
    outcome: "invalid",
    problems: [
      'Plan "free": explorerPages must be a whole number from 1 to 10000000000, not 0.',
    ],
  });
});
