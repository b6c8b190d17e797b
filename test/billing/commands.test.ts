import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { openDatabase } from "../../src/accounts/database/open-database.ts";
import {
  install,
  type Installation,
} from "../support/app/accounts-installation.ts";
import { suiteOnBothInFull } from "../support/postgresql/on-both.ts";
import {
  ADA,
  openShop,
  type Shop,
} from "../support/app/billing-installation.ts";
import {
  NO_POSTGRESQL,
  postgresqlOfRun,
} from "../support/postgresql/postgresql.ts";
import { runProgram } from "../support/program/program.ts";
import { SECRET_KEY } from "../support/app/servers/stripe-server.ts";

const STRIPE = {
  STRIPE_SECRET_KEY: SECRET_KEY,
  STRIPE_WEBHOOK_SECRET: "whsec_1",
  STRIPE_PRICES: '{"paid":"price_1"}',
  PUBLIC_URL: "https://directory.example",
};

/** The environment of a program on an installation. */
function environmentOf({ place }: Installation): Record<string, string> {
  return place.kind === "sqlite"
    ? { DATA_DIR: place.file.replace(/\/[^/]+$/, "") }
    : { DATABASE_URL: place.url };
}

/** Runs a command on a shop, with Stripe configured unless `environment` says otherwise. */
function runIn(shop: Shop, args: string[], environment = {}) {
  return runProgram(args, {
    environment: {
      ...environmentOf(shop.installation),
      STRIPE_SECRET_KEY: SECRET_KEY,
      STRIPE_API_URL: shop.stripe.url,
      ...environment,
    },
    context: { now: () => shop.installation.clock.nowMs },
  });
}

suiteOnBothInFull("operators", (make) => {
  test("see the subscription of an account", async () => {
    await using shop = await openShop(make);
    const json = async () =>
      JSON.parse((await runIn(shop, ["accounts", "show", ADA, "--json"])).out);
    const before = await json();
    assert.deepEqual([before.customer, before.subscription], [null, null]);

    const id = await shop.buy();
    const { customer, plan, subscription } = await json();
    const [onlyCustomer] = shop.stripe.customers.keys();
    assert.equal(customer, onlyCustomer);
    assert.equal(plan, "paid");
    assert.match(subscription.period_end, /^\d{4}-\d\d-\d\dT/);
    assert.deepEqual(
      { ...subscription, period_end: "" },
      {
        id,
        status: "active",
        plan: "paid",
        price: "price_paid",
        period_end: "",
        ends_at: null,
      },
    );
    shop.stripe.change(id, { cancel_at_period_end: true, status: "past_due" });
    const at = shop.installation.clock.nowMs;
    await shop.deliver(
      shop.stripe.event("customer.subscription.updated", id, { at }),
    );
    const { out } = await runIn(shop, ["accounts", "show", ADA]);
    assert.match(
      out,
      /^ {2}billing {2}past_due, until .+, canceled, ends .+ \(sub_\d+\)$/m,
    );
  });

  test("are refused a plan while a subscription is active, and can override that", async () => {
    await using shop = await openShop(make);
    await shop.buy();
    for (const args of [
      ["accounts", "set-plan", ADA, "free"],
      ["keys", "create", "--email", ADA, "--plan", "free"],
    ]) {
      const { code, err } = await runIn(shop, args);
      assert.equal(code, 1);
      assert.match(err, /is set by its subscription \(active, sub_\d+\)/);
      assert.match(err, /--despite-subscription/);
    }
    assert.equal(await shop.plan(), "paid");
    const { code } = await runIn(shop, [
      "accounts",
      "set-plan",
      ADA,
      "free",
      "--despite-subscription",
    ]);
    assert.equal(code, 0);
    assert.equal(await shop.plan(), "free");
  });

  test("delete an account together with its Stripe customer, which ends the subscription", async () => {
    await using shop = await openShop(make);
    const id = await shop.buy();
    const { code, out, err } = await runIn(shop, ["accounts", "delete", ADA]);
    assert.equal(code, 0, err);
    assert.match(out, /^Deleted ada@clinic\.example/);
    assert.equal(shop.stripe.customers.size, 0);
    assert.equal(shop.stripe.subscriptions.get(id)?.status, "canceled");
    assert.equal(await shop.plan(), "");
  });

  test("cannot delete an account that Stripe would still charge unless they override it, and see the customer to delete there", async () => {
    await using shop = await openShop(make);
    await shop.buy();
    const [customer = ""] = shop.stripe.customers.keys();
    for (const [failing, environment, why] of [
      [500, {}, /The request to Stripe failed: 500/],
      [null, { STRIPE_SECRET_KEY: "" }, /STRIPE_SECRET_KEY is not set/],
    ] as const) {
      shop.stripe.failing = failing;
      const refused = await runIn(
        shop,
        ["accounts", "delete", ADA],
        environment,
      );
      assert.equal(refused.code, 1);
      assert.match(refused.err, /was not deleted/);
      assert.match(refused.err, why);
      assert.ok(refused.err.includes(customer));
    }
    assert.equal(await shop.plan(), "paid");
    shop.stripe.failing = 500;
    const done = await runIn(shop, [
      "accounts",
      "delete",
      ADA,
      "--despite-subscription",
      "--json",
    ]);
    assert.equal(done.code, 0, done.err);
    assert.deepEqual(JSON.parse(done.out), {
      email: ADA,
      status: "deleted",
      customer_left: customer,
    });
    assert.match(done.err, /might still be charged\. Delete it there/);
    assert.equal(await shop.plan(), "");
  });
});

