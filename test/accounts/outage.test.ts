import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { test } from "node:test";
import { openAccounts } from "../../src/accounts/accounts.ts";
import { generateKey } from "../../src/accounts/keys/api-key.ts";
import { withoutDatabase } from "../../src/accounts/metering/usage-buffer.ts";
import { openDatabase } from "../../src/accounts/database/open-database.ts";
import type { GateOptions } from "../../src/accounts/metering/open-gate.ts";
import { configurePlans } from "../../src/accounts/plans.ts";
import { createUsageBuffer } from "../../src/accounts/metering/usage-buffer.ts";
import {
  issueKey,
  takeOne,
  verdictOf,
} from "../support/service/accounts-installation.ts";
import { startMetering } from "../support/service/metering-process.ts";
import { atPace } from "../support/program/pace.ts";
import {
  NO_POSTGRESQL,
  postgresqlOfFile,
} from "../support/servers/postgresql.ts";
import { until } from "../support/program/program.ts";

const skip = NO_POSTGRESQL;
const LIMITLESS = { monthlyQuota: 1_000_000, burstPerSecond: 100_000 };
const SMALL = { monthlyQuota: 1_000, burstPerSecond: 50 };

/** The parts of a service process, on the real clock and a PostgreSQL server that can be stopped. */
async function startProcess(
  options: Pick<GateOptions, "graceMs" | "whenAway"> = {},
) {
  const owned = new AsyncDisposableStack();
  const postgresql = await postgresqlOfFile();
  const place = await postgresql.makeDatabase();
  const configured = configurePlans({ paid: LIMITLESS, free: SMALL });
  assert.ok(configured.outcome === "plans");
  const { plans } = configured;
  const accounts = owned.use(
    await openAccounts({
      place,
      plans,
      clock: Date.now,
      random: randomBytes,
      actor: "test",
    }),
  );
  const usage = createUsageBuffer({ accounts: 10, keys: 10 });
  const heard: string[] = [];
  const metering = await startMetering({
    accounts,
    place,
    plans,
    usage,
    ...options,
    clock: Date.now,
    intervalMs: 100,
    onError: () => heard.push("away"),
    onRecovered: () => heard.push("back"),
  });
  const { flusher } = metering;
  const gate = owned.use(metering.openGate());
  return {
    accounts,
    flusher,
    gate,
    heard,
    place,
    postgresql,
    usage,
    async [Symbol.asyncDispose]() {
      // The server may be stopped already.
      await metering[Symbol.asyncDispose]().catch(() => undefined);
      await owned.disposeAsync();
      await postgresql.resume();
    },
  };
}

test(
  "PostgreSQL stops under load and starts again: known keys work on, unknown ones wait, and every answer is counted once",
  { skip },
  async () => {
    await using service = await startProcess();
    const { accounts, flusher, gate, heard, postgresql, usage } = service;
    const known = await issueKey(accounts, "ada@clinic.example", "paid");
    const unknown = await issueKey(accounts, "eve@clinic.example", "paid");
    let counted = 0;
    const refused: string[] = [];
    await using load = atPace(1, async () => {
      const verdict = await verdictOf(gate, known, Date.now());
      if (verdict.status !== "valid") refused.push(verdict.status);
      else {
        const { account } = verdict;
        const taking = await takeOne(gate, account, Date.now(), "search");
        if (taking === "taken") counted++;
      }
    });
    await until("load", () => counted > 100);

    await postgresql.stop();
    await until("the outage to be noticed", () => heard.length === 1);
    const before = counted;
    await until("answers from memory", () => counted > before + 300);
    for (const key of [unknown, generateKey(randomBytes)])
      assert.deepEqual(await verdictOf(gate, key, Date.now()), {
        status: "unavailable",
        retryAfterSeconds: 5,
      });
    assert.ok(withoutDatabase(usage).refused >= 2);

    await postgresql.resume();
    await until("the end of the outage", () => heard.length === 2);
    await until(
      "unknown keys to be read",
      async () =>
        (await verdictOf(gate, unknown, Date.now())).status === "valid",
    );
    assert.deepEqual(
      await verdictOf(gate, generateKey(randomBytes), Date.now()),
      {
        status: "unknown",
        reason: "never_issued",
      },
    );
    await load.end();
    await flusher[Symbol.asyncDispose]();
    assert.deepEqual(refused, []);
    assert.deepEqual(heard, ["away", "back"]);
    assert.equal((await accounts.usage.thisMonth(1)).used, counted);
    const listed = await accounts.keys.list({ email: "ada@clinic.example" });
    assert.ok(listed.outcome === "listed");
    assert.equal(listed.keys[0]?.usedThisMonth, counted);
  },
);

