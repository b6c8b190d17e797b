import assert from "node:assert/strict";
import { test } from "node:test";
import { suiteOnBoth } from "../../support/service/accounts-installation.ts";
import { errorOf } from "../../support/program/http-error.ts";
import { startHttpService } from "../../support/service/http-service.ts";
import {
  startAuthService,
  type Browser,
} from "../../support/service/auth-service.ts";
import { portalParts } from "../../support/service/portal-parts.ts";
import { SAMPLE } from "../../support/service/sample-directory.ts";

const ADA = "ada@clinic.example";
const MONTH = 2026 * 12 + 10;
const TO_DECEMBER_S =
  (Date.UTC(2026, 11, 1) - Date.UTC(2026, 10, 20, 12)) / 1000;

/** A user who explores from a different address each time. */
function elsewhere(browser: Browser, path: string) {
  browser.useAnotherAddress();
  return browser.get(path);
}

suiteOnBoth("the explorer for those who are signed in", (make) => {
  test("pages count against a separate month of the account, from any address and session", async () => {
    await using service = await startAuthService({
      install: make,
      portal: await portalParts({ explorer: "signed-in" }),
    });
    const { accounts, clock } = service.http.installation;
    const ada = await service.signedIn(ADA);
    const other = service.browser();
    await other.signIn(ADA);
    const accountId = (await accounts.users.find(ADA))?.id ?? 0;
    await accounts.usage.record(
      {
        writer: "another process",
        number: 1,
        deltas: [{ accountId, month: MONTH, count: 3, pages: 995 }],
        uses: [],
        parts: [],
      },
      { nowMs: clock.nowMs, sinceMs: clock.nowMs },
    );
    const paths = [
      "/explore/search?limit=1",
      "/explore/nearby?zip=62701",
      "/explore/search?limit=1&page=2",
      `/explore/providers/${SAMPLE.person}`,
      `/explore/providers/${SAMPLE.absent}`,
    ];
    // What comes with a page.
    const parts = [
      "/explore/map/nearby?zip=62701",
      "/explore/interpret?q=lakeside",
      "/explore/alternatives?operation=search&name=lakeside",
    ];
    for (const [index, path] of paths.entries()) {
      const answer = await elsewhere(index % 2 === 0 ? ada : other, path);
      assert.ok([200, 404].includes(answer.statusCode), answer.body);
      assert.match(
        String(answer.headers.ratelimit),
        new RegExp(`^"month";r=${4 - index};t=${TO_DECEMBER_S}, "burst"`),
      );
      // Errors are free, and so are suggestions.
      for (const free of [
        "/explore/taxonomies?q=fam",
        "/explore/suggest?q=lakes",
        `/explore/suggest?q=${SAMPLE.person}`,
      ])
        assert.equal((await elsewhere(ada, free)).statusCode, 200);
      if (index === 4) break;
      for (const free of parts)
        assert.equal((await elsewhere(ada, free)).statusCode, 200, free);
      assert.equal((await ada.get("/explore/search?limit=0")).statusCode, 400);
    }
    for (const path of [...paths, ...parts]) {
      const refused = await elsewhere(other, path);
      assert.equal(refused.statusCode, 429, refused.body);
      assert.equal(errorOf(refused.body).code, "explorer_limit_reached");
      assert.equal(refused.headers["retry-after"], String(TO_DECEMBER_S));
    }
    const eve = await service.signedIn("eve@clinic.example");
    assert.equal((await eve.get(paths[0] ?? "")).statusCode, 200);
    clock.nowMs = Date.UTC(2026, 11, 1);
    assert.equal((await elsewhere(ada, paths[0] ?? "")).statusCode, 200);
  });

  test("the account shows what was viewed, and the quota of its keys does not change", async () => {
    await using service = await startAuthService({
      install: make,
      portal: await portalParts({ explorer: "signed-in" }),
    });
    const ada = await service.signedIn(ADA);
    await ada.get("/explore/search");
    await ada.get("/explore/search?page=2");
    await service.http.flush();
    const { explorer, used } = (await ada.get("/account")).json().data;
    assert.deepEqual(explorer, { quota: 1000, used: 2, remaining: 998 });
    assert.equal(used, 0);
  });
});

test("an account has its own burst limits, from any address", async () => {
  await using service = await startAuthService({
    portal: await portalParts({ explorer: "signed-in", perSecond: 2 }),
  });
  const ada = await service.signedIn(ADA);
  const eve = await service.signedIn("eve@clinic.example");
  for (const [path, perSecond] of [
    ["/explore/search", 2],
    ["/explore/interpret?q=lakeside", 8],
    ["/explore/taxonomies", 4],
  ] as const) {
    for (let asked = 0; asked < 3 * perSecond; asked++)
      assert.equal((await elsewhere(ada, path)).statusCode, 200);
    const refused = await elsewhere(ada, path);
    assert.equal(refused.statusCode, 429);
    const { code, message } = errorOf(refused.body);
    assert.equal(code, "rate_limited");
    assert.ok(
      message.includes(
        `allows ${perSecond} requests per second for each account`,
      ),
    );
    assert.equal((await eve.get(path)).statusCode, 200);
  }
});

test("if the explorer is open to everyone, nothing counts", async () => {
  await using service = await startAuthService({
    portal: await portalParts({ explorer: "open" }),
  });
  const ada = await service.signedIn(ADA);
  const { headers } = await ada.get("/explore/search");
  assert.doesNotMatch(String(headers.ratelimit), /month/);
  await service.http.flush();
  assert.equal((await ada.get("/account")).json().data.explorer, null);
  const { accounts } = service.http.installation;
  const accountId = (await accounts.users.find(ADA))?.id ?? 0;
  assert.equal((await accounts.usage.thisMonth(accountId)).viewed, 0);
  await using bare = await startHttpService();
  assert.equal((await bare.ask({ url: "/explore/search" })).statusCode, 404);
});
