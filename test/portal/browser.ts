/** The real service with its portal, and a real browser that records everything that it shouldn't do. */

import assert from "node:assert/strict";
import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { after } from "node:test";
import axe from "axe-core";
import type {
  Browser,
  BrowserContext,
  BrowserContextOptions,
  Page,
  Request,
} from "playwright-core";
import type { Environment } from "../../src/settings/setting-reader.ts";
import {
  startMailServer,
  type MailServer,
} from "../support/servers/mail-server.ts";
import {
  ProgramProcess,
  runProgram,
  temporaryFolder,
} from "../support/program/program.ts";
import { launchChromium } from "./chromium.ts";

/** Of those whom `signedUp` signs up. */
export const PASSWORD = "correct horse battery";

const launched = await launchChromium();
const browser: Browser | null = typeof launched === "string" ? null : launched;
after(() => browser?.close());

/** For `skip`: why there is no browser here, or false. */
export const NO_BROWSER: string | false =
  typeof launched === "string" ? launched : false;

/** A service in its own process. */
export interface PortalService extends AsyncDisposable {
  /** Without a trailing slash. */
  readonly url: string;
  readonly program: ProgramProcess;
  /** The demo's API key; null for an installation. */
  readonly key: string | null;
  /** The emails it sent; a demo prints its emails instead. */
  readonly mail: MailServer;
}

/** What `npm start` gives: 600 invented providers, an open explorer, sign-up with mails in the terminal. */
export async function startDemo(
  environment: Environment = {},
): Promise<PortalService> {
  await using owned = new AsyncDisposableStack();
  const folder = owned.use(temporaryFolder());
  const mail = owned.use(await startMailServer());
  const program = owned.use(
    new ProgramProcess(["start"], {
      DATA_DIR: folder.path,
      PORT: "0",
      WORKERS: "1",
      PROVIDERS: "600",
      ...environment,
    }),
  );
  await program.printed(/Press Ctrl-C to stop/);
  const [, url = ""] = /Listening on (http:\S+)/.exec(program.out) ?? [];
  const [key = null] = /pd_live_\w{36}/.exec(program.out) ?? [];
  return service(owned.move(), { url, program, key, mail });
}

/**
 * What an operator runs: 600 providers that count as real, sign-up by a mail server, an explorer for those signed in.
 * `rewrite` changes the registry's file before it is imported; `end` is the day to which it reaches.
 */
export async function startInstallation(
  environment: Environment = {},
  rewrite: (csv: string) => string = (csv) => csv,
  end = "20261108",
): Promise<PortalService> {
  await using owned = new AsyncDisposableStack();
  const folder = owned.use(temporaryFolder());
  const mail = owned.use(await startMailServer());
  const file = join(folder.path, `npidata_pfile_20050523-${end}.csv`);
  const data = join(folder.path, "data");
  await succeed("generate", "--providers", "600", "--out", file);
  writeFileSync(file, rewrite(readFileSync(file, "utf8")));
  await succeed("import", file, "--data-dir", data);
  const port = await freePort();
  const program = owned.use(
    new ProgramProcess(["serve"], {
      DATA_DIR: data,
      PORT: String(port),
      WORKERS: "2",
      PUBLIC_URL: `http://127.0.0.1:${port}`,
      SMTP_URL: mail.url,
      MAIL_FROM: "Directory <directory@clinic.example>",
      ...environment,
    }),
  );
  const [, url = ""] = await program.printed(/Listening on (http:\S+) with/);
  await program.printed(/Serving snapshot/);
  return service(owned.move(), { url, program, key: null, mail });
}

async function succeed(...args: readonly string[]): Promise<void> {
  const { code, err } = await runProgram(args);
  assert.equal(code, 0, err);
}

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

function service(
  owned: AsyncDisposableStack,
  facts: Omit<PortalService, keyof AsyncDisposable>,
): PortalService {
  return { ...facts, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}

/** A port that was free a moment ago: the service's address must be known before it starts. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  await new Promise((closed) => server.close(closed));
  if (address === null || typeof address === "string")
    throw new Error("No free port.");
  return address.port;
}
