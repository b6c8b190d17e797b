import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { test } from "node:test";
import { pino } from "pino";
import { LazyBillingRecords } from "../../src/accounts/billing-records/billing-records.ts";
import {
  installOnOwnPostgresql,
  suiteOnBothInFull,
} from "../support/postgresql/on-both.ts";
import { recordUse, verdictOf } from "../support/app/accounts-installation.ts";
import { openDatabase } from "../../src/accounts/database/open-database.ts";
import { PASSWORD, startAuthService } from "../support/app/auth-service.ts";
import {
  NO_POSTGRESQL,
  postgresqlOfFile,
} from "../support/postgresql/postgresql.ts";
import { SAMPLE } from "../support/pure/engine/sample-directory.ts";
import { fullTest } from "../support/pure/full-run.ts";

const ADA = "ada@clinic.example";

suiteOnBothInFull("/account", (make) => {
  test("a new key has a name, is shown once, works immediately, and is listed without its secret", async () => {
    await using service = await startAuthService({ install: make });
    const ada = await service.signedIn(ADA);
    const made = await ada.post("/account/keys", { name: "intake forms" });
    assert.equal(made.statusCode, 201, made.body);
    assert.equal(made.headers["cache-control"], "no-store");
    const { secret, ...facts } = made.json().data;
    assert.match(secret, /^pd_live_[0-9A-Za-z]{36}$/);
    const answer = await service.http.ask({
      url: `/v1/providers/${SAMPLE.person}`,
      headers: { authorization: `Bearer ${secret}` },
    });
    assert.equal(answer.statusCode, 200);
    assert.equal(answer.headers["x-ratelimit-limit"], "1000");
    const listed = await ada.get("/account/keys");
    assert.deepEqual(listed.json().data, [facts]);
    assert.equal(listed.body.includes(secret), false);
    assert.equal(facts.name, "intake forms");
    assert.equal(facts.prefix, secret.slice(0, 12));
    assert.equal(facts.last_four, secret.slice(-4));
    assert.equal(facts.state, "active");
  });

  test("a key is rotated with an overlap and revoked immediately", async () => {
    await using service = await startAuthService({ install: make });
    const { clock } = service.http.installation;
    const process = await service.http.installation.startProcess();
    const state = async (key: string) =>
      (await verdictOf(process.gate, key, clock.nowMs)).status;
    const ada = await service.signedIn(ADA);
    const first = (await ada.post("/account/keys", {})).json().data;
    const rotated = await ada.post(`/account/keys/${first.id}/rotate`, {
      overlap: "1h",
    });
    assert.equal(rotated.statusCode, 201, rotated.body);
    const second = rotated.json().data;
    assert.equal(
      rotated.json().meta.replaces.expires_at,
      "2026-11-20T13:00:00.000Z",
    );
    assert.equal(await state(first.secret), "valid");
    assert.equal(await state(second.secret), "valid");
    clock.nowMs += 3_600_000;
    assert.equal(await state(first.secret), "unknown");
    const revoked = await ada.delete(`/account/keys/${second.id}`);
    assert.equal(revoked.statusCode, 200, revoked.body);
    assert.equal(revoked.json().data.state, "revoked");
    await process.hear();
    clock.nowMs += 5_000;
    assert.equal(await state(second.secret), "unknown");
    const again = await ada.delete(`/account/keys/${second.id}`);
    assert.equal(again.statusCode, 409);
    assert.equal(again.json().error.code, "key_ended");
  });

  test("a key is renamed, and keeps working", async () => {
    await using service = await startAuthService({ install: make });
    const ada = await service.signedIn(ADA);
    const { id } = (await ada.post("/account/keys", {})).json().data;
    const path = `/account/keys/${id}/rename`;
    const renamed = await ada.post(path, { name: " intake forms " });
    assert.equal(renamed.statusCode, 200, renamed.body);
    assert.equal(renamed.json().data.name, "intake forms");
    for (const body of [{}, { name: 1 }, { name: "a\nb" }, { name: "", id }]) {
      const refused = await ada.post(path, body);
      assert.equal(refused.json().error.code, "invalid_body");
    }
    const [key] = (await ada.get("/account/keys")).json().data;
    assert.equal(key.name, "intake forms");
    assert.equal(key.state, "active");
  });

  test("an account gets ten active keys, and then none until one is revoked", async () => {
    await using service = await startAuthService({ install: make });
    const ada = await service.signedIn(ADA);
    for (let made = 0; made < 10; made++)
      assert.equal((await ada.post("/account/keys", {})).statusCode, 201);
    const eleventh = await ada.post("/account/keys", {});
    assert.equal(eleventh.statusCode, 409);
    assert.equal(eleventh.json().error.code, "too_many_keys");
  });

  test("a user cannot touch another account's keys", async () => {
    await using service = await startAuthService({ install: make });
    const ada = await service.signedIn(ADA);
    const eve = await service.signedIn("eve@clinic.example");
    const { id } = (await ada.post("/account/keys", {})).json().data;
    for (const answer of [
      await eve.delete(`/account/keys/${id}`),
      await eve.post(`/account/keys/${id}/rotate`, { overlap: "0" }),
      await eve.post(`/account/keys/${id}/rename`, { name: "mine" }),
    ]) {
      assert.equal(answer.statusCode, 404);
      assert.equal(answer.json().error.code, "key_not_found");
    }
    assert.deepEqual((await eve.get("/account/keys")).json().data, []);
    assert.equal(
      (await ada.get("/account/keys")).json().data[0].state,
      "active",
    );
  });

  test("an invalid key id is not found", async () => {
    await using service = await startAuthService({ install: make });
    const ada = await service.signedIn(ADA);
    await ada.post("/account/keys", {});
    for (const id of ["0", "-1", "1.0", "1e0", "2147483648", "9".repeat(15)])
      for (const answer of [
        await ada.delete(`/account/keys/${id}`),
        await ada.post(`/account/keys/${id}/rotate`, { overlap: "0" }),
      ])
        assert.equal(answer.json().error.code, "key_not_found", id);
  });

  test("usage is listed by day, key and operation, and counts for the account", async () => {
    await using service = await startAuthService({ install: make });
    const { accounts, clock, place } = service.http.installation;
    const ada = await service.signedIn(ADA);
    const { id } = (await ada.post("/account/keys", {})).json().data;
    const account = await accounts.users.find(ADA);
    await recordUse(place, account?.id ?? 0, clock.nowMs, [
      { keyId: id, hour: clock.nowMs, operation: "search", count: 4 },
      {
        keyId: id,
        hour: clock.nowMs - 86_400_000,
        operation: "lookup",
        count: 3,
      },
    ]);
    const all = await ada.get("/account/usage?days=2");
    assert.deepEqual(all.json().data, [
      { day: "2026-11-19", key_id: id, operation: "lookup", used: 3 },
      { day: "2026-11-20", key_id: id, operation: "search", used: 4 },
    ]);
    assert.equal(
      (await ada.get("/account/usage?days=1")).json().data.length,
      1,
    );
    assert.equal((await ada.get("/account")).json().data.used, 7);
    for (const query of [
      "days=0",
      "days=401",
      "days=x",
      "days=1&days=2",
      "day=1",
    ]) {
      const refused = await ada.get(`/account/usage?${query}`);
      assert.equal(refused.statusCode, 400, query);
      assert.equal(refused.json().error.code, "invalid_parameter");
    }
  });

  test("the owner of a suspended account sees that, and gets no keys", async () => {
    await using service = await startAuthService({ install: make });
    const ada = await service.signedIn(ADA);
    await service.http.installation.accounts.users.suspend(ADA);
    assert.equal((await ada.get("/account")).json().data.status, "suspended");
    const refused = await ada.post("/account/keys", {});
    assert.equal(refused.json().error.code, "account_suspended");
  });

  test("deletion needs the password, deletes the user and keeps anonymous sums", async () => {
    await using service = await startAuthService({ install: make });
    const { accounts, clock, place } = service.http.installation;
    const ada = await service.signedIn(ADA);
    const { id, secret } = (await ada.post("/account/keys", {})).json().data;
    const accountId = (await accounts.users.find(ADA))?.id ?? 0;
    await recordUse(place, accountId, clock.nowMs, [
      { keyId: id, hour: clock.nowMs, operation: "search", count: 9 },
    ]);
    for (const body of [undefined, { password: "not the password" }]) {
      const refused = await ada.delete("/account", body);
      assert.equal(refused.statusCode, 403, refused.body);
      assert.equal(refused.json().error.code, "wrong_password");
    }
    const gone = await ada.delete("/account", { password: PASSWORD });
    assert.equal(gone.statusCode, 204, gone.body);
    assert.equal((await ada.get("/account")).statusCode, 401);
    assert.equal((await service.browser().signIn(ADA)).statusCode, 401);
    const process = await service.http.installation.startProcess();
    const verdict = await verdictOf(process.gate, secret, clock.nowMs);
    assert.equal(verdict.status, "unknown");
    await using db = await openDatabase(place);
    for (const table of ["user", "session", "account", "verification"] as const)
      assert.deepEqual(
        await db.selectFrom(table).selectAll().execute(),
        [],
        table,
      );
    const sum = await db
      .selectFrom("api_usage")
      .select(["account_id", "used"])
      .where("used", "=", 9)
      .execute();
    assert.deepEqual(
      sum.map(({ account_id, used }) => [account_id, used]),
      [[0, 9]],
    );
    for (const { actor, detail } of await accounts.auditLog.list())
      assert.equal(`${actor}${detail}`.includes(ADA), false);
  });

  test("an account that may be paying is not deleted if Stripe is not configured", async () => {
    const logged: unknown[] = [];
    const logger = pino(
      {},
      { write: (line) => void logged.push(JSON.parse(line)) },
    );
    await using service = await startAuthService({ install: make, logger });
    const ada = await service.signedIn(ADA);
    const { accounts, clock, place } = service.http.installation;
    const id = (await accounts.users.find(ADA))?.id ?? 0;
    await using records = new LazyBillingRecords({
      place,
      clock: () => clock.nowMs,
      random: randomBytes,
      actor: "stripe",
    });
    await records.keepCustomer(id, "cus_ada");
    const refused = await ada.delete("/account", { password: PASSWORD });
    assert.equal(refused.statusCode, 409, refused.body);
    assert.equal(refused.json().error.code, "payments_not_ended");
    assert.equal((await ada.get("/account")).statusCode, 200);
    assert.equal(await accounts.billing.customer(id), "cus_ada");
    const warning = logged.find((line) =>
      JSON.stringify(line).includes("Stripe is not configured"),
    );
    assert.equal(Reflect.get(Object(warning), "account"), id);

    await records.forgetCustomer("cus_ada");
    const gone = await ada.delete("/account", { password: PASSWORD });
    assert.equal(gone.statusCode, 204, gone.body);
  });

  test("an operator's deletion ends the user's sessions too", async () => {
    await using service = await startAuthService({ install: make });
    const ada = await service.signedIn(ADA);
    await service.http.installation.accounts.users.delete(ADA);
    assert.equal((await ada.get("/account")).statusCode, 401);
  });

  test("an unconfirmed user is deleted after a week, a confirmed one is not", async () => {
    await using service = await startAuthService({ install: make });
    const { accounts, place } = service.http.installation;
    await service.browser().signUp("never@clinic.example");
    await service.signedIn(ADA);
    const nowMs = Date.now() + 8 * 86_400_000;
    await accounts.purge(nowMs);
    await using db = await openDatabase(place);
    const users = await db.selectFrom("user").select("email").execute();
    assert.deepEqual(
      users.map(({ email }) => email),
      [ADA],
    );
  });
});

