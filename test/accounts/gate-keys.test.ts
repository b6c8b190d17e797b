import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { test } from "node:test";
import { isDeepStrictEqual } from "node:util";
import { generateKey } from "../../src/accounts/keys/api-key.ts";
import { KeyVerifier, TRUST_MS } from "../../src/accounts/keys/key-verifier.ts";
import { BUILT_IN_PLANS, configurePlans } from "../../src/accounts/plans.ts";
import { openAccounts } from "../../src/accounts/accounts.ts";
import { openGate } from "../../src/accounts/metering/open-gate.ts";
import { createUsageBuffer } from "../../src/accounts/metering/usage-buffer.ts";
import {
  START_MS,
  accountOf,
  installOnPostgresql,
  issueKey,
  suiteOnBoth,
  verdictOf,
} from "../support/service/accounts-installation.ts";
import { NO_POSTGRESQL } from "../support/servers/postgresql.ts";

const ADA = "ada@clinic.example";
const NEVER_ISSUED = { status: "unknown", reason: "never_issued" };

/** When every change must be in force everywhere. */
const IN_FORCE_MS = 5_000;

test("a mistyped key is refused without a look-up", () => {
  let lookUps = 0;
  const verifier = new KeyVerifier({
    plans: BUILT_IN_PLANS,
    read() {
      lookUps++;
      return null;
    },
    uses: {
      placeOf: () => -1,
      note() {
        assert.fail("nothing was used");
      },
    },
  });
  const key = generateKey(randomBytes);
  const typo = `${key.slice(0, -1)}${key.endsWith("a") ? "b" : "a"}`;
  for (const text of ["", "x", typo, `${key} `, "pd_live_", "🗝".repeat(22)]) {
    assert.deepEqual(verifier.verify(text, START_MS), {
      status: "unknown",
      reason: "malformed",
    });
  }
  assert.equal(lookUps, 0);
  verifier.verify(key, START_MS);
  assert.equal(lookUps, 1);
});

test("a reading is trusted for two seconds, so requests cost no look-ups", () => {
  let lookUps = 0;
  const verifier = new KeyVerifier({
    plans: BUILT_IN_PLANS,
    read() {
      lookUps++;
      return {
        id: 7,
        account_id: 3,
        plan: "free",
        suspended_at: null,
        expires_at: null,
        revoked_at: null,
      };
    },
    uses: { placeOf: () => -1, note() {} },
  });
  const key = generateKey(randomBytes);
  for (let ms = 0; ms < TRUST_MS; ms++) verifier.verify(key, START_MS + ms);
  assert.equal(lookUps, 1);
  verifier.verify(key, START_MS + TRUST_MS);
  assert.equal(lookUps, 2);
  verifier.verify(key, START_MS - 1);
  assert.equal(lookUps, 3, "a clock set back is no reason for trust");
});

test("a flood of made-up keys takes a bounded part of memory, and leaves keys in use there", () => {
  const known = generateKey(randomBytes);
  const lookUps = new Map<string, number>();
  let knownHash = "";
  const verifier = new KeyVerifier({
    plans: BUILT_IN_PLANS,
    read(hash) {
      knownHash ||= hash;
      lookUps.set(hash, (lookUps.get(hash) ?? 0) + 1);
      if (hash !== knownHash) return null;
      return {
        id: 7,
        account_id: 3,
        plan: "free",
        suspended_at: null,
        expires_at: null,
        revoked_at: null,
      };
    },
    uses: { placeOf: () => -1, note() {} },
  });
  verifier.verify(known, START_MS);
  const first = generateKey(randomBytes);
  for (let time = 0; time < 3; time++) {
    assert.deepEqual(verifier.verify(first, START_MS), NEVER_ISSUED);
  }
  assert.equal(lookUps.size, 2);
  for (let flood = 0; flood < 20_000; flood++) {
    verifier.verify(generateKey(randomBytes), START_MS);
  }
  assert.equal(verifier.verify(known, START_MS).status, "valid");
  assert.equal(lookUps.get(knownHash), 1);
  const before = [...lookUps.values()].reduce((sum, count) => sum + count, 0);
  verifier.verify(first, START_MS);
  const after = [...lookUps.values()].reduce((sum, count) => sum + count, 0);
  assert.equal(after, before + 1, "the flood's first key has been forgotten");
});

