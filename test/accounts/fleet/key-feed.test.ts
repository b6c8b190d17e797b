import assert from "node:assert/strict";
import { randomBytes, randomInt } from "node:crypto";
import { suite, test } from "node:test";
import { sql, type Kysely } from "kysely";
import { Client } from "pg";
import { openDatabase } from "../../../src/accounts/database/open-database.ts";
import {
  type Tables,
  isPostgresql,
} from "../../../src/accounts/database/tables.ts";
import { KeyFeed } from "../../../src/accounts/keys/key-feed.ts";
import {
  createKeyTableMemory,
  KeyTable,
} from "../../../src/accounts/keys/key-table.ts";
import {
  installOnOwnPostgresql,
  installOnPostgresql,
  suiteOnBoth,
} from "../../support/postgresql/on-both.ts";
import {
  installOver,
  issueKey,
  START_MS,
} from "../../support/app/accounts-installation.ts";
import { until } from "../../support/pure/until.ts";
import {
  NO_POSTGRESQL,
  postgresqlOfFile,
  postgresqlOfRun,
} from "../../support/postgresql/postgresql.ts";

/** More than are read at once, twice. */
const MANY = 45_000;
const IN_FORCE_MS = 2_000;
const ADA = "ada@clinic.example";
const REVOKED = { status: "unknown", reason: "revoked" };

/** A table that notes which keys were deleted. */
class NotingTable extends KeyTable {
  readonly noted: string[] = [];

  override delete(hash: Int32Array): number | null {
    this.noted.push(Buffer.from(hash.buffer).toString("hex"));
    return super.delete(hash);
  }
}

function openFeed(db: Kysely<Tables>) {
  const table = new NotingTable(createKeyTableMemory());
  const feed = new KeyFeed(db, table, () => 0);
  /** Reads, and returns the hashes of what changed. */
  const read = async () => {
    await feed.read();
    return table.noted.splice(0);
  };
  return { feed, read };
}