test("refuses unexpected input, and says what it accepts", async () => {
  await using service = await startAuthService();
  const ada = await service.signedIn(ADA);
  const refused = await ada.ask("PUT", "/account/keys", {});
  assert.equal(refused.statusCode, 405);
  assert.equal(refused.headers.allow, "GET, POST");
  const put = await ada.ask("PUT", "/auth/sign-out", {});
  assert.equal(put.statusCode, 405);
  assert.equal(put.headers.allow, "GET, HEAD, POST");
  assert.equal((await ada.get("/auth/nothing")).statusCode, 404);
  assert.equal((await ada.get("/account/nothing")).statusCode, 404);
  const text = await ada.ask("POST", "/account/keys", "name=x", {
    "content-type": "application/x-www-form-urlencoded",
  });
  assert.equal(text.statusCode, 415);
  const large = await ada.post("/account/keys", { name: "x".repeat(20_000) });
  assert.equal(large.statusCode, 413);
  const broken = await ada.ask("POST", "/account/keys", "{");
  assert.equal(broken.json().error.code, "invalid_body");
  const problem = await ada.get("/account/keys/1", {
    accept: "application/problem+json",
  });
  assert.match(
    String(problem.headers["content-type"]),
    /^application\/problem\+json/,
  );
});

fullTest(
  "while PostgreSQL is away answers are 503 with Retry-After, and work again afterwards",
  async () => {
    await using service = await startAuthService({
      install: installOnOwnPostgresql,
    });
    const ada = await service.signedIn(ADA);
    const postgresql = await postgresqlOfFile();
    await postgresql.stop();
    try {
      for (const answer of [await ada.get("/account"), await ada.signIn(ADA)]) {
        assert.equal(answer.statusCode, 503, answer.body);
        assert.equal(answer.json().error.code, "accounts_unavailable");
        assert.equal(answer.headers["retry-after"], "5");
      }
    } finally {
      await postgresql.resume();
    }
    assert.equal((await ada.get("/account")).statusCode, 200);
  },
  { skip: NO_POSTGRESQL },
);
