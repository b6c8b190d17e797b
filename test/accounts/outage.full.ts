import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { test } from "node:test";
import { openAccounts } from "../../src/accounts/accounts.ts";
import { generateKey } from "../../src/accounts/keys/api-key.ts";
import { openDatabase } from "../../src/accounts/database/open-database.ts";
import { withoutDatabase } from "../../src/accounts/metering/gate-memory.ts";
import { recordUsage } from "../../src/accounts/metering/record-usage.ts";
import type { GateOptions } from "../../src/accounts/metering/thread-gate.ts";
import { configurePlans } from "../../src/accounts/plans.ts";
import {
  accountOf,
  issueKey,
  takeOne,
  verdictOf,
} from "../support/app/accounts-installation.ts";
import { startMetering } from "../support/app/metering-process.ts";
import { atPace } from "../support/pure/pace.ts";
import {
  NO_POSTGRESQL,
  postgresqlOfFile,
} from "../support/postgresql/postgresql.ts";
import { until } from "../support/pure/until.ts";

const skip = NO_POSTGRESQL;
const LIMITLESS = { monthlyQuota: 1_000_000, burstPerSecond: 100_000 };
/** Five seconds of a request each millisecond, and a quarter more. */
const MOST_PREPAID = 6_250;
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
  const heard: string[] = [];
  const metering = await startMetering({
    accounts,
    capacity: { accounts: 10, keys: 10 },
    plans,
    ...options,
    intervalMs: 100,
    onError: () => heard.push("away"),
    onRecovered: () => heard.push("back"),
  });
  const { keeper, memory } = metering;
  let stopped: Promise<void> | null = null;
  const stop = () => (stopped ??= metering[Symbol.asyncDispose]());
  return {
    accounts,
    gate: metering.openGate(),
    heard,
    keeper,
    memory,
    place,
    postgresql,
    stop,
    async [Symbol.asyncDispose]() {
      // The server may be stopped already.
      await stop().catch(() => undefined);
      await owned.disposeAsync();
      await postgresql.resume();
    },
  };
}

test(
  "PostgreSQL stops under load and starts again: keys work on, unknown ones wait, and every answer is counted once",
  { skip },
  async () => {
    await using service = await startProcess();
    const { accounts, gate, heard, keeper, memory, postgresql, stop } = service;
    const known = await issueKey(accounts, "ada@clinic.example", "paid");
    const unused = await issueKey(accounts, "eve@clinic.example", "paid");
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
    assert.equal((await verdictOf(gate, unused, Date.now())).status, "valid");
    assert.deepEqual(
      await verdictOf(gate, generateKey(randomBytes), Date.now()),
      { status: "unavailable", retryAfterSeconds: 5 },
    );
    assert.ok(withoutDatabase(memory).refused >= 1);

    await postgresql.resume();
    await until("the end of the outage", () => heard.length === 2);
    const made = await issueKey(accounts, "eve@clinic.example");
    await until(
      "new keys to be read",
      async () => (await verdictOf(gate, made, Date.now())).status === "valid",
    );
    assert.deepEqual(
      await verdictOf(gate, generateKey(randomBytes), Date.now()),
      {
        status: "unknown",
        reason: "never_issued",
      },
    );
    await load.end();
    await stop();
    assert.deepEqual(refused, []);
    assert.deepEqual(heard, ["away", "back"]);
    // What was prepaid when the server stopped counts as used.
    const { forgotten } = keeper.quota.counts;
    const used = await accounts.usage.thisMonth(1);
    assert.ok(used >= counted + forgotten, `${used} of ${counted}`);
    assert.ok(used <= counted + forgotten + MOST_PREPAID, `${used}`);
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
    const { accounts, gate, keeper, memory, postgresql } = service;
    const key = await issueKey(accounts, "ada@clinic.example");
    const statusAt = async (atMs: number) =>
      (await verdictOf(gate, key, atMs)).status;
    const startMs = Date.now();
    await keeper.readKeys();
    const readMs = Date.now();
    assert.equal(await statusAt(readMs), "valid");
    await postgresql.stop();
    await keeper.readKeys();
    assert.equal(await statusAt(startMs + 10_000), "valid");
    assert.equal(await statusAt(startMs + 59_999), "valid");
    // Keys may have been read once more before it stopped.
    assert.equal(await statusAt(Date.now() + 60_000), "unavailable");
    assert.deepEqual(withoutDatabase(memory), { fromMemory: 2, refused: 1 });
  },
);

test(
  "a batch whose commit got no answer is written once",
  { skip },
  async () => {
    await using service = await startProcess();
    await using db = await openDatabase(service.place);
    const nowMs = Date.now();
    const batch = {
      writer: "a process",
      number: 7,
      uses: [],
      parts: [{ keyId: 9, hour: 0, operation: "nearby", count: 40 }],
    } as const;
    const written = async () => {
      const { used } = await db
        .selectFrom("api_usage_hour")
        .select(({ fn }) => fn.sum<number>("used").as("used"))
        .executeTakeFirstOrThrow();
      return used;
    };
    for (let time = 0; time < 2; time++) {
      await recordUsage(db, batch, nowMs);
      assert.equal(await written(), 40);
    }
    await recordUsage(db, { ...batch, number: 8 }, nowMs);
    assert.equal(await written(), 80);
  },
);

test(
  "a stop while PostgreSQL is away reports what is lost",
  { skip },
  async () => {
    await using service = await startProcess();
    const { accounts, gate, keeper, place, postgresql, stop } = service;
    const key = await issueKey(accounts, "ada@clinic.example");
    const account = await accountOf(gate, key, Date.now());
    await keeper.flusher.flush();
    await postgresql.stop();
    assert.equal(await takeOne(gate, account, Date.now()), "taken");
    await assert.rejects(stop());
    assert.equal(keeper.flusher.state.unwritten, 1);
    await assert.rejects(openDatabase(place), /cannot be reached/);
  },
);
