import assert from "node:assert/strict";
import { test } from "node:test";
import { openDatabase } from "../../src/accounts/database/open-database.ts";
import { MAX_KEPT_KEYS } from "../../src/contract/credentials.ts";
import { recordUse } from "../support/app/accounts-installation.ts";
import { suiteOnBothInFull } from "../support/postgresql/on-both.ts";
import { ADA, openShop } from "../support/app/billing-installation.ts";
import { startAuthService } from "../support/app/auth-service.ts";

const HOUR_MS = 3_600_000;

suiteOnBothInFull("limits of an account", (make) => {
  test("an account creates and rotates twenty keys an hour, over all sessions", async () => {
    await using service = await startAuthService({ install: make });
    const { clock } = service.http.installation;
    const ada = await service.signedIn(ADA);
    const elsewhere = service.browser();
    await elsewhere.signIn(ADA);
    for (let made = 0; made < 20; made++) {
      const browser = made % 2 === 0 ? ada : elsewhere;
      const created = await browser.post("/account/keys", {});
      assert.equal(created.statusCode, 201, created.body);
      const { id } = created.json().data;
      assert.equal((await ada.delete(`/account/keys/${id}`)).statusCode, 200);
    }
    for (const browser of [ada, elsewhere]) {
      const refused = await browser.post("/account/keys", {});
      assert.equal(refused.statusCode, 429, refused.body);
      assert.equal(refused.json().error.code, "rate_limited");
      assert.equal(refused.headers["retry-after"], "3600");
    }
    const eve = await service.signedIn("eve@clinic.example");
    assert.equal((await eve.post("/account/keys", {})).statusCode, 201);
    clock.nowMs += HOUR_MS;
    assert.equal((await ada.post("/account/keys", {})).statusCode, 201);
  });

  test("every other change is limited by account too", async () => {
    await using service = await startAuthService({ install: make });
    for (const [index, [method, path, body]] of (
      [
        ["POST", "/account/keys/1/rotate", { overlap: "0" }],
        ["DELETE", "/account/keys/1", undefined],
        ["DELETE", "/account", { password: "not the password" }],
      ] as const
    ).entries()) {
      const ada = await service.signedIn(`ada${index}@clinic.example`);
      const codes = new Set<string>();
      for (let tries = 0; tries < 61; tries++) {
        service.http.installation.clock.nowMs += 1_000;
        const answer = await ada.ask(method, path, body);
        codes.add(answer.json().error.code);
      }
      assert.ok(codes.has("rate_limited"), `${method} ${path}`);
    }
  });

  test("an account keeps a hundred keys: a new one replaces the one that ended first", async () => {
    await using installation = await make();
    const { accounts, clock, place } = installation;
    await accounts.users.create(ADA);
    const kept = await accounts.keys.create(ADA, "in use");
    assert.equal(kept.outcome, "created");
    for (let made = 0; made < MAX_KEPT_KEYS + 5; made++) {
      const created = await accounts.keys.create(ADA, `key ${made}`);
      if (created.outcome !== "created") throw new Error(created.outcome);
      const { accountId, id } = created.record;
      await recordUse(place, accountId, clock.nowMs, [
        { keyId: id, hour: clock.nowMs, operation: "lookup", count: 1 },
      ]);
      clock.nowMs += 1_000;
      await accounts.keys.revoke(id);
    }
    const listed = await accounts.keys.list({ email: ADA });
    if (listed.outcome !== "listed") throw new Error(listed.outcome);
    const names = listed.keys.map(({ name }) => name);
    assert.equal(names.length, MAX_KEPT_KEYS);
    assert.equal(names[0], "in use");
    assert.equal(names[1], "key 6");
    assert.equal(
      await accounts.usage.thisMonth(listed.keys[0]?.accountId ?? 0),
      MAX_KEPT_KEYS + 5,
    );
    // The usage of deleted keys stays in the sums.
    await using db = await openDatabase(place);
    const { used } = await db
      .selectFrom("api_usage_hour")
      .select(({ fn }) => fn.sum<number>("used").as("used"))
      .executeTakeFirstOrThrow();
    assert.equal(used, MAX_KEPT_KEYS + 5);
  });

  test("keys and usage are listed in linked pages", async () => {
    await using service = await startAuthService({ install: make });
    const { clock, place } = service.http.installation;
    const ada = await service.signedIn(ADA);
    const ids: number[] = [];
    for (let made = 0; made < 3; made++)
      ids.push((await ada.post("/account/keys", {})).json().data.id);
    const first = await ada.get("/account/keys?limit=2");
    const pageOf = (answer: typeof first) =>
      answer.json().data.map(({ id }: { id: number }) => id);
    assert.deepEqual(pageOf(first), ids.slice(0, 2));
    assert.deepEqual(first.json().meta, {
      count: 2,
      page: 1,
      limit: 2,
      total: 3,
    });
    assert.equal(
      first.headers.link,
      '</account/keys?limit=2&page=1>; rel="first", </account/keys?limit=2&page=2>; rel="next"',
    );
    const second = await ada.get("/account/keys?limit=2&page=2");
    assert.deepEqual(pageOf(second), ids.slice(2));
    assert.doesNotMatch(String(second.headers.link), /next/);
    assert.deepEqual(pageOf(await ada.get("/account/keys")), ids);

    await recordUse(
      place,
      1,
      clock.nowMs,
      ids.map((keyId) => ({
        keyId,
        hour: clock.nowMs,
        operation: "search" as const,
        count: 2,
      })),
    );
    const use = await ada.get("/account/usage?days=2&limit=2&page=2");
    assert.deepEqual(use.json(), {
      data: [
        { day: "2026-11-20", key_id: ids[2], operation: "search", used: 2 },
      ],
      meta: { days: 2, count: 1, page: 2, limit: 2, total: 3 },
    });
    assert.match(
      String(use.headers.link),
      /<\/account\/usage\?days=2&limit=2&page=1>; rel="prev"/,
    );
    for (const path of [
      "keys?limit=0",
      "keys?limit=101",
      "keys?all=1",
      "usage?limit=1001",
    ])
      assert.equal((await ada.get(`/account/${path}`)).statusCode, 400, path);
  });

  test("an account starts ten checkouts an hour", async () => {
    await using shop = await openShop(make);
    for (let tries = 0; tries < 10; tries++)
      assert.equal(
        (await shop.post("checkout", { plan: "paid" })).statusCode,
        200,
      );
    for (const path of ["checkout", "portal"])
      for (let tries = 0; tries < 21; tries++) {
        const answer = await shop.post(
          path,
          path === "portal" ? {} : { plan: "paid" },
        );
        if (path === "checkout" || tries === 20)
          assert.equal(answer.json().error.code, "rate_limited", path);
      }
  });
});

test("all requests to an account share a burst limit", async () => {
  await using service = await startAuthService();
  const { clock } = service.http.installation;
  const ada = await service.signedIn(ADA);
  let answered = 0;
  let last = await ada.get("/account");
  for (; last.statusCode === 200 && answered < 500; answered++)
    last = await ada.get(
      answered % 2 === 0 ? "/account/usage" : "/account/keys",
    );
  assert.equal(last.json().error.code, "rate_limited");
  assert.equal(last.headers["retry-after"], "1");
  const eve = await service.signedIn("eve@clinic.example");
  assert.equal((await eve.get("/account")).statusCode, 200);
  clock.nowMs += 1_000;
  assert.equal((await ada.get("/account")).statusCode, 200);
});
