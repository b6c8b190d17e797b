import assert from "node:assert/strict";
import { test } from "node:test";
import { openAccounts } from "../../src/accounts/accounts.ts";
import { configurePlans } from "../../src/accounts/plans.ts";
import { START_MS, issueKey } from "../support/app/accounts-installation.ts";
import { suiteOnBoth } from "../support/postgresql/on-both.ts";

suiteOnBoth("accounts", (install) => {
  test("an address gets one account, however it is written", async () => {
    await using installation = await install();
    const { accounts } = installation;
    const made = await accounts.users.create("Ada@Clinic.example");
    assert.deepEqual(made, {
      outcome: "created",
      account: {
        id: 1,
        email: "ada@clinic.example",
        plan: "free",
        createdAt: START_MS,
        suspendedAt: null,
        userId: null,
      },
    });
    const again = await accounts.users.create(" ada@CLINIC.example ", "paid");
    assert.equal(again.outcome, "exists");
    assert.ok(again.outcome === "exists");
    assert.equal(again.account.plan, "free", "its plan is left as it is");
    assert.deepEqual(
      await accounts.users.find("ADA@clinic.example"),
      again.account,
    );
  });

  test("concurrent requests create one account", async () => {
    await using installation = await install();
    const { accounts: other } = await installation.startProcess();
    const both = await Promise.all([
      installation.accounts.users.create("ada@clinic.example"),
      other.users.create("ada@clinic.example"),
    ]);
    assert.deepEqual(both.map(({ outcome }) => outcome).sort(), [
      "created",
      "exists",
    ]);
  });

  test("two connections of one thread wait for each other's transactions", async () => {
    await using installation = await install();
    const { accounts: other } = await installation.startProcess();
    await other.users.create("ada@clinic.example");
    const made = await Promise.all(
      [installation.accounts, other, installation.accounts, other].map(
        (accounts) => accounts.keys.create("ada@clinic.example"),
      ),
    );
    assert.deepEqual(
      made.map(({ outcome }) => outcome),
      ["created", "created", "created", "created"],
    );
  });

  test("an invalid address or an unknown plan creates no account", async () => {
    await using installation = await install();
    const { accounts } = installation;
    assert.deepEqual(await accounts.users.create("ada"), {
      outcome: "invalid_email",
    });
    assert.deepEqual(await accounts.users.create("ada@b.example", "gold"), {
      outcome: "unknown_plan",
      known: ["free", "paid"],
    });
    assert.equal(await accounts.users.find("ada@b.example"), null);
    assert.equal(await accounts.users.find("ada"), null);
  });

  test("an account's plan and suspension can be changed", async () => {
    await using installation = await install();
    const { accounts, clock } = installation;
    await accounts.users.create("ada@clinic.example");
    const account = async () => accounts.users.find("ada@clinic.example");

    assert.equal(
      (await accounts.users.setPlan("ada@clinic.example", "paid")).outcome,
      "changed",
    );
    assert.equal((await account())?.plan, "paid");
    assert.equal(
      (await accounts.users.setPlan("ada@clinic.example", "gold")).outcome,
      "unknown_plan",
    );
    clock.nowMs += 5_000;
    await accounts.users.suspend("Ada@clinic.example");
    assert.equal((await account())?.suspendedAt, START_MS + 5_000);
    await accounts.users.resume("ada@clinic.example");
    assert.equal((await account())?.suspendedAt, null);
  });

  test("changing a missing account is reported", async () => {
    await using installation = await install();
    const { accounts } = installation;
    for (const email of ["unknown@clinic.example", "nonsense"]) {
      const noAccount = { outcome: "no_account" };
      assert.deepEqual(await accounts.users.setPlan(email, "paid"), noAccount);
      assert.deepEqual(await accounts.users.suspend(email), noAccount);
      assert.deepEqual(await accounts.users.resume(email), noAccount);
      assert.deepEqual(await accounts.keys.create(email), noAccount);
      assert.deepEqual(await accounts.keys.list({ email }), noAccount);
    }
  });

  test("plans in use that are no longer configured are listed", async () => {
    const configured = configurePlans({
      research: { monthlyQuota: 10, burstPerSecond: 1 },
    });
    assert.ok(configured.outcome === "plans");
    await using installation = await install({ plans: configured.plans });
    await issueKey(installation.accounts, "ada@clinic.example", "research");
    await issueKey(installation.accounts, "eve@clinic.example");
    assert.deepEqual(await installation.accounts.unconfiguredPlans(), []);
    const builtIn = configurePlans({});
    assert.ok(builtIn.outcome === "plans");
    await using later = await openAccounts({
      place: installation.place,
      plans: builtIn.plans,
      clock: () => START_MS,
      random: () => new Uint8Array(30),
      actor: "test",
    });
    assert.deepEqual(await later.unconfiguredPlans(), ["research"]);
  });
});