test(
  "a subscription moves to PostgreSQL with its account, and its events are known there",
  { skip: NO_POSTGRESQL },
  async () => {
    await using shop = await openShop(install);
    await shop.buy();
    const target = await (await postgresqlOfRun()).makeDatabase();
    const moved = await runIn(shop, [
      "accounts",
      "migrate",
      "--to",
      target.url,
    ]);
    assert.equal(moved.code, 0, moved.err);
    const show = ["accounts", "show", ADA, "--json"];
    const there = { DATABASE_URL: target.url };
    assert.equal(
      (await runIn(shop, show, there)).out,
      (await runIn(shop, show)).out,
    );
    await using from = await openDatabase(shop.installation.place);
    await using into = await openDatabase(target);
    for (const table of [
      "api_billing_customer",
      "api_billing_event",
    ] as const) {
      const read = async (db: typeof into) =>
        JSON.stringify(await db.selectFrom(table).selectAll().execute());
      assert.notEqual(await read(into), "[]");
      assert.equal(await read(into), await read(from));
    }
  },
);

suite("serve", () => {
  test("does not start with incomplete billing settings, and says what is missing without a secret", async () => {
    for (const [change, problem] of [
      [
        { STRIPE_SECRET_KEY: "" },
        /set STRIPE_SECRET_KEY, STRIPE_WEBHOOK_SECRET and STRIPE_PRICES together/,
      ],
      [{ STRIPE_WEBHOOK_SECRET: "" }, /STRIPE_PRICES together/],
      [{ STRIPE_PRICES: "" }, /STRIPE_PRICES together/],
      [{ PUBLIC_URL: "" }, /Selling plans needs PUBLIC_URL/],
      [{ STRIPE_SECRET_KEY: "pk_hidden" }, /must start with sk_ or rk_\./],
      [{ STRIPE_WEBHOOK_SECRET: "hidden" }, /must start with whsec_\./],
      [{ STRIPE_PRICES: "paid" }, /must be a JSON object of plans/],
      [{ STRIPE_PRICES: "{}" }, /must be a JSON object of plans/],
      [{ STRIPE_PRICES: '{"paid":"prod_1"}' }, /must be a JSON object/],
      [
        { STRIPE_PRICES: '{"paid":"price_1","team":"price_1"}' },
        /with no price used twice/,
      ],
      [
        { STRIPE_PRICES: '{"gold":"price_1"}' },
        /"gold", which is not in PLANS/,
      ],
      [
        { STRIPE_PRICES: '{"free":"price_1"}' },
        /"free", which is not for sale/,
      ],
      [{ STRIPE_API_URL: "stripe" }, /must be an http or https URL/],
    ] as const) {
      const { code, err } = await runProgram(["serve"], {
        environment: { ...STRIPE, ...change },
      });
      assert.equal(code, 2, JSON.stringify(change));
      assert.match(err, problem);
      assert.equal(err.includes("hidden"), false);
    }
  });
});
