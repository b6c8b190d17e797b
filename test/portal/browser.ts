/** A real browser that opens the portal and records everything that it shouldn't do. */

import assert from "node:assert/strict";
import { after } from "node:test";
import axe from "axe-core";
import type {
  Browser,
  BrowserContext,
  BrowserContextOptions,
  Page,
  Request,
} from "playwright-core";
import { openChromium } from "./chromium.ts";
import type { PortalService } from "./portal-service.ts";

/** Of those whom `signedUp` signs up. */
export const PASSWORD = "correct horse battery";

const launched = await openChromium();
const browser: Browser | null = typeof launched === "string" ? null : launched;
after(() => browser?.close());

/** For `skip`: why there is no browser here, or false. */
export const NO_BROWSER: string | false =
  typeof launched === "string" ? launched : false;

/** A window of a reader with no cookies, and what went wrong in it. */
export interface Visit extends AsyncDisposable {
  readonly page: Page;
  readonly context: BrowserContext;
  /** Errors of the console and of scripts, violations of the policy among them. */
  readonly faults: string[];
  /** Every request that was made. */
  readonly requests: readonly Request[];
}

/** Opens a window; `options` are Playwright's own (`colorScheme`, `viewport`, ...). */
export async function visit(
  url: string,
  options: BrowserContextOptions = {},
): Promise<Visit> {
  if (browser === null) throw new Error(String(NO_BROWSER));
  const context = await browser.newContext({ baseURL: url, ...options });
  const page = await context.newPage();
  const faults: string[] = [];
  const requests: Request[] = [];
  page.on("console", (message) => {
    if (message.type() === "error") faults.push(message.text());
  });
  page.on("pageerror", (error) => faults.push(String(error)));
  context.on("request", (request) => requests.push(request));
  return {
    page,
    context,
    faults,
    requests,
    [Symbol.asyncDispose]: () => context.close(),
  };
}

/** Requests to other hosts: there must be none. */
export function foreignRequests(
  { requests }: Pick<Visit, "requests">,
  { url }: Pick<PortalService, "url">,
): string[] {
  return requests
    .map((request) => request.url())
    .filter((address) => !/^(data|blob):/.test(address))
    .filter((address) => new URL(address).origin !== new URL(url).origin);
}

/** Signs a user up, confirms the address by the emailed link, and signs in to the visit's browser context. */
export async function signedUp(
  { context }: Pick<Visit, "context">,
  { mail, url }: PortalService,
  email: string,
): Promise<void> {
  const headers = { origin: url };
  const post = async (path: string, data: object) => {
    const answer = await context.request.post(path, { data, headers });
    assert.ok(answer.ok(), await answer.text());
  };
  await post("/auth/sign-up/email", { name: "", email, password: PASSWORD });
  await context.request.get((await mail.mailTo(email)).link);
  await post("/auth/sign-in/email", { email, password: PASSWORD });
}

/** Fails if something is wider than the window, so that the whole page would scroll sideways. */
export async function checkWidth(page: Page): Promise<void> {
  const needed = await page.evaluate(
    () => document.documentElement.scrollWidth,
  );
  // On a phone, innerWidth would grow with the content.
  assert.equal(needed, page.viewportSize()?.width, page.url());
}

/**
 * Fails where axe finds anything against WCAG 2.2 AA or good practice in the page as it is shown now, or in a part of it:
 * what an open list covers is too small a target.
 */
export async function checkAxe(page: Page, part = "html"): Promise<void> {
  await page.evaluate(axe.source);
  const found = await page.evaluate(async (selector) => {
    const { violations } = await window.axe.run(selector, {
      rules: { "target-size": { enabled: true } },
    });
    return violations.flatMap(({ help, nodes }) =>
      nodes.map(({ failureSummary, html }) => ({ help, html, failureSummary })),
    );
  }, part);
  assert.deepEqual(found, []);
}

/** The widths, phones' and the current one, at which the page would scroll sideways: there must be none. */
export async function tooWide(page: Page): Promise<number[]> {
  const own = page.viewportSize();
  const found: number[] = [];
  for (const width of [320, 390, own?.width ?? 1_280]) {
    await page.setViewportSize({ width, height: own?.height ?? 800 });
    if (
      await page.evaluate(
        () => document.documentElement.scrollWidth > innerWidth,
      )
    )
      found.push(width);
  }
  return found;
}

declare global {
  interface Window {
    axe: typeof axe;
  }
}