/** Notes changes of `count` keys that don't exist. */
async function changeOthers(db: Kysely<Tables>, count: number): Promise<void> {
  const hash = isPostgresql(db)
    ? sql`md5(n::text) || md5(n::text)`
    : sql`hex(randomblob(32))`;
  await sql`WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < CAST(${count} AS integer))
INSERT INTO api_key_change (hash) SELECT ${hash} FROM numbers`.execute(db);
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

suiteOnBoth("the feed of changed keys", (install) => {
  test("a key made, revoked, rotated, ended, suspended or deleted elsewhere is in force in 2 s in a running process", async () => {
    await using installation = await install();
    const { keys, users } = installation.accounts;
    const key = await issueKey(installation.accounts, ADA);
    const process = await installation.startProcess({}, { pollMs: 1_000 });
    const gates = [process.gate, process.openGate()];
    const inForce = (tried: string, expected: string, nowMs = START_MS) =>
      until(
        expected,
        () =>
          gates.every((gate) => {
            const verdict = gate.verify(tried, nowMs);
            return (
              expected ===
              ("reason" in verdict ? verdict.reason : verdict.status)
            );
          }),
        IN_FORCE_MS,
      );
    await inForce(key, "valid");
    const made = await issueKey(installation.accounts, ADA);
    await inForce(made, "valid");
    await keys.rotate(made, "1h");
    await inForce(made, "expired", START_MS + 3_600_000);
    await inForce(made, "valid", START_MS + 3_599_999);
    await keys.rotate(made, "0");
    await inForce(made, "revoked");
    await users.suspend(ADA);
    await inForce(key, "suspended");
    await users.resume(ADA);
    await inForce(key, "valid");
    await keys.revoke(key);
    await inForce(key, "revoked");
    await users.delete(ADA);
    await inForce(key, "never_issued");
  });

  test("a bulk change of tens of thousands of keys leaves all others known, and counts at once", async () => {
    await using installation = await install();
    const { accounts, place } = installation;
    await using db = await openDatabase(place);
    const kept = await issueKey(accounts);
    const revoked = await issueKey(accounts, "eve@clinic.example");
    const process = await installation.startProcess();
    const { gate } = process;
    await changeOthers(db, MANY);
    await accounts.keys.revoke(revoked);
    await process.hear();
    assert.equal(gate.verify(kept, START_MS).status, "valid");
    assert.deepEqual(gate.verify(revoked, START_MS), REVOKED);
  });

  test("every change is read once, whenever its transaction ends", async () => {
    await using installation = await install();
    await using db = await openDatabase(installation.place);
    await using reader = await openDatabase(installation.place);
    // In SQLite, one writes at a time.
    const most = isPostgresql(db) ? 3 : 1;
    const { read } = openFeed(reader);
    await read();
    await using owned = new AsyncDisposableStack();
    const open: { commit(): Promise<void>; hash: string }[] = [];
    const expected: string[] = [];
    const found: string[] = [];
    for (let step = 0; step < 200; step++) {
      if (open.length < most && randomInt(2) === 0) {
        const hash = randomBytes(32).toString("hex");
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
      } else found.push(...(await read()));
    }
    for (const each of open) await each.commit();
    expected.push(...open.map(({ hash }) => hash));
    found.push(...(await read()));
    assert.deepEqual(found.toSorted(), expected.toSorted());
    assert.ok(found.length > 10);
  });

  test("a reading says whose keys or plan changed, also of deleted accounts", async () => {
    await using installation = await install();
    const { accounts, place } = installation;
    await using db = await openDatabase(place);
    const { feed } = openFeed(db);
    await issueKey(accounts, ADA);
    await issueKey(accounts, "eve@clinic.example");
    assert.equal(await feed.read(), null, "all keys, at first");
    assert.deepEqual(await feed.read(), new Set());
    await accounts.users.setPlan(ADA, "paid");
    assert.deepEqual(await feed.read(), new Set([1]));
    await accounts.users.delete("eve@clinic.example");
    assert.deepEqual(await feed.read(), new Set([2]));
  });
});

suite(
  "the feed of changed keys on PostgreSQL only",
  { skip: NO_POSTGRESQL },
  () => {
    test("what a reading sends does not grow while an old transaction is open", async () => {
      await using installation = await installOnPostgresql();
      await using db = await openDatabase(installation.place);
      await using reader = await openDatabase(installation.place);
      const { read } = openFeed(reader);
      await using old = await begin(db);
      await sql`SELECT pg_current_xact_id()`.execute(old.transaction);
      await read();
      await changeOthers(db, 1_000);
      assert.equal((await read()).length, 1_000);
      using sent = countSent();
      assert.deepEqual(await read(), []);
      assert.ok(sent.bytes < 1_000, `${sent.bytes} bytes`);
    });

    test("all keys are read again after a backup was restored over them", async () => {
      const server = await postgresqlOfRun();
      await using installation = await installOver(await server.makeDatabase());
      const { accounts, place } = installation;
      const key = await issueKey(accounts);
      const process = await installation.startProcess();
      const { gate } = process;
      assert.equal(gate.verify(key, START_MS).status, "valid");
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
      await process.hear();
      assert.deepEqual(gate.verify(key, START_MS), REVOKED);
    });

    test("all keys are read again once another server answers, or after half of the time for which changes are kept", async () => {
      await using installation = await installOnOwnPostgresql();
      const { place } = installation;
      const key = await issueKey(installation.accounts);
      const process = await installation.startProcess();
      const { gate } = process;
      /** A change that the feed doesn't have. */
      const change = async (revokedAt: number | null) => {
        await using db = await openDatabase(place);
        await db.transaction().execute(async (transaction) => {
          await sql`SET LOCAL session_replication_role = replica`.execute(
            transaction,
          );
          await transaction
            .updateTable("api_key")
            .set({ revoked_at: revokedAt })
            .execute();
        });
      };
      await change(1);
      await process.hear();
      assert.equal(gate.verify(key, START_MS).status, "valid");
      const server = await postgresqlOfFile();
      await server.stop();
      await server.resume();
      await until("the server to be found", async () => {
        await process.hear();
        return gate.verify(key, START_MS).status === "unknown";
      });
      assert.deepEqual(gate.verify(key, START_MS), REVOKED);

      await change(null);
      await process.hear();
      assert.deepEqual(gate.verify(key, START_MS), REVOKED);
      await using db = await openDatabase(place);
      // Half a day and a minute passes, as far as the database's sessions from now on can tell.
      await sql
        .raw(
          `
CREATE FUNCTION public.clock_timestamp() RETURNS timestamptz LANGUAGE sql
AS 'SELECT pg_catalog.clock_timestamp() + interval ''721 minutes''';
DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET search_path = public, pg_catalog', current_database()); END $$;
SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()`,
        )
        .execute(db);
      await until("all keys to be read", async () => {
        await process.hear();
        return gate.verify(key, START_MS).status === "valid";
      });
    });
  },
);
