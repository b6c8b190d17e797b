/** `npm run pictures`: takes the README's screenshots of the demo. */

import assert from "node:assert/strict";
import { existsSync, mkdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { ProgramProcess } from "../support/program/program.ts";
import { temporaryFolder } from "../support/pure/temporary-folder.ts";
import { tokenOf } from "../support/app/servers/mail-server.ts";
import { openChromium } from "./chromium.ts";

const FOLDER = fileURLToPath(new URL("../../docs/pictures/", import.meta.url));
const MAX_BYTES = 150_000;
const USER = {
  email: "ada@clinic.example",
  password: "correct horse battery",
};

const CODE_FONT = "/usr/share/fonts/truetype/dejavu/DejaVuSansMono.ttf";

/** Physicians around Chicago: more than a page of them. */
const NEARBY = "/?zip=60601&place=Chicago%2C+IL&radius=25&specialty=physician";

interface Picture {
  readonly name: string;
  readonly path: string;
  readonly colorScheme?: "light" | "dark";
  readonly isPhone?: boolean;
  /** Leads to the view and waits for it. */
  readonly prepare: (page: Page) => Promise<void>;
}

const PICTURES: readonly Picture[] = [
  { name: "first-screen", path: "/", prepare: settled },
  { name: "explorer", path: NEARBY, prepare: mapDrawn },
  {
    name: "explorer-dark",
    path: NEARBY,
    colorScheme: "dark",
    prepare: mapDrawn,
  },
  { name: "explorer-phone", path: NEARBY, isPhone: true, prepare: settled },
  {
    name: "explorer-phone-map",
    path: NEARBY,
    isPhone: true,
    prepare: async (page) => {
      await page.getByText("Map", { exact: true }).click();
      await mapDrawn(page);
    },
  },
  { name: "provider", path: "/npi/1976056766", prepare: mapDrawn },
  {
    name: "reference",
    path: "/reference",
    prepare: async (page) => {
      await page.locator("#searchProviders").waitFor();
      await page.locator("#searchProviders").evaluate((heading) => {
        heading.scrollIntoView();
      });
    },
  },
  { name: "usage", path: "/settings/usage", prepare: settled },
];

using data = temporaryFolder();
await using program = new ProgramProcess(["start"], {
  DATA_DIR: data.path,
  PORT: "0",
});
await program.printed(/Press Ctrl-C to stop/);
const [, url = ""] = /Listening on (http:\S+)/.exec(program.out) ?? [];
if (!existsSync(CODE_FONT))
  throw new Error(
    "Install a font for code first: apt install fonts-dejavu-core",
  );
const browser = await openChromium({ codeFont: CODE_FONT });
if (typeof browser === "string") throw new Error(browser);
try {
  mkdirSync(FOLDER, { recursive: true });
  const session = await signIn(browser);
  for (const picture of PICTURES) await take(browser, session, picture);
} finally {
  await browser.close();
}

type Session = Awaited<ReturnType<BrowserContext["storageState"]>>;

/** A user with a key that has been used. */
async function signIn(from: Browser): Promise<Session> {
  const context = await from.newContext({ baseURL: url });
  const post = async (path: string, body: object) => {
    const answer = await context.request.post(path, {
      data: body,
      headers: { origin: url },
    });
    assert.ok(answer.ok(), await answer.text());
    return answer.json();
  };
  await post("/auth/sign-up/email", { name: "", ...USER });
  await program.printed(/verify-email\S+/);
  const [link = ""] = /http:\S+verify-email\S+/.exec(program.out) ?? [];
  await post("/auth/verify-email", { token: tokenOf(link) });
  await post("/auth/sign-in/email", USER);
  const { data: made } = await post("/account/keys", { name: "intake forms" });
  await post("/account/keys", { name: "nightly copy" });
  for (let page = 1; page <= 40; page++) {
    const answer = await context.request.get(
      `/v1/providers/search?state=IL&page=${page}`,
      { headers: { authorization: `Bearer ${made.secret}` } },
    );
    assert.ok(answer.ok(), await answer.text());
    // The limit is ten a second.
    await sleep(100);
  }
  // Usage is written each second.
  await sleep(2_000);
  const session = await context.storageState();
  await context.close();
  return session;
}

async function take(
  from: Browser,
  storageState: Session,
  { colorScheme = "light", isPhone = false, name, path, prepare }: Picture,
): Promise<void> {
  const context = await from.newContext({
    baseURL: url,
    colorScheme,
    reducedMotion: "reduce",
    storageState,
    viewport: isPhone
      ? { width: 390, height: 780 }
      : { width: 1280, height: 760 },
  });
  const page = await context.newPage();
  await page.goto(path);
  await page.locator("h1").waitFor();
  await page.waitForLoadState("networkidle");
  await prepare(page);
  const file = join(FOLDER, `${name}.png`);
  await page.screenshot({ path: file });
  await context.close();
  const { size } = statSync(file);
  assert.ok(size < MAX_BYTES, `${file} has ${size} bytes`);
}

async function settled(page: Page): Promise<void> {
  await page.waitForTimeout(500);
}

async function mapDrawn(page: Page): Promise<void> {
  await page.locator("canvas").first().waitFor();
  await page.waitForTimeout(8_000);
}
