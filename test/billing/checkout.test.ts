import assert from "node:assert/strict";
import test from "node:test";
import { install } from "../support/app/accounts-installation.ts";
import { suiteOnBothInFull } from "../support/postgresql/on-both.ts";
import {
  ADA,
  openShop,
  PUBLIC_URL,
  type Shop,
} from "../support/app/billing-installation.ts";
import { errorOf } from "../support/pure/http-error.ts";
import { startHttpService } from "../support/app/http-service.ts";
import { PAID_PRICE } from "../support/app/servers/stripe-server.ts";

test("concurrent checkouts leave one open, and all lead to it", async () => {
  await using shop = await openShop(install);
  // All are created before any is listed.
  const made = Promise.withResolvers<void>();
  shop.stripe.before = async (request) => {
    if (request !== "GET /v1/checkout/sessions") return;
    if (shop.stripe.sessions.size === 4) made.resolve();
    await made.promise;
  };
  const answers = await Promise.all(
    [1, 2, 3, 4].map(() => shop.post("checkout", { plan: "paid" })),
  );
  const open = openCheckouts(shop);
  assert.equal(open.length, 1);
  for (const answer of answers)
    assert.equal(answer.json().data.url, `https://stripe.example/${open[0]}`);
});

suiteOnBothInFull("checkout", (make) => {
  test("a signed-in user is sent to Stripe's checkout, and has the plan once it is paid", async () => {
    await using shop = await openShop(make);
    const answer = await shop.post("checkout", { plan: "paid" });
    assert.equal(answer.statusCode, 200, answer.body);
    assert.equal(answer.headers["cache-control"], "no-store");
    const { url } = answer.json().data;
    assert.match(url, /^https:\/\/stripe\.example\/cs_/);
    const session = shop.stripe.sessions.get(new URL(url).pathname.slice(1));
    assert.equal(session?.get("mode"), "subscription");
    assert.equal(session.get("line_items[0][price]"), PAID_PRICE);
    assert.equal(session.get("line_items[0][quantity]"), "1");
    assert.equal(
      session.get("success_url"),
      "https://directory.example/account?checkout=paid",
    );
    assert.equal(
      session.get("cancel_url"),
      "https://directory.example/account?checkout=cancelled",
    );
    assert.deepEqual([...shop.stripe.customers.values()], [ADA]);
    assert.equal(await shop.plan(), "free", "nothing is paid yet");

    const subscription = shop.stripe.pay(url);
    const event = shop.stripe.event(
      "customer.subscription.created",
      subscription,
      { at: shop.installation.clock.nowMs },
    );
    const taken = await shop.deliver(event);
    assert.equal(taken.statusCode, 200, taken.body);
    assert.equal(await shop.plan(), "paid");
    const log = await shop.installation.accounts.auditLog.list(shop.accountId);
    assert.deepEqual(
      log.slice(-2).map(({ action, actor, detail }) => [actor, action, detail]),
      [
        [
          "stripe",
          "subscription_changed",
          `active, ${JSON.parse(event.body).id}`,
        ],
        ["stripe", "plan_set", "from free to paid"],
      ],
    );
  });

  test("two checkouts at once have one customer, and an open one ends with the next", async () => {
    await using shop = await openShop(make);
    const both = await Promise.all([
      shop.post("checkout", { plan: "paid" }),
      shop.post("checkout", { plan: "paid" }),
    ]);
    assert.deepEqual(
      both.map(({ statusCode }) => statusCode),
      [200, 200],
    );
    assert.equal(shop.stripe.customers.size, 1);
    await shop.post("checkout", { plan: "paid" });
    assert.equal(openCheckouts(shop).length, 1);
  });

  test("deleting the account during a checkout leaves no customer at Stripe, and nothing to pay", async () => {
    for (const moment of [
      "POST /v1/customers",
      "POST /v1/checkout/sessions",
      "GET /v1/checkout/sessions",
    ]) {
      await using shop = await openShop(make);
      shop.stripe.before = async (request) => {
        if (request === moment)
          await shop.installation.accounts.users.delete(ADA);
      };
      const answer = await shop.post("checkout", { plan: "paid" });
      assert.equal(answer.statusCode, 401, `${moment} ${answer.body}`);
      assert.deepEqual([...shop.stripe.customers.values()], [], moment);
    }
  });
});

test("a suspended account buys nothing, and its owner still gets to the portal", async () => {
  await using shop = await openShop(install);
  await shop.buy();
  await shop.installation.accounts.users.suspend(ADA);
  const refused = await shop.post("checkout", { plan: "paid" });
  assert.equal(refused.statusCode, 403);
  assert.equal(errorOf(refused.body).code, "account_suspended");
  assert.equal((await shop.post("portal", {})).statusCode, 200);
});

test("a customer deleted at Stripe is created again", async () => {
  await using shop = await openShop(install);
  await shop.post("checkout", { plan: "paid" });
  const [first] = shop.stripe.customers.keys();
  shop.stripe.customers.clear();
  const portal = await shop.post("portal", {});
  assert.equal(errorOf(portal.body).code, "not_subscribed");
  const again = await shop.post("checkout", { plan: "paid" });
  assert.equal(again.statusCode, 200, again.body);
  const [second] = shop.stripe.customers.keys();
  assert.notEqual(second, first);
});

