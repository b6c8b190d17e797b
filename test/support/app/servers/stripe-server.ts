/**
 * A server in Stripe's place on the loopback address: it keeps customers, subscriptions and sessions, as Stripe's API
 * does.
 */

import { createServer, type IncomingMessage } from "node:http";
import { text } from "node:stream/consumers";
import { Stripe } from "stripe";

export const SECRET_KEY = "sk_test_ofTheseTestsAlone";
export const WEBHOOK_SECRET = "whsec_ofTheseTestsAlone";
export const PAID_PRICE = "price_paid";

const DAY_SECONDS = 86_400;

interface HeldSubscription {
  id: string;
  customer: string;
  status: string;
  price: string;
  cancel_at_period_end: boolean;
}

/** An event, signed. */
export interface SignedEvent {
  readonly body: string;
  readonly signature: string;
}

export class StripeServer implements AsyncDisposable {
  /** E-mail addresses by customer. */
  readonly customers = new Map<string, string>();
  readonly subscriptions = new Map<string, HeldSubscription>();
  /** What a session was made with, by its id. */
  readonly sessions = new Map<string, URLSearchParams>();
  readonly expired: string[] = [];
  /** Every request, as `POST /v1/customers`. */
  readonly requests: string[] = [];
  /** While set, every answer is a failure with this status. */
  failing: number | null = null;
  /** Runs before a request (as in `requests`) is dealt with. */
  before: ((request: string) => Promise<void>) | null = null;
  /** Runs before a subscription is shown, once; what it does to the subscription comes too late to be shown. */
  whileRetrieving: (() => Promise<void>) | null = null;
  readonly #byIdempotencyKey = new Map<string, string>();
  readonly #server = createServer((request, response) => {
    void this.#answer(request).then(([status, body]) =>
      response
        .writeHead(status, { "content-type": "application/json" })
        .end(JSON.stringify(body)),
    );
  });
  #made = 0;

  static async start(): Promise<StripeServer> {
    const made = new StripeServer();
    await new Promise<void>((resolve) => {
      made.#server.listen(0, "127.0.0.1", resolve);
    });
    return made;
  }

  get url(): string {
    const address = this.#server.address();
    if (address === null || typeof address === "string")
      throw new Error("The server listens without a port.");
    return `http://127.0.0.1:${address.port}/`;
  }

  /** What happens when a person pays at the end of a checkout: a subscription. */
  pay(sessionUrl: string): string {
    const id = new URL(sessionUrl).pathname.slice(1);
    const session = this.sessions.get(id);
    return this.subscribe(
      session?.get("customer") ?? "",
      session?.get("line_items[0][price]") ?? "",
    );
  }

  /** Makes a subscription, active. */
  subscribe(customer: string, price: string): string {
    const id = `sub_${++this.#made}`;
    this.subscriptions.set(id, {
      id,
      customer,
      status: "active",
      price,
      cancel_at_period_end: false,
    });
    return id;
  }

  /** Changes a subscription, as its owner or a failed payment would. */
  change(id: string, change: Partial<HeldSubscription>): void {
    const held = this.subscriptions.get(id);
    if (held === undefined) throw new Error(`There is no ${id}.`);
    Object.assign(held, change);
  }

  /** An event about a subscription, showing it as it is now. */
  event(
    type: string,
    subscriptionId: string,
    {
      at = Date.now(),
      id = `evt_${++this.#made}`,
      secret = WEBHOOK_SECRET,
    }: { at?: number; id?: string; secret?: string } = {},
  ): SignedEvent {
    const created = Math.floor(at / 1_000);
    const body = JSON.stringify({
      id,
      object: "event",
      type,
      created,
      data: { object: this.#shown(subscriptionId) },
    });
    return { body, signature: sign(body, created, secret) };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => {
      this.#server.close(resolve);
    });
  }

  async #answer(
    request: IncomingMessage,
  ): Promise<[status: number, body: object]> {
    const { method = "", url = "" } = request;
    const { pathname, searchParams } = new URL(url, this.url);
    const given = new URLSearchParams(await text(request));
    this.requests.push(`${method} ${pathname}`);
    await this.before?.(`${method} ${pathname}`);
    if (this.failing !== null)
      return [this.failing, { error: { type: "api_error", message: "away" } }];
    if (request.headers.authorization !== `Bearer ${SECRET_KEY}`)
      return [401, { error: { type: "invalid_request_error" } }];
    const [, , kind = "", ...rest] = pathname.split("/");
    const customer = given.get("customer") ?? searchParams.get("customer");
    if (customer !== null && !this.customers.has(customer))
      return missing("customer");
    if (kind === "customers")
      return method === "DELETE"
        ? this.#deleteCustomer(rest[0] ?? "")
        : this.#makeCustomer(given, request.headers["idempotency-key"]);
    if (kind === "subscriptions") return this.#retrieve(rest[0] ?? "");
    if (kind === "billing_portal")
      return [200, { object: kind, url: "https://stripe.example/portal" }];
    if (method === "GET") return [200, this.#openSessions(customer ?? "")];
    if (rest[2] === "expire") return this.#expire(rest[1] ?? "");
    return this.#makeSession(given);
  }

  #makeCustomer(
    given: URLSearchParams,
    key: string | string[] | undefined,
  ): [number, object] {
    const known = this.#byIdempotencyKey.get(String(key));
    const id = known ?? `cus_${++this.#made}`;
    this.#byIdempotencyKey.set(String(key), id);
    this.customers.set(id, given.get("email") ?? "");
    return [200, { id, object: "customer" }];
  }

  #deleteCustomer(id: string): [number, object] {
    if (!this.customers.delete(id)) return missing("id");
    for (const held of this.subscriptions.values())
      if (held.customer === id) held.status = "canceled";
    return [200, { id, object: "customer", deleted: true }];
  }

  async #retrieve(id: string): Promise<[number, object]> {
    if (!this.subscriptions.has(id)) return missing("id");
    const shown = this.#shown(id);
    const before = this.whileRetrieving;
    this.whileRetrieving = null;
    await before?.();
    return [200, shown];
  }

  #makeSession(given: URLSearchParams): [number, object] {
    const id = `cs_${++this.#made}`;
    this.sessions.set(id, given);
    return [200, shownSession(id)];
  }

  #openSessions(customer: string): object {
    const data = [...this.sessions]
      .filter(
        ([id, given]) =>
          given.get("customer") === customer && !this.expired.includes(id),
      )
      .map(([id]) => shownSession(id))
      .toReversed();
    return { object: "list", data, has_more: false };
  }

  #expire(id: string): [number, object] {
    this.expired.push(id);
    return [200, { id, object: "checkout.session" }];
  }

  #shown(id: string): object {
    const { price, ...held } = this.subscriptions.get(id) ?? {
      id,
      price: "",
      customer: "cus_gone",
    };
    const current_period_end =
      Math.floor(Date.now() / 1_000) + 30 * DAY_SECONDS;
    const items = [
      { object: "subscription_item", price: { id: price }, current_period_end },
    ];
    return {
      object: "subscription",
      cancel_at: null,
      ...held,
      items: { object: "list", data: items, has_more: false },
    };
  }
}

function shownSession(id: string): object {
  const url = `https://stripe.example/${id}`;
  return { id, object: "checkout.session", url };
}

/** Signs a body as Stripe does, with the SDK's own means for tests. */
export function sign(
  payload: string,
  timestamp: number,
  secret = WEBHOOK_SECRET,
): string {
  return new Stripe(SECRET_KEY).webhooks.generateTestHeaderString({
    payload,
    secret,
    timestamp,
  });
}

function missing(param: string): [number, object] {
  return [
    404,
    {
      error: {
        type: "invalid_request_error",
        code: "resource_missing",
        param,
        message: "No such thing.",
      },
    },
  ];
}
