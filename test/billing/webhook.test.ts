import assert from "node:assert/strict";
import test from "node:test";
import { pino } from "pino";
import { configurePlans } from "../../src/accounts/plans.ts";
import { install } from "../support/app/accounts-installation.ts";
import { suiteOnBothInFull } from "../support/postgresql/on-both.ts";
import {
  ADA,
  openShop,
  PUBLIC_URL,
} from "../support/app/billing-installation.ts";
import { errorOf } from "../support/pure/http-error.ts";
import { askRaw, exchange } from "../support/pure/raw-http.ts";
import { sign } from "../support/app/servers/stripe-server.ts";

const CREATED = "customer.subscription.created";
const UPDATED = "customer.subscription.updated";
const DELETED = "customer.subscription.deleted";

test("a subscription that Stripe no longer knows ends its plan", async () => {
  await using shop = await openShop(install);
  const id = await shop.buy();
  const at = shop.installation.clock.nowMs;
  const event = shop.stripe.event(DELETED, id, { at });
  shop.stripe.subscriptions.clear();
  assert.equal((await shop.deliver(event)).statusCode, 200);
  assert.equal(await shop.plan(), "free");
});

test("forged, altered and old events are 400, nothing in them is looked at, and none is logged as a fault", async () => {
  const logged: string[] = [];
  const logger = pino(
    { level: "warn" },
    { write: (line: string) => void logged.push(line) },
  );
  await using shop = await openShop(install, { logger });
  const answer = await shop.post("checkout", { plan: "paid" });
  const id = shop.stripe.pay(answer.json().data.url);
  const at = shop.installation.clock.nowMs;
  const real = shop.stripe.event(CREATED, id, { at });
  const seconds = Math.floor(at / 1_000);
  const asked = shop.stripe.requests.length;
  for (const [what, event] of [
    [
      "another secret",
      shop.stripe.event(CREATED, id, { at, secret: "whsec_x" }),
    ],
    ["no signature", { ...real, signature: "" }],
    ["a signature of nothing", { ...real, signature: "t=1,v1=00" }],
    ...[
      "t=1,v1=",
      "t=1,v1",
      "v1=",
      "t=,v1=",
      "t=x,v1=x",
      "t=1,v1=ä",
      `t=1,v1=${"é".repeat(64)}`,
      `t=1,v1=${"0".repeat(64)}`,
      `t=1,v1=${"0".repeat(63)}`,
      `t=1,v1=${"0".repeat(65)}`,
      `t=1,v1=,v1=${"0".repeat(64)}`,
      ",,,",
      "=",
    ].map((signature) => [signature, { ...real, signature }] as const),
    [
      "an altered body",
      { ...real, body: real.body.replace("active", "trialing") },
    ],
    ["no body", { ...real, body: "" }],
    ["six minutes old", shop.stripe.event(CREATED, id, { at: at - 360_000 })],
    [
      "an old signature under a new time",
      {
        ...real,
        signature: sign(real.body, seconds - 360).replace(
          /t=\d+/,
          `t=${seconds}`,
        ),
      },
    ],
    ["too long", { body: "x".repeat((1 << 17) + 1), signature: "" }],
  ] as const) {
    const { body, statusCode } = await shop.deliver(event);
    assert.equal(statusCode, 400, what);
    assert.equal(
      errorOf(body).code,
      what === "too long" ? "invalid_body" : "invalid_signature",
    );
  }
  assert.deepEqual(logged, []);
  assert.equal(shop.stripe.requests.length, asked, "Stripe was not asked");
  assert.equal(await shop.plan(), "free");
  assert.equal((await shop.deliver(real)).statusCode, 200);
  assert.equal(await shop.plan(), "paid");

  // The same event, sent again when its signature is too old.
  shop.installation.clock.nowMs += 301_000;
  assert.equal((await shop.deliver(real)).statusCode, 400);
});

test("the rest of a body that is too long is not read: its connection ends", async () => {
  await using shop = await openShop(install);
  const port = await shop.service.listen();
  const long = "x".repeat((1 << 17) + 1);
  for (const path of ["/billing/webhook", "/account/billing/checkout"])
    for (const begun of [
      "Content-Length: 1000000\r\n\r\nx",
      `Transfer-Encoding: chunked\r\n\r\n${long.length.toString(16)}\r\n${long}`,
    ]) {
      const { body, headers, status } = await askRaw(
        port,
        `POST ${path} HTTP/1.1\r\nHost: a.example\r\nOrigin: ${PUBLIC_URL}\r\n${begun}`,
      );
      assert.equal(status, 400);
      assert.equal(errorOf(body).code, "invalid_body");
      assert.equal(headers.get("connection"), "close");
    }
});

/** A request whose body has an invalid chunk. */
function broken(path: string): string {
  return `POST ${path} HTTP/1.1\r\nHost: a.example\r\nOrigin: ${PUBLIC_URL}\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\nzz\r\n`;
}

