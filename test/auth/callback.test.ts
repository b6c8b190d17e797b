import assert from "node:assert/strict";
import { test } from "node:test";
import { suiteOnBothInFull } from "../support/postgresql/on-both.ts";
import {
  GITHUB_APP,
  startGithubServer,
} from "../support/app/servers/github-server.ts";
import { PASSWORD, startAuthService } from "../support/app/auth-service.ts";

/** Redirect targets, and their form in a header. */
const TARGETS = [
  ["/settings?name=Zoë", "/settings?name=Zo%C3%AB"],
  ["/npi/🦊?Ω=€#ß", "/npi/%F0%9F%A6%8A?%CE%A9=%E2%82%AC#%C3%9F"],
  ["/a b", "/a%20b"],
  ["/%C3%A4?x=%20", "/%C3%A4?x=%20"],
] as const;

suiteOnBothInFull("callback URLs", (install) => {
  test("redirects with non-ASCII letters are percent-encoded, from a mail and at sign-in", async () => {
    await using service = await startAuthService({ install });
    for (const [number, [callbackURL, expected]] of TARGETS.entries()) {
      const email = `ada${number}@clinic.example`;
      const browser = service.browser();
      const credentials = { email, password: PASSWORD };
      const signedUp = await browser.post("/auth/sign-up/email", {
        ...credentials,
        name: "Zoë",
        callbackURL,
      });
      assert.equal(signedUp.statusCode, 200, signedUp.body);
      const { link } = await service.mail.mailTo(email);
      const mailed = await browser.follow(link);
      assert.equal(mailed.statusCode, 302, mailed.body);
      const { searchParams } = new URL(String(mailed.headers.location));
      assert.equal(searchParams.get("callbackURL"), expected);
      await browser.confirm(link);
      const signedIn = await browser.post("/auth/sign-in/email", {
        ...credentials,
        callbackURL,
      });
      assert.equal(signedIn.statusCode, 200, signedIn.body);
      assert.equal(signedIn.headers.location, expected);
    }
    assert.deepEqual(service.faults, []);
  });
});

test("redirects from GitHub are too, whether or not the sign-in succeeded", async () => {
  await using github = await startGithubServer();
  await using service = await startAuthService({ github: GITHUB_APP });
  for (const [number, [target, expected]] of TARGETS.entries()) {
    const browser = service.browser();
    const begin = async () => {
      const begun = await browser.post("/auth/sign-in/social", {
        provider: "github",
        callbackURL: target,
        newUserCallbackURL: target,
        errorCallbackURL: target,
      });
      assert.equal(begun.statusCode, 200, begun.body);
      return String(begun.json().url);
    };
    const email = `eve${number}@clinic.example`;
    const person = {
      id: 1_000 + number,
      login: "eve",
      name: "Зоя",
      email: null,
      emails: [{ email, primary: true, verified: true }],
    };
    const back = await browser.follow(github.agree(await begin(), person));
    assert.equal(back.statusCode, 302, back.body);
    assert.equal(back.headers.location, expected);
    const state = new URL(await begin()).searchParams.get("state");
    for (const error of ["access_denied", "%C3%A4%E2%82%AC"]) {
      const refused = await browser.get(
        `/auth/callback/github?error=${error}&error_description=%F0%9F%A6%8A&state=${state}`,
      );
      assert.equal(refused.statusCode, 302, refused.body);
      assert.match(String(refused.headers.location), /^[\x21-\x7e]+$/);
    }
  }
});
