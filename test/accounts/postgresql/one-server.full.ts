import assert from "node:assert/strict";
import { after, suite, test } from "node:test";
import { sql, type Kysely } from "kysely";
import { openDatabase } from "../../../src/accounts/database/open-database.ts";
import type { Tables } from "../../../src/accounts/database/tables.ts";
import {
  NO_POSTGRESQL,
  postgresqlOfFile,
  postgresqlOfRun,
} from "../../support/postgresql/postgresql.ts";
import { runProgram } from "../../support/program/program.ts";
import type { TestPlace } from "../../support/postgresql/test-databases.ts";

const skip = NO_POSTGRESQL;

/** The same database with another host, which may be empty, and a query. */
function at(place: TestPlace, host: string, query = ""): TestPlace {
  return { ...place, url: place.url.replace(/@[^/]+/, `@${host}`) + query };
}

/** A database on a primary, and the primary's standby. */
let servers: ReturnType<typeof startServers> | null = null;

async function startServers() {
  const primary = await postgresqlOfFile();
  const place = await primary.makeDatabase();
  const standby = await primary.startStandby();
  await standby.catchUp();
  return { place, primary, standby };
}

after(async () => {
  await (await servers)?.standby[Symbol.asyncDispose]();
});

suite("the server in DATABASE_URL", { skip }, () => {
  test("may be a primary in each form of URL, also one for libpq", async () => {
    const { place, primary } = await (servers ??= startServers());
    for (const each of [
      at(place, "", `?host=${primary.host}&port=5432`),
      at(place, primary.host, "?target_session_attrs=read-write"),
      at(place, primary.host, "?target_session_attrs=primary"),
      at(place, primary.host, "?target_session_attrs=any"),
    ]) {
      await using db = await openDatabase(each);
      await db.deleteFrom("attempt").execute();
    }
  });

  test("must not be a standby, nor read-only: a sentence says so, without the password", async () => {
    const { place, primary, standby } = await (servers ??= startServers());
    await assert.rejects(
      openDatabase(at(place, standby.host)),
      ({ message, name }: Error) => {
        assert.equal(name, "AccountsDatabaseUnavailableError");
        assert.match(
          message.replace(standby.folder, "FOLDER"),
          /^The accounts database cannot be used \(PostgreSQL at FOLDER\/test_[0-9a-f]+\): the server is a standby, which is read-only\. Start or promote the primary, or correct DATABASE_URL\.$/,
        );
        return true;
      },
    );
    await primary.turnReadOnly(true);
    try {
      await assert.rejects(
        openDatabase(place),
        /cannot be used \(.+\): the server is read-only\. Start or promote the primary/,
      );
    } finally {
      await primary.turnReadOnly(false);
    }
  });

  test("if it is away or refuses the password, a sentence says so", async () => {
    const server = await postgresqlOfRun();
    const place = await server.makeEmptyDatabase();
    await assert.rejects(openDatabase(at(place, "127.0.0.1:1")), {
      name: "AccountsDatabaseUnavailableError",
      message:
        /cannot be reached \(PostgreSQL at 127\.0\.0\.1:1\/test_[0-9a-f]+\): connect ECONNREFUSED 127\.0\.0\.1:1\. Start the server, or correct DATABASE_URL\.$/,
    });
    await assert.rejects(
      openDatabase({
        ...place,
        url: place.url.replace(/:[^:@]+@/, ":wrong@"),
      }),
      /cannot be used .*\): password authentication failed/,
    );
  });

  test("when one connection is lost to it, the older ones are closed too", async () => {
    const { place, primary } = await (servers ??= startServers());
    await using db = await openDatabase(place);
    const before = await connectionsOf(db);
    await primary.turnReadOnly(true);
    await assert.rejects(
      () => db.deleteFrom("attempt").execute(),
      /cannot be used \(.+\): cannot execute DELETE in a read-only transaction\. Start or promote the primary/,
    );
    await primary.turnReadOnly(false);
    const afterwards = await connectionsOf(db);
    assert.equal(before.size, 2);
    assert.ok([...afterwards].every((pid) => !before.has(pid)));
  });
});

/** The numbers of the server's processes for two connections, which are in use at the same time. */
async function connectionsOf(db: Kysely<Tables>): Promise<Set<number>> {
  const pids = new Set<number>();
  const begin = () => db.startTransaction().execute();
  for (const transaction of [await begin(), await begin()]) {
    const { rows } = await sql<{
      pid: number;
    }>`SELECT pg_backend_pid() AS pid`.execute(transaction);
    for (const { pid } of rows) pids.add(pid);
    await transaction.rollback().execute();
  }
  return pids;
}

const SEVERAL = /must name one server, not several: a proxy/;
const SHAPE = /must be a URL such as .+ percent-encoded/;

const MALFORMED: Readonly<Record<string, RegExp>> = {
  "mysql://u:hidden@a/db": /must start with postgres:\/\/\./,
  "postgres://u:hidden@a,b/db": SEVERAL,
  "postgres://u:hidden@a:5432,b:5432/db?target_session_attrs=any": SEVERAL,
  "postgres://u:hidden@/db?host=a,b": SEVERAL,
  "postgres://u:hidden@a:x/db": SHAPE,
  // Special characters in the password.
  "postgres://u:hidden/more@a/db": SHAPE,
  "postgres://u:12/hidden@a/db": SHAPE,
  "postgres://u:hidden#more@a/db": SHAPE,
  "postgres://a/db?target_session_attrs=standby":
    /has target_session_attrs=standby, but must lead to a server that can be written: remove it\./,
};

for (const [url, problem] of Object.entries(MALFORMED))
  test(`${url} is refused with a sentence`, async () => {
    const { code, err } = await runProgram(["accounts", "list"], {
      environment: { DATABASE_URL: url },
    });
    assert.equal(code, 2, err);
    assert.match(err, /DATABASE_URL/);
    assert.match(err, problem);
    assert.doesNotMatch(err, /hidden/);
  });

for (const [url, problem] of [
  ["postgres://u:hidden@a:99999/db", SHAPE],
  ["postgres://u:hidden%ff@a/db", SHAPE],
  [
    "postgres://u:hidden@a/db?sslmode=verify-full&sslrootcert=/none.pem",
    /^provider-directory: DATABASE_URL cannot be used: ENOENT[^\n]*'\/none\.pem'\.\n$/,
  ],
] as const)
  test(`${url} is reported with a sentence when it is used`, async () => {
    const { code, err } = await runProgram(["accounts", "list"], {
      environment: { DATABASE_URL: url },
    });
    assert.equal(code, 1);
    assert.match(err, problem);
    assert.doesNotMatch(err, /hidden/);
  });
