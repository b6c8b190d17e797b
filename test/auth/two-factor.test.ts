import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";
import { openDatabase } from "../../src/accounts/database/open-database.ts";
import { suiteOnBothInFull } from "../support/postgresql/on-both.ts";
import {
  PASSWORD,
  startAuthService,
  type Browser,
  type AuthTestService,
} from "../support/app/auth-service.ts";
import { totpOf, wrongTotp } from "../support/pure/totp.ts";

const ADA = "ada@clinic.example";
/** How long an authenticator app shows a code. */
const STEP_MS = 30_000;
const SESSION = "__Secure-provider-directory.session_token";

suiteOnBothInFull("two-factor authentication", (install) => {
  test("two-factor authentication is turned on with the password and a code; then a sign-in needs a code", async () => {
    await using service = await startAuthService({ install });
    const ada = await service.signedIn(ADA);
    const wrong = await ada.post("/auth/two-factor/enable", {
      password: "not the password",
    });
    assert.equal(wrong.statusCode, 400, wrong.body);
    const begun = await ada.post("/auth/two-factor/enable", {
      password: PASSWORD,
    });
    assert.equal(begun.statusCode, 200, begun.body);
    const { backupCodes, totpURI } = begun.json();
    assert.equal(backupCodes.length, 10);
    // Nothing changes until a code proves that the app has the secret.
    assert.ok(await isLetIn(service));
    const code = { code: wrongTotp(totpURI) };
    assert.equal((await verify(ada, code)).statusCode, 401);
    const on = await verify(ada, { code: totpOf(totpURI) });
    assert.equal(on.statusCode, 200, on.body);
    await service.mail.mailSaying(ADA, /Two-factor authentication is on/);

    const browser = service.browser();
    const first = await browser.signIn(ADA);
    assert.equal(first.statusCode, 200, first.body);
    assert.equal(first.json().twoFactorRedirect, true);
    assert.equal(browser.cookies.has(SESSION), false);
    assert.equal((await browser.get("/account")).statusCode, 401);
    const refused = await verify(browser, { code: wrongTotp(totpURI) });
    assert.equal(refused.statusCode, 401);
    assert.equal((await browser.get("/account")).statusCode, 401);
    const second = await verify(browser, { code: nextTotp(totpURI) });
    assert.equal(second.statusCode, 200, second.body);
    assert.equal((await browser.get("/account")).statusCode, 200);

    await using db = await openDatabase(service.http.installation.place);
    const row = await db
      .selectFrom("twoFactor")
      .selectAll()
      .executeTakeFirstOrThrow();
    const stored = JSON.stringify(row);
    const secret = new URL(totpURI).searchParams.get("secret") ?? "none";
    for (const told of [...backupCodes, secret])
      assert.equal(stored.includes(told), false);
  });

  test("a recovery code works once; new ones void old ones; five wrong codes end a sign-in, ten lock it", async () => {
    await using service = await startAuthService({ install });
    const { ada, codes } = await withSecondFactor(service);
    const [code = "", other = ""] = codes;
    const recover = async (given: string) => {
      const browser = await atSecondStep(service);
      return browser.post("/auth/two-factor/verify-backup-code", {
        code: given,
      });
    };
    assert.equal((await recover(code)).statusCode, 200);
    await service.mail.mailSaying(ADA, /A recovery code was used/);
    assert.equal((await recover(code)).statusCode, 401);

    ada.useAnotherAddress();
    const made = await ada.post("/auth/two-factor/generate-backup-codes", {
      password: PASSWORD,
    });
    assert.equal(made.statusCode, 200, made.body);
    assert.equal((await recover(other)).statusCode, 401);
    const [fresh = ""] = made.json().backupCodes;
    assert.equal((await recover(fresh)).statusCode, 200);

    // From anywhere: an attempt uses up the challenge, and then the account is locked.
    for (const statuses of [
      [401, 401, 401, 401, 401, 400, 401],
      [401, 401, 401, 401, 401, 429],
    ]) {
      const browser = await atSecondStep(service);
      for (const status of statuses) {
        browser.useAnotherAddress();
        const answer = await verify(browser, { code: "xxxxxx" });
        assert.equal(answer.statusCode, status, answer.body);
      }
    }
  });

  test("a code works once, even in two browsers at once; the next one works again", async (t) => {
    await using service = await startAuthService({ install });
    const time = fixedTime(t, service);
    const { uri } = await withSecondFactor(service);
    const code = nextTotp(uri);
    const browsers = [await atSecondStep(service), await atSecondStep(service)];
    const answers = await Promise.all(
      browsers.map((browser) => verify(browser, { code })),
    );
    assert.deepEqual(
      answers.map(({ statusCode }) => statusCode).sort((a, b) => a - b),
      [200, 401],
    );
    const late = await atSecondStep(service);
    const again = await verify(late, { code });
    assert.equal(again.statusCode, 401);
    assert.equal(again.json().code, "CODE_USED");
    time.pass(STEP_MS);
    assert.equal((await verify(late, { code: nextTotp(uri) })).statusCode, 200);
  });

  test("the code that turned it on signs no one in, as long as codes of its time are accepted", async (t) => {
    await using service = await startAuthService({ install });
    const time = fixedTime(t, service);
    const { ada, uri } = await withSecondFactor(service);
    const code = totpOf(uri);
    const browser = await atSecondStep(service);
    for (const ms of [0, STEP_MS - 1, STEP_MS]) {
      time.pass(ms);
      for (const each of [browser, ada]) {
        each.useAnotherAddress();
        const again = await verify(each, { code });
        assert.equal(again.statusCode, 401, `${ms} ms later: ${again.body}`);
        assert.equal(again.json().code, "CODE_USED");
      }
    }
    browser.useAnotherAddress();
    const next = await verify(browser, { code: totpOf(uri) });
    assert.equal(next.statusCode, 200, next.body);
  });

  test("a code that a signed-in user had checked signs no one in", async (t) => {
    await using service = await startAuthService({ install });
    const time = fixedTime(t, service);
    const { ada, uri } = await withSecondFactor(service);
    time.pass(STEP_MS);
    const code = totpOf(uri);
    assert.equal((await verify(ada, { code })).statusCode, 200);
    const again = await verify(await atSecondStep(service), { code });
    assert.equal(again.statusCode, 401, again.body);
    assert.equal(again.json().code, "CODE_USED");
  });

  test("a new password does not bypass the second factor, and an operator can turn it off", async () => {
    await using service = await startAuthService({ install });
    const { ada, uri } = await withSecondFactor(service);
    const trusted = await atSecondStep(service);
    await verify(trusted, { code: nextTotp(uri), trustDevice: true });
    trusted.useAnotherAddress();
    await trusted.post("/auth/sign-out", {});
    assert.equal(
      (await trusted.signIn(ADA)).json().twoFactorRedirect,
      undefined,
    );

    await ada.post("/auth/request-password-reset", { email: ADA });
    const asked = await service.mail.mailSaying(ADA, /Choose a new password/);
    const token = /reset-password\/([A-Za-z0-9]+)/.exec(asked.text)?.[1] ?? "";
    const reset = await ada.post("/auth/reset-password", {
      token,
      newPassword: `${PASSWORD} 2`,
    });
    assert.equal(reset.statusCode, 200, reset.body);
    for (const browser of [service.browser(), trusted]) {
      browser.useAnotherAddress();
      const answer = await browser.signIn(ADA, `${PASSWORD} 2`);
      assert.equal(answer.json().twoFactorRedirect, true, answer.body);
    }

    const { accounts, place } = service.http.installation;
    const outcome = await accounts.users.disableTwoFactor(ADA);
    assert.ok(outcome.outcome === "two_factor_off" && outcome.wasOn);
    assert.ok(await isLetIn(service, `${PASSWORD} 2`));
    const log = await accounts.auditLog.list(
      (await accounts.users.find(ADA))?.id,
    );
    assert.equal(log.at(-1)?.action, "two_factor_disabled");
    await accounts.users.delete(ADA);
    await using db = await openDatabase(place);
    assert.deepEqual(
      await db.selectFrom("twoFactor").selectAll().execute(),
      [],
    );
  });

  test("a user turns it off with the password, and deletes the account as before", async () => {
    await using service = await startAuthService({ install });
    const { ada } = await withSecondFactor(service);
    const wrong = await ada.post("/auth/two-factor/disable", {
      password: "not the password",
    });
    assert.equal(wrong.statusCode, 400);
    ada.useAnotherAddress();
    const off = await ada.post("/auth/two-factor/disable", {
      password: PASSWORD,
    });
    assert.equal(off.statusCode, 200, off.body);
    await service.mail.mailSaying(ADA, /Two-factor authentication is off/);
    assert.ok(await isLetIn(service));
    const gone = await ada.delete("/account", { password: PASSWORD });
    assert.equal(gone.statusCode, 204, gone.body);
  });
});

