import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { test } from "node:test";
import { isDeepStrictEqual } from "node:util";
import { generateKey } from "../../../src/accounts/keys/api-key.ts";
import { BUILT_IN_PLANS, configurePlans } from "../../../src/accounts/plans.ts";
import { openAccounts } from "../../../src/accounts/accounts.ts";
import {
  START_MS,
  accountOf,
  installOver,
  issueKey,
  verdictOf,
} from "../../support/app/accounts-installation.ts";
import { suiteOnBoth } from "../../support/postgresql/on-both.ts";

const ADA = "ada@clinic.example";
const NEVER_ISSUED = { status: "unknown", reason: "never_issued" };

suiteOnBoth("keys at a gate", (install) => {
  test("a valid key gives its account and plan", async () => {
    await using installation = await install();
    const key = await issueKey(installation.accounts, ADA, "paid");
    const { gate } = await installation.startProcess();
    assert.deepEqual(await verdictOf(gate, key, START_MS), {
      status: "valid",
      account: {
        id: 1,
        place: 0,
        keyPlace: 0,
        plan: BUILT_IN_PLANS.get("paid"),
      },
    });
  });

  test("a mistyped key is malformed, and makes no one read the database", async () => {
    await using installation = await install();
    const { gate, keeper } = await installation.startProcess();
    const key = generateKey(randomBytes);
    const typo = `${key.slice(0, -1)}${key.endsWith("a") ? "b" : "a"}`;
    for (const text of ["", "x", typo, `${key} `, "pd_live_", "🗝".repeat(22)])
      assert.deepEqual(await verdictOf(gate, text, START_MS), {
        status: "unknown",
        reason: "malformed",
      });
    assert.equal(keeper.readings, 1, "at the start");
  });

  test("keys of one account give the same account", async () => {
    await using installation = await install();
    const keys = [
      await issueKey(installation.accounts, ADA),
      await issueKey(installation.accounts, ADA),
    ];
    const { gate } = await installation.startProcess();
    const [one, other] = await Promise.all(
      keys.map((key) => accountOf(gate, key, START_MS)),
    );
    assert.equal(one?.id, other?.id);
  });

  test("a key works at once when it is made, even if it was tried before", async () => {
    const bytes = Array.from({ length: 30 }, (_, index) => index);
    await using installation = await install({
      random: (count) => Uint8Array.from(bytes.slice(0, count)),
    });
    const future = generateKey((count) =>
      Uint8Array.from(bytes.slice(0, count)),
    );
    const { gate } = await installation.startProcess();
    assert.deepEqual(await verdictOf(gate, future, START_MS), NEVER_ISSUED);
    const key = await issueKey(installation.accounts);
    assert.equal(key, future);
    assert.equal((await verdictOf(gate, key, START_MS)).status, "valid");
  });

  for (const [change, apply, expected] of [
    ["revocation", "revokeKey", { status: "unknown", reason: "revoked" }],
    ["suspension", "suspend", { status: "suspended" }],
    [
      "a change of plan",
      "setPlan",
      {
        status: "valid",
        account: {
          id: 1,
          place: 0,
          keyPlace: 0,
          plan: BUILT_IN_PLANS.get("paid"),
        },
      },
    ],
    [
      "rotation without overlap",
      "rotateKey",
      { status: "unknown", reason: "revoked" },
    ],
  ] as const) {
    test(`${change} is in force in every gate once changed keys are read`, async () => {
      await using installation = await install();
      const { accounts } = installation;
      const key = await issueKey(accounts, ADA);
      const [here, elsewhere] = [
        await installation.startProcess(),
        await installation.startProcess(),
      ];
      const gates = [here.gate, here.openGate(), elsewhere.gate];
      for (const gate of gates) {
        assert.equal((await verdictOf(gate, key, START_MS)).status, "valid");
      }
      if (apply === "revokeKey") await accounts.keys.revoke(key);
      else if (apply === "suspend") await accounts.users.suspend(ADA);
      else if (apply === "setPlan") await accounts.users.setPlan(ADA, "paid");
      else await accounts.keys.rotate(key, "0");
      await here.hear();
      await elsewhere.hear();
      for (const gate of gates) {
        assert.deepEqual(await verdictOf(gate, key, START_MS), expected);
      }
    });
  }

  test("a resumed account's keys work again", async () => {
    await using installation = await install();
    const { accounts } = installation;
    const key = await issueKey(accounts, ADA);
    const process = await installation.startProcess();
    const { gate } = process;
    await accounts.users.suspend(ADA);
    await process.hear();
    assert.deepEqual(await verdictOf(gate, key, START_MS), {
      status: "suspended",
    });
    await accounts.users.resume(ADA);
    await process.hear();
    assert.equal((await verdictOf(gate, key, START_MS)).status, "valid");
  });

  test("a revoked key of a suspended account is unknown", async () => {
    await using installation = await install();
    const { accounts } = installation;
    const key = await issueKey(accounts, ADA);
    await accounts.users.suspend(ADA);
    await accounts.keys.revoke(key);
    const { gate } = await installation.startProcess();
    assert.equal((await verdictOf(gate, key, START_MS)).status, "unknown");
  });

  test("a rotation's end is exact to the millisecond, also for a cached key", async () => {
    await using installation = await install();
    const { accounts } = installation;
    const key = await issueKey(accounts, ADA);
    await accounts.keys.rotate(key, "1h");
    const { gate } = await installation.startProcess();
    const endMs = START_MS + 3_600_000;
    assert.equal((await verdictOf(gate, key, endMs - 1)).status, "valid");
    assert.equal((await verdictOf(gate, key, endMs)).status, "unknown");
  });

  test("accounts of a plan that is no longer configured get the free plan's limits", async () => {
    const configured = configurePlans({
      research: { monthlyQuota: 10, burstPerSecond: 1 },
    });
    assert.ok(configured.outcome === "plans");
    await using installation = await install({ plans: configured.plans });
    const key = await issueKey(installation.accounts, ADA, "research");
    await using another = await installOver(installation.place);
    const { gate } = await another.startProcess();
    const { plan } = await accountOf(gate, key, START_MS);
    assert.equal(plan.name, "free");
  });

  test("a key's last use is recorded to the second, and never goes back, with several processes too", async () => {
    await using installation = await install();
    const { accounts, clock } = installation;
    const key = await issueKey(accounts, ADA);
    const unused = await issueKey(accounts, ADA);
    const lastUsed = async () => {
      const listed = await accounts.keys.list();
      assert.ok(listed.outcome === "listed");
      return listed.keys.map((record) => record.lastUsedAt);
    };
    const [here, elsewhere] = [
      await installation.startProcess(),
      await installation.startProcess(),
    ];
    assert.equal(unused.length, key.length);
    await verdictOf(here.gate, key, START_MS + 10_700);
    await verdictOf(elsewhere.gate, key, START_MS + 3_200);
    assert.deepEqual(await lastUsed(), [null, null]);
    clock.nowMs += 11_000;
    await here.keeper.flusher.flush();
    assert.deepEqual(await lastUsed(), [START_MS + 10_000, null]);
    await elsewhere.keeper.flusher.flush();
    assert.deepEqual(await lastUsed(), [START_MS + 10_000, null]);
    await verdictOf(here.gate, key, START_MS + 12_000);
    await here.keeper.flusher.flush();
    assert.deepEqual(await lastUsed(), [START_MS + 12_000, null]);
  });

  test("a refused key is not recorded as used", async () => {
    await using installation = await install();
    const { accounts } = installation;
    const key = await issueKey(accounts, ADA);
    await accounts.users.suspend(ADA);
    const { gate, keeper } = await installation.startProcess();
    await verdictOf(gate, key, START_MS);
    await keeper.flusher.flush();
    const listed = await accounts.keys.list();
    assert.ok(listed.outcome === "listed");
    assert.equal(listed.keys[0]?.lastUsedAt, null);
  });

  test("a gate works while another process writes, and after its creator closed the database", async () => {
    await using installation = await install();
    const key = await issueKey(installation.accounts, ADA);
    const { gate } = await installation.startProcess();
    const writer = await openAccounts({
      place: installation.place,
      plans: BUILT_IN_PLANS,
      clock: () => START_MS,
      random: randomBytes,
      actor: "test",
    });
    const writing = issueKey(writer, "eve@clinic.example");
    assert.equal((await verdictOf(gate, key, START_MS)).status, "valid");
    await writing;
    await writer[Symbol.asyncDispose]();
    assert.equal((await verdictOf(gate, key, START_MS)).status, "valid");
  });

  test("a flood of made-up keys makes few readings", async () => {
    await using installation = await install();
    const known = await issueKey(installation.accounts, ADA);
    const { gate, keeper } = await installation.startProcess();
    const verdicts = await Promise.all(
      Array.from({ length: 3_000 }, () =>
        verdictOf(gate, generateKey(randomBytes), START_MS),
      ),
    );
    assert.ok(
      verdicts.every((verdict) => isDeepStrictEqual(verdict, NEVER_ISSUED)),
    );
    assert.ok(keeper.readings < 10, `${keeper.readings}`);
    assert.equal(gate.verify(known, START_MS).status, "valid");
  });

  test("a key that is deleted is unknown, and its place isn't given to another", async () => {
    await using installation = await install();
    const { accounts } = installation;
    const key = await issueKey(accounts, ADA);
    const process = await installation.startProcess();
    const { gate } = process;
    assert.equal(gate.verify(key, START_MS).status, "valid");
    await accounts.users.delete(ADA);
    const other = await issueKey(accounts, "eve@clinic.example");
    await process.hear();
    assert.deepEqual(gate.verify(key, START_MS), NEVER_ISSUED);
    assert.equal(gate.verify(other, START_MS).status, "valid");
  });
});