test("a body that breaks off in invalid chunks is answered, after earlier requests", async () => {
  await using shop = await openShop(install);
  const port = await shop.service.listen();
  for (const path of ["/billing/webhook", "/account/billing/checkout"])
    for (const earlier of ["", "GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n"]) {
      const text = await exchange(port, earlier + broken(path));
      const statuses = [...text.matchAll(/HTTP\/1\.1 (\d+) /g)].map(
        ([, status]) => status,
      );
      const expected = earlier === "" ? ["400"] : ["200", "400"];
      assert.deepEqual([path, ...statuses], [path, ...expected]);
      assert.match(text, /"code":"malformed_request"/);
    }
});

test("a signed event that claims more than Stripe has gives nothing", async () => {
  await using shop = await openShop(install);
  const answer = await shop.post("checkout", { plan: "paid" });
  const id = shop.stripe.pay(answer.json().data.url);
  shop.stripe.change(id, { status: "incomplete" });
  const at = shop.installation.clock.nowMs;
  const { body } = shop.stripe.event(CREATED, id, { at });
  const lie = body.replace("incomplete", "active");
  const signature = sign(lie, Math.floor(at / 1_000));
  assert.equal((await shop.deliver({ body: lie, signature })).statusCode, 200);
  assert.equal(await shop.plan(), "free");
});

test("events of other kinds and of unknown customers are accepted and change nothing", async () => {
  await using shop = await openShop(install);
  const at = shop.installation.clock.nowMs;
  const stranger = shop.stripe.subscribe("cus_stranger", "price_paid");
  for (const event of [
    shop.stripe.event(CREATED, stranger, { at }),
    shop.stripe.event("invoice.payment_failed", stranger, { at }),
    shop.stripe.event("some.event.of.the.future", stranger, { at }),
  ])
    assert.equal((await shop.deliver(event)).statusCode, 200);
  assert.equal(await shop.plan(), "free");
});

