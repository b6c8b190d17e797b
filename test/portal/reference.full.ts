import assert from "node:assert/strict";
import { after, suite, test } from "node:test";
import type { Locator, Page } from "playwright-core";
import { describedRoutes, publishedPath } from "../../src/http/routes/route.ts";
import { ROUTES } from "../../src/http/routes/table.ts";
import { loseNext } from "./account/account-pages.ts";
import { IS_FULL } from "../support/pure/full-run.ts";
import { tokenOf } from "../support/app/servers/mail-server.ts";
import {
  checkAxe,
  cutOff,
  foreignRequests,
  NO_BROWSER,
  PASSWORD,
  tooWide,
  visit,
} from "./browser.ts";
import { startDemo } from "./portal-service.ts";

const OPERATIONS = describedRoutes(ROUTES);

/** What to fill in where the fields' own values find nothing. */
const TRIED: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  "/v1/providers/nearby": { radius: "500" },
};

suite("the reference", { skip: NO_BROWSER }, async () => {
  const service = await startDemo();
  after(() => service[Symbol.asyncDispose]());

  for (const [colorScheme, width] of [
    ["light", 1440],
    ["dark", 390],
  ] as const)
    test(`shows every operation in full, ${colorScheme} and ${width} pixels wide`, async () => {
      await using reader = await visit(service.url, {
        colorScheme,
        viewport: { width, height: 800 },
      });
      const { faults, page } = reader;
      await page.goto("/reference");
      await operations(page).first().waitFor();
      assert.deepEqual(
        await page.locator("h3 + div > code").allTextContents(),
        OPERATIONS.map(({ path }) => `GET ${publishedPath(path)}`),
      );
      await unfold(page);
      const forms = page.getByRole("form", { name: /^Try: / });
      await forms.nth(OPERATIONS.length - 1).waitFor();
      assert.equal(await forms.count(), OPERATIONS.length);
      assert.deepEqual(await tooWide(page), []);
      if (IS_FULL || colorScheme === "light") await checkAxe(page);
      assert.deepEqual(faults, []);
      assert.deepEqual(foreignRequests(reader, service), []);
    });

  test("shows request and response next to the text if the window is wide; the first form, and one that is linked, are open", async () => {
    await using reader = await visit(service.url, {
      viewport: { width: 1440, height: 800 },
    });
    const { page } = reader;
    await page.goto("/reference#listChanges");
    const part = operation(page, "/v1/changes");
    await part.getByRole("form").waitFor();
    assert.equal(await page.getByRole("form", { name: /^Try: / }).count(), 2);
    await operations(page).first().getByRole("form").waitFor();
    const sample = part.getByRole("region", { name: /^Request: / });
    const example = part.getByRole("group", { name: /^Example of / });
    const text = await leftOf(part.getByText("Try it", { exact: true }));
    for (const each of [sample, example])
      assert.ok((await leftOf(each)) > text + 300);
    // It follows while the text scrolls.
    await part
      .getByRole("heading", { name: "Parameters" })
      .scrollIntoViewIfNeeded();
    assert.ok(await isInSight(sample));
    // The list at the side names operations, and opens their forms.
    await page
      .getByRole("navigation", { name: "Operations" })
      .getByRole("link", { name: "List taxonomies" })
      .click();
    await page.waitForURL("**/reference#listTaxonomies");
    await operation(page, "/v1/taxonomies").getByRole("form").waitFor();
    await page.setViewportSize({ width: 320, height: 700 });
    assert.ok((await leftOf(example)) < 40);
    assert.deepEqual(await tooWide(page), []);
    assert.deepEqual(reader.faults, []);
  });

  test("names every parameter and every error of a search", async () => {
    await using reader = await visit(service.url);
    const { page } = reader;
    // On a busy machine, the page is rendered before the first frame.
    await page.addInitScript(() => {
      const request = requestAnimationFrame;
      globalThis.requestAnimationFrame = (callback) =>
        Number(setTimeout(() => request(callback), 2_000));
    });
    await page.goto("/reference#searchNearby");
    const part = operation(page, "/v1/providers/nearby");
    await part.waitFor();
    await page.evaluate(() => new Promise(requestAnimationFrame));
    await page.waitForFunction(() => scrollY > 1_000);
    await unfold(page);
    const text = (await part.textContent()) ?? "";
    for (const { described, path } of OPERATIONS)
      if (path === "/v1/providers/nearby")
        for (const name of Object.keys(described.query?.properties ?? {}))
          assert.ok(text.includes(name), name);
    assert.match(text, /above 0; at most 500; default 25/);
    assert.match(text, /invalid_location.*quota_exceeded/s);
    await part.getByRole("link", { name: "invalid_location" }).click();
    await page.waitForURL("**/guide/errors#invalid_location");
    await page.getByRole("heading", { name: "invalid_location" }).waitFor();
  });

  test("Try it shows the service's response with its headers, and an error as it is", async () => {
    await using reader = await visit(service.url);
    const { page } = reader;
    await page.goto("/reference");
    const part = operation(page, "/v1/providers/search");
    await openForm(part);
    const send = part.getByRole("button", { name: "Send request" });
    assert.ok(await send.isDisabled());
    await page.getByLabel("API key").fill("pd_live_short");
    await page.getByText("A key is pd_live_ followed by 36").waitFor();
    await page.getByLabel("API key").fill(service.key ?? "");
    await part.getByLabel("name", { exact: true }).fill("smith");
    await part.getByLabel("entity_type").selectOption("individual");
    await part
      .getByText(`/v1/providers/search?name=smith&entity_type=individual`)
      .waitFor();
    await send.click();
    await part.getByText(/^200 in [0-9,]+ ms$/).waitFor();
    const body = part.getByRole("group", { name: /^Body/ });
    const { data, meta } = JSON.parse((await body.textContent()) ?? "");
    assert.ok(meta.total > 0 && data.length > 0);
    await part.getByText("Response headers").click();
    const headers = part.getByRole("group", { name: /^Headers:/ });
    assert.match((await headers.textContent()) ?? "", /^ratelimit: "month"/m);
    await checkAxe(page);

    const lookup = operation(page, "/v1/providers/{npi}");
    await openForm(lookup);
    await lookup.getByRole("button", { name: "Send request" }).click();
    await lookup.getByText(/^200 in /).waitFor();

    await part.getByLabel("limit").fill("500");
    await send.click();
    await part.getByText(/^400 in /).waitFor();
    assert.match((await body.textContent()) ?? "", /"invalid_parameter"/);
    await page.getByLabel("API key").fill(`pd_live_${"0".repeat(36)}`);
    await send.click();
    await part.getByText(/^401 in /).waitFor();
    const kept = await page.evaluate(() => JSON.stringify(localStorage));
    assert.doesNotMatch(kept, /pd_live/);
    await cutOff(reader.context);
    await send.click();
    await part.getByText("Can’t reach the service").waitFor();
  });

  test("every operation can be tried, and of a long response only the start is loaded", async () => {
    await using reader = await visit(service.url);
    const { page } = reader;
    await page.goto("/reference");
    await page.getByLabel("API key").fill(service.key ?? "");
    for (const { path } of OPERATIONS) {
      // This demo has no files.
      if (path.startsWith("/v1/files")) continue;
      const part = operation(page, publishedPath(path));
      await openForm(part);
      for (const [name, value] of Object.entries(TRIED[path] ?? {}))
        await part.getByLabel(name, { exact: true }).fill(value);
      await part.getByRole("button", { name: "Send request" }).click();
      await part.getByText(/^200 in [0-9,]+ ms$/).waitFor();
    }
    const part = operation(page, "/v1/providers/export");
    await part.getByText("Only its start is shown").waitFor();
    const body = part.getByRole("group", { name: /^Body/ });
    const lines = ((await body.textContent()) ?? "").trimEnd().split("\n");
    assert.ok(lines.length > 50 && lines.length < 600, String(lines.length));
    for (const line of [lines[0], lines.at(-1)])
      assert.match(JSON.parse(line ?? "").npi, /^\d{10}$/);
    assert.deepEqual(reader.faults, []);
    assert.deepEqual(foreignRequests(reader, service), []);
  });

  test("the tab keeps the key until it is forgotten; another tab doesn't have it", async () => {
    await using reader = await visit(service.url);
    const { context, page } = reader;
    const key = service.key ?? "";
    await page.goto("/reference");
    const field = page.getByLabel("API key");
    await field.fill(key);
    await page.reload();
    await field.waitFor();
    assert.equal(await field.inputValue(), key);
    const other = await context.newPage();
    await other.goto("/reference");
    await other.getByLabel("API key").waitFor();
    assert.equal(await other.getByLabel("API key").inputValue(), "");
    await page.getByRole("button", { name: "Forget key" }).click();
    assert.equal(await field.inputValue(), "");
    assert.equal(await page.evaluate(() => sessionStorage.length), 0);
    await page.reload();
    await field.waitFor();
    assert.equal(await field.inputValue(), "");
  });

  test("a signed-in user creates a key here and gets a response with it", async () => {
    await using reader = await visit(service.url);
    const { page } = reader;
    await page.goto("/reference");
    await page.getByRole("link", { name: "sign up", exact: true }).waitFor();
    const headers = { origin: service.url };
    const user = { email: "ada@clinic.example", password: PASSWORD };
    await page.request.post("/auth/sign-up/email", {
      data: { name: "", ...user },
      headers,
    });
    // A demo prints its emails.
    await service.program.printed(/verify-email\S+/);
    const [link = ""] =
      /http:\S+verify-email\S+/.exec(service.program.out) ?? [];
    await page.request.post("/auth/verify-email", {
      data: { token: tokenOf(link) },
      headers,
    });
    await page.request.post("/auth/sign-in/email", { data: user, headers });
    await page.goto("/reference");
    await page
      .getByRole("button", { name: "Create a key for this page" })
      .click();
    await page.getByText("Created a key named").waitFor();
    const part = operation(page, "/v1/providers/nearby");
    await openForm(part);
    await part.getByLabel("zip").fill("60601");
    await part.getByLabel("radius").fill("500");
    await part.getByRole("button", { name: "Send request" }).click();
    await part.getByText(/^200 in /).waitFor();
    assert.deepEqual(reader.faults, []);

    // The key stays while the user visits other pages, and a later visit replaces it instead of adding one.
    const field = page.getByLabel("API key");
    const first = await field.inputValue();
    assert.match(first, /^pd_live_/);
    const button = page.getByRole("button", {
      name: "Create a key for this page",
    });
    await page.getByRole("link", { name: "Guide", exact: true }).click();
    await page.getByRole("heading", { name: "Guide", level: 1 }).waitFor();
    await page.goBack();
    await field.waitFor();
    assert.equal(await field.inputValue(), first);
    assert.equal(await button.count(), 0);
    for (let visits = 0; visits < 3; visits++) {
      await page.reload();
      await page.getByRole("button", { name: "Forget key" }).click();
      await button.click();
      await page.getByText("replaces the key you created here").waitFor();
      assert.notEqual(await field.inputValue(), first);
      assert.equal(await activeKeys(page), 1);
    }
    await checkAxe(page, "section[aria-labelledby=your-key]");

    await page.getByRole("button", { name: "Forget key" }).click();
    await loseNext(page, "**/account/keys/*/rotate");
    await button.click();
    await page.getByRole("button", { name: "Try again" }).click();
    await page
      .getByText("The key was created, but the response was lost")
      .waitFor();
    assert.equal(await activeKeys(page), 1);

    // Signing out forgets the key, in other tabs, too.
    await field.fill(first);
    const tabs = [];
    for (const path of ["/reference", "/guide"]) {
      const tab = await reader.context.newPage();
      await tab.goto("/reference");
      await tab.getByLabel("API key").fill(first);
      await tab.getByRole("button", { name: "Account", exact: true }).waitFor();
      await tab.goto(path);
      tabs.push(tab);
    }
    await page.bringToFront();
    await page.getByRole("button", { name: "Account", exact: true }).click();
    await page.getByRole("button", { name: "Sign out" }).click();
    await page.getByText("You’re signed out").waitFor();
    for (const tab of [page, ...tabs]) {
      await tab.waitForFunction(() => sessionStorage.length === 0);
      await tab.goto("/reference");
      assert.equal(await tab.getByLabel("API key").inputValue(), "");
    }
  });
});

