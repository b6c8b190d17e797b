/** The link in a sign-up's mail: opening it changes nothing, and its page says what became of it. */

import assert from "node:assert/strict";
import { hash } from "node:crypto";
import { test } from "node:test";
import { suiteOnBothInFull } from "../support/postgresql/on-both.ts";
import {
  SITE,
  startAuthService,
  type Browser,
} from "../support/app/auth-service.ts";
import { startHttpService } from "../support/app/http-service.ts";
import { tokenOf } from "../support/app/servers/mail-server.ts";
import { portalParts } from "../support/app/portal-parts.ts";

const ADA = "ada@clinic.example";

suiteOnBothInFull("the link in a sign-up's mail", (make) => {
  test("confirms nothing when a mail scanner opens it, so a stranger's password doesn't work", async () => {
    await using service = await startAuthService({ install: make });
    const stranger = service.browser();
    await stranger.signUp(ADA);
    const { link } = await service.mail.mailTo(ADA);
    for (const scanner of [service.browser(), stranger])
      for (const method of ["GET", "HEAD", "GET"] as const) {
        const opened = await open(scanner, link, method);
        assert.equal(opened.statusCode, 200, opened.body);
        assert.deepEqual(scanner.lastCookies, []);
      }
    assert.equal((await stranger.signIn(ADA)).statusCode, 401);
    const { accounts } = service.http.installation;
    assert.equal(await accounts.users.find(ADA), null);
    const confirmed = await service.browser().confirm(link);
    assert.equal(confirmed.statusCode, 200, confirmed.body);
    assert.equal((await accounts.users.find(ADA))?.email, ADA);
    assert.deepEqual(service.faults, []);
  });

  test("works only from a page of the service, or with X-Requested-With", async () => {
    await using service = await startAuthService({ install: make });
    const ada = service.browser();
    await ada.signUp(ADA);
    const body = { token: tokenOf((await service.mail.mailTo(ADA)).link) };
    const post = (headers: Record<string, string>) =>
      ada.post("/auth/verify-email", body, headers);
    for (const origin of ["", "null", "https://evil.example"]) {
      const refused = await post({ origin });
      assert.equal(refused.statusCode, 403, origin);
    }
    const form = { "content-type": "application/x-www-form-urlencoded" };
    assert.equal((await post(form)).statusCode, 415);
    const program = await post({ origin: "", "x-requested-with": "curl" });
    assert.equal(program.statusCode, 200, program.body);
  });

  test("is refused by reason: used, expired, or unknown", async (t) => {
    await using service = await startAuthService({ install: make });
    const ada = service.browser();
    const bob = "bob@clinic.example";
    await ada.signUp(ADA);
    await ada.signUp(bob);
    const { link } = await service.mail.mailTo(ADA);
    const late = (await service.mail.mailTo(bob)).link;
    const [head, , tag] = (tokenOf(link) ?? "").split(".");
    const forged = [head, (tokenOf(late) ?? "").split(".")[1], tag].join(".");
    const confirm = async (token: string | null) => {
      const answer = await ada.post("/auth/verify-email", { token });
      return [answer.statusCode, answer.json().code];
    };
    assert.deepEqual(await confirm(forged), [400, "INVALID_TOKEN"]);
    assert.deepEqual(await confirm("a.b.c"), [400, "INVALID_TOKEN"]);
    assert.deepEqual(await confirm(null), [400, "INVALID_TOKEN"]);
    assert.deepEqual(await confirm(tokenOf(link)), [200, undefined]);
    assert.deepEqual(await confirm(tokenOf(link)), [409, "LINK_USED"]);
    t.mock.timers.enable({ apis: ["Date"], now: Date.now() + 3_601_000 });
    ada.useAnotherAddress();
    assert.deepEqual(await confirm(tokenOf(late)), [400, "TOKEN_EXPIRED"]);
    assert.equal((await ada.signIn(bob)).statusCode, 401);
  });
});

test("the portal's page gives its address to no one else", async () => {
  const portal = await portalParts();
  await using service = await startAuthService({ portal });
  const ada = service.browser();
  await ada.signUp(ADA);
  const { link } = await service.mail.mailTo(ADA);
  const page = await open(ada, link);
  assert.equal(page.headers["referrer-policy"], "no-referrer");
  assert.match(page.body, /<title>Confirm your email address – /);
  assert.match(page.body, /<meta name="robots" content="noindex">/);
  assert.ok(!page.body.includes(tokenOf(link) ?? ""));
});

test("without the portal, the page is a plain one that names the service and the address", async () => {
  await using service = await startAuthService();
  const ada = service.browser();
  await ada.post("/auth/sign-up/email", {
    name: "",
    email: ADA,
    password: "correct horse battery",
    callbackURL: "/welcome?a=1&b=2",
  });
  const { link } = await service.mail.mailTo(ADA);
  const { body, headers } = await open(ada, link);
  assert.match(body, /signed up for directory\.example with <strong>ada@/);
  assert.match(body, /hidden><a href="\S+\/welcome\?a=1&amp;b=2">Continue/);
  assert.ok(!body.includes(tokenOf(link) ?? ""));
  assert.equal(headers["referrer-policy"], "no-referrer");
  assert.equal(headers["cache-control"], "no-store");
  const script = /<script>([^]*)<\/script>/.exec(body)?.[1] ?? "";
  const policy = String(headers["content-security-policy"]);
  assert.ok(policy.includes(`'sha256-${hash("sha256", script, "base64")}'`));

  const forged = await ada.get(
    `/confirm-email?token=${tokenUntil(1e10)}&callbackURL=//evil.example`,
  );
  assert.match(forged.body, /with <strong>&lt;b&gt;@x<\/strong>/);
  assert.doesNotMatch(forged.body, /evil|Continue/);
  for (const [query, says] of [
    ["", /This link doesn(&#39;|')t work: it may be incomplete/],
    ["token=x", /This link doesn(&#39;|')t work: it may be incomplete/],
    [`token=${tokenUntil(1)}`, /This link has expired: links work for one/],
  ] as const) {
    const invalid = await ada.get(`/confirm-email?${query}`);
    assert.match(invalid.body, says);
    assert.match(invalid.body, /a new (one|link) with POST \/auth\/send-/);
    assert.doesNotMatch(invalid.body, /signed up|your address|<button/);
  }
});

test("it is also a plain one if the portal couldn't be built, and missing without sign-up", async () => {
  const portal = await portalParts({ site: null });
  await using service = await startAuthService({ portal });
  const page = await service.browser().get("/confirm-email?token=x");
  assert.match(page.body, /This link doesn(&#39;|')t work/);
  await using closed = await startHttpService();
  const missing = await closed.ask({ url: "/confirm-email" });
  assert.equal(missing.statusCode, 404);
});

/** A token of no one's that names an address with markup. */
function tokenUntil(exp: number): string {
  return `a.${btoa(JSON.stringify({ email: "<b>@x", exp }))}.c`;
}

/** Opens a mailed link as a browser does, which follows its redirect. */
async function open(
  browser: Browser,
  link: string,
  method: "GET" | "HEAD" = "GET",
) {
  const mailed = await browser.ask(method, link.slice(SITE.length));
  const location = String(mailed.headers.location);
  assert.ok(location.startsWith(`${SITE}/confirm-email?token=`), location);
  return browser.ask(method, location.slice(SITE.length));
}
