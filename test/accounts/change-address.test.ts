/** A user's new address: who can change it, to what, and what stays. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { openDatabase } from "../../src/accounts/database/open-database.ts";
import {
  PASSWORD,
  SITE,
  startAuthService,
  type Browser,
} from "../support/app/auth-service.ts";
import {
  tokenOf,
  type MailServer,
} from "../support/app/servers/mail-server.ts";
import { suiteOnBothInFull } from "../support/postgresql/on-both.ts";

const ADA = "ada@clinic.example";
const NEW = "ada@hospital.example";
const EVE = "eve@clinic.example";

suiteOnBothInFull("a new address", (make) => {
  test("is the account's once its link is confirmed; sessions, keys, and the password stay", async () => {
    await using service = await startAuthService({ install: make });
    const { accounts } = service.http.installation;
    const ada = await service.signedIn(ADA);
    await ada.post("/account/keys", { name: "forms" });
    const before = await accounts.users.find(ADA);
    const asked = await ask(ada, " Ada@Hospital.EXAMPLE ");
    assert.equal(asked.statusCode, 204, asked.body);
    const notice = await service.mail.mailSaying(ADA, /about to change/);
    assert.match(notice.text, /ada@hospital\.example/);
    const link = await linkTo(service.mail, NEW);
    for (const method of ["GET", "HEAD"] as const) {
      const opened = await ada.ask(method, link.slice(SITE.length));
      const location = String(opened.headers.location);
      assert.ok(location.startsWith(`${SITE}/confirm-email?token=`), location);
      const page = await ada.ask(method, location.slice(SITE.length));
      assert.equal(page.statusCode, 200);
      if (method === "GET")
        assert.match(
          page.body,
          /their account at .* to be <strong>ada@hospital\.example</,
        );
    }
    assert.equal((await ada.get("/account")).json().data.email, ADA);

    const confirmed = await service.browser().confirm(link);
    assert.equal(confirmed.statusCode, 200, confirmed.body);
    assert.deepEqual(confirmed.json(), {
      status: true,
      email: NEW,
      signedIn: false,
    });
    await service.mail.mailSaying(ADA, /address was changed/);
    assert.equal((await ada.get("/account")).json().data.email, NEW);
    const after = await accounts.users.find(NEW);
    assert.deepEqual(after, { ...before, email: NEW });
    assert.equal(await accounts.users.find(ADA), null);
    const keys = (await ada.get("/account/keys")).json().data;
    assert.equal(keys[0].state, "active");
    assert.equal((await service.browser().signIn(ADA)).statusCode, 401);
    assert.equal((await service.browser().signIn(NEW)).statusCode, 200);
    const [entry] = (await ada.get("/account/log")).json().data;
    assert.deepEqual(
      [entry.actor, entry.action, entry.detail],
      ["you", "address_changed", ""],
    );
    assert.deepEqual(service.faults, []);
  });

  test("is refused without the password, for a suspended account, and if it isn't an address", async () => {
    await using service = await startAuthService({ install: make });
    const ada = await service.signedIn(ADA);
    const codeOf = async (body: unknown) =>
      (await ada.post("/account/email", body)).json().error.code;
    assert.equal(await codeOf({ email: NEW }), "wrong_password");
    assert.equal(
      await codeOf({ email: NEW, password: "not the password" }),
      "wrong_password",
    );
    for (const email of ["x", "a\0@b.example", ADA, 1])
      assert.equal(
        await codeOf({ email, password: PASSWORD }),
        "invalid_body",
        String(email),
      );
    const { accounts } = service.http.installation;
    await accounts.users.suspend(ADA);
    const suspended = await codeOf({ email: NEW, password: PASSWORD });
    assert.equal(suspended, "account_suspended");
    const stranger = await ask(service.browser(), NEW);
    assert.equal(stranger.statusCode, 401);
    assert.deepEqual(
      service.mail.mails.filter(({ to }) => to.includes(NEW)),
      [],
    );
  });

  test("is refused if the library refuses it, so that the user can still sign in", async () => {
    await using service = await startAuthService({ install: make });
    const ada = await service.signedIn(ADA);
    for (const email of [
      "ä@b.example",
      "a!b@c.example",
      "a'@b.example",
      "a@b.xn--p1ai",
      "o'neil+x@b-c.example",
      "a_b-@c.d.example",
    ]) {
      const other = service.browser();
      const { statusCode } = await other.signUp(email);
      const asked = await ask(ada, email);
      assert.equal(asked.statusCode, statusCode === 200 ? 204 : 400, email);
    }
  });

  test("can be requested ten times an hour, and gets five mails", async () => {
    await using service = await startAuthService({ install: make });
    const ada = await service.signedIn(ADA);
    for (let tries = 0; tries < 10; tries++)
      assert.equal((await ask(ada, NEW)).statusCode, 204);
    const refused = await ask(ada, NEW);
    assert.equal(refused.json().error.code, "rate_limited");
    await service.mail.mailTo(NEW, 5);
    await service.mail.mailTo(ADA, 6);
    // Its mail comes after any that would be too many.
    await service.signedIn(EVE);
    const sent = service.mail.mails.filter(({ to }) => to.includes(NEW));
    assert.equal(sent.length, 5);
  });

  test("a link works once, until the next one or a new password, and never longer than an hour", async (t) => {
    await using service = await startAuthService({ install: make });
    const ada = await service.signedIn(ADA);
    const confirm = async (link: string) => {
      const answer = await ada.confirm(link);
      return [answer.statusCode, answer.json().code];
    };
    await ask(ada, NEW);
    const first = await linkTo(service.mail, NEW);
    await ask(ada, EVE);
    const second = await linkTo(service.mail, EVE);
    assert.deepEqual(await confirm(first), [409, "LINK_USED"]);
    const changed = await ada.post("/auth/change-password", {
      currentPassword: PASSWORD,
      newPassword: "staple battery horse",
    });
    assert.equal(changed.statusCode, 200, changed.body);
    assert.deepEqual(await confirm(second), [409, "LINK_USED"]);
    assert.equal((await ada.get("/account")).json().data.email, ADA);

    const password = "staple battery horse";
    await ada.post("/account/email", { email: NEW, password });
    const third = await linkTo(service.mail, NEW, 2);
    await ada.post("/auth/request-password-reset", {
      email: ADA,
      redirectTo: "/reset-password",
    });
    const reset = await service.mail.mailSaying(ADA, /Choose a new password/);
    const both = await Promise.all([confirm(third), confirm(third)]);
    const statuses = both.map(([status]) => status);
    assert.deepEqual(new Set(statuses), new Set([200, 409]));
    assert.deepEqual(await confirm(third), [409, "LINK_USED"]);
    const old = await ada.follow(reset.link);
    assert.match(String(old.headers.location), /INVALID_TOKEN/);

    await ada.post("/account/email", { email: ADA, password });
    const late = await linkTo(service.mail, ADA);
    t.mock.timers.enable({ apis: ["Date"], now: Date.now() + 3_601_000 });
    assert.deepEqual(await confirm(late), [400, "TOKEN_EXPIRED"]);
  });

  test("another account's is answered like a free one, and its owner gets no link", async () => {
    await using service = await startAuthService({ install: make });
    const ada = await service.signedIn(ADA);
    const eve = await service.signedIn(EVE);
    const taken = await ask(ada, EVE);
    const free = await ask(ada, NEW);
    assert.deepEqual(
      [taken.statusCode, taken.body],
      [free.statusCode, free.body],
    );
    const told = await service.mail.mailSaying(EVE, /already has one/);
    assert.equal(tokenOf(told.link), null);

    // It may be free when the link is mailed, and taken when it is opened.
    const link = await linkTo(service.mail, NEW);
    await service.http.installation.accounts.users.create(NEW);
    const late = await eve.confirm(link);
    assert.equal(late.statusCode, 409, late.body);
    assert.equal(late.json().code, "LINK_USED");
    for (const [browser, email] of [
      [ada, ADA],
      [eve, EVE],
    ] as const)
      assert.equal((await browser.get("/account")).json().data.email, email);
  });

  test("of two accounts that want it at the same time, one gets it", async () => {
    await using service = await startAuthService({ install: make });
    const users = [await service.signedIn(ADA), await service.signedIn(EVE)];
    const links: string[] = [];
    for (const [nth, user] of users.entries()) {
      await ask(user, NEW);
      links.push(await linkTo(service.mail, NEW, nth + 1));
    }
    const answers = await Promise.all(
      links.map((link) => service.browser().confirm(link)),
    );
    const statuses = answers.map((each) => each.statusCode);
    assert.deepEqual(new Set(statuses), new Set([200, 409]));
    assert.deepEqual(service.faults, []);
  });

  test("a link changes the account that requested it, not the one of the user who opens it", async () => {
    await using service = await startAuthService({ install: make });
    const ada = await service.signedIn(ADA);
    const eve = await service.signedIn(EVE);
    await ask(ada, NEW);
    const link = await linkTo(service.mail, NEW);
    await ask(eve, "eve@hospital.example");
    const own = await linkTo(service.mail, "eve@hospital.example");
    const [head, , tag] = (tokenOf(own) ?? "").split(".");
    const forged = [head, (tokenOf(link) ?? "").split(".")[1], tag].join(".");
    const refused = await eve.post("/auth/verify-email", { token: forged });
    assert.equal(refused.json().code, "INVALID_TOKEN");
    assert.equal((await eve.confirm(link)).statusCode, 200);
    assert.equal((await ada.get("/account")).json().data.email, NEW);
    assert.equal((await eve.get("/account")).json().data.email, EVE);
  });

  test("takes the place of a sign-up that was never confirmed", async () => {
    await using service = await startAuthService({ install: make });
    const ada = await service.signedIn(ADA);
    const stranger = service.browser();
    await stranger.signUp(NEW, "a stranger's password");
    const signUp = (await service.mail.mailTo(NEW)).link;
    await ask(ada, NEW);
    const link = await linkTo(service.mail, NEW);
    assert.equal((await ada.confirm(link)).statusCode, 200);
    const late = await stranger.confirm(signUp);
    assert.equal(late.json().code, "INVALID_TOKEN");
    const guess = await stranger.signIn(NEW, "a stranger's password");
    assert.equal(guess.statusCode, 401);
  });

  test("restarts no month and lifts no suspension, and neither does the one that was left", async () => {
    await using service = await startAuthService({ install: make });
    const { accounts, clock, place } = service.http.installation;
    await using db = await openDatabase(place);
    const use = async (email: string, used: number) => {
      const id = (await accounts.users.find(email))?.id ?? 0;
      const row = { account_id: id, month: "2026-11", used };
      await db
        .insertInto("api_usage")
        .values({ ...row, updated_at: clock.nowMs })
        .execute();
    };
    const ada = await service.signedIn(ADA);
    await use(ADA, 300);
    await move(ada, NEW);
    assert.deepEqual(await factsOf(ada), [NEW, 700, "active"]);
    await move(ada, ADA);
    assert.deepEqual(await factsOf(ada), [ADA, 700, "active"]);
    await move(ada, NEW, 2);
    const again = service.browser();
    await again.signUp(ADA);
    await again.confirm(await linkTo(service.mail, ADA, 2, /signed up/));
    await again.signIn(ADA);
    assert.deepEqual(await factsOf(again), [ADA, 700, "active"]);

    await service.signedIn(EVE);
    await use(EVE, 900);
    await accounts.users.suspend(EVE);
    await accounts.users.delete(EVE);
    clock.nowMs += 3_600_000;
    await move(ada, EVE);
    assert.deepEqual(await factsOf(ada), [EVE, 100, "suspended"]);

    async function move(browser: Browser, email: string, nth = 1) {
      const answer = await ask(browser, email);
      assert.equal(answer.statusCode, 204, answer.body);
      const link = await linkTo(service.mail, email, nth);
      const confirmed = await browser.confirm(link);
      assert.equal(confirmed.statusCode, 200, confirmed.body);
    }
  });
});

/** The account's address, what is left of its month, and its status. */
async function factsOf(browser: Browser) {
  const { data } = (await browser.get("/account")).json();
  return [data.email, data.remaining, data.status];
}

function ask(browser: Browser, email: string) {
  return browser.post("/account/email", { email, password: PASSWORD });
}

/** The link in the nth mail to an address that has such a text, once it is there. */
async function linkTo(
  mail: MailServer,
  email: string,
  nth = 1,
  fits = /Confirm your new email address/,
): Promise<string> {
  let found = 0;
  for (let mails = 1; ; mails++) {
    const { link, text } = await mail.mailTo(email, mails);
    if (fits.test(text) && ++found === nth) return link;
  }
}
