import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { after, suite, test } from "node:test";
import { sql } from "kysely";
import { openAccounts, type Accounts } from "../../../src/accounts/accounts.ts";
import { generateKey, hashKey } from "../../../src/accounts/keys/api-key.ts";
import { RemoteKeys } from "../../../src/accounts/keys/remote-keys.ts";
import { createUsageBuffer } from "../../../src/accounts/metering/usage-buffer.ts";
import { BUILT_IN_PLANS } from "../../../src/accounts/plans.ts";
import { openDatabase } from "../../../src/accounts/database/open-database.ts";
import {
  NO_POSTGRESQL,
  postgresqlOfFile,
} from "../../support/servers/postgresql.ts";
import {
  issueKey,
  verdictOf,
} from "../../support/service/accounts-installation.ts";
import { startMetering } from "../../support/service/metering-process.ts";

const MINUTE_MS = 60_000;
const AWAY = "postgres://postgres@127.0.0.1:1/none";

let servers: ReturnType<typeof startServers> | null = null;

async function startServers() {
  const primary = await postgresqlOfFile();
  return { primary, standby: await primary.startStandby() };
}

after(async () => {
  await (await servers)?.standby[Symbol.asyncDispose]();
});

/** Accounts on a primary with a standby, where a node was last seen some time ago. */
async function withReplica({ seenMsAgo = 0 } = {}) {
  const { primary, standby } = await (servers ??= startServers());
  const place = await primary.makeDatabase();
  const accounts = await openAccounts({
    place,
    plans: BUILT_IN_PLANS,
    clock: Date.now,
    random: randomBytes,
    actor: "test",
  });
  await using db = await openDatabase(place);
  const seenAt = Date.now() - seenMsAgo;
  await db
    .insertInto("fleet_node")
    .values({
      process: "a process",
      name: "a node",
      version: "1.0.0",
      started_at: seenAt,
      seen_at: seenAt,
    })
    .execute();
  return {
    accounts,
    place,
    readUrl: standby.sameOn(place).url,
    standby,
    async [Symbol.asyncDispose]() {
      await standby.pauseReplay(false);
      await accounts[Symbol.asyncDispose]();
    },
  };
}

/** What is read about a key: whether it is in force, or not there. */
async function stateOf(keys: RemoteKeys, key: string): Promise<string> {
  const [read] = await keys.read([hashKey(key)], Date.now());
  if (read === undefined || read.found === null) return "unknown";
  return read.found.row.revoked_at === null ? "active" : "revoked";
}

async function revoke(accounts: Accounts, key: string): Promise<void> {
  const { outcome } = await accounts.keys.revoke(key.slice(0, 12));
  assert.equal(outcome, "revoked");
}

suite("DATABASE_READ_URL", { skip: NO_POSTGRESQL }, () => {
  test("a key that was not read before is read from the replica, even if the primary is away", async () => {
    await using replicated = await withReplica();
    const { accounts, readUrl, standby } = replicated;
    const key = await issueKey(accounts, "ada@clinic.example");
    await standby.catchUp();
    using keys = new RemoteKeys({ kind: "postgresql", url: AWAY, readUrl });
    assert.equal(await stateOf(keys, key), "active");
    // The primary may have it: it is not refused.
    await assert.rejects(
      stateOf(keys, generateKey(randomBytes)),
      /cannot be reached/,
    );
  });

  test("a key that the replica doesn't have yet is found", async () => {
    await using replicated = await withReplica();
    const { accounts, place, readUrl, standby } = replicated;
    await standby.catchUp();
    await standby.pauseReplay(true);
    const key = await issueKey(accounts, "ada@clinic.example");
    using keys = new RemoteKeys({ ...place, readUrl });
    assert.equal(await stateOf(keys, key), "active");
    assert.equal(await stateOf(keys, generateKey(randomBytes)), "unknown");
  });

  test("a key that was read before is read from the primary, so its revocation counts although the replica lags", async () => {
    await using replicated = await withReplica();
    const { accounts, place, readUrl, standby } = replicated;
    const key = await issueKey(accounts, "ada@clinic.example");
    await standby.catchUp();
    using keys = new RemoteKeys({ ...place, readUrl });
    assert.equal(await stateOf(keys, key), "active");
    await standby.pauseReplay(true);
    await revoke(accounts, key);
    assert.equal(await stateOf(keys, key), "revoked");
  });

  test("a replica that has not heard of any node for ten minutes is not used", async () => {
    await using replicated = await withReplica({ seenMsAgo: 11 * MINUTE_MS });
    const { accounts, place, readUrl, standby } = replicated;
    const key = await issueKey(accounts, "ada@clinic.example");
    await standby.catchUp();
    await standby.pauseReplay(true);
    await revoke(accounts, key);
    using keys = new RemoteKeys({ ...place, readUrl });
    assert.equal(await stateOf(keys, key), "revoked");
  });

  test("a revoked key is refused although the replica lags, however many other keys changed since", async () => {
    await using replicated = await withReplica();
    const { accounts, place, readUrl, standby } = replicated;
    const key = await issueKey(accounts, "ada@clinic.example");
    await standby.catchUp();
    await standby.pauseReplay(true);
    await revoke(accounts, key);
    await using db = await openDatabase(place);
    // More than are remembered.
    await sql`INSERT INTO api_key_change (hash) SELECT 'other ' || generate_series(1, 50001)`.execute(
      db,
    );
    await using metering = await startMetering({
      accounts,
      place: { ...place, readUrl },
      plans: BUILT_IN_PLANS,
      usage: createUsageBuffer({ accounts: 10, keys: 10 }),
      clock: Date.now,
      onError(error) {
        throw error;
      },
    });
    await metering.broker?.poll();
    using gate = metering.openGate();
    assert.deepEqual(await verdictOf(gate, key, Date.now()), {
      status: "unknown",
      reason: "revoked",
    });
  });

  test("if the replica is away, the primary is asked", async () => {
    await using replicated = await withReplica();
    const { accounts, place } = replicated;
    const key = await issueKey(accounts, "ada@clinic.example");
    using keys = new RemoteKeys({ ...place, readUrl: AWAY });
    assert.equal(await stateOf(keys, key), "active");
    assert.equal(await stateOf(keys, generateKey(randomBytes)), "unknown");
  });
});
