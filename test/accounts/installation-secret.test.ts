import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { test } from "node:test";
import { openAccounts } from "../../src/accounts/accounts.ts";
import { moveAccounts } from "../../src/accounts/database/move-accounts.ts";
import {
  install,
  installOver,
  issueKey,
} from "../support/app/accounts-installation.ts";
import { suiteOnBoth } from "../support/postgresql/on-both.ts";
import {
  NO_POSTGRESQL,
  postgresqlOfRun,
} from "../support/postgresql/postgresql.ts";

suiteOnBoth("an installation's secret", (make) => {
  test("all processes on a database get the same secret, even if all request it first at once", async () => {
    await using installation = await make();
    const { clock, place, plans } = installation;
    await using owned = new AsyncDisposableStack();
    const processes = await Promise.all(
      Array.from({ length: 4 }, async () =>
        owned.use(
          await openAccounts({
            place,
            plans,
            clock: () => clock.nowMs,
            random: randomBytes,
            actor: "test",
          }),
        ),
      ),
    );
    const secrets = await Promise.all(
      processes.map((accounts) => accounts.installationSecret("entity_tags")),
    );
    assert.equal(secrets[0]?.length, 32);
    for (const secret of secrets) assert.deepEqual(secret, secrets[0]);
    assert.deepEqual(
      await installation.accounts.installationSecret("entity_tags"),
      secrets[0],
    );
  });
});

test("two installations have different secrets", async () => {
  await using one = await install();
  await using other = await install();
  assert.notDeepEqual(
    await one.accounts.installationSecret("entity_tags"),
    await other.accounts.installationSecret("entity_tags"),
  );
});

test(
  "a move to PostgreSQL copies the secret, also to a database on which a service was started before",
  { skip: NO_POSTGRESQL },
  async () => {
    await using from = await install();
    await issueKey(from.accounts);
    const secret = await from.accounts.installationSecret("entity_tags");
    const place = await (await postgresqlOfRun()).makeDatabase();
    await using into = await installOver(place);
    assert.notDeepEqual(
      await into.accounts.installationSecret("entity_tags"),
      secret,
    );
    assert.ok(from.place.kind === "sqlite");
    const moved = await moveAccounts({
      file: from.place.file,
      url: place.url,
      setting: "--to",
      actor: "test",
      nowMs: from.clock.nowMs,
    });
    assert.equal(moved.outcome, "moved");
    assert.deepEqual(
      await into.accounts.installationSecret("entity_tags"),
      secret,
    );
  },
);
