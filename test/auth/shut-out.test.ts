/** Strangers who know an address cannot lock its owner out: their attempts and requests are counted separately. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { openDatabase } from "../../src/accounts/database/open-database.ts";
import { SIGN_IN_LIMIT, signInAttempt } from "../../src/auth/request-limits.ts";
import { suiteOnBothInFull } from "../support/postgresql/on-both.ts";
import {
  PASSWORD,
  startAuthService,
  type Browser,
  type AuthTestService,
} from "../support/app/auth-service.ts";
import { until } from "../support/pure/until.ts";

const ADA = "ada@clinic.example";
const EVE = "eve@clinic.example";
const DEVICE = "__Secure-provider-directory.device";
const ANOTHER = "another horse entirely";

suiteOnBothInFull("knowing an address", (make) => {
  test("strangers' wrong passwords block strangers, not known devices", async () => {
    await using service = await startAuthService({ install: make });
    const ada = await service.signedIn(ADA);
    await guess(service, 21);
    assert.equal((await service.browser().signIn(ADA)).statusCode, 429);
    ada.useAnotherAddress();
    assert.equal((await ada.signIn(ADA)).statusCode, 200);
    // Its cookie is renewed each time, hidden from scripts, and lasts long.
    const line = ada.lastCookies.find((each) => each.startsWith(DEVICE)) ?? "";
    for (const part of ["HttpOnly", "SameSite=Lax", "Secure", "Max-Age=34"])
      assert.ok(line.includes(part), line.replace(/=[^;]+/, "=..."));
    // Strangers must still wait: the owner's sign-in ends only the owner's wait.
    assert.equal((await service.browser().signIn(ADA)).statusCode, 429);
    await ada.post("/auth/sign-out", {});
    ada.useAnotherAddress();
    assert.equal((await ada.signIn(ADA)).statusCode, 200);
  });

  test("a known device gets only its own count", async () => {
    await using service = await startAuthService({ install: make });
    const ada = await service.signedIn(ADA);
    await guess(service, 20);
    const outcomes = await guess(service, 21, ada);
    assert.equal(outcomes.filter((status) => status === 401).length, 20);
    assert.equal(outcomes.filter((status) => status === 429).length, 1);
    service.http.installation.clock.nowMs += 900_000;
    assert.equal((await ada.signIn(ADA)).statusCode, 200);
  });

  test("a device is known only for its user, with that password, and unaltered", async () => {
    await using service = await startAuthService({ install: make });
    const ada = await service.signedIn(ADA);
    const eve = await service.signedIn(EVE);
    const elsewhere = service.browser();
    await elsewhere.signIn(ADA);
    const device = ada.cookies.get(DEVICE) ?? "";
    assert.notEqual(device, "");
    assert.equal(device.includes("ada"), false);
    await useUpTries(service);
    for (const forged of [
      eve.cookies.get(DEVICE) ?? "",
      device.slice(0, -1),
      `${device.slice(0, -2)}${device.endsWith("AA") ? "BB" : "AA"}`,
      `${device.startsWith("A") ? "B" : "A"}${device.slice(1)}`,
      "a.b.c.d",
      "a".repeat(4_000),
    ]) {
      const stranger = service.browser();
      stranger.cookies.set(DEVICE, forged);
      assert.equal((await stranger.signIn(ADA)).statusCode, 429);
    }
    // The device that changes the password stays known; other devices do not.
    const change = { currentPassword: PASSWORD, newPassword: ANOTHER };
    const changed = await ada.post("/auth/change-password", change);
    assert.equal(changed.statusCode, 200, changed.body);
    await useUpTries(service);
    for (const [browser, status] of [
      [ada, 200],
      [elsewhere, 429],
    ] as const) {
      browser.useAnotherAddress();
      const answer = await browser.signIn(ADA, ANOTHER);
      assert.equal(answer.statusCode, status, answer.body);
    }
  });

  test("one browser is known for several users", async () => {
    await using service = await startAuthService({ install: make });
    const shared = await service.signedIn(ADA);
    await service.signedIn(EVE);
    await shared.signIn(EVE);
    for (const email of [ADA, EVE]) {
      await useUpTries(service, email);
      shared.useAnotherAddress();
      assert.equal((await shared.signIn(email)).statusCode, 200, email);
    }
  });

  test("a signed-in user can change the password and delete the account, whatever strangers try", async () => {
    await using service = await startAuthService({ install: make });
    const ada = await service.signedIn(ADA);
    await useUpTries(service);
    const change = { currentPassword: PASSWORD, newPassword: ANOTHER };
    const changed = await ada.post("/auth/change-password", change);
    assert.equal(changed.statusCode, 200, changed.body);
    await useUpTries(service);
    const deleted = await ada.delete("/account", { password: ANOTHER });
    assert.equal(deleted.statusCode, 204, deleted.body);
  });

  test("sign-ups with a user's address use up none of the mails for a new password", async () => {
    await using service = await startAuthService({ install: make });
    await service.signedIn(ADA);
    for (let index = 0; index < 6; index++)
      await service.browser().signUp(ADA, `a stranger's password ${index}`);
    // One to confirm the address, and four about the existing account.
    await service.mail.mailTo(ADA, 5);
    await useUpTries(service);
    const owner = service.browser();
    const asked = { email: ADA, redirectTo: "/reset-password" };
    await owner.post("/auth/request-password-reset", asked);
    const mail = await service.mail.mailTo(ADA, 6);
    const token = /reset-password\/([^?]+)/.exec(mail.link)?.[1] ?? "";
    const body = { token, newPassword: ANOTHER };
    const reset = await owner.post("/auth/reset-password", body);
    assert.equal(reset.statusCode, 200, reset.body);
    // Even if strangers continue immediately.
    await useUpTries(service);
    assert.equal((await owner.signIn(ADA, ANOTHER)).statusCode, 200);
  });

  test("nor do they while the address is unconfirmed", async () => {
    await using service = await startAuthService({ install: make });
    for (let index = 0; index < 7; index++)
      await service.browser().signUp(ADA, `a stranger's password ${index}`);
    const mails = 5;
    await service.mail.mailTo(ADA, mails);
    const asked = { email: ADA, redirectTo: "/reset-password" };
    await service.browser().post("/auth/request-password-reset", asked);
    const mail = await service.mail.mailTo(ADA, mails + 1);
    assert.match(mail.text, /Choose a new password/);
  });

  test("mails for a new password requested by strangers work until newer ones arrive", async () => {
    await using service = await startAuthService({ install: make });
    await service.signedIn(ADA);
    const asked = { email: ADA, redirectTo: "/reset-password" };
    for (let index = 0; index < 7; index++)
      await service.browser().post("/auth/request-password-reset", asked);
    const mail = await service.mail.mailTo(ADA, 6);
    const token = /reset-password\/([^?]+)/.exec(mail.link)?.[1] ?? "";
    const body = { token, newPassword: ANOTHER };
    const reset = await service.browser().post("/auth/reset-password", body);
    assert.equal(reset.statusCode, 200, reset.body);
    const links = service.mail.mails.filter(({ text }) =>
      text.includes("Choose a new password"),
    );
    assert.equal(links.length, 5);
    // Links that were not mailed are not kept, nor are those from before the new password.
    await using db = await openDatabase(service.http.installation.place);
    const kept = db.selectFrom("verification").select("id");
    await until(
      "the links to go",
      async () => (await kept.execute()).length === 0,
    );
  });
});

/** Uses up strangers' password attempts. */
async function useUpTries(
  service: AuthTestService,
  email = ADA,
): Promise<void> {
  const { accounts } = service.http.installation;
  for (let index = 0; index < SIGN_IN_LIMIT.most; index++)
    await accounts.attempts.take(signInAttempt(email), SIGN_IN_LIMIT);
}

/** Tries wrong passwords, each from another IP address, in one browser or in new ones. */
async function guess(
  service: AuthTestService,
  times: number,
  browser?: Browser,
): Promise<number[]> {
  const guesses = Array.from({ length: times }, (_, index) => {
    const guesser = browser ?? service.browser();
    guesser.useAnotherAddress();
    return guesser.signIn(ADA, `a wrong password ${index}`);
  });
  const answers = await Promise.all(guesses);
  return answers.map(({ statusCode }) => statusCode);
}