/** The distance of an element from the window's left edge. */
async function leftOf(part: Locator): Promise<number> {
  return (await part.boundingBox())?.x ?? 0;
}

/** True if the start of an element is within the window. */
function isInSight(part: Locator): Promise<boolean> {
  return part.evaluate((it) => {
    const { top } = it.getBoundingClientRect();
    return top >= 0 && top < innerHeight;
  });
}

async function activeKeys(page: Page): Promise<number> {
  const answer = await page.request.get("/account/keys");
  const { data }: { data: readonly { state: string }[] } = await answer.json();
  return data.filter(({ state }) => state === "active").length;
}

function operation(page: Page, path: string): Locator {
  return operations(page).filter({
    // Descriptions name other operations, too.
    has: page.locator("h3 + *").getByText(`GET ${path}`, { exact: true }),
  });
}

/** Opens the form of an operation, unless it is open. */
async function openForm(part: Locator): Promise<void> {
  if ((await part.getByRole("form").count()) === 0)
    await part.getByText("Try it", { exact: true }).click();
}

/** The section of each operation. */
function operations(page: Page): Locator {
  return page.locator("section:has(> h3)");
}

/** Opens everything that is collapsed, at every level. */
function unfold(page: Page): Promise<void> {
  return page.evaluate(() => {
    for (const each of document.querySelectorAll("article details"))
      each.setAttribute("open", "");
  });
}
