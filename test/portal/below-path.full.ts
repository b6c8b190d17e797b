import assert from "node:assert/strict";
import { randomInt } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, suite, test } from "node:test";
import {
  BALANCER_PORT,
  HAPROXY_KIND,
  NGINX_KIND,
  type Balancer,
} from "../support/fleet/balancer.ts";
import { temporaryFolder } from "../support/pure/temporary-folder.ts";
import { solidPng } from "../support/pure/tiles/solid-png.ts";
import { tileArchive } from "../support/pure/tiles/tile-archive.ts";
import { NO_BROWSER, PASSWORD, visit, WIDE, type Visit } from "./browser.ts";
import { createKey } from "./account/account-pages.ts";
import { startInstallation } from "./portal-service.ts";

const PREFIX = "/npi";
const CREDIT = "Map of the clinic";
const NETWORK = `127.${randomInt(1, 255)}.${randomInt(1, 255)}.`;
const ORIGIN = `https://${NETWORK}1:${BALANCER_PORT}`;
const PUBLIC_URL = ORIGIN + PREFIX;

async function start() {
  const owned = new AsyncDisposableStack();
  const folder = owned.use(temporaryFolder());
  const tiles = join(folder.path, "usa.pmtiles");
  writeFileSync(
    tiles,
    tileArchive({ attribution: CREDIT, tile: solidPng([200, 220, 240]) }),
  );
  const service = owned.use(
    await startInstallation({
      PUBLIC_URL,
      TRUST_PROXY: "1",
      EXPLORER: "open",
      PORTAL_TILES: tiles,
    }),
  );
  return { owned, service };
}

let started: ReturnType<typeof start> | null = null;

after(async () => {
  const running = await started;
  await running?.owned.disposeAsync();
});

/** The shipped configuration with the lines that serve below a path. */
function belowPath(configuration: string): string {
  return configuration.replaceAll(/^( +)#(?! \S)/gm, "$1");
}

/** Fails if anything went wrong in a window, or was requested elsewhere than below the path. */
function checkVisit({ faults, requests }: Visit): void {
  assert.deepEqual(faults, []);
  const elsewhere = requests
    .map((request) => request.url())
    .filter((url) => !/^(?:data|blob):/.test(url))
    .filter((url) => !`${url}/`.startsWith(`${PUBLIC_URL}/`));
  assert.deepEqual(elsewhere, []);
}

for (const kind of [HAPROXY_KIND, NGINX_KIND])
  suite(
    `below a path, behind ${kind.name}`,
    { skip: kind.missing || NO_BROWSER },
    () => {
      let balancer: Promise<Balancer> | null = null;
      const open = async () => {
        const { service } = await (started ??= start());
        const node = { address: new URL(service.url).host };
        await (balancer ??= kind.start(
          { network: NETWORK, nodes: [node, node, node] },
          belowPath,
        ));
        const reader = await visit(`${PUBLIC_URL}/`, {
          ...WIDE,
          ignoreHTTPSErrors: true,
        });
        return { ...reader, service };
      };
      after(async () => (await balancer)?.[Symbol.asyncDispose]());

      test("search, map, record, and guide work, and links and the history stay below it", async () => {
        await using reader = await open();
        const { page } = reader;
        await page.goto(PUBLIC_URL);
        await page.waitForURL(`${PUBLIC_URL}/`);
        await page.getByRole("link", { name: "Browse all" }).click();
        await page.locator('canvas[aria-label^="Map: "]').waitFor();
        // From the archive of tiles.
        await page.getByText(CREDIT).waitFor();
        const entry = page
          .locator("main")
          .locator(`a[href^="${PREFIX}/npi/"]`)
          .first();
        const record = await entry.getAttribute("href");
        await entry.click();
        await page.waitForURL(ORIGIN + record);
        await page.getByRole("button", { name: "Save contact" }).waitFor();
        await page.reload();
        await page.getByRole("button", { name: "Save contact" }).waitFor();
        await page
          .getByText(`${PUBLIC_URL}/v1/providers/`, { exact: false })
          .first()
          .waitFor({ state: "attached" });
        await page.goBack();
        await page.locator('canvas[aria-label^="Map: "]').waitFor();
        await page.getByRole("link", { name: "Guide" }).click();
        await page.getByRole("link", { name: "HTTP API" }).first().click();
        await page.waitForURL(`${PUBLIC_URL}/guide/http-api`);
        await page.getByText(`BASE=${PUBLIC_URL}`).waitFor();
        await page.goto("guide/http-api#order");
        await page.locator("#order").waitFor();
        checkVisit(reader);
      });

      test("from sign-up, through the mailed link, to a key, a first request, and one from the reference", async () => {
        await using reader = await open();
        const { context, page, service } = reader;
        const email = `${kind.name}@clinic.example`;
        await page.goto("sign-up?next=%2Fsettings");
        await page.getByLabel("Email address").fill(email);
        await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
        await page.getByRole("button", { name: "Sign up" }).click();
        // Only then does the browser have the cookie by which the link signs in.
        await page.getByRole("heading", { name: "Check your email" }).waitFor();
        const { link } = await service.mail.mailTo(email);
        assert.ok(link.startsWith(`${PUBLIC_URL}/auth/verify-email?`), link);
        await page.goto(link);
        await page.waitForURL(`${PUBLIC_URL}/confirm-email?*`);
        await page
          .getByRole("button", { name: "Confirm email address" })
          .click();
        await page.waitForURL(`${PUBLIC_URL}/settings`);
        const key = await createKey(page, "first");
        await page.getByText(`'${PUBLIC_URL}/v1/providers/search?`).waitFor();
        await page.getByRole("button", { name: "Try it now" }).click();
        await page.getByText("It works: the API returned 200.").waitFor();

        await page.goto("reference");
        await page.getByLabel("API key").fill(key);
        const part = page.locator("section[aria-labelledby=searchProviders]");
        await part.getByText("Try it", { exact: true }).click();
        await part.getByText(`${PUBLIC_URL}/v1/providers/search`).waitFor();
        await part.getByRole("button", { name: "Send request" }).click();
        await part.getByText(/^200 in /).waitFor();

        const cookies = await context.cookies(`${PUBLIC_URL}/`);
        assert.notEqual(cookies.length, 0);
        for (const { name, path } of cookies) assert.equal(path, PREFIX, name);
        assert.deepEqual(await context.cookies(`${ORIGIN}/`), []);
        await page.getByRole("button", { name: "Account" }).click();
        await page.getByRole("button", { name: "Sign out" }).click();
        await page.waitForURL(`${PUBLIC_URL}/sign-in?notice=signed-out`);
        checkVisit(reader);
      });
    },
  );
