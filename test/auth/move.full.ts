import assert from "node:assert/strict";
import test from "node:test";
import { moveAccounts } from "../../src/accounts/database/move-accounts.ts";
import { installOver } from "../support/app/accounts-installation.ts";
import { startAuthService } from "../support/app/auth-service.ts";
import {
  NO_POSTGRESQL,
  postgresqlOfRun,
} from "../support/postgresql/postgresql.ts";
import { openDatabase } from "../../src/accounts/database/open-database.ts";

test(
  "users move to PostgreSQL with their accounts, sessions and passwords",
  { skip: NO_POSTGRESQL },
  async () => {
    await using service = await startAuthService();
    const { clock, place } = service.http.installation;
    await service.signedIn("ada@clinic.example");
    await service.browser().signUp("never@clinic.example");
    const target = await (await postgresqlOfRun()).makeDatabase();
    assert.ok(place.kind === "sqlite");
    const moved = await moveAccounts({
      file: place.file,
      url: target.url,
      setting: "--to",
      actor: "test",
      nowMs: clock.nowMs,
    });
    assert.equal(moved.outcome, "moved");
    await using from = await openDatabase(place);
    await using into = await openDatabase(target);
    for (const table of ["user", "session", "account"] as const) {
      const ids = async (db: typeof from) =>
        (await db.selectFrom(table).select("id").orderBy("id").execute()).map(
          ({ id }) => id,
        );
      assert.deepEqual(await ids(into), await ids(from), table);
    }
    const users = await into
      .selectFrom("user")
      .select(["email", "emailVerified", "createdAt"])
      .orderBy("email")
      .execute();
    assert.deepEqual(
      users.map(({ emailVerified }) => emailVerified),
      [true, false],
    );
    const before = await from
      .selectFrom("user")
      .select("createdAt")
      .orderBy("email")
      .execute();
    assert.deepEqual(
      users.map(({ createdAt }) => new Date(createdAt).toISOString()),
      before.map(({ createdAt }) => createdAt),
    );
    await using there = await startAuthService({
      install: (options) => installOver(target, options),
    });
    const again = await there.browser().signIn("ada@clinic.example");
    assert.equal(again.statusCode, 200, again.body);
  },
);
