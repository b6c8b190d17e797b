import assert from "node:assert/strict";
import { after, suite, test } from "node:test";
import { openDatabase } from "../../../src/accounts/database/open-database.ts";
import {
  NO_POSTGRESQL,
  postgresqlOfFile,
  postgresqlOfRun,
} from "../../support/servers/postgresql.ts";
import type { TestPlace } from "../../support/servers/test-databases.ts";
import { runProgram } from "../../support/program/program.ts";

const skip = NO_POSTGRESQL;
/** Nothing listens there. */
const DEAD = "127.0.0.1:1";

/** The same database by a list of hosts. */
function byHosts(place: TestPlace, hosts: readonly string[], query = "") {
  const url = place.url.replace(/@[^/]+/, `@${hosts.join()}`);
  return { ...place, url: `${url}${query}` };
}

const DATABASE = /PostgreSQL at ([^)]*)\/test_[0-9a-f]+\)/;

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

suite("several hosts in DATABASE_URL", { skip }, () => {
  test("the first that can be written is used: neither a dead host nor a standby", async () => {
    const { place, primary, standby } = await (servers ??= startServers());
    for (const query of ["", "?target_session_attrs=primary"]) {
      await using db = await openDatabase(
        byHosts(place, [DEAD, standby.host, primary.host], query),
      );
      await db.deleteFrom("attempt").execute();
    }
  });

  test("if none is a primary, a sentence says why of each, without the password", async () => {
    const { place, standby } = await (servers ??= startServers());
    await assert.rejects(
      openDatabase(byHosts(place, [standby.host, DEAD])),
      ({ message, name }: Error) => {
        assert.equal(name, "AccountsDatabaseUnavailableError");
        assert.match(
          message
            .replace(standby.folder, "FOLDER")
            .replace(standby.folder, "FOLDER"),
          /^The accounts database cannot be used \(PostgreSQL at FOLDER,127\.0\.0\.1:1\/test_[0-9a-f]+\): no host is a primary \(FOLDER: the server is a standby, which is read-only; 127\.0\.0\.1:1: connect ECONNREFUSED 127\.0\.0\.1:1\)\. Start or promote the primary, or correct DATABASE_URL\.$/,
        );
        return true;
      },
    );
    await assert.rejects(
      openDatabase(standby.sameOn(place)),
      /cannot be used \(PostgreSQL at [^)]+\): the server is a standby, which is read-only\. Start or promote the primary/,
    );
  });

  test("if none answers, the same", async () => {
    const place = await (await postgresqlOfRun()).makeEmptyDatabase();
    await assert.rejects(
      openDatabase(byHosts(place, [DEAD, "127.0.0.1:2"])),
      ({ message }: Error) => {
        assert.equal(DATABASE.exec(message)?.[1], `${DEAD},127.0.0.1:2`);
        assert.match(
          message,
          /cannot be reached \(.+\): no host responds \(127\.0\.0\.1:1: connect ECONNREFUSED .+; 127\.0\.0\.1:2: connect ECONNREFUSED .+\)\. Start the server/,
        );
        return true;
      },
    );
  });

  test("a refused password is not tried at the next host", async () => {
    const server = await postgresqlOfRun();
    const place = await server.makeEmptyDatabase();
    const both = byHosts(place, [server.host, DEAD]);
    await assert.rejects(
      openDatabase({ ...both, url: both.url.replace(/:[^:@]+@/, ":wrong@") }),
      /cannot be used .*\): password authentication failed/,
    );
  });

  test("hosts may be parameters, and target_session_attrs=any takes a standby too", async () => {
    const { place, standby } = await (servers ??= startServers());
    const url = place.url.replace(/@[^/]+/, "@");
    const query = `host=${DEAD.replace(":1", "")},${standby.host}&port=1,5432&target_session_attrs=any`;
    await using db = await openDatabase({ ...place, url: `${url}?${query}` });
    assert.deepEqual(await db.selectFrom("api_key").selectAll().execute(), []);
    await assert.rejects(
      () => db.deleteFrom("attempt").execute(),
      /cannot be used \(.+\): cannot execute DELETE in a read-only transaction\. Start or promote the primary/,
    );
  });
});

const MALFORMED: Readonly<Record<string, RegExp>> = {
  "mysql://u:hidden@a/db": /must start with postgres:\/\/\./,
  "postgres://u:hidden@a,,b/db": /has an empty host in its list of hosts\./,
  "postgres://u:hidden@a:5432,b:x/db":
    /has a port that is not a number from 1 to 65535/,
  "postgres://u:hidden@a:99999/db":
    /has a port that is not a number from 1 to 65535/,
  // A slash in the password.
  "postgres://u:hidden/more@a,b/db":
    /special character that is not percent-encoded in the user or password \(@ is %40, \/ is %2F\)/,
  "postgres://u:hidden@/db?host=a,b,c&port=1,2": /has 3 hosts and 2 ports/,
  "postgres://u:hidden@a,b[/db": /must be a URL such as/,
  "postgres://u:hidden@a,b/db?target_session_attrs=master":
    /has target_session_attrs=master; it must be one of any, read-write/,
  "postgres://u:hidden@a,b/db?target_session_attrs=standby":
    /must lead to a writable server; replicas belong in DATABASE_READ_URL/,
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

test("a file of certificates that is missing is reported with a sentence", async () => {
  const { code, err } = await runProgram(["accounts", "list"], {
    environment: {
      DATABASE_URL:
        "postgres://u:hidden@a,b/db?sslmode=verify-full&sslrootcert=/none.pem",
    },
  });
  assert.equal(code, 1);
  assert.match(
    err,
    /^provider-directory: DATABASE_URL cannot be used: ENOENT[^\n]*'\/none\.pem'\.\n$/,
  );
});
