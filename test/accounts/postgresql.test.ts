import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:net";
import { test } from "node:test";
import { MIGRATIONS } from "../../src/accounts/database/migrations.ts";
import { openDatabase } from "../../src/accounts/database/open-database.ts";
import {
  NO_POSTGRESQL,
  postgresqlOfRun,
} from "../support/postgresql/postgresql.ts";

const skip = NO_POSTGRESQL;

async function emptyDatabase() {
  return (await postgresqlOfRun()).makeEmptyDatabase();
}

test(
  "several processes can open a new PostgreSQL database at the same moment",
  { skip },
  async () => {
    const place = await emptyDatabase();
    const children = Array.from({ length: 4 }, () =>
      spawn(
        process.execPath,
        [
          "--input-type=module",
          "--eval",
          `import { openDatabase } from ${JSON.stringify(new URL("../../src/accounts/database/open-database.ts", import.meta.url).href)};
         const db = await openDatabase(${JSON.stringify(place)});
         await db.selectFrom("api_account").selectAll().execute();
         await db.destroy();`,
        ],
        { stdio: ["ignore", "ignore", "pipe"] },
      ),
    );
    const errors = await Promise.all(
      children.map(async (child) => {
        const text = child.stderr.setEncoding("utf8").toArray();
        const [code] = await once(child, "exit");
        return code === 0 ? "" : (await text).join("");
      }),
    );
    assert.deepEqual(errors, ["", "", "", ""]);
  },
);

test(
  "all migrations are recorded, and a database of a newer version is refused with a message",
  { skip },
  async () => {
    const place = await emptyDatabase();
    const db = await openDatabase(place);
    const names = async () => {
      const rows = await db
        .withTables<{ kysely_migration: { name: string; timestamp: string } }>()
        .selectFrom("kysely_migration")
        .select("name")
        .orderBy("name")
        .execute();
      return rows.map(({ name }) => name);
    };
    assert.deepEqual(await names(), Object.keys(MIGRATIONS).sort());
    await db
      .withTables<{ kysely_migration: { name: string; timestamp: string } }>()
      .insertInto("kysely_migration")
      .values({ name: "9999-future", timestamp: "2099-01-01T00:00:00.000Z" })
      .execute();
    await db.destroy();
    await assert.rejects(openDatabase(place), {
      name: "AccountsDatabaseError",
      message: /was written by a newer version of this program/,
    });
  },
);

test(
  "a migration that fails leaves a PostgreSQL database as it was",
  { skip },
  async () => {
    const place = await emptyDatabase();
    const whole = await openDatabase(place);
    await whole.schema.dropTable("api_account").cascade().execute();
    await whole
      .withTables<{ kysely_migration: { name: string } }>()
      .deleteFrom("kysely_migration")
      .execute();
    const tables = async () =>
      (await whole.introspection.getTables()).map(({ name }) => name);
    const before = await tables();
    await assert.rejects(openDatabase(place), {
      message:
        /^Cannot migrate the accounts database PostgreSQL at .* to the schema/,
    });
    assert.deepEqual(await tables(), before);
    await whole.destroy();
  },
);

test(
  "a server that cannot be reached is reported without its password",
  { skip },
  async () => {
    await assert.rejects(
      openDatabase({
        kind: "postgresql",
        url: "postgres://ada:hidden@127.0.0.1:1/accounts",
      }),
      (error: Error) => {
        assert.match(
          error.message,
          /^The accounts database cannot be reached \(PostgreSQL at 127\.0\.0\.1:1\/accounts\): .*ECONNREFUSED.*Start the server, or correct DATABASE_URL\.$/,
        );
        return !error.message.includes("hidden");
      },
    );
  },
);

test(
  "a wrong or missing password and a missing database are reported in a sentence",
  { skip },
  async () => {
    const { url } = await emptyDatabase();
    await assert.rejects(
      openDatabase({
        kind: "postgresql",
        url: url.replace(/:[^:@]+@/, ":wrong@"),
      }),
      /cannot be used .*password authentication failed/,
    );
    await assert.rejects(
      openDatabase({
        kind: "postgresql",
        url: url.replace(/:[^:@]+@/, "@"),
      }),
      /cannot be used .*: the server asks for a password, and the URL has none\. Correct DATABASE_URL/,
    );
    await assert.rejects(
      openDatabase({ kind: "postgresql", url: `${url}_missing` }),
      /cannot be used .*database "test_[0-9a-f]+_missing" does not exist/,
    );
  },
);

/** A server's request for authentication. */
function authentication(code: number, body: string): Buffer {
  const head = Buffer.from("R\0\0\0\0\0\0\0\0");
  head.writeInt32BE(8 + body.length, 1);
  head.writeInt32BE(code, 5);
  return Buffer.concat([head, Buffer.from(body)]);
}

test("a missing password is reported as such if the server uses SCRAM, too", async () => {
  const answers = [
    authentication(10, "SCRAM-SHA-256\0\0"),
    authentication(11, "r=,s=,i=1"),
  ];
  const server = createServer((socket) => {
    let asked = 0;
    socket.on("data", () => socket.write(answers[asked++] ?? ""));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = Object(server.address());
  const url = `postgres://ada@127.0.0.1:${port}/accounts`;
  await assert.rejects(
    openDatabase({ kind: "postgresql", url }),
    /cannot be used .*: the server asks for a password, and the URL has none\. Correct DATABASE_URL/,
  );
  server.close();
});

test(
  "times and counts beyond 32 bits come back as numbers",
  { skip },
  async () => {
    const place = await (await postgresqlOfRun()).makeDatabase();
    const db = await openDatabase(place);
    await db
      .insertInto("api_usage")
      .values({
        account_id: 1,
        month: "2026-11",
        used: 9_999_999_999,
        viewed: 9_999_999_998,
        updated_at: 1_795_262_400_000,
      })
      .execute();
    assert.deepEqual(await db.selectFrom("api_usage").selectAll().execute(), [
      {
        account_id: 1,
        month: "2026-11",
        used: 9_999_999_999,
        viewed: 9_999_999_998,
        last_taken: 0,
        last_quota: 0,
        updated_at: 1_795_262_400_000,
      },
    ]);
    await db.destroy();
  },
);
