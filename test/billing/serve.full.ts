import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { test } from "node:test";
import { LazyBillingRecords } from "../../src/accounts/billing-records/billing-records.ts";
import { errorOf } from "../support/pure/http-error.ts";
import {
  startMailServer,
  tokenOf,
} from "../support/app/servers/mail-server.ts";
import { ProgramProcess, runProgram } from "../support/program/program.ts";
import { temporaryFolder } from "../support/pure/temporary-folder.ts";
import { until } from "../support/pure/until.ts";
import {
  PAID_PRICE,
  SECRET_KEY,
  StripeServer,
  WEBHOOK_SECRET,
  type SignedEvent,
} from "../support/app/servers/stripe-server.ts";

const ADA = "ada@clinic.example";
const CUSTOMER = "cus_ada";
const PASSWORD = "correct horse battery";
const PUBLIC_URL = "https://directory.example";

test("a running service takes Stripe's events: a payment raises the limits of a key, an end lowers them, within seconds", async () => {
  using folder = temporaryFolder();
  await using stripe = await StripeServer.start();
  const dataDir = folder.path;
  const accounts = (...args: string[]) =>
    runProgram([...args, "--data-dir", dataDir]);
  const made = await accounts("keys", "create", "--email", ADA);
  const key = made.out.trim();
  await using records = new LazyBillingRecords({
    place: { kind: "sqlite", file: join(dataDir, "accounts.sqlite") },
    clock: Date.now,
    random: randomBytes,
    actor: "test",
  });
  await records.keepCustomer(1, CUSTOMER);
  stripe.customers.set(CUSTOMER, ADA);

  await using program = new ProgramProcess(["serve"], {
    DATA_DIR: dataDir,
    PORT: "0",
    WORKERS: "2",
    STRIPE_SECRET_KEY: SECRET_KEY,
    STRIPE_WEBHOOK_SECRET: WEBHOOK_SECRET,
    STRIPE_PRICES: JSON.stringify({ paid: PAID_PRICE }),
    STRIPE_API_URL: stripe.url,
    PUBLIC_URL,
  });
  const [, url = ""] = await program.printed(/Listening on (http:\S+)/);
  const deliver = ({ body, signature }: SignedEvent) =>
    fetch(`${url}/billing/webhook`, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        "stripe-signature": signature,
      },
      body,
    });
  const limit = async () => {
    const { headers } = await fetch(`${url}/v1/providers/search?state=MO`, {
      headers: { authorization: `Bearer ${key}` },
    });
    return headers.get("x-ratelimit-limit");
  };
  assert.equal(await limit(), "1000");

  const id = stripe.subscribe(CUSTOMER, PAID_PRICE);
  const begun = stripe.event("customer.subscription.created", id);
  assert.equal(
    (await deliver({ ...begun, signature: "t=1,v1=0" })).status,
    400,
  );
  assert.equal((await deliver(begun)).status, 200);
  await until("the paid limits", async () => (await limit()) === "25000");
  stripe.change(id, { status: "canceled" });
  const ended = stripe.event("customer.subscription.deleted", id);
  assert.equal((await deliver(ended)).status, 200);
  await until("the free limits", async () => (await limit()) === "1000");

  const stranger = await fetch(`${url}/account/billing/checkout`, {
    method: "POST",
    headers: { "content-type": "application/json", origin: PUBLIC_URL },
    body: '{"plan":"paid"}',
  });
  assert.equal(stranger.status, 401);
  assert.equal(errorOf(await stranger.text()).code, "not_signed_in");

  program.kill("SIGTERM");
  const { code, err, out } = await program.ended();
  assert.equal(code, 0, err);
  assert.match(out, /"msg":"billing event"/);
  for (const secret of [SECRET_KEY, WEBHOOK_SECRET, ADA, key])
    assert.equal((out + err).includes(secret), false);
});

test("a user signs up, buys a plan, and deletes the account: then nothing is charged any more", async () => {
  using folder = temporaryFolder();
  await using stripe = await StripeServer.start();
  await using mail = await startMailServer();
  await using program = new ProgramProcess(["serve"], {
    DATA_DIR: folder.path,
    PORT: "0",
    WORKERS: "1",
    SMTP_URL: mail.url,
    MAIL_FROM: "directory@clinic.example",
    STRIPE_SECRET_KEY: SECRET_KEY,
    STRIPE_WEBHOOK_SECRET: WEBHOOK_SECRET,
    STRIPE_PRICES: JSON.stringify({ paid: PAID_PRICE }),
    STRIPE_API_URL: stripe.url,
    PUBLIC_URL,
  });
  const [, url = ""] = await program.printed(/Listening on (http:\S+)/);
  let cookie = "";
  const ask = (method: string, path: string, body?: object) =>
    fetch(`${url}${path}`, {
      method,
      headers: {
        origin: PUBLIC_URL,
        cookie,
        ...(body === undefined ? {} : { "content-type": "application/json" }),
      },
      body: body === undefined ? null : JSON.stringify(body),
      redirect: "manual",
    });
  const signUp = { name: "", email: ADA, password: PASSWORD };
  assert.equal((await ask("POST", "/auth/sign-up/email", signUp)).status, 200);
  const { link } = await mail.mailTo(ADA);
  const confirmed = await ask("POST", "/auth/verify-email", {
    token: tokenOf(link),
  });
  assert.equal(confirmed.status, 200);
  const signedIn = await ask("POST", "/auth/sign-in/email", {
    email: ADA,
    password: PASSWORD,
  });
  assert.equal(signedIn.status, 200, await signedIn.text());
  cookie = signedIn.headers
    .getSetCookie()
    .map((line) => line.split(";")[0])
    .join("; ");

  const checkout = await ask("POST", "/account/billing/checkout", {
    plan: "paid",
  });
  assert.equal(checkout.status, 200);
  const { data } = JSON.parse(await checkout.text());
  const session = stripe.sessions.get(new URL(data.url).pathname.slice(1));
  assert.match(
    session?.get("success_url") ?? "",
    /\/settings\/plan\?checkout=paid$/,
  );
  const subscription = stripe.pay(data.url);
  const event = stripe.event("customer.subscription.created", subscription);
  const taken = await fetch(`${url}/billing/webhook`, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      "stripe-signature": event.signature,
    },
    body: event.body,
  });
  assert.equal(taken.status, 200);
  const account = JSON.parse(await (await ask("GET", "/account")).text());
  assert.equal(account.data.plan, "paid");
  assert.deepEqual([...stripe.customers.values()], [ADA]);

  const deleted = await ask("DELETE", "/account", { password: PASSWORD });
  assert.equal(deleted.status, 204, await deleted.text());
  assert.deepEqual([...stripe.customers.values()], []);
  assert.equal((await ask("GET", "/account")).status, 401);
});
