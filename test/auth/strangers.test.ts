/** What strangers can store is bounded, whatever they send and from however many addresses. */

import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { test } from "node:test";
import { sql } from "kysely";
import {
  Attempts,
  MAX_ATTEMPTS,
  WINDOWS_PER_CHECK,
} from "../../src/accounts/users/attempts.ts";
import {
  limitUnverified,
  MAX_SESSIONS,
  MAX_UNVERIFIED,
} from "../../src/accounts/users/purge-expired-users.ts";
import { openDatabase } from "../../src/accounts/database/open-database.ts";
import { START_MS } from "../support/app/accounts-installation.ts";
import { suiteOnBothInFull } from "../support/postgresql/on-both.ts";
import {
  PASSWORD,
  startAuthService,
  type AuthTestService,
} from "../support/app/auth-service.ts";

const ADA = "ada@clinic.example";

suiteOnBothInFull("what strangers can store", (make) => {
  test("mailed links share one limit, not one for each token", async () => {
    await using service = await startAuthService({ install: make });
    const stranger = service.browser();
    const before = await rowsOf(service);
    const statuses: number[] = [];
    for (let index = 0; index < 130; index++) {
      const token = randomBytes(12).toString("hex");
      const answer = await stranger.get(
        `/auth/reset-password/${token}?callbackURL=/x`,
      );
      statuses.push(answer.statusCode);
    }
    assert.deepEqual(new Set(statuses.slice(0, 100)), new Set([302]));
    assert.deepEqual(new Set(statuses.slice(100)), new Set([429]));
    assert.equal((await rowsOf(service)) - before, 1);
  });

  test("requests that cannot be valid are refused before anything is written", async () => {
    await using service = await startAuthService({ install: make });
    const before = await rowsOf(service);
    const long = "a".repeat(7_900);
    const longEmail = `${"a".repeat(300)}@clinic.example`;
    const body = { name: "", email: ADA, password: PASSWORD };
    const stranger = service.browser();
    for (const [method, path, sent, status] of [
      ["GET", `reset-password/${long}`, undefined, 302],
      ["GET", "reset-password/short?callbackURL=/x", undefined, 302],
      ["GET", `verify-email?token=${long}`, undefined, 302],
      ["GET", "verify-email", undefined, 302],
      ["POST", "verify-email", { token: long }, 400],
      ["POST", "verify-email", { token: "a.b" }, 400],
      ["POST", "verify-email", {}, 400],
      ["POST", "verify-email", { token: "a.b.c", email: ADA }, 400],
      ["GET", `nothing-${long}`, undefined, 404],
      ["POST", "reset-password", { token: long, newPassword: PASSWORD }, 400],
      ["POST", "reset-password", { token: "x", newPassword: PASSWORD }, 400],
      ["POST", "reset-password", { newPassword: PASSWORD }, 400],
      ["POST", "revoke-session", { token: long }, 400],
      ["POST", "sign-in/email", { ...body, email: longEmail }, 400],
      ["POST", "sign-in/email", { ...body, email: "unknown" }, 400],
      ["POST", "sign-in/email", { ...body, email: 7 }, 400],
      ["POST", "sign-in/email", { ...body, password: long }, 400],
      ["POST", "sign-in/email", { email: ADA }, 400],
      ["POST", "sign-up/email", { ...body, email: longEmail }, 400],
      ["POST", "sign-up/email", { ...body, password: long }, 400],
      ["POST", "sign-up/email", { ...body, callbackURL: `/${long}` }, 403],
      ["POST", "request-password-reset", { email: longEmail }, 400],
      [
        "POST",
        "request-password-reset",
        { email: ADA, redirectTo: `/${long}` },
        403,
      ],
      ["POST", "send-verification-email", { email: longEmail }, 400],
      ["POST", "sign-in/social", { provider: long }, 400],
      ["POST", "sign-up/email", "x".repeat(17_000), 413],
    ] as const) {
      const answer = await stranger.ask(method, `/auth/${path}`, sent);
      const asked = `${method} ${path.slice(0, 40)}: ${answer.body.slice(0, 200)}`;
      assert.equal(answer.statusCode, status, asked);
      assert.equal((await rowsOf(service)) - before, 0, asked);
    }
  });

  test("addresses of one network are limited together, however they are written", async () => {
    await using service = await startAuthService({ install: make });
    const signIn = async (address: string) => {
      const body = { email: ADA, password: "wrong" };
      const headers = { "x-forwarded-for": address };
      const answer = await service
        .browser()
        .post("/auth/sign-in/email", body, headers);
      return answer.statusCode;
    };
    for (const addresses of [
      [
        "2001:db8:0:1::1",
        "2001:DB8::1:ffff:0:0:2",
        "2001:0db8:0000:0001::3",
        "2001:db8:0:1:a:b:c:d",
      ],
      ["192.0.2.1", "::ffff:192.0.2.1", "::FFFF:c000:201", "::ffff:c000:0201"],
    ]) {
      const statuses: number[] = [];
      for (const address of addresses) statuses.push(await signIn(address));
      assert.deepEqual(statuses, [401, 401, 401, 429], addresses.join());
    }
    assert.equal(await signIn("2001:db8:0:2::1"), 401);
    assert.equal(await signIn("192.0.2.2"), 401);
  });

  test("an attempt to sign in with GitHub writes no row", async () => {
    await using service = await startAuthService({
      install: make,
      github: { clientId: "id", clientSecret: "secret" },
    });
    const stranger = service.browser();
    const body = { provider: "github", callbackURL: "/" };
    const before = await rowsOf(service);
    for (let index = 0; index < 3; index++) {
      const answer = await stranger.post("/auth/sign-in/social", body);
      assert.equal(answer.statusCode, 200, answer.body);
    }
    // The row that counts that network's attempts.
    assert.equal((await rowsOf(service)) - before, 1);
  });

  test("a network signs up twenty addresses an hour", async () => {
    await using service = await startAuthService({ install: make });
    const stranger = service.browser();
    const { clock } = service.http.installation;
    const statuses: number[] = [];
    for (let index = 0; index < 21; index += 3) {
      const answers = [0, 1, 2].map((more) =>
        stranger.signUp(`p${index + more}@clinic.example`),
      );
      for (const { statusCode } of await Promise.all(answers))
        statuses.push(statusCode);
      clock.nowMs += 10_000;
    }
    assert.equal(statuses.filter((status) => status === 200).length, 20);
    assert.ok(statuses.slice(18).includes(429));
    clock.nowMs += 3_600_000;
    assert.equal(
      (await stranger.signUp("later@clinic.example")).statusCode,
      200,
    );
  });

  test("a flood from many networks fills a bounded number of rows, and none of another kind", async () => {
    await using service = await startAuthService({ install: make });
    const { clock, place } = service.http.installation;
    await using db = await openDatabase(place);
    const ends_at = clock.nowMs + 30_000;
    const flood = Array.from({ length: MAX_ATTEMPTS + 500 }, (_, index) => ({
      of: `network ${index}`,
      kind: "request" as const,
      count: 1,
      ends_at,
    }));
    for (let from = 0; from < flood.length; from += 5_000)
      await db
        .insertInto("attempt")
        .values(flood.slice(from, from + 5_000))
        .execute();
    const attempts = new Attempts(db, () => clock.nowMs);
    const mail = { kind: "mail", of: ADA } as const;
    const limit = { most: 1, windowMs: 60_000 };
    assert.equal(await attempts.take(mail, limit), 0);
    const kept = async () => {
      const { rows } = await db
        .selectFrom("attempt")
        .select((select) => select.fn.countAll().as("rows"))
        .executeTakeFirstOrThrow();
      return Number(rows);
    };
    for (let index = 0; index < 2 * WINDOWS_PER_CHECK; index++) {
      const request = { kind: "request", of: `more ${index}` } as const;
      await attempts.take(request, limit);
      assert.ok((await kept()) <= MAX_ATTEMPTS + 500 + WINDOWS_PER_CHECK + 1);
    }
    assert.ok((await kept()) <= MAX_ATTEMPTS + WINDOWS_PER_CHECK + 1);
    assert.equal(await attempts.take(mail, limit), 60);
    // Ended rows are deleted first.
    clock.nowMs += 60_000;
    for (let index = 0; index < WINDOWS_PER_CHECK; index++)
      await attempts.take({ kind: "request", of: `late ${index}` }, limit);
    assert.ok((await kept()) <= WINDOWS_PER_CHECK);
  });

  test("the oldest of too many unconfirmed sign-ups are deleted, but no account", async () => {
    await using service = await startAuthService({ install: make });
    await service.signedIn(ADA);
    const { place } = service.http.installation;
    await using db = await openDatabase(place);
    const insert = async (from: number, rows: number) => {
      const values = Array.from({ length: rows }, (_, index) => {
        const at = new Date(START_MS + (from + index) * 1_000).toISOString();
        const email = `p${from + index}@clinic.example`;
        return sql`(${email}, '', ${email}, ${sql.lit(false)}, ${at}, ${at})`;
      });
      await sql`INSERT INTO "user" ("id", "name", "email", "emailVerified", "createdAt", "updatedAt") VALUES ${sql.join(values)}`.execute(
        db,
      );
    };
    for (let from = 0; from < MAX_UNVERIFIED + 1_000; from += 1_000)
      await insert(from, 1_000);
    await limitUnverified(db);
    const users = await db
      .selectFrom("user")
      .select("email")
      .orderBy("createdAt")
      .execute();
    const left = users.map(({ email }) => email);
    assert.equal(left.length, MAX_UNVERIFIED + 1);
    assert.ok(left.includes(ADA));
    assert.ok(!left.includes("p999@clinic.example"));
    assert.ok(left.includes("p1000@clinic.example"));
  });

  test("a user's sessions are bounded, and so is the browser name of each", async () => {
    await using service = await startAuthService({ install: make });
    await service.signedIn(ADA);
    const { place } = service.http.installation;
    await using db = await openDatabase(place);
    const owner = await db
      .selectFrom("user")
      .select("id")
      .executeTakeFirstOrThrow();
    const at = new Date().toISOString();
    for (let index = 0; index < MAX_SESSIONS + 5; index++) {
      const ends = new Date(Date.now() + index * 1_000).toISOString();
      await sql`INSERT INTO "session" ("id", "expiresAt", "token", "createdAt", "updatedAt", "userId") VALUES (${`s${index}`}, ${ends}, ${`t${index}`}, ${at}, ${at}, ${owner.id})`.execute(
        db,
      );
    }
    const newest = service.browser();
    const body = { email: ADA, password: PASSWORD };
    const headers = { "user-agent": "a".repeat(7_000) };
    const answer = await newest.post("/auth/sign-in/email", body, headers);
    assert.equal(answer.statusCode, 200, answer.body);
    const { rows } = await sql<{
      userAgent: string | null;
    }>`SELECT "userAgent" FROM "session"`.execute(db);
    assert.equal(rows.length, MAX_SESSIONS);
    assert.ok(rows.every(({ userAgent }) => (userAgent ?? "").length <= 512));
    assert.equal((await newest.get("/account")).statusCode, 200);
  });
});

/** The rows of all tables. */
async function rowsOf(service: AuthTestService): Promise<number> {
  await using db = await openDatabase(service.http.installation.place);
  let rows = 0;
  for (const { name } of await db.introspection.getTables()) {
    const counted = await sql<{
      n: number | string;
    }>`SELECT count(*) AS n FROM ${sql.table(name)}`.execute(db);
    rows += Number(counted.rows[0]?.n ?? 0);
  }
  return rows;
}
