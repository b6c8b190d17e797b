/** Checks made before the library sees a request. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { betterAuth } from "better-auth";
import { suiteOnBothInFull } from "../support/postgresql/on-both.ts";
import {
  PASSWORD,
  SITE,
  startAuthService,
} from "../support/app/auth-service.ts";

const ADA = "ada@clinic.example";

suiteOnBothInFull("checks of sign-up and sign-in requests", (make) => {
  // Without the check, PostgreSQL failed, names with NUL blocked a move from SQLite, and answers to lone surrogates
  // revealed known addresses.
  test("strings with NUL or a lone surrogate are refused, whether or not the address is known", async () => {
    await using service = await startAuthService({ install: make });
    const ada = await service.signedIn(ADA);
    for (const odd of ["a\0b", "a\ud800"])
      for (const [path, body] of [
        ["sign-up/email", { name: odd, email: ADA, password: PASSWORD }],
        [
          "sign-up/email",
          { name: odd, email: "new@clinic.example", password: PASSWORD },
        ],
        ["reset-password", { token: odd, newPassword: PASSWORD }],
        ["revoke-session", { token: odd }],
      ] as const) {
        ada.useAnotherAddress();
        const refused = await ada.post(`/auth/${path}`, body);
        assert.equal(refused.statusCode, 400, `${path} ${refused.body}`);
        assert.equal(refused.json().code, "INVALID_TEXT");
      }
    assert.deepEqual(service.faults, []);
    const named = { name: "Åsa 医 👩‍⚕️", email: ADA, password: PASSWORD };
    const fine = await service.browser().post("/auth/sign-up/email", named);
    assert.equal(fine.statusCode, 200, fine.body);
  });

  test("an address identifies the same user however it is written", async () => {
    await using service = await startAuthService({ install: make });
    const written = " Bob@BÜCHER.example";
    const browser = service.browser();
    const signedUp = await browser.signUp(written);
    assert.equal(signedUp.json().user.email, "bob@xn--bcher-kva.example");
    // The mail server shows the domain in Unicode.
    await service
      .browser()
      .confirm((await service.mail.mailTo("bob@bücher.example")).link);
    const signedIn = await service.browser().signIn(written);
    assert.equal(signedIn.statusCode, 200, signedIn.body);
    for (const path of ["request-password-reset", "send-verification-email"]) {
      const asked = await browser.post(`/auth/${path}`, { email: written });
      assert.equal(asked.statusCode, 200, asked.body);
    }
    await service.mail.mailTo("bob@bücher.example", 2);
    // Attempts are counted together, too.
    for (let attempt = 0; attempt < 20; attempt++)
      await service
        .browser()
        .signIn(attempt % 2 === 0 ? written : "bob@bücher.example", "wrong");
    const right = await service.browser().signIn("bob@xn--bcher-kva.example");
    assert.equal(right.statusCode, 429);
  });
});

// The library resolves the dots, and then sends the browser to `//evil.example`.
test("open redirect: a path that resolves to another host is refused", async () => {
  await using service = await startAuthService();
  for (const elsewhere of [
    "/..//evil.example",
    "/.//evil.example/",
    "/welcome/..//evil.example",
    "/%2e%2e//evil.example",
    "/./%2E//evil.example",
    `${SITE}//evil.example`,
  ]) {
    const to = encodeURIComponent(elsewhere);
    const browser = service.browser();
    const person = { email: ADA, password: PASSWORD };
    const answers = [
      await browser.get(
        `/auth/reset-password/${"n".repeat(24)}?callbackURL=${to}`,
      ),
      await browser.post("/auth/sign-up/email", {
        ...person,
        name: "",
        callbackURL: elsewhere,
      }),
      await browser.post("/auth/sign-in/email", {
        ...person,
        callbackURL: elsewhere,
      }),
      await browser.post("/auth/request-password-reset", {
        email: ADA,
        redirectTo: elsewhere,
      }),
      await browser.post("/auth/send-verification-email", {
        email: ADA,
        callbackURL: elsewhere,
      }),
      ...(await Promise.all(
        ["callbackURL", "errorCallbackURL", "newUserCallbackURL"].map((name) =>
          service.browser().post("/auth/sign-in/social", {
            provider: "github",
            [name]: elsewhere,
          }),
        ),
      )),
    ];
    for (const [index, answer] of answers.entries()) {
      assert.equal(answer.statusCode, 403, `${index} ${elsewhere}`);
      assert.equal(answer.headers.location, undefined);
    }
  }
  for (const inside of ["/welcome", "/a/../b?c=//d", `${SITE}/welcome`]) {
    const to = encodeURIComponent(inside);
    const sent = await service
      .browser()
      .get(`/auth/reset-password/${"n".repeat(24)}?callbackURL=${to}`);
    const { origin } = new URL(sent.headers.location ?? "", SITE);
    assert.equal(origin, SITE, inside);
  }
});

// The library's own list, so that additions of a newer version show here.
test("only the documented routes of the library are offered", async () => {
  await using service = await startAuthService({
    github: { clientId: "id", clientSecret: "secret" },
  });
  const { api } = betterAuth({
    secret: "only for this test, and long enough",
    baseURL: SITE,
  });
  const offered: string[] = [];
  // Endpoints without a path are only for programs.
  for (const { options, path = "" } of Object.values(api)) {
    for (const method of [options.method].flat()) {
      const url = `/auth${path.replace(":id", "github").replace(":token", "x")}`;
      const answer = await service.browser().ask(method, url);
      assert.ok(answer.statusCode < 500, `${method} ${path} ${answer.body}`);
      if (answer.statusCode !== 404) offered.push(`${method} ${path}`);
    }
  }
  assert.deepEqual(offered.toSorted(), [
    "GET /callback/:id",
    "GET /error",
    "GET /get-session",
    "GET /list-accounts",
    "GET /list-sessions",
    "GET /reset-password/:token",
    "GET /verify-email",
    "POST /change-password",
    "POST /request-password-reset",
    "POST /reset-password",
    "POST /revoke-other-sessions",
    "POST /revoke-session",
    "POST /send-verification-email",
    "POST /sign-in/email",
    "POST /sign-in/social",
    "POST /sign-out",
    "POST /sign-up/email",
  ]);
});

test("the session can be read any number of times from one address", async () => {
  await using service = await startAuthService();
  const ada = await service.signedIn(ADA);
  for (let page = 0; page < 150; page++)
    assert.equal((await ada.get("/auth/get-session")).statusCode, 200);
});
