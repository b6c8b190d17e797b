import assert from "node:assert/strict";
import { test } from "node:test";
import {
  GITHUB_APP,
  startGithubServer,
} from "../support/app/servers/github-server.ts";
import {
  PASSWORD,
  startAuthService,
  type Browser,
} from "../support/app/auth-service.ts";

const SITE = "https://clinic.example/npi";
const ADA = "ada@clinic.example";

/** Fails if an answer has no cookie, or one that browsers send to other paths of the host, too. */
function checkCookies({ lastCookies }: Browser): void {
  assert.notEqual(lastCookies.length, 0);
  for (const cookie of lastCookies) assert.match(cookie, /; Path=\/npi(?:;|$)/);
}

test("below a path, mailed links, the pages they lead to, and cookies are below it", async () => {
  await using service = await startAuthService({ site: SITE });
  const browser = service.browser();
  await browser.post("/auth/sign-up/email", {
    name: "",
    email: ADA,
    password: PASSWORD,
    callbackURL: "/settings",
  });
  checkCookies(browser);
  const signUp = await service.mail.mailTo(ADA);
  assert.ok(signUp.link.startsWith(`${SITE}/auth/verify-email?`), signUp.link);
  const confirming = await browser.follow(signUp.link);
  const page = String(confirming.headers.location);
  assert.ok(page.startsWith(`${SITE}/confirm-email?`), page);
  const { body } = await browser.follow(page);
  assert.ok(body.includes(`href="${SITE}/settings"`), body);
  const confirmed = await browser.confirm(signUp.link);
  assert.equal(confirmed.statusCode, 200, confirmed.body);
  checkCookies(browser);
  await browser.post("/auth/sign-out", {});
  checkCookies(browser);

  const asked = await browser.post("/auth/request-password-reset", {
    email: ADA,
    redirectTo: "/reset-password",
  });
  assert.equal(asked.statusCode, 200, asked.body);
  const reset = await service.mail.mailTo(ADA, 2);
  assert.ok(reset.link.startsWith(`${SITE}/auth/reset-password/`), reset.link);
  const choosing = await browser.follow(reset.link);
  assert.ok(
    String(choosing.headers.location).startsWith(
      `${SITE}/reset-password?token=`,
    ),
    String(choosing.headers.location),
  );
  const invalid = await browser.get("/auth/reset-password/invented");
  assert.equal(
    invalid.headers.location,
    `${SITE}/reset-password?error=INVALID_TOKEN`,
  );
  assert.deepEqual(service.faults, []);
});

test("below a path, GitHub sends users back below it, and they go on below it", async () => {
  await using github = await startGithubServer();
  await using service = await startAuthService({
    site: SITE,
    github: GITHUB_APP,
  });
  const browser = service.browser();
  const begin = async () => {
    const begun = await browser.post("/auth/sign-in/social", {
      provider: "github",
      callbackURL: "/settings",
      errorCallbackURL: "/sign-in?next=%2Fsettings",
    });
    assert.equal(begun.statusCode, 200, begun.body);
    return new URL(String(begun.json().url));
  };
  const { searchParams } = await begin();
  assert.equal(
    searchParams.get("redirect_uri"),
    `${SITE}/auth/callback/github`,
  );
  const person = {
    id: 4711,
    login: "ada",
    name: null,
    email: null,
    emails: [{ email: ADA, primary: true, verified: true }],
  };
  const signedIn = await browser.follow(
    github.agree((await begin()).href, person),
  );
  assert.equal(signedIn.headers.location, "/npi/settings", signedIn.body);
  checkCookies(browser);
  const state = (await begin()).searchParams.get("state");
  const refused = await browser.get(
    `/auth/callback/github?error=access_denied&state=${state}`,
  );
  assert.match(
    String(refused.headers.location),
    /^\/npi\/sign-in\?next=%2Fsettings&error=access_denied/,
  );
});

test("below a path, links to other pages of a list of the account are below it", async () => {
  await using service = await startAuthService({ site: SITE });
  const browser = await service.signedIn(ADA);
  for (const list of ["keys", "log", "usage"]) {
    const { headers } = await browser.get(`/account/${list}?limit=1`);
    const links = [...String(headers["link"]).matchAll(/<([^>]*)>/g)];
    assert.notEqual(links.length, 0);
    for (const [, link = ""] of links)
      assert.ok(link.startsWith(`/npi/account/${list}?`), link);
  }
});
