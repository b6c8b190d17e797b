/** A real browser that opens the portal and records everything that it shouldn't do. */

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { after } from "node:test";
import type axe from "axe-core";
import type {
  Browser,
  BrowserContext,
  BrowserContextOptions,
  Page,
  Request,
  Route,
} from "playwright-core";
import { PAGE_PATHS } from "../../src/site/page-paths.ts";
import { IS_FULL } from "../support/pure/full-run.ts";
import { tokenOf } from "../support/app/servers/mail-server.ts";
import { openChromium } from "./chromium.ts";
import type { PortalService } from "./portal-service.ts";

/** Of those whom `signedUp` signs up. */
export const PASSWORD = "correct horse battery";

/** What runs in the page: the minified file, because every document has to parse it. */
const AXE = readFileSync(
  createRequire(import.meta.url).resolve("axe-core/axe.min.js"),
  "utf8",
);
/** A window that shows the explorer's map next to the list. */
export const WIDE = { viewport: { width: 1_280, height: 800 } };
/** A window so narrow that the explorer's map is below the list and isn't drawn. */
export const NARROW = { viewport: { width: 900, height: 700 } };
/** Of a mailed link, signed by no one. */
const LINK_TOKEN = `a.${btoa(JSON.stringify({ email: "ada@clinic.example", exp: 1e10 }))}.c`;
/** The path of every page. */
export const PATHS = Object.values(PAGE_PATHS).map((path) =>
  path
    .replace(":npi", "1234567893")
    .replace(":page", "errors")
    .replace(/^\/reset-password$/, "$&?token=invented")
    .replace(/^\/confirm-email$/, `$&?token=${LINK_TOKEN}`),
);
/** The widths of phones, in pixels. */
const PHONES = [320, 390];
/** The rules whose result depends on colors. */
const COLOR_RULES = ["color-contrast", "link-in-text-block"];

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

/** Limit of each wait for a page, in milliseconds; a busy machine needs most of it. */
const WITHIN_MS = 120_000;

/** Opens a window; `options` are Playwright's own (`colorScheme`, `viewport`, ...). */
export async function visit(
  url: string,
  options: BrowserContextOptions = {},
): Promise<Visit> {
  if (browser === null) throw new Error(String(NO_BROWSER));
  const context = await browser.newContext({ baseURL: url, ...options });
  context.setDefaultTimeout(WITHIN_MS);
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

/** Loses all requests from now on. Playwright's `setOffline` returns before the browser has done that. */
export async function cutOff(context: BrowserContext): Promise<void> {
  await context.route("**", lose);
}

/** Ends what `cutOff` did. */
export async function reconnect(context: BrowserContext): Promise<void> {
  await context.unroute("**", lose);
}

const lose = (route: Route) => route.abort("internetdisconnected");

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
  { mail, url }: Pick<PortalService, "mail" | "url">,
  email: string,
): Promise<void> {
  const headers = { origin: url };
  const post = async (path: string, data: object) => {
    const answer = await context.request.post(path, { data, headers });
    assert.ok(answer.ok(), await answer.text());
  };
  await post("/auth/sign-up/email", { name: "", email, password: PASSWORD });
  const { link } = await mail.mailTo(email);
  await post("/auth/verify-email", { token: tokenOf(link) });
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
 * Fails where axe finds anything against WCAG 2.2 AA or good practice in the page as it is shown now, or in a part of
 * it: what an open list covers is too small a target.
 */
export async function checkAxe(page: Page, part = "html"): Promise<void> {
  await findNothing(page, part, {
    rules: { "target-size": { enabled: true } },
  });
}

/**
 * Checks a light page like `checkAxe`, then its colors in dark, which are all that differs. Outside the full run, only
 * every other page is checked in light, and the rest in dark.
 */
export async function checkAxeInLightAndDark(page: Page): Promise<void> {
  const isLight = checkedInBoth++ % 2 === 0;
  if (IS_FULL || isLight) await checkAxe(page);
  if (!IS_FULL && isLight) return;
  await page.emulateMedia({ colorScheme: "dark" });
  if (IS_FULL) await findNothing(page, "html", { runOnly: COLOR_RULES });
  else await checkAxe(page);
  await page.emulateMedia({ colorScheme: "light" });
}

/** How many times `checkAxeInLightAndDark` was called. */
let checkedInBoth = 0;

async function findNothing(
  page: Page,
  part: string,
  options: axe.RunOptions,
): Promise<void> {
  if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(AXE);
  const found = await page.evaluate(
    async ([selector, settings]) => {
      const { violations } = await window.axe.run(selector, {
        ...settings,
        // It spares the selectors of all that passes.
        resultTypes: ["violations"],
      });
      return violations.flatMap(({ help, nodes }) =>
        nodes.map(({ failureSummary, html }) => ({
          help,
          html,
          failureSummary,
        })),
      );
    },
    [part, options] as const,
  );
  assert.deepEqual(found, [], page.url());
}

/** The widths, the given and the current one, at which the page would scroll sideways: there must be none. */
export async function tooWide(
  page: Page,
  widths: readonly number[] = PHONES,
): Promise<number[]> {
  const own = page.viewportSize();
  const found: number[] = [];
  for (const width of [...widths, own?.width ?? 1_280]) {
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