/** Stops all clocks at the start of a code's 30 seconds; they go on only with `pass`. */
function fixedTime(t: TestContext, { http }: AuthTestService) {
  const startMs = Math.floor(Date.now() / STEP_MS) * STEP_MS;
  t.mock.timers.enable({ apis: ["Date"], now: startMs });
  return {
    pass(ms: number): void {
      t.mock.timers.setTime(Date.now() + ms);
      http.installation.clock.nowMs += ms;
    },
  };
}

/** The code after the current one, which is accepted, too. */
function nextTotp(uri: string): string {
  return totpOf(uri, Date.now() + STEP_MS);
}

function verify(browser: Browser, body: object) {
  return browser.post("/auth/two-factor/verify-totp", body);
}

/** True if a password is enough to sign in. */
async function isLetIn(
  service: AuthTestService,
  password = PASSWORD,
): Promise<boolean> {
  const browser = service.browser();
  await browser.signIn(ADA, password);
  return (await browser.get("/account")).statusCode === 200;
}

/** A browser that has sent the right password, and now needs a code. */
async function atSecondStep(service: AuthTestService): Promise<Browser> {
  const browser = service.browser();
  const answer = await browser.signIn(ADA);
  assert.equal(answer.json().twoFactorRedirect, true, answer.body);
  return browser;
}

async function withSecondFactor(service: AuthTestService): Promise<{
  readonly ada: Browser;
  readonly uri: string;
  readonly codes: readonly string[];
}> {
  const ada = await service.signedIn(ADA);
  const begun = await ada.post("/auth/two-factor/enable", {
    password: PASSWORD,
  });
  const { backupCodes: codes, totpURI: uri } = begun.json();
  const on = await verify(ada, { code: totpOf(uri) });
  assert.equal(on.statusCode, 200, on.body);
  return { ada, uri, codes };
}