suiteOnBothInFull("Stripe's events", (make) => {
  test("a failed payment follows Stripe's status: past_due keeps the plan, unpaid and canceled end it", async () => {
    await using shop = await openShop(make);
    const id = await shop.buy();
    const plans: Record<string, string> = {};
    for (const status of [
      "past_due",
      "unpaid",
      "trialing",
      "incomplete",
      "canceled",
      "active",
      "incomplete_expired",
      "active",
      "paused",
    ]) {
      shop.stripe.change(id, { status });
      const at = shop.installation.clock.nowMs;
      const taken = await shop.deliver(shop.stripe.event(UPDATED, id, { at }));
      assert.equal(taken.statusCode, 200, taken.body);
      plans[status] = await shop.plan();
    }
    assert.deepEqual(plans, {
      past_due: "paid",
      unpaid: "free",
      trialing: "paid",
      incomplete: "paid",
      canceled: "free",
      active: "paid",
      incomplete_expired: "free",
      paused: "free",
    });
  });

  test("an event counts once, even if delivered many times at once", async () => {
    await using shop = await openShop(make);
    const answer = await shop.post("checkout", { plan: "paid" });
    const id = shop.stripe.pay(answer.json().data.url);
    const at = shop.installation.clock.nowMs;
    const event = shop.stripe.event(CREATED, id, { at });
    const all = await Promise.all(
      Array.from({ length: 8 }, () => shop.deliver(event)),
    );
    assert.deepEqual(
      all.map(({ statusCode }) => statusCode),
      all.map(() => 200),
    );
    const asked = shop.stripe.requests.length;
    assert.equal((await shop.deliver(event)).statusCode, 200);
    assert.equal(shop.stripe.requests.length, asked, "nothing is asked again");
    const log = await shop.installation.accounts.auditLog.list(shop.accountId);
    assert.equal(log.filter(({ actor }) => actor === "stripe").length, 2);
    assert.equal(await shop.plan(), "paid");
  });

  test("many events at once, in any order, end with Stripe's current state", async () => {
    await using shop = await openShop(make);
    const answer = await shop.post("checkout", { plan: "paid" });
    const id = shop.stripe.pay(answer.json().data.url);
    const at = shop.installation.clock.nowMs;
    const statuses = ["active", "past_due", "unpaid", "active", "canceled"];
    const deliveries = statuses.map((status, index) => {
      shop.stripe.change(id, { status });
      return shop.deliver(
        shop.stripe.event(UPDATED, id, { at: at - index * 1_000 }),
      );
    });
    for (const { body, statusCode } of await Promise.all(deliveries))
      assert.equal(statusCode, 200, body);
    assert.equal(await shop.plan(), "free");
    const [held] = await shop.installation.accounts.billing.subscriptions(
      shop.accountId,
    );
    assert.equal(held?.status, "canceled");
  });

  test("a state fetched before another was recorded does not overwrite it", async () => {
    await using shop = await openShop(make);
    const id = await shop.buy();
    const at = shop.installation.clock.nowMs;
    const late = shop.stripe.event(UPDATED, id, { at });
    // While the first fetch is on its way, the subscription ends and that event is processed.
    shop.stripe.whileRetrieving = async () => {
      shop.stripe.change(id, { status: "canceled" });
      const { statusCode } = await shop.deliver(
        shop.stripe.event(DELETED, id, { at }),
      );
      assert.equal(statusCode, 200);
    };
    assert.equal((await shop.deliver(late)).statusCode, 200);
    assert.equal(await shop.plan(), "free");
  });

  test("an end that arrives before the start stays an end", async () => {
    await using shop = await openShop(make);
    const answer = await shop.post("checkout", { plan: "paid" });
    const id = shop.stripe.pay(answer.json().data.url);
    const at = shop.installation.clock.nowMs;
    const begun = shop.stripe.event(CREATED, id, { at: at - 60_000 });
    const paid = shop.stripe.event(UPDATED, id, { at: at - 59_000 });
    shop.stripe.change(id, { status: "canceled" });
    await shop.deliver(shop.stripe.event(DELETED, id, { at }));
    assert.equal((await shop.deliver(begun)).statusCode, 200);
    assert.equal((await shop.deliver(paid)).statusCode, 200);
    assert.equal(await shop.plan(), "free");

    // Late events about the old subscription don't affect the next one.
    await shop.buy();
    await shop.deliver(shop.stripe.event(DELETED, id, { at }));
    assert.equal(await shop.plan(), "paid");
  });

  test("a price of no plan changes nothing until configuration names it", async () => {
    await using shop = await openShop(make);
    const id = await shop.buy();
    const at = shop.installation.clock.nowMs;
    shop.stripe.change(id, { price: "price_of_no_plan" });
    const taken = await shop.deliver(shop.stripe.event(UPDATED, id, { at }));
    assert.equal(taken.statusCode, 200);
    assert.equal(await shop.plan(), "paid", "it keeps what it had");
    const [held] = await shop.installation.accounts.billing.subscriptions(
      shop.accountId,
    );
    assert.equal(held?.priceId, "price_of_no_plan");
  });

  test("a plan set by an operator despite a subscription stays when it renews, and when it ends", async () => {
    const configured = configurePlans({
      partner: { monthlyQuota: 1_000_000, burstPerSecond: 200 },
    });
    assert.ok(configured.outcome === "plans");
    const { plans } = configured;
    await using shop = await openShop(() => make({ plans }));
    const { accounts, clock } = shop.installation;
    const id = await shop.buy();
    const refused = await accounts.users.setPlan(ADA, "partner");
    assert.equal(refused.outcome, "subscribed");
    assert.equal(await shop.plan(), "paid");
    const forced = { despiteSubscription: true };
    const changed = await accounts.users.setPlan(ADA, "partner", forced);
    assert.equal(changed.outcome, "changed");
    await shop.deliver(shop.stripe.event(UPDATED, id, { at: clock.nowMs }));
    assert.equal(await shop.plan(), "partner");
    shop.stripe.change(id, { status: "canceled" });
    await shop.deliver(shop.stripe.event(DELETED, id, { at: clock.nowMs }));
    assert.equal(await shop.plan(), "partner");
    assert.equal(
      (await accounts.users.setPlan(ADA, "paid")).outcome,
      "changed",
    );
    await shop.deliver(shop.stripe.event(UPDATED, id, { at: clock.nowMs }));
    assert.equal(await shop.plan(), "paid");
  });

  test("the remaining one of two subscriptions keeps the plan", async () => {
    await using shop = await openShop(make);
    const { clock } = shop.installation;
    const first = await shop.buy();
    const [customer = ""] = shop.stripe.customers.keys();
    const second = shop.stripe.subscribe(customer, "price_paid");
    for (const [type, id, status, plan] of [
      [CREATED, second, "active", "paid"],
      [DELETED, first, "canceled", "paid"],
      [DELETED, second, "canceled", "free"],
    ] as const) {
      shop.stripe.change(id, { status });
      await shop.deliver(shop.stripe.event(type, id, { at: clock.nowMs }));
      assert.equal(await shop.plan(), plan);
    }
  });

  test("events of a deleted account are accepted and change nothing", async () => {
    await using shop = await openShop(make);
    const id = await shop.buy();
    await shop.installation.accounts.users.delete(ADA);
    shop.stripe.change(id, { status: "canceled" });
    const at = shop.installation.clock.nowMs;
    const taken = await shop.deliver(shop.stripe.event(DELETED, id, { at }));
    assert.equal(taken.statusCode, 200, taken.body);
  });
});

test("events are remembered for ninety days", async () => {
  await using shop = await openShop(install);
  const { clock } = shop.installation;
  const id = await shop.buy();
  const first = shop.stripe.event(UPDATED, id, { at: clock.nowMs });
  await shop.deliver(first);
  const again = () =>
    shop.deliver({
      body: first.body,
      signature: sign(first.body, Math.floor(clock.nowMs / 1_000)),
    });
  const asked = () => shop.stripe.requests.length;

  clock.nowMs += 89 * 86_400_000;
  const before = asked();
  await shop.deliver(shop.stripe.event(UPDATED, id, { at: clock.nowMs }));
  assert.equal(asked(), before + 1);
  await again();
  assert.equal(asked(), before + 1);

  clock.nowMs += 2 * 86_400_000;
  await shop.deliver(shop.stripe.event(UPDATED, id, { at: clock.nowMs }));
  await again();
  assert.equal(asked(), before + 3);
});
