import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { sql } from "kysely";
import { SUSPENSION_KEPT_MS } from "../../src/accounts/users/deleted-addresses.ts";
import { openDatabase } from "../../src/accounts/database/open-database.ts";
import {
  accountOf,
  install,
  installOver,
  issueKey,
  START_MS,
  takeTimes,
  type Installation,
} from "../support/app/accounts-installation.ts";
import {
  installOnPostgresql,
  suiteOnBoth,
} from "../support/postgresql/on-both.ts";
import { PASSWORD, startAuthService } from "../support/app/auth-service.ts";
import {
  NO_POSTGRESQL,
  postgresqlOfRun,
} from "../support/postgresql/postgresql.ts";

const ADA = "ada@clinic.example";
const DAY_MS = 86_400_000;

/** The stored rows of deleted addresses. */
async function keptRows({ place }: Installation) {
  await using db = await openDatabase(place);
  return await db.selectFrom("api_deleted_address").selectAll().execute();
}

suiteOnBoth("addresses of deleted accounts", (make) => {
  test("a deleted and recreated account continues its month, and the deleted one gets nothing more", async () => {
    await using installation = await make();
    const { accounts, clock } = installation;
    const process = await installation.startProcess();
    const key = await issueKey(accounts, ADA);
    const before = await accountOf(process.gate, key, START_MS);
    assert.equal(await takeTimes(process.gate, before, 600, START_MS), 600);
    await process.write();
    // Its key works for a moment after the deletion, and is counted.
    await takeTimes(process.gate, before, 50, START_MS);
    await accounts.users.delete(" ADA@clinic.example ");
    await takeTimes(process.gate, before, 50, START_MS);
    await process.write();

    const again = await issueKey(accounts, ADA);
    const after = await accountOf(process.gate, again, START_MS);
    assert.notEqual(after.id, before.id);
    await process.write();
    assert.equal(await accounts.usage.thisMonth(after.id), 700);
    assert.equal(process.gate.quota(after, START_MS).remaining, 300);

    // Nothing is prepaid for it any more.
    assert.equal(await takeTimes(process.gate, before, 10, START_MS), 0);
    await process.write();
    await accounts.users.delete(ADA);
    await accounts.users.create("eve@clinic.example");
    const third = await accounts.users.create(ADA);
    if (third.outcome !== "created") throw new Error(third.outcome);
    assert.equal(await accounts.usage.thisMonth(third.account.id), 700);

    await accounts.users.delete(ADA);
    clock.nowMs = Date.UTC(2026, 11, 1);
    await accounts.purge(clock.nowMs);
    assert.deepEqual(await keptRows(installation), []);
    const fresh = await accounts.users.create(ADA);
    if (fresh.outcome !== "created") throw new Error(fresh.outcome);
    assert.equal(await accounts.usage.thisMonth(fresh.account.id), 0);
  });

  test("a suspension outlives its account for a year, and an operator can lift it", async () => {
    await using installation = await make();
    const { accounts, clock } = installation;
    await accounts.users.create(ADA);
    await accounts.users.suspend(ADA);
    await accounts.users.delete(ADA);
    clock.nowMs += 60 * DAY_MS;
    await accounts.purge(clock.nowMs);
    const again = await accounts.users.create(ADA);
    if (again.outcome !== "created") throw new Error(again.outcome);
    assert.equal(again.account.suspendedAt, START_MS);

    await accounts.users.delete(ADA);
    assert.deepEqual(await accounts.users.resume(ADA), {
      outcome: "changed_deleted",
      email: ADA,
      suspendedAt: null,
    });
    assert.deepEqual(await accounts.users.resume(ADA), {
      outcome: "no_account",
    });
    const third = await accounts.users.create(ADA);
    if (third.outcome !== "created") throw new Error(third.outcome);
    assert.equal(third.account.suspendedAt, null);

    await accounts.users.suspend(ADA);
    await accounts.users.delete(ADA);
    clock.nowMs += SUSPENSION_KEPT_MS;
    await accounts.purge(clock.nowMs);
    await accounts.purge(clock.nowMs + 1);
    assert.deepEqual(await keptRows(installation), []);
  });

  test("explorer pages that an older program counted are not kept", async () => {
    await using installation = await make();
    const { accounts, clock, place } = installation;
    const created = await accounts.users.create(ADA);
    if (created.outcome !== "created") throw new Error(created.outcome);
    await using db = await openDatabase(place);
    await db
      .insertInto("api_usage")
      .values({
        account_id: created.account.id,
        month: "2026-11",
        used: 0,
        viewed: 7,
        updated_at: START_MS,
      })
      .execute();
    await accounts.users.delete(ADA);
    assert.equal((await keptRows(installation))[0]?.viewed, 0);
    await db.updateTable("api_deleted_address").set({ viewed: 7 }).execute();
    clock.nowMs += 3_600_001;
    await accounts.purge(clock.nowMs);
    assert.deepEqual(await keptRows(installation), []);
  });

  test("keeps no address, and nothing at all unless it is needed", async () => {
    await using installation = await make();
    const { accounts, clock } = installation;
    await accounts.users.create(ADA);
    await accounts.users.delete(ADA);
    const [row, ...more] = await keptRows(installation);
    assert.deepEqual(more, []);
    assert.match(row?.address ?? "", /^[\w-]{43}$/);
    assert.equal(JSON.stringify(row).includes("clinic"), false);
    clock.nowMs += 3_600_001;
    await accounts.purge(clock.nowMs);
    assert.deepEqual(await keptRows(installation), []);
    // Two installations have different hashes of one address.
    await using other = await make();
    await other.accounts.users.create(ADA);
    await other.accounts.users.delete(ADA);
    const [foreign] = await keptRows(other);
    assert.notEqual(foreign?.address, row?.address);
  });
});

