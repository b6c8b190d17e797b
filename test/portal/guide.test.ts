import assert from "node:assert/strict";
import { after, suite, test } from "node:test";
import { GUIDE_PAGES } from "../../src/site/guide-pages.ts";
import { cases, rounds } from "../support/pure/full-run.ts";
import { until } from "../support/pure/until.ts";
import {
  checkAxe,
  checkAxeInLightAndDark,
  foreignRequests,
  NO_BROWSER,
  tooWide,
  visit,
} from "./browser.ts";
import { openDemo } from "./portal-service.ts";

/** The titles of the pages that aren't for users. */
const HIDDEN_TITLES = GUIDE_PAGES.filter(
  ({ audience }) => audience === "operators" || audience === "deciders",
).map(({ title }) => title);

suite("the guide", { skip: NO_BROWSER }, async () => {
  const service = await openDemo();
  after(() => service[Symbol.asyncDispose]());

  test("every page is complete, nothing is too wide on a phone, and no table is cut off where the lists of links are at the side", async () => {
    await using reader = await visit(service.url);
    const { faults, page } = reader;
    await page.goto("/guide");
    await page.getByRole("heading", { name: "For operators" }).waitFor();
    await checkAxe(page);
    let pictures = 0;
    // The pages are alike, and axe takes longer than all else.
    const checked = new Set(cases(GUIDE_PAGES).map(({ name }) => name));
    for (const { name, title } of GUIDE_PAGES) {
      await page.goto(`/guide/${name}`);
      await page.locator("article h2").first().waitFor();
      for (const picture of await page.locator("article img").all()) {
        await picture.scrollIntoViewIfNeeded();
        const isShown = async () =>
          picture.evaluate((it: HTMLImageElement) => it.naturalWidth > 0);
        await until("a picture", isShown);
        pictures++;
      }
      assert.equal(await page.locator("h1").textContent(), title);
      for (const width of [768, 1024, 1280, 1440]) {
        await page.setViewportSize({ width, height: 900 });
        const cut = await page.evaluate(() =>
          [...document.querySelectorAll("article [aria-label]:is(div, ul)")]
            .filter((frame) => frame.scrollWidth > frame.clientWidth)
            .map((frame) => frame.getAttribute("aria-label")),
        );
        assert.deepEqual(cut, [], `${name} at ${width}`);
      }
      assert.deepEqual(await tooWide(page), [], name);
      if (checked.has(name)) await checkAxe(page);
    }
    assert.ok(pictures > 0);
    assert.deepEqual(faults, []);
    assert.deepEqual(foreignRequests(reader, service), []);
  });

  test("axe finds nothing on a phone in dark", async () => {
    await using reader = await visit(service.url, {
      colorScheme: "dark",
      viewport: { width: 390, height: 800 },
    });
    const { page } = reader;
    // The pages are alike; this one is the largest.
    for (const path of ["/guide", "/guide/http-api"].slice(0, rounds(2, 1))) {
      await page.goto(path);
      await page.locator("h2").first().waitFor();
      await checkAxe(page);
    }
    assert.deepEqual(reader.faults, []);
  });

  test("a table of settings is a list in which every value has its label", async () => {
    await using reader = await visit(service.url);
    const { page } = reader;
    await page.goto("/guide/configuration");
    const row = page
      .getByRole("list", { name: "Table: Portal" })
      .getByRole("listitem")
      .filter({ hasText: "--portal-name TEXT" });
    assert.match(
      await row.innerText(),
      /Variable\s+PORTAL_NAME\s+Default\s+Provider Directory\s+Commands\s+serve\s+Meaning\s+The service.s name on pages/,
    );
  });

  test("a link leads to its section, on the same page or another, and going back restores the position", async () => {
    await using reader = await visit(service.url);
    const { page } = reader;
    const isAtTop = async (id: string) =>
      page.waitForFunction((heading) => {
        const top = document.getElementById(heading)?.getBoundingClientRect();
        return top !== undefined && top.top >= 0 && top.top < 100;
      }, id);
    await page.goto("/guide/quick-start");
    const article = page.getByRole("article");
    await article.getByRole("link", { name: "how texts match" }).click();
    await page.waitForURL("**/guide/http-api#matching");
    await isAtTop("matching");
    const contents = page.getByRole("navigation", { name: "On this page" });
    await contents.getByRole("link", { name: "Caching" }).first().click();
    await page.waitForURL("**/guide/http-api#caching");
    await isAtTop("caching");
    const guide = page.getByRole("navigation", { name: "Guide" });
    await guide.getByRole("link", { name: "Order of results" }).click();
    await page.waitForURL("**/guide/http-api#order");
    await isAtTop("order");
    await page.goBack();
    await page.waitForURL("**/guide/http-api#caching");
    await isAtTop("caching");
    await page.goBack();
    await page.goBack();
    await page.waitForURL("**/guide/quick-start");
    await page.getByRole("heading", { name: "Quick start" }).waitFor();
    await page.goto("/guide/errors#invalid_location");
    await isAtTop("invalid_location");
    const refused = await page.request.get("/v1/providers/1");
    await page.goto((await refused.json()).error.doc_url);
    await page.waitForURL("**/guide/errors#missing_api_key");
    await isAtTop("missing_api_key");
    assert.deepEqual(reader.faults, []);
  });

  test("a heading that is code is as large as its level asks for, and the quick start leads to sign-up", async () => {
    await using reader = await visit(service.url);
    const { page } = reader;
    await page.goto("/guide/http-api");
    const sizeOf = async (selector: string) =>
      page
        .locator(selector)
        .first()
        .evaluate((it) => parseFloat(getComputedStyle(it).fontSize));
    await page.locator("article h2 code").first().waitFor();
    assert.ok((await sizeOf("article h2 code")) > (await sizeOf("article h3")));
    await page.goto("/guide/quick-start");
    await page
      .getByRole("article")
      .getByRole("link", { name: "/sign-up" })
      .click();
    await page.waitForURL("**/sign-up");
    await page.getByRole("heading", { name: "Sign up" }).waitFor();
    assert.deepEqual(reader.faults, []);
  });

  test("code is copied with this service's address, in the chosen language", async () => {
    await using reader = await visit(service.url, {
      permissions: ["clipboard-read", "clipboard-write"],
    });
    const { page } = reader;
    await page.goto("/guide/quick-start");
    const samples = page.getByRole("region", {
      name: "Code samples: Search",
      exact: true,
    });
    await samples.getByRole("tab", { name: "Python" }).click();
    await samples.getByRole("button", { name: "Copy" }).click();
    await samples.getByRole("button", { name: "Copied" }).waitFor();
    const copied = await page.evaluate(() => navigator.clipboard.readText());
    assert.match(copied, /^import json, os, urllib/);
    assert.ok(copied.includes(service.url), copied);
  });

  test("a search finds sections, on a phone and by keyboard, and leads to them", async () => {
    await using reader = await visit(service.url, {
      viewport: { width: 320, height: 700 },
    });
    const { page } = reader;
    await page.goto("/guide/errors");
    const field = page.getByRole("searchbox", { name: "Search the guide" });
    await field.focus();
    await page.keyboard.type("Portal_Name");
    await page.keyboard.press("Enter");
    await page.waitForURL("**/guide?q=Portal_Name");
    const found = page.locator("mark", { hasText: "PORTAL_NAME" });
    await found.first().waitFor();
    await checkAxeInLightAndDark(page);
    assert.deepEqual(await tooWide(page), []);
    // Typing searches at once, and the address follows.
    await field.fill("burst limits nonsense");
    await page.getByText("No section contains all these words.").waitFor();
    await field.fill("paginashun");
    await page.getByText("No section contains this word.").waitFor();
    await page.getByText("Try a shorter or another word.").waitFor();
    await field.fill("rate_limit_exceeded");
    await page.getByText(/^\d+ sections?$/).waitFor();
    await field.focus();
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await page.waitForURL("**/guide/errors#rate_limit_exceeded");
    await page.goBack();
    await found.first().waitFor({ state: "detached" });
    assert.equal(await field.inputValue(), "rate_limit_exceeded");
    await field.fill("");
    await page.getByRole("heading", { name: "For operators" }).waitFor();
    assert.deepEqual(reader.faults, []);
    assert.deepEqual(foreignRequests(reader, service), []);
  });

  test("the pages for operators can be hidden: from the list, the search, links, and by address", async () => {
    await using reader = await visit(service.url);
    const { page } = reader;
    await page.route("**/portal.json", async (route) => {
      const response = await route.fetch();
      const { data, meta } = await response.json();
      const json = { data: { ...data, guide: "developers" }, meta };
      await route.fulfill({ json });
    });
    await page.goto("/guide");
    const article = page.getByRole("main");
    await article.getByRole("link", { name: "Errors", exact: true }).waitFor();
    assert.equal(await page.getByText(/operators/i).count(), 0);
    assert.equal(await page.getByText("Deploying").count(), 0);
    await page.getByRole("searchbox").fill("rotate");
    await page.getByText(/^\d+ sections?$/).waitFor();
    const pages = await article.locator("li > p:first-child").allTextContents();
    assert.ok(pages.includes("Keys and quotas"), pages.join());
    for (const title of HIDDEN_TITLES) assert.ok(!pages.includes(title), title);
    await page.goto("/guide/errors");
    await page.getByText("gets a page from the portal").waitFor();
    assert.equal(
      await article.getByRole("link", { name: "portal", exact: true }).count(),
      0,
    );
    await page.goto("/guide/operating");
    await page.getByRole("heading", { name: "Page not found" }).waitFor();
  });

  test("an unknown page is reported as not found", async () => {
    await using reader = await visit(service.url);
    const answer = await reader.page.goto("/guide/nowhere");
    assert.equal(answer?.status(), 404);
    await reader.page
      .getByRole("heading", { name: "Page not found" })
      .waitFor();
  });
});