test(
  "while PostgreSQL is away, known keys work for the grace period, then wait too",
  { skip },
  async () => {
    await using service = await startProcess({ graceMs: 60_000 });
    const { accounts, gate, postgresql, usage } = service;
    const key = await issueKey(accounts, "ada@clinic.example");
    const startMs = Date.now();
    const statusAfter = async (ms: number) =>
      (await verdictOf(gate, key, startMs + ms)).status;
    assert.equal(await statusAfter(0), "valid");
    await postgresql.stop();
    assert.equal(await statusAfter(10_000), "valid");
    assert.equal(await statusAfter(59_999), "valid");
    assert.equal(await statusAfter(60_000), "unavailable");
    assert.deepEqual(withoutDatabase(usage), { fromMemory: 2, refused: 1 });
  },
);

test(
  "a batch whose commit got no answer is written once",
  { skip },
  async () => {
    await using service = await startProcess();
    const { accounts, flusher } = service;
    await flusher[Symbol.asyncDispose]();
    const nowMs = Date.now();
    const batch = {
      writer: "a process",
      number: 7,
      deltas: [{ accountId: 3, month: 2026 * 12 + 10, count: 40 }],
      uses: [],
      parts: [{ keyId: 9, hour: 0, operation: "nearby", count: 40 }],
    } as const;
    const times = { nowMs, sinceMs: nowMs };
    const first = await accounts.usage.record(batch, times);
    const again = await accounts.usage.record(batch, times);
    assert.deepEqual(first.totals, [
      { ...again.totals[0], leasedElsewhere: 0 },
    ]);
    assert.equal(again.totals[0]?.used, 40);
    const more = await accounts.usage.record({ ...batch, number: 8 }, times);
    assert.equal(more.totals[0]?.used, 80);
  },
);

test(
  "a stop while PostgreSQL is away reports what is lost",
  { skip },
  async () => {
    await using service = await startProcess();
    const { accounts, flusher, gate, place, postgresql } = service;
    const key = await issueKey(accounts, "ada@clinic.example");
    const verdict = await verdictOf(gate, key, Date.now());
    assert.ok(verdict.status === "valid");
    await flusher.flush();
    await postgresql.stop();
    assert.equal(await takeOne(gate, verdict.account, Date.now()), "taken");
    await assert.rejects(async () => flusher[Symbol.asyncDispose]());
    assert.equal(flusher.unwritten, 1);
    await assert.rejects(openDatabase(place), /cannot be reached/);
  },
);

for (const whenAway of ["strict", "grace"] as const)
  test(
    `${whenAway}: while PostgreSQL is away, ${
      whenAway === "strict"
        ? "an account gets what is leased, and the rest of its quota afterwards"
        : "an account gets what was left of its quota"
    }`,
    { skip },
    async () => {
      await using service = await startProcess({ whenAway });
      const { accounts, flusher, gate, heard, postgresql } = service;
      const key = await issueKey(accounts, "ada@clinic.example");
      let counted = 0;
      /** Takes until nothing more is given, and returns why not. */
      async function takeAll(): Promise<string> {
        for (;;) {
          const verdict = await verdictOf(gate, key, Date.now());
          assert.ok(verdict.status === "valid");
          const taking = await takeOne(gate, verdict.account, Date.now());
          if (taking !== "taken") return taking;
          counted++;
          // A turn of the event loop, in which answers of the broker arrive.
          await new Promise((resolve) => setImmediate(resolve));
        }
      }
      const verdict = await verdictOf(gate, key, Date.now());
      assert.ok(verdict.status === "valid");
      while (counted < 100)
        if ((await takeOne(gate, verdict.account, Date.now())) === "taken")
          counted++;
      await postgresql.stop();
      const reason = await takeAll();
      if (whenAway === "grace") {
        assert.equal(reason, "used_up");
        assert.equal(counted, SMALL.monthlyQuota);
      } else {
        assert.equal(reason, "unavailable");
        assert.ok(counted < SMALL.monthlyQuota);
      }
      await until("the outage to be noticed", () => heard.length > 0);
      await postgresql.resume();
      await until("the rest of the quota", async () => {
        await takeAll();
        return counted === SMALL.monthlyQuota;
      });
      await until("usage to be written", () =>
        flusher.flush().then(
          () => true,
          () => false,
        ),
      );
      assert.equal(await takeAll(), "used_up");
      assert.equal(counted, SMALL.monthlyQuota);
      assert.equal((await accounts.usage.thisMonth(1)).used, counted);
    },
  );
