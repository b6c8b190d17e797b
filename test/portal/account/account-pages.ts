/** A service with sign-up, a fake Stripe, and a small monthly quota. */

import type { BrowserContextOptions, Page } from "playwright-core";
import { GITHUB_APP } from "../../support/servers/github-server.ts";
import { until } from "../../support/program/program.ts";
import {
  PAID_PRICE,
  SECRET_KEY,
  StripeServer,
  WEBHOOK_SECRET,
} from "../../support/servers/stripe-server.ts";
import { NO_BROWSER, visit, type Visit } from "../browser.ts";
import { startInstallation, type PortalService } from "../portal-service.ts";

/** The free plan's monthly quota. */
export const QUOTA = 5;
/** The password that users change to. */
export const OTHER_PASSWORD = "staple battery horse";
/** The pages that only signed-in users see. */
export const SETTINGS = [
  "/settings",
  "/settings/usage",
  "/settings/plan",
  "/settings/security",
];

/** For a suite: runs two tests at a time, each in its own browser context. */
export const IN_PAIRS = { skip: NO_BROWSER, concurrency: 2 };

/** Enough simultaneous connections to reach every worker. */
const CONNECTIONS = 12;

export interface AccountPages extends AsyncDisposable {
  readonly service: PortalService;
  readonly stripe: StripeServer;
  /** Opens a browser with a separate IP address, so that readers don't share rate limits. */
  arrive(options?: BrowserContextOptions): Promise<Visit>;
}

export async function startAccountPages(): Promise<AccountPages> {
  await using owned = new AsyncDisposableStack();
  const stripe = owned.use(await StripeServer.start());
  const service = owned.use(
    await startInstallation({
      PLANS: JSON.stringify({ free: { monthlyQuota: QUOTA } }),
      TRUST_PROXY: "1",
      GITHUB_CLIENT_ID: GITHUB_APP.clientId,
      GITHUB_CLIENT_SECRET: GITHUB_APP.clientSecret,
      STRIPE_API_URL: stripe.url,
      STRIPE_SECRET_KEY: SECRET_KEY,
      STRIPE_WEBHOOK_SECRET: WEBHOOK_SECRET,
      STRIPE_PRICES: JSON.stringify({ paid: PAID_PRICE }),
    }),
  );
  const moved = owned.move();
  let readers = 0;
  return {
    service,
    stripe,
    arrive(options = {}) {
      readers += 1;
      const extraHTTPHeaders = { "x-forwarded-for": `192.0.2.${readers}` };
      return visit(service.url, { ...options, extraHTTPHeaders });
    },
    [Symbol.asyncDispose]: () => moved.disposeAsync(),
  };
}

/** Fills in and submits the sign-in form. */
export async function signIn(
  page: Page,
  email: string,
  password: string,
): Promise<void> {
  await page.getByLabel("Email address").fill(email);
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
}

/** Creates a key on the API keys page, and reads it. */
export async function createKey(page: Page, name: string): Promise<string> {
  await page.getByRole("button", { name: "New key" }).click();
  await page.getByLabel("Name").fill(name);
  await page.keyboard.press("Enter");
  return displayedKey(page);
}

/** The new key that the page shows. */
export async function displayedKey(page: Page): Promise<string> {
  const shown = page.getByText(/^pd_live_\w{36}$/);
  await shown.waitFor();
  return (await shown.textContent()) ?? "";
}

/** Loses the response to the next request that changes something at a path. */
export async function loseNext(page: Page, path: string): Promise<void> {
  let isLost = false;
  await page.route(path, async (route) => {
    if (isLost || route.request().method() === "GET") return route.fallback();
    isLost = true;
    await route.fetch();
    return route.abort();
  });
}

/** Waits until every worker refuses a key: each notices the revocation separately. */
export async function untilRefused(
  service: Pick<PortalService, "url">,
  key: string,
): Promise<void> {
  await until("every worker to refuse the key", async () => {
    const statuses = await Promise.all(
      Array.from({ length: CONNECTIONS }, () => askApi(service, key)),
    );
    return statuses.every((status) => status === 401);
  });
}

/** The status of an API request with a key, on a separate connection. */
export async function askApi(
  { url }: Pick<PortalService, "url">,
  key: string,
): Promise<number> {
  const { status } = await fetch(`${url}/v1/providers/search`, {
    headers: { authorization: `Bearer ${key}`, connection: "close" },
  });
  return status;
}
