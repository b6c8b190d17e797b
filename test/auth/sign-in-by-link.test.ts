/** Who is signed in by confirming a sign-up: only the browser that signed up, and only once. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { suiteOnBothInFull } from "../support/postgresql/on-both.ts";
import {
  PASSWORD,
  startAuthService,
  type Browser,
} from "../support/app/auth-service.ts";

const ADA = "ada@clinic.example";

suiteOnBothInFull("confirming a sign-up", (make) => {
  test("signs in the browser that signed up", async () => {
    await using service = await startAuthService({ install: make });
    const ada = await signingUp(service.browser());
    assert.equal(await isSignedIn(ada), false);
    const { link } = await service.mail.mailTo(ADA);
    const answer = await ada.confirm(link);
    assert.deepEqual(answer.json(), {
      status: true,
      email: ADA,
      signedIn: true,
    });
    assert.equal((await ada.get("/account")).json().data.email, ADA);
    assert.deepEqual(service.faults, []);
  });

  test("in another browser signs no one in, there or in the first one", async () => {
    await using service = await startAuthService({ install: make });
    const ada = await signingUp(service.browser());
    const { link } = await service.mail.mailTo(ADA);
    const phone = service.browser();
    const answer = await phone.confirm(link);
    assert.deepEqual(answer.json(), {
      status: true,
      email: ADA,
      signedIn: false,
    });
    assert.deepEqual(phone.lastCookies, []);
    assert.equal(await codeOf(ada.confirm(link)), "LINK_USED");
    for (const browser of [phone, ada])
      assert.equal(await isSignedIn(browser), false);
  });

  test("works once, also for a browser that keeps its cookie, and for links mailed later", async () => {
    await using service = await startAuthService({ install: make });
    const ada = await signingUp(service.browser());
    await ada.post("/auth/send-verification-email", { email: ADA });
    const { link } = await service.mail.mailTo(ADA);
    const later = (await service.mail.mailTo(ADA, 2)).link;
    const kept = new Map(ada.cookies);
    await ada.confirm(link);
    await ada.post("/auth/sign-out", {});
    for (const each of [link, later]) {
      for (const [name, value] of kept) ada.cookies.set(name, value);
      assert.equal(await codeOf(ada.confirm(each)), "LINK_USED");
      assert.equal(await isSignedIn(ada), false);
    }
  });

  test("works once for requests at the same time", async () => {
    await using service = await startAuthService({ install: make });
    const ada = await signingUp(service.browser());
    const { link } = await service.mail.mailTo(ADA);
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => ada.confirm(link)),
    );
    const statuses = answers.map(({ statusCode }) => statusCode);
    assert.deepEqual(
      statuses.toSorted((a, b) => a - b),
      [200, ...Array(7).fill(409)],
    );
    await ada.signIn(ADA);
    const sessions = (await ada.get("/auth/list-sessions")).json();
    assert.equal(sessions.length, 2);
  });

  test("signs no one in to an account that isn't the one they signed up for", async () => {
    await using service = await startAuthService({ install: make });
    const mallory = service.browser();
    await mallory.signUp("mallory@clinic.example");
    const { link } = await service.mail.mailTo("mallory@clinic.example");
    const ada = await signingUp(service.browser());
    await ada.confirm(link);
    assert.equal(await isSignedIn(ada), false);
    await ada.confirm((await service.mail.mailTo(ADA)).link);
    assert.equal((await ada.get("/account")).json().data.email, ADA);
  });

  test("leaves a browser signed in as another user, also if it signed up, and says whose address it was", async () => {
    await using service = await startAuthService({ install: make });
    const bob = "bob@clinic.example";
    const grace = await service.signedIn("grace@clinic.example");
    await signingUp(grace);
    await service.browser().signUp(bob);
    const before = new Map(grace.cookies);
    for (const email of [ADA, bob]) {
      const answer = await grace.confirm(
        (await service.mail.mailTo(email)).link,
      );
      assert.deepEqual(answer.json(), { status: true, email, signedIn: false });
      assert.deepEqual(grace.cookies, before);
      const { data } = (await grace.get("/account")).json();
      assert.equal(data.email, "grace@clinic.example");
      const user = service.browser();
      assert.equal((await user.signIn(email)).statusCode, 200);
    }
  });

  test("signs in no stranger who signed up with the same address, and their cookies look alike", async () => {
    await using service = await startAuthService({ install: make });
    await signingUp(service.browser());
    const { link } = await service.mail.mailTo(ADA);
    const late = await signingUp(service.browser(), "another long password");
    await service.mail.mailTo(ADA, 2);
    const cookies = [late.lastCookies];
    assert.equal((await late.confirm(link)).json().signedIn, false);
    assert.equal(await isSignedIn(late), false);
    const known = await signingUp(service.browser());
    await service.mail.mailTo(ADA, 3);
    cookies.push(known.lastCookies);
    const shapes = cookies.map(([line = ""]) =>
      line.replace(/=[0-9a-z]+\.[\w-]{22};/, "=…;"),
    );
    assert.match(shapes[0] ?? "", /sign_up=…; .*HttpOnly; .*SameSite=Lax/i);
    assert.equal(new Set(shapes).size, 1);
    await known.confirm(link);
    assert.equal(await isSignedIn(known), false);
  });

  test("signs no one in after the password was reset, which confirms the address, too", async () => {
    await using service = await startAuthService({ install: make });
    const ada = await signingUp(service.browser());
    const confirmation = (await service.mail.mailTo(ADA)).link;
    const elsewhere = service.browser();
    await elsewhere.post("/auth/request-password-reset", { email: ADA });
    const reset = (await service.mail.mailTo(ADA, 2)).link;
    await elsewhere.post("/auth/reset-password", {
      token: /reset-password\/([^?]+)/.exec(reset)?.[1],
      newPassword: "another horse entirely",
    });
    assert.equal(await codeOf(ada.confirm(confirmation)), "LINK_USED");
    assert.equal(await isSignedIn(ada), false);
  });
});

async function signingUp(
  browser: Browser,
  password = PASSWORD,
): Promise<Browser> {
  const answer = await browser.signUp(ADA, password);
  assert.equal(answer.statusCode, 200, answer.body);
  return browser;
}

async function codeOf(answer: ReturnType<Browser["confirm"]>): Promise<string> {
  return (await answer).json().code;
}

async function isSignedIn(browser: Browser): Promise<boolean> {
  return (await browser.get("/account")).statusCode === 200;
}
