import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { rmSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { test } from "node:test";
import { pino } from "pino";
import { LazyBillingRecords } from "../../src/accounts/billing-records/billing-records.ts";
import { planOfPriceIn } from "../../src/billing/billing-config.ts";
import { install } from "../support/app/accounts-installation.ts";
import {
  installOnOwnPostgresql,
  suiteOnBothInFull,
} from "../support/postgresql/on-both.ts";
import { openShop } from "../support/app/billing-installation.ts";
import { errorOf } from "../support/pure/http-error.ts";
import {
  NO_POSTGRESQL,
  postgresqlOfFile,
} from "../support/postgresql/postgresql.ts";
import { temporaryFolder } from "../support/pure/temporary-folder.ts";
import {
  SECRET_KEY,
  WEBHOOK_SECRET,
} from "../support/app/servers/stripe-server.ts";

const CREATED = "customer.subscription.created";
const UPDATED = "customer.subscription.updated";

/** A log whose text can be read. */
function recorder() {
  let text = "";
  const write = (line: string) => void (text += line);
  return { logger: pino({ level: "trace" }, { write }), text: () => text };
}

test(
  "while PostgreSQL is away events and purchases are 503; both work once it is back, without a restart",
  { skip: NO_POSTGRESQL },
  async () => {
    await using shop = await openShop(installOnOwnPostgresql);
    const postgresql = await postgresqlOfFile();
    const id = await shop.buy();
    const at = shop.installation.clock.nowMs;
    shop.stripe.change(id, { status: "canceled" });
    const event = shop.stripe.event(UPDATED, id, { at });
    await postgresql.stop();
    try {
      assert.equal((await shop.deliver(event)).statusCode, 503);
      const purchase = await shop.post("checkout", { plan: "paid" });
      assert.equal(purchase.statusCode, 503);
      assert.equal(errorOf(purchase.body).code, "billing_unavailable");
      assert.equal((await shop.post("portal", {})).statusCode, 503);
    } finally {
      await postgresql.resume();
    }
    assert.equal((await shop.deliver(event)).statusCode, 200);
    assert.equal(await shop.plan(), "free");
    assert.equal(
      (await shop.post("checkout", { plan: "paid" })).statusCode,
      200,
    );
  },
);

test("billing records that could not be opened are opened at the next use", async () => {
  using folder = temporaryFolder();
  const file = `${folder.path}/accounts.sqlite`;
  await mkdir(file);
  await using records = new LazyBillingRecords({
    place: { kind: "sqlite", file },
    clock: Date.now,
    random: randomBytes,
    actor: "stripe",
  });
  await assert.rejects(records.customer(1), { name: "AccountsDatabaseError" });
  rmSync(file, { recursive: true });
  assert.equal(await records.customer(1), null);
});

test("no log line contains a Stripe secret or an address", async () => {
  const { logger, text } = recorder();
  await using shop = await openShop(install, { logger });
  const id = await shop.buy();
  const at = shop.installation.clock.nowMs;
  await shop.deliver(shop.stripe.event(UPDATED, id, { at, secret: "whsec_x" }));
  shop.stripe.change(id, { price: "price_of_no_plan" });
  await shop.deliver(shop.stripe.event(UPDATED, id, { at }));
  for (const status of [401, 402, 500]) {
    shop.stripe.failing = status;
    await shop.deliver(shop.stripe.event(UPDATED, id, { at }));
    await shop.post("portal", {});
  }
  assert.match(text(), /price_of_no_plan/);
  assert.match(text(), /The request to Stripe failed: 401/);
  for (const secret of [
    SECRET_KEY,
    WEBHOOK_SECRET,
    "Bearer",
    "v1=",
    "ada@",
    "away",
  ])
    assert.equal(text().includes(secret), false, secret);
});

suiteOnBothInFull("outages of Stripe", (make) => {
  test("while Stripe is away an event is answered 503, and counts when it comes again", async () => {
    await using shop = await openShop(make);
    const answer = await shop.post("checkout", { plan: "paid" });
    const id = shop.stripe.pay(answer.json().data.url);
    const at = shop.installation.clock.nowMs;
    const event = shop.stripe.event(CREATED, id, { at });
    for (const status of [500, 429, 401]) {
      shop.stripe.failing = status;
      const refused = await shop.deliver(event);
      assert.equal(refused.statusCode, 503, refused.body);
      assert.equal(errorOf(refused.body).code, "billing_unavailable");
      assert.ok(Number(refused.headers["retry-after"]) > 0);
    }
    assert.equal(await shop.plan(), "free");
    shop.stripe.failing = null;
    assert.equal((await shop.deliver(event)).statusCode, 200);
    assert.equal(await shop.plan(), "paid");
  });

  test("an account that pays an unknown price gets its plan at the next start with the price configured", async () => {
    await using shop = await openShop(make);
    const { clock, place } = shop.installation;
    const answer = await shop.post("checkout", { plan: "paid" });
    const id = shop.stripe.pay(answer.json().data.url);
    shop.stripe.change(id, { price: "price_new" });
    await shop.deliver(shop.stripe.event(CREATED, id, { at: clock.nowMs }));
    assert.equal(await shop.plan(), "free");

    await using records = new LazyBillingRecords({
      place,
      clock: () => clock.nowMs,
      random: randomBytes,
      actor: "service",
    });
    const planOfPrice = planOfPriceIn({ paid: "price_new" });
    assert.equal(await records.applyPrices(() => null), 0);
    assert.equal(await records.applyPrices(planOfPrice), 1);
    assert.equal(await shop.plan(), "paid");
    assert.equal(await records.applyPrices(planOfPrice), 0);
  });
});
