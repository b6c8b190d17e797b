/** A service with sign-up, a fake Stripe, and a small monthly quota. */

import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import type { BrowserContextOptions, Page } from "playwright-core";
import { GITHUB_APP } from "../../support/app/servers/github-server.ts";
import { openAccounts } from "../../../src/accounts/accounts.ts";
import { configurePlans } from "../../../src/accounts/plans.ts";
import { buildApp } from "../../../src/http/app.ts";
import { createFileDaysMemory } from "../../../src/http/access/file-days.ts";
import { createWorkbookMemory } from "../../../src/http/exports/workbook/workbook-places.ts";
import { createIpRateLimiterMemory } from "../../../src/http/limits/ip-rate-limiter.ts";
import {
  createExpectedMemory,
  ExpectedSnapshots,
} from "../../../src/server/expected-snapshots.ts";
import { createReadinessMemory } from "../../../src/server/readiness.ts";
import {
  openContext,
  type WorkerState,
} from "../../../src/server/workers/worker-context.ts";
import { temporaryFolder } from "../../support/pure/temporary-folder.ts";
import { until } from "../../support/pure/until.ts";
import { startMailServer } from "../../support/app/servers/mail-server.ts";
import { CHEAP_HASHING } from "../../support/app/auth-service.ts";
import { portalParts } from "../../support/app/portal-parts.ts";
import { sampleDirectory } from "../../support/pure/engine/sample-directory.ts";
import { startMetering } from "../../support/app/metering-process.ts";
import { serviceSettings } from "../../support/app/service-settings.ts";
import {
  PAID_PRICE,
  SECRET_KEY,
  StripeServer,
  WEBHOOK_SECRET,
} from "../../support/app/servers/stripe-server.ts";
import { NO_BROWSER, visit, type Visit } from "../browser.ts";
import { freePort } from "../../support/pure/free-port.ts";
import type { PortalService } from "../portal-service.ts";

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

const ignore = () => undefined;

type AccountService = Pick<PortalService, "mail" | "url">;

export interface AccountPages extends AsyncDisposable {
  readonly service: AccountService;
  readonly stripe: StripeServer;
  /** Opens a browser with a separate IP address, so that readers don't share rate limits. */
  arrive(options?: BrowserContextOptions): Promise<Visit>;
}

export async function startAccountPages(): Promise<AccountPages> {
  await using owned = new AsyncDisposableStack();
  const stripe = owned.use(await StripeServer.start());
  const service = await startService(stripe, owned);
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

/** The app of a worker, in this process: with hashes of passwords that cost next to nothing. */
async function startService(
  stripe: StripeServer,
  owned: AsyncDisposableStack,
): Promise<AccountService> {
  const folder = owned.use(temporaryFolder());
  const mail = owned.use(await startMailServer());
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const signUp = {
    name: "Provider Directory",
    secret: randomBytes(32).toString("base64url"),
    github: GITHUB_APP,
    mail: {
      kind: "smtp" as const,
      url: mail.url,
      from: "Directory <directory@clinic.example>",
    },
    passwordHashing: CHEAP_HASHING,
    paddedMs: 0,
  };
  const configured = configurePlans({ free: { monthlyQuota: QUOTA } });
  assert.ok(configured.outcome === "plans");
  const { settings: portal } = await portalParts();
  const settings = serviceSettings(folder.path, {
    publicUrl: url,
    trustProxy: 1,
    plans: configured.plans,
    billing: {
      secretKey: SECRET_KEY,
      webhookSecret: WEBHOOK_SECRET,
      prices: { paid: PAID_PRICE },
      apiUrl: stripe.url,
    },
    signUp,
    portal: { ...portal, name: signUp.name },
  });
  const accounts = owned.use(
    await openAccounts({
      place: settings.database,
      plans: settings.plans,
      clock: Date.now,
      random: randomBytes,
      actor: "test",
    }),
  );
  const { memory } = owned.use(
    await startMetering({
      accounts,
      plans: settings.plans,
      onError(error) {
        throw error;
      },
    }),
  );
  const expected = createExpectedMemory();
  const state: WorkerState = {
    current: await sampleDirectory(),
    previous: null,
    expected: new ExpectedSnapshots(expected),
    port,
  };
  const setup = {
    settings,
    name: "test",
    address: "127.0.0.1",
    tagSecret: await accounts.installationSecret("entity_tags"),
    gate: memory,
    source: { process: "test", node: "test", version: "0" },
    readiness: createReadinessMemory(),
    expected,
    ipRateLimiter: createIpRateLimiterMemory("salt"),
    registryVisitors: createIpRateLimiterMemory("salt"),
    workbooks: createWorkbookMemory(),
    fileDays: createFileDaysMemory(),
    answers: null,
  };
  const app = buildApp(await openContext(setup, state, owned, ignore, ignore));
  owned.defer(() => app.close());
  await app.listen({ host: setup.address, port });
  return { mail, url };
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
  await page.getByLabel("Name", { exact: true }).fill(name);
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

/** Waits until a key is refused: the service notices a revocation a moment later. */
export async function untilRefused(
  service: Pick<PortalService, "url">,
  key: string,
): Promise<void> {
  await until(
    "the key to be refused",
    async () => (await askApi(service, key)) === 401,
  );
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
