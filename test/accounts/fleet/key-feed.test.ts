import assert from "node:assert/strict";
import { randomBytes, randomInt } from "node:crypto";
import { suite, test } from "node:test";
import { sql, type Kysely } from "kysely";
import { Client } from "pg";
import { BrokerClient } from "../../../src/accounts/broker/broker-client.ts";
import { openDatabase } from "../../../src/accounts/database/open-database.ts";
import type { Tables } from "../../../src/accounts/database/tables.ts";
import { generateKey, hashKey } from "../../../src/accounts/keys/api-key.ts";
import { KeyFeed } from "../../../src/accounts/keys/key-feed.ts";
import {
  installOnPostgresql,
  installOver,
  issueKey,
  START_MS,
  verdictOf,
} from "../../support/service/accounts-installation.ts";
import { until } from "../../support/program/program.ts";
import {
  NO_POSTGRESQL,
  postgresqlOfRun,
} from "../../support/servers/postgresql.ts";

/** More than are read at once, twice. */
const MANY = 45_000;
const REVOKED = { status: "unknown", reason: "revoked" };

/** Notes changes of `count` keys that are not used. */
async function changeOthers(db: Kysely<Tables>, count: number): Promise<void> {
  await sql`INSERT INTO api_key_change (hash) SELECT 'other ' || generate_series(1, ${count}::integer)`.execute(
    db,
  );
}

async function readAll(feed: KeyFeed): Promise<string[]> {
  const hashes: string[] = [];
  for (;;) {
    const { changes, hasMore } = await feed.poll(START_MS);
    hashes.push(...changes.keys());
    if (!hasMore) return hashes;
  }
}

/** A transaction, which is rolled back at the end if it is still open. */
async function begin(db: Kysely<Tables>) {
  const transaction = await db.startTransaction().execute();
  let isOpen = true;
  return {
    transaction,
    commit: async () => {
      isOpen = false;
      await transaction.commit().execute();
    },
    async [Symbol.asyncDispose]() {
      if (isOpen) await transaction.rollback().execute();
    },
  };
}

/** The bytes of all statements' values. */
function countSent(): { readonly bytes: number } & Disposable {
  const { prototype } = Client;
  const query: unknown = Reflect.get(prototype, "query");
  assert.ok(typeof query === "function");
  let bytes = 0;
  Reflect.set(prototype, "query", function (this: Client, ...given: unknown[]) {
    bytes += JSON.stringify(given.slice(1, 2)).length;
    return Reflect.apply(query, this, given);
  });
  return {
    get bytes() {
      return bytes;
    },
    [Symbol.dispose]: () => void Reflect.set(prototype, "query", query),
  };
}

