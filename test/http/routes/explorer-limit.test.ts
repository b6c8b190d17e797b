import assert from "node:assert/strict";
import { test } from "node:test";
import { suiteOnBothInFull } from "../../support/postgresql/on-both.ts";
import { errorOf } from "../../support/pure/http-error.ts";
import {
  startAuthService,
  type Browser,
} from "../../support/app/auth-service.ts";
import { portalParts } from "../../support/app/portal-parts.ts";
import { SAMPLE } from "../../support/pure/engine/sample-directory.ts";

const ADA = "ada@clinic.example";

/** Requests of all kinds: lists, providers, what is shown with a list, and what is suggested while a user types. */
const PATHS = [
  "/explore/search?limit=1",
  "/explore/nearby?zip=62701",
  `/explore/providers/${SAMPLE.person}`,
  `/explore/providers/${SAMPLE.absent}`,
  "/explore/map/nearby?zip=62701",
  "/explore/interpret?q=lakeside",
  "/explore/alternatives?operation=search&name=lakeside",
  "/explore/places",
  "/explore/suggest?q=lakes",
  "/explore/taxonomies?q=fam",
];

/** A user who explores from a different address each time. */
function elsewhere(browser: Browser, path: string) {
  browser.useAnotherAddress();
  return browser.get(path);
}

suiteOnBothInFull("the explorer for those who are signed in", (make) => {
  test("an account has one limit for all requests, from any address and session", async () => {
    await using service = await startAuthService({
      install: make,
      portal: await portalParts({ explorer: "signed-in", perSecond: 4 }),
    });
    const { clock } = service.http.installation;
    const ada = await service.signedIn(ADA);
    const other = service.browser();
    await other.signIn(ADA);
    for (let left = 11; left >= 0; left--) {
      const path = PATHS[left % PATHS.length] ?? "";
      const browser = left % 2 === 0 ? ada : other;
      const { body, headers, statusCode } = await elsewhere(browser, path);
      assert.ok([200, 404].includes(statusCode), body);
      assert.equal(headers["ratelimit-policy"], '"burst";q=12;w=3');
      assert.match(
        String(headers.ratelimit),
        new RegExp(`^"burst";r=${left};t=\\d$`),
      );
    }
    for (const path of PATHS) {
      const refused = await elsewhere(other, path);
      assert.equal(refused.statusCode, 429, refused.body);
      const { code, message } = errorOf(refused.body);
      assert.equal(code, "rate_limited");
      assert.match(message, /allows 4 requests per second for each account/);
      assert.equal(refused.headers["retry-after"], "1");
    }
    const eve = await service.signedIn("eve@clinic.example");
    assert.equal((await eve.get(PATHS[0] ?? "")).statusCode, 200);
    clock.nowMs += 250;
    assert.equal((await elsewhere(ada, PATHS[0] ?? "")).statusCode, 200);
    assert.equal((await elsewhere(ada, PATHS[0] ?? "")).statusCode, 429);
  });

  test("a network has its limit too, also for signed-in users", async () => {
    await using service = await startAuthService({
      install: make,
      portal: await portalParts({ explorer: "signed-in", perSecond: 1 }),
    });
    const ada = await service.signedIn(ADA);
    ada.useAnotherAddress();
    for (let asked = 0; asked < 3; asked++)
      assert.equal((await ada.get("/explore/search")).statusCode, 200);
    const refused = await ada.get("/explore/search");
    assert.equal(refused.statusCode, 429);
    assert.match(errorOf(refused.body).message, /for each address/);
    assert.equal(refused.headers["retry-after"], "1");
  });

  test("no request counts against a month, and the account shows none", async () => {
    await using service = await startAuthService({
      install: make,
      portal: await portalParts({ explorer: "signed-in" }),
    });
    const ada = await service.signedIn(ADA);
    for (const path of PATHS) await elsewhere(ada, path);
    await service.http.write();
    const { explorer, used } = (await ada.get("/account")).json().data;
    assert.equal(explorer, undefined);
    assert.equal(used, 0);
  });
});