test("a second subscription is refused while one is active; the portal changes it", async () => {
  await using shop = await openShop(install);
  const before = await shop.post("portal", {});
  assert.equal(before.statusCode, 409);
  assert.equal(errorOf(before.body).code, "not_subscribed");
  await shop.buy();
  const again = await shop.post("checkout", { plan: "paid" });
  assert.equal(again.statusCode, 409);
  assert.equal(errorOf(again.body).code, "already_subscribed");
  const portal = await shop.post("portal", {});
  assert.deepEqual(portal.json().data, {
    url: "https://stripe.example/portal",
  });
});

test("a purchase without a session, from another site, or with another body is refused", async () => {
  await using shop = await openShop(install);
  for (const headers of [
    { origin: "https://evil.example" },
    { origin: "null" },
    { origin: "https://evil.example", "x-requested-with": "fetch" },
    // Like another site's form in a browser that sends no origin, or a program without the header.
    {},
  ])
    for (const [path, body] of [
      ["checkout", { plan: "paid" }],
      ["portal", {}],
    ] as const) {
      const foreign = await shop.post(path, body, headers);
      assert.equal(foreign.statusCode, 403, JSON.stringify(headers));
      assert.equal(errorOf(foreign.body).code, "foreign_origin");
    }
  assert.equal(shop.stripe.sessions.size, 0);
  const own = await shop.post(
    "checkout",
    { plan: "paid" },
    { "x-requested-with": "curl", "content-type": "Application/JSON" },
  );
  assert.equal(own.statusCode, 200);
  assert.equal(own.headers["access-control-allow-origin"], undefined);

  for (const body of [
    {},
    { plan: "free" },
    { plan: "gold" },
    { plan: "__proto__" },
    { plan: 1 },
    { plan: "paid", price: "price_cheap" },
    { plan: "paid", success_url: "https://evil.example" },
    ["paid"],
    null,
    { plan: "x".repeat(2_000) },
  ]) {
    const refused = await shop.post("checkout", body);
    assert.equal(refused.statusCode, 400, JSON.stringify(body));
    assert.equal(errorOf(refused.body).code, "invalid_body");
  }
  for (const type of [
    "text/plain",
    "application/x-www-form-urlencoded",
    "application/jsonx",
  ]) {
    const form = await shop.post(
      "checkout",
      { plan: "paid" },
      { "content-type": type, origin: PUBLIC_URL },
    );
    assert.equal(form.statusCode, 400);
    assert.equal(errorOf(form.body).code, "invalid_body");
  }
  shop.owner = null;
  for (const [path, body] of [
    ["checkout", { plan: "paid" }],
    ["portal", {}],
  ] as const) {
    const stranger = await shop.post(path, body);
    assert.equal(stranger.statusCode, 401);
    assert.equal(errorOf(stranger.body).code, "not_signed_in");
  }
  assert.equal(shop.stripe.sessions.size, 1);
});

test("the routes take only POST, also for a browser's preflight", async () => {
  await using shop = await openShop(install);
  for (const url of [
    "/account/billing/checkout",
    "/account/billing/portal",
    "/billing/webhook",
  ]) {
    for (const method of ["GET", "HEAD", "PUT", "DELETE", "OPTIONS"] as const) {
      const { headers, statusCode } = await shop.service.ask({ method, url });
      assert.deepEqual([url, method, statusCode], [url, method, 405]);
      assert.equal(headers.allow, "POST");
      assert.equal(headers["access-control-allow-methods"], undefined);
    }
  }
});

test("while Stripe is away a purchase is 503 with Retry-After, and nothing is bought", async () => {
  await using shop = await openShop(install);
  shop.stripe.failing = 500;
  const away = await shop.post("checkout", { plan: "paid" });
  assert.equal(away.statusCode, 503);
  assert.equal(errorOf(away.body).code, "billing_unavailable");
  assert.equal(away.headers["retry-after"], "30");
  shop.stripe.failing = null;
  assert.equal((await shop.post("checkout", { plan: "paid" })).statusCode, 200);
});

test("without Stripe configured the billing routes do not exist", async () => {
  await using service = await startHttpService();
  for (const url of [
    "/account/billing/checkout",
    "/account/billing/portal",
    "/billing/webhook",
  ]) {
    const { body, statusCode } = await service.ask({ method: "POST", url });
    assert.equal(statusCode, 404);
    assert.equal(errorOf(body).code, "not_found");
  }
});

test("deleting an account ends its payments; if Stripe is away, that is reported", async () => {
  await using shop = await openShop(install);
  const { accountId, billing, stripe } = shop;
  assert.deepEqual(await billing.closeAccount(accountId), {
    outcome: "closed",
  });
  const id = await shop.buy();
  stripe.failing = 500;
  const failed = await billing.closeAccount(accountId);
  assert.equal(failed.outcome, "failed");
  assert.equal(stripe.subscriptions.get(id)?.status, "active");
  stripe.failing = null;
  for (let time = 0; time < 2; time++)
    assert.deepEqual(await billing.closeAccount(accountId), {
      outcome: "closed",
    });
  assert.equal(stripe.subscriptions.get(id)?.status, "canceled");
});

/** The ids of open checkouts. */
function openCheckouts({ stripe }: Shop): string[] {
  return [...stripe.sessions.keys()].filter(
    (id) => !stripe.expired.includes(id),
  );
}
