/** Who is signed in by the link in a sign-up's mail: only the browser that signed up, and only once. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { suiteOnBothInFull } from "../support/service/accounts-installation.ts";
import {
  PASSWORD,
  startAuthService,
  type Browser,
} from "../support/service/auth-service.ts";
import { totpOf } from "../support/service/totp.ts";

const ADA = "ada@clinic.example";
const CAME_FOR = "/email-confirmed?next=%2Freference";

suiteOnBothInFull("the link in a sign-up's mail", (make) => {
  test("signs in the browser that signed up, and leads to the page it came for", async () => {
    await using service = await startAuthService({ install: make });
    const ada = await signingUp(service.browser());
    assert.equal(await isSignedIn(ada), false);
    const { link } = await service.mail.mailTo(ADA);
    const answer = await ada.follow(link);
    assert.equal(answer.statusCode, 302);
    assert.equal(answer.headers.location, CAME_FOR);
    assert.equal((await ada.get("/account")).json().data.email, ADA);
    assert.deepEqual(service.faults, []);
  });

  test("isn't used up by a mail scanner, which is signed in nowhere", async () => {
    await using service = await startAuthService({ install: make });
    const ada = await signingUp(service.browser());
    const { link } = await service.mail.mailTo(ADA);
    const scanner = service.browser();
    for (let opened = 0; opened < 2; opened += 1) {
      const answer = await scanner.follow(link);
      assert.equal(answer.headers.location, CAME_FOR);
      assert.deepEqual(scanner.lastCookies, []);
    }
    assert.equal(await isSignedIn(scanner), false);
    await ada.follow(link);
    assert.equal(await isSignedIn(ada), true);
  });

  test("signs no one in a second time", async () => {
    await using service = await startAuthService({ install: make });
    const ada = await signingUp(service.browser());
    const { link } = await service.mail.mailTo(ADA);
    await ada.follow(link);
    await ada.post("/auth/sign-out", {});
    await ada.follow(link);
    assert.equal(await isSignedIn(ada), false);
  });

  test("signs no one in to an account that isn't the one they signed up for", async () => {
    await using service = await startAuthService({ install: make });
    const mallory = service.browser();
    await mallory.signUp("mallory@clinic.example");
    const { link } = await service.mail.mailTo("mallory@clinic.example");
    const ada = await signingUp(service.browser());
    await ada.follow(link);
    assert.equal(await isSignedIn(ada), false);
    await ada.follow((await service.mail.mailTo(ADA)).link);
    assert.equal((await ada.get("/account")).json().data.email, ADA);
  });

  test("signs in no stranger who signed up with the same address, and their cookies look alike", async () => {
    await using service = await startAuthService({ install: make });
    const ada = await signingUp(service.browser());
    const { link } = await service.mail.mailTo(ADA);
    const late = await signingUp(service.browser(), "another long password");
    await service.mail.mailTo(ADA, 2);
    await ada.follow(link);
    const known = await signingUp(service.browser());
    await service.mail.mailTo(ADA, 3);
    const cookies = [late, known].map((each) => {
      const [line = ""] = each.lastCookies;
      return line.replace(/=[0-9a-z]+\.[\w-]{22};/, "=…;");
    });
    assert.match(cookies[0] ?? "", /sign_up=…; .*HttpOnly; .*SameSite=Lax/i);
    assert.deepEqual(new Set(cookies).size, 1);
    for (const stranger of [late, known]) {
      await stranger.follow(link);
      assert.equal(await isSignedIn(stranger), false);
    }
  });

  test("signs no one in after the password changed, or once a second factor is needed", async () => {
    await using service = await startAuthService({ install: make });
    const ada = await signingUp(service.browser());
    const { link } = await service.mail.mailTo(ADA);
    const elsewhere = service.browser();
    await elsewhere.follow(link);
    await elsewhere.signIn(ADA);
    const enabled = await elsewhere.post("/auth/two-factor/enable", {
      password: PASSWORD,
    });
    const code = totpOf(enabled.json().totpURI);
    await elsewhere.post("/auth/two-factor/verify-totp", { code });
    await service.mail.mailSaying(ADA, /Two-factor authentication is on/);
    await ada.follow(link);
    assert.equal(await isSignedIn(ada), false);

    const bob = "bob@clinic.example";
    const browser = service.browser();
    await browser.signUp(bob);
    const confirmation = (await service.mail.mailTo(bob)).link;
    await elsewhere.post("/auth/request-password-reset", { email: bob });
    const reset = (await service.mail.mailTo(bob, 2)).link;
    await elsewhere.post("/auth/reset-password", {
      token: /reset-password\/([^?]+)/.exec(reset)?.[1],
      newPassword: "another horse entirely",
    });
    await browser.follow(confirmation);
    assert.equal(await isSignedIn(browser), false);
  });
});

/** A browser after a sign-up that came from another page. */
async function signingUp(
  browser: Browser,
  password = PASSWORD,
): Promise<Browser> {
  const answer = await browser.post("/auth/sign-up/email", {
    name: "",
    email: ADA,
    password,
    callbackURL: CAME_FOR,
  });
  assert.equal(answer.statusCode, 200, answer.body);
  return browser;
}

async function isSignedIn(browser: Browser): Promise<boolean> {
  return (await browser.get("/account")).statusCode === 200;
}