for (const [kind, make] of [
  ["SQLite", install],
  ["PostgreSQL", installOnPostgresql],
] as const)
  test(
    `deleting the account and signing up again restarts no month and lifts no suspension (${kind})`,
    { skip: kind === "PostgreSQL" ? NO_POSTGRESQL : false },
    async () => {
      await using service = await startAuthService({ install: make });
      const { accounts, clock } = service.http.installation;
      const ada = await service.signedIn(ADA);
      const accountId = (await accounts.users.find(ADA))?.id ?? 0;
      await using db = await openDatabase(service.http.installation.place);
      await db
        .insertInto("api_usage")
        .values({
          account_id: accountId,
          month: "2026-11",
          used: 990,
          updated_at: clock.nowMs,
        })
        .execute();
      await accounts.users.suspend(ADA);
      const gone = await ada.delete("/account", { password: PASSWORD });
      assert.equal(gone.statusCode, 204, gone.body);
      clock.nowMs += 3_600_000;
      const again = service.browser();
      await again.signUp("Ada@Clinic.Example");
      // The second mail to her, whatever the case of the address.
      await again.confirm((await service.mail.mailTo(ADA, 2)).link);
      await again.signIn(ADA);
      const { remaining, status } = (await again.get("/account")).json().data;
      assert.deepEqual(
        { remaining, status },
        { remaining: 10, status: "suspended" },
      );
    },
  );

/** The files in a folder that contain a text. */
function filesWith(folder: string, text: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ name, parentPath }) => join(parentPath, name))
    .filter((file) => readFileSync(file).includes(text));
}

test("a deleted address is gone from the database's bytes, whether a command, its owner or the clean-up deleted it", async () => {
  await using service = await startAuthService();
  const { accounts, folder } = service.http.installation;
  // Enough other rows to split pages of tables and indexes.
  for (let other = 0; other < 300; other++)
    await accounts.users.create(`other-${other * 7919}@clinic.example`);
  const byOwner = "grace.hopper@clinic.example";
  const grace = await service.signedIn(byOwner);
  await grace.post("/account/keys", { name: byOwner });
  const byCommand = "alan.turing@clinic.example";
  await accounts.users.create(byCommand);
  const unconfirmed = "emmy.noether@clinic.example";
  await service.browser().signUp(unconfirmed);
  for (const address of [byOwner, byCommand, unconfirmed])
    assert.notDeepEqual(filesWith(folder, address), [], address);

  await grace.delete("/account", { password: PASSWORD });
  assert.deepEqual(filesWith(folder, byOwner), []);
  await accounts.users.delete(byCommand);
  assert.deepEqual(filesWith(folder, byCommand), []);
  await accounts.purge(Date.now() + 8 * DAY_MS);
  assert.deepEqual(filesWith(folder, unconfirmed), []);
});

test(
  "PostgreSQL gives up the dead rows at once",
  { skip: NO_POSTGRESQL },
  async () => {
    const server = await postgresqlOfRun();
    // Not one with the dead rows of another test.
    const place = await server.makeDatabase();
    await using installation = await installOver(place);
    const { accounts } = installation;
    for (const name of ["ada", "eve", "zoe"])
      await accounts.users.create(`${name}@clinic.example`);
    await accounts.users.delete("eve@clinic.example");
    await using db = await openDatabase(place);
    const report = await sql<{ email: string | null }>`
    SELECT email FROM api_account ORDER BY ctid`.execute(db);
    assert.deepEqual(
      report.rows.map(({ email }) => email),
      ["ada@clinic.example", "zoe@clinic.example"],
    );
    // The deleted row's space is free: the next row uses it.
    const made = await accounts.users.create("new@clinic.example");
    assert.equal(made.outcome, "created");
    const places = await sql<{ place: string }>`
    SELECT ctid::text AS place FROM api_account WHERE email = 'new@clinic.example'`.execute(
      db,
    );
    assert.equal(places.rows[0]?.place, "(0,2)");
  },
);