suite("the feed of changed keys", { skip: NO_POSTGRESQL }, () => {
  test("a bulk change of tens of thousands of keys leaves all others known, and counts at once", async () => {
    await using installation = await installOnPostgresql();
    const { accounts, clock, place } = installation;
    await using db = await openDatabase(place);
    const kept = await issueKey(accounts);
    const revoked = await issueKey(accounts, "eve@clinic.example");
    const process = await installation.startProcess();
    const { gate } = process;
    await process.hear();
    clock.nowMs += 1;
    for (const key of [kept, revoked])
      assert.equal((await verdictOf(gate, key, clock.nowMs)).status, "valid");
    await changeOthers(db, MANY);
    await accounts.keys.revoke(revoked);
    clock.nowMs += 10_000;
    await process.hear();
    // A key that is not known any more would have a pending verdict.
    assert.equal(gate.verify(kept, clock.nowMs).status, "valid");
    assert.deepEqual(gate.verify(revoked, clock.nowMs), REVOKED);
  });

  test("every change is read once, whenever its transaction ends", async () => {
    await using installation = await installOnPostgresql();
    await using db = await openDatabase(installation.place);
    await using reader = await openDatabase(installation.place);
    const feed = new KeyFeed(reader);
    await readAll(feed);
    await using owned = new AsyncDisposableStack();
    const open: { commit(): Promise<void>; hash: string }[] = [];
    const expected: string[] = [];
    const found: string[] = [];
    for (let step = 0; step < 200; step++) {
      if (open.length < 3 && randomInt(2) === 0) {
        const hash = `change ${step}`;
        const { commit, transaction } = owned.use(await begin(db));
        await transaction
          .insertInto("api_key_change")
          .values({ hash })
          .execute();
        open.push({ commit, hash });
      } else if (open.length > 0 && randomInt(2) === 0) {
        const [ended] = open.splice(randomInt(open.length), 1);
        await ended?.commit();
        expected.push(ended?.hash ?? "");
      } else found.push(...(await readAll(feed)));
    }
    for (const each of open) await each.commit();
    expected.push(...open.map(({ hash }) => hash));
    found.push(...(await readAll(feed)));
    assert.deepEqual(found.toSorted(), expected.toSorted());
    assert.ok(found.length > 10);
  });

  test("what a poll sends does not grow while an old transaction is open", async () => {
    await using installation = await installOnPostgresql();
    await using db = await openDatabase(installation.place);
    await using reader = await openDatabase(installation.place);
    const feed = new KeyFeed(reader);
    await using old = await begin(db);
    await sql`SELECT pg_current_xact_id()`.execute(old.transaction);
    await readAll(feed);
    await changeOthers(db, 1_000);
    assert.equal((await readAll(feed)).length, 1_000);
    using sent = countSent();
    assert.deepEqual(await readAll(feed), []);
    assert.ok(sent.bytes < 1_000, `${sent.bytes} bytes`);
  });

  test("a thread learns of every change, of keys that the broker has forgotten too", async () => {
    await using installation = await installOnPostgresql();
    const key = await issueKey(installation.accounts);
    const { broker } = await installation.startProcess();
    assert.ok(broker);
    await broker.poll();
    const told: string[] = [];
    using _client = new BrokerClient(broker.connect(), {
      onReadings: () => undefined,
      onFeed: ({ readings }) => told.push(...readings.map(({ hash }) => hash)),
    });
    await installation.accounts.keys.revoke(key);
    await broker.poll();
    await until("the news", () => told.includes(hashKey(key)));
  });

  test("a revocation that is heard while other keys are still read is not undone by their answer", async () => {
    await using installation = await installOnPostgresql();
    const { accounts, place } = installation;
    const key = await issueKey(accounts);
    const process = await installation.startProcess();
    const another = process.openGate();
    await process.hear();
    await using db = await openDatabase(place);
    await using watcher = await openDatabase(place);
    await using owned = new AsyncDisposableStack();
    /** Holds up what reads usage from now on. The feed reads keys only. */
    const holdUp = async () => {
      const { commit, transaction } = owned.use(await begin(db));
      const locked = sql`LOCK TABLE api_usage`.execute(transaction);
      return { locked, commit };
    };
    const waiting = (count: number) =>
      until(`${count} waiting statements`, async () => {
        const { rows } = await sql`
SELECT FROM pg_locks WHERE NOT granted AND relation = 'api_usage'::regclass`.execute(
          watcher,
        );
        return rows.length === count;
      });
    const first = await holdUp();
    await first.locked;
    const single = verdictOf(process.gate, key, START_MS);
    await waiting(1);
    const second = await holdUp();
    await waiting(2);
    // In one question: a key that is being read, and one whose reading gets behind the second lock.
    const both = [key, generateKey(randomBytes)].map((each) =>
      verdictOf(another, each, START_MS),
    );
    await waiting(3);
    await first.commit();
    assert.equal((await single).status, "valid");
    await second.locked;
    await accounts.keys.revoke(key);
    await process.broker?.poll();
    await second.commit();
    await Promise.all(both);
    assert.deepEqual(another.verify(key, START_MS), REVOKED);
  });

  test("all keys are read again after a backup was restored over them", async () => {
    const server = await postgresqlOfRun();
    await using installation = await installOver(await server.makeDatabase());
    const { accounts, clock, place } = installation;
    const key = await issueKey(accounts);
    const process = await installation.startProcess();
    await process.hear();
    clock.nowMs += 1;
    const { gate } = process;
    assert.equal((await verdictOf(gate, key, clock.nowMs)).status, "valid");
    await using db = await openDatabase(place);
    await db.transaction().execute(async (transaction) => {
      // As pg_restore does: new tables, and rows without triggers.
      for (const statement of [
        "SET LOCAL session_replication_role = replica",
        "UPDATE api_key SET revoked_at = 1",
        "ALTER TABLE api_key_change RENAME TO gone",
        "CREATE TABLE api_key_change (LIKE gone INCLUDING ALL)",
      ])
        await sql.raw(statement).execute(transaction);
    });
    clock.nowMs += 1_000;
    await process.hear();
    clock.nowMs += 10_000;
    await process.hear();
    assert.deepEqual(await verdictOf(gate, key, clock.nowMs), REVOKED);
  });
});
