import assert from "node:assert/strict";
import { test } from "node:test";
import { openDatabase } from "../../src/accounts/database/open-database.ts";
import { suiteOnBothInFull } from "../support/postgresql/on-both.ts";
import { PASSWORD, startAuthService } from "../support/app/auth-service.ts";

const ADA = "ada@clinic.example";

suiteOnBothInFull("sign-up", (make) => {
  test("a user confirms the address by mail, signs in, has the free plan, and signs out", async () => {
    await using service = await startAuthService({ install: make });
    const ada = service.browser();
    const signedUp = await ada.signUp(ADA);
    assert.equal(signedUp.statusCode, 200, signedUp.body);
    assert.ok(ada.lastCookies.every((line) => !/session/.test(line)));
    assert.equal((await ada.signIn(ADA)).statusCode, 401);
    assert.equal((await ada.get("/account")).statusCode, 401);
    const mail = await service.mail.mailTo(ADA);
    assert.match(mail.text, /Subject: Confirm your email address/);
    const confirmed = await ada.confirm(mail.link);
    assert.equal(confirmed.statusCode, 200, confirmed.body);
    assert.equal((await ada.signIn(ADA)).statusCode, 200);
    const account = await ada.get("/account");
    assert.equal(account.statusCode, 200, account.body);
    assert.deepEqual(account.json().data, {
      email: ADA,
      plan: "free",
      status: "active",
      quota: 1_000,
      used: 0,
      remaining: 1_000,
      resets_at: "2026-12-01T00:00:00.000Z",
      requests_per_second: 10,
      created_at: "2026-11-20T12:00:00.000Z",
      subscription: null,
    });
    assert.equal((await ada.post("/auth/sign-out", {})).statusCode, 200);
    assert.equal((await ada.get("/account")).statusCode, 401);
    assert.deepEqual(service.faults, []);
  });

  test("a password of fewer than twelve characters is refused", async () => {
    await using service = await startAuthService({ install: make });
    const short = await service.browser().signUp(ADA, "elevenchars");
    assert.equal(short.statusCode, 400);
    assert.equal(short.json().code, "PASSWORD_TOO_SHORT");
  });

  test("the session cookie is HttpOnly, SameSite and Secure", async () => {
    await using service = await startAuthService({ install: make });
    const ada = await service.signedIn(ADA);
    const [cookie = ""] = ada.lastCookies;
    assert.match(cookie, /^__Secure-provider-directory\.session_token=/);
    for (const part of ["HttpOnly", "SameSite=Lax", "Secure", "Path=/"])
      assert.ok(
        cookie.includes(part),
        `${part} in ${cookie.replace(/=[^;]+/, "=...")}`,
      );
  });

  test("an account created by an operator becomes its owner's once the address is confirmed, not before", async () => {
    await using service = await startAuthService({ install: make });
    const { accounts } = service.http.installation;
    const email = "paid@clinic.example";
    const browser = service.browser();
    await browser.signUp(email);
    assert.equal((await accounts.users.find(email))?.userId, null);
    await browser.confirm((await service.mail.mailTo(email)).link);
    assert.notEqual((await accounts.users.find(email))?.userId, null);
    await browser.signIn(email);
    assert.equal((await browser.get("/account")).json().data.plan, "paid");
    assert.equal((await browser.get("/account/keys")).json().data.length, 1);
    assert.equal(
      (await accounts.auditLog.list()).at(-1)?.action,
      "account_claimed",
    );
  });

  test("a mailed link resets the password once, and ends every session", async () => {
    await using service = await startAuthService({ install: make });
    const ada = await service.signedIn(ADA);
    const elsewhere = service.browser();
    const asked = await elsewhere.post("/auth/request-password-reset", {
      email: ADA,
    });
    assert.equal(asked.statusCode, 200);
    const { link } = await service.mail.mailTo(ADA, 2);
    const token = /reset-password\/([^?]+)/.exec(link)?.[1] ?? "";
    const newPassword = "another horse entirely";
    const reset = () =>
      elsewhere.post("/auth/reset-password", { token, newPassword });
    assert.equal((await reset()).statusCode, 200);
    assert.equal((await reset()).statusCode, 400);
    assert.equal((await ada.get("/account")).statusCode, 401);
    assert.equal((await service.browser().signIn(ADA)).statusCode, 401);
    assert.equal(
      (await service.browser().signIn(ADA, newPassword)).statusCode,
      200,
    );
  });

  test("a new password voids every other reset link, whether it was reset or changed", async () => {
    await using service = await startAuthService({ install: make });
    const ada = await service.signedIn(ADA);
    let mails = 1;
    const link = async () => {
      const asked = { email: ADA };
      await service.browser().post("/auth/request-password-reset", asked);
      const mail = await service.mail.mailTo(ADA, ++mails);
      return /reset-password\/([^?]+)/.exec(mail.link)?.[1] ?? "";
    };
    const reset = async (token: string) => {
      const body = { token, newPassword: "another horse entirely" };
      return (await ada.post("/auth/reset-password", body)).statusCode;
    };
    const first = await link();
    const second = await link();
    assert.equal(await reset(second), 200);
    assert.equal(await reset(first), 400);
    const third = await link();
    await ada.signIn(ADA, "another horse entirely");
    const changed = await ada.post("/auth/change-password", {
      currentPassword: "another horse entirely",
      newPassword: PASSWORD,
    });
    assert.equal(changed.statusCode, 200, changed.body);
    assert.equal(await reset(third), 400);
  });

  test("sessions are listed and can be revoked one by one", async () => {
    await using service = await startAuthService({ install: make });
    const ada = await service.signedIn(ADA);
    const phone = service.browser();
    await phone.signIn(ADA);
    const sessions = (await ada.get("/auth/list-sessions")).json();
    assert.equal(sessions.length, 2);
    const { token } = sessions.find(
      ({ ipAddress }: { ipAddress: string }) => ipAddress === "198.51.100.2",
    );
    const ended = await ada.post("/auth/revoke-session", { token });
    assert.equal(ended.statusCode, 200, ended.body);
    assert.equal((await phone.get("/account")).statusCode, 401);
    assert.equal((await ada.get("/account")).statusCode, 200);
  });

  test("an address taken by a stranger goes to the owner who signs up later", async () => {
    await using service = await startAuthService({ install: make });
    const thief = service.browser();
    await thief.signUp(ADA, "the thief's password");
    const ada = service.browser();
    await ada.signUp(ADA);
    const mail = await service.mail.mailTo(ADA, 2);
    assert.match(mail.text, /Subject: Choose a new password/);
    // Either mail may be opened first.
    await ada.confirm((await service.mail.mailTo(ADA)).link);
    const early = await thief.signIn(ADA, "the thief's password");
    assert.equal(early.statusCode, 401);
    const token = /reset-password\/([^?]+)/.exec(mail.link)?.[1] ?? "";
    await ada.post("/auth/reset-password", { token, newPassword: PASSWORD });
    assert.equal((await ada.signIn(ADA)).statusCode, 200);
    assert.equal((await ada.get("/account")).statusCode, 200);
    const late = await service.browser().signIn(ADA, "the thief's password");
    assert.equal(late.statusCode, 401);
  });

  test("signing up again with the same password mails another link and keeps the password", async () => {
    await using service = await startAuthService({ install: make });
    const ada = service.browser();
    await ada.signUp(ADA);
    const first = await service.mail.mailTo(ADA);
    await ada.signUp(ADA);
    const second = await service.mail.mailTo(ADA, 2);
    assert.match(second.text, /Subject: Confirm your email address/);
    await ada.confirm(first.link);
    assert.equal((await ada.signIn(ADA)).statusCode, 200);
    // With a confirmed address, the password is not changed.
    await service.browser().signUp(ADA, "the thief's password");
    const third = await service.mail.mailTo(ADA, 3);
    assert.match(third.text, /Subject: You already have an account/);
    assert.equal((await service.browser().signIn(ADA)).statusCode, 200);
  });

  test("concurrent sign-ups for one address are answered alike, and one of them counts", async () => {
    await using service = await startAuthService({ install: make });
    const answers = await Promise.all(
      [1, 2, 3, 4].map(() => service.browser().signUp(ADA)),
    );
    for (const { body, statusCode } of answers) {
      assert.equal(statusCode, 200, body);
      const { token, user } = JSON.parse(body);
      assert.deepEqual([token, user.email], [null, ADA]);
    }
    await using db = await openDatabase(service.http.installation.place);
    const users = await db.selectFrom("user").select("email").execute();
    assert.deepEqual(
      users.map(({ email }) => email),
      [ADA],
    );
  });
});

test("GitHub is offered if configured, with a state and a challenge", async () => {
  await using without = await startAuthService();
  const body = { provider: "github", callbackURL: "/" };
  const refused = await without.browser().post("/auth/sign-in/social", body);
  assert.equal(refused.statusCode, 404);
  await using service = await startAuthService({
    github: { clientId: "client-of-tests", clientSecret: "secret-of-tests" },
  });
  const answer = await service.browser().post("/auth/sign-in/social", body);
  const url = new URL(answer.json().url);
  assert.equal(url.origin, "https://github.com");
  assert.equal(url.searchParams.get("client_id"), "client-of-tests");
  assert.equal(
    url.searchParams.get("redirect_uri"),
    "https://directory.example/auth/callback/github",
  );
  assert.notEqual(url.searchParams.get("state"), null);
});