suiteOnBoth("keys at a gate", (install) => {
  test("a valid key gives its account and plan", async () => {
    await using installation = await install();
    const key = await issueKey(installation.accounts, ADA, "paid");
    const { gate } = await installation.startProcess();
    assert.deepEqual(await verdictOf(gate, key, START_MS), {
      status: "valid",
      account: { id: 1, keyPlace: 0, plan: BUILT_IN_PLANS.get("paid") },
    });
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

  test("a key works within five seconds of its creation, even if it was tried before", async () => {
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
    assert.equal(
      (await verdictOf(gate, key, START_MS + IN_FORCE_MS)).status,
      "valid",
    );
  });

  for (const [change, apply, expected] of [
    ["revocation", "revokeKey", { status: "unknown", reason: "revoked" }],
    ["suspension", "suspend", { status: "suspended" }],
    [
      "a change of plan",
      "setPlan",
      {
        status: "valid",
        account: { id: 1, keyPlace: 0, plan: BUILT_IN_PLANS.get("paid") },
      },
    ],
    [
      "rotation without overlap",
      "rotateKey",
      { status: "unknown", reason: "revoked" },
    ],
  ] as const) {
    test(`${change} is in force in every gate within five seconds`, async () => {
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
        assert.deepEqual(
          await verdictOf(gate, key, START_MS + IN_FORCE_MS),
          expected,
        );
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
    assert.equal(
      (await verdictOf(gate, key, START_MS + IN_FORCE_MS)).status,
      "valid",
    );
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
    const { broker } = await installation.startProcess();
    using gate = openGate({
      place: installation.place,
      plans: BUILT_IN_PLANS,
      usage: createUsageBuffer({ accounts: 10, keys: 10 }),
      broker: broker?.connect() ?? null,
    });
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
    await here.flusher.flush();
    assert.deepEqual(await lastUsed(), [START_MS + 10_000, null]);
    await elsewhere.flusher.flush();
    assert.deepEqual(await lastUsed(), [START_MS + 10_000, null]);
    await verdictOf(here.gate, key, START_MS + 12_000);
    await here.flusher.flush();
    assert.deepEqual(await lastUsed(), [START_MS + 12_000, null]);
  });

  test("a refused key is not recorded as used", async () => {
    await using installation = await install();
    const { accounts } = installation;
    const key = await issueKey(accounts, ADA);
    await accounts.users.suspend(ADA);
    const { gate, flusher } = await installation.startProcess();
    await verdictOf(gate, key, START_MS);
    await flusher.flush();
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
    assert.equal(
      (await verdictOf(gate, key, START_MS + IN_FORCE_MS)).status,
      "valid",
    );
  });
});

test(
  "a known key never waits for PostgreSQL, and its revocation is in force once the feed is read",
  { skip: NO_POSTGRESQL },
  async () => {
    await using installation = await installOnPostgresql();
    const { accounts } = installation;
    const key = await issueKey(accounts, ADA);
    const process = await installation.startProcess();
    const { gate } = process;
    assert.equal((await verdictOf(gate, key, START_MS)).status, "valid");
    await accounts.keys.revoke(key);
    for (let ms = 0; ms < IN_FORCE_MS; ms += 100)
      assert.equal(gate.verify(key, START_MS + ms).status, "valid");
    await process.hear();
    assert.deepEqual(gate.verify(key, START_MS), {
      status: "unknown",
      reason: "revoked",
    });
  },
);

test(
  "a flood of made-up keys is read in batches",
  { skip: NO_POSTGRESQL },
  async () => {
    await using installation = await installOnPostgresql();
    const known = await issueKey(installation.accounts, ADA);
    const { gate } = await installation.startProcess();
    const verdicts = await Promise.all(
      Array.from({ length: 3_000 }, () =>
        verdictOf(gate, generateKey(randomBytes), START_MS),
      ),
    );
    assert.ok(
      verdicts.every((verdict) => isDeepStrictEqual(verdict, NEVER_ISSUED)),
    );
    assert.equal((await verdictOf(gate, known, START_MS)).status, "valid");
  },
);
