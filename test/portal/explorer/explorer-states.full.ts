import assert from "node:assert/strict";
import { after, suite, test } from "node:test";
import type { Route, Page } from "playwright-core";
import { until } from "../../support/pure/until.ts";
import {
  cutOff,
  NARROW,
  NO_BROWSER,
  reconnect,
  visit,
  checkAxeInLightAndDark,
  tooWide,
} from "../browser.ts";
import { openDemo } from "../portal-service.ts";
import { text } from "node:stream/consumers";
import { fold } from "../../../src/text/fold.ts";
import { csvRecords } from "../../support/pure/reference/csv-records.ts";
import { box, chips } from "./explorer-page.ts";

const RATE_LIMITED = {
  status: 429,
  headers: { "retry-after": "1" },
  json: { error: { code: "rate_limited", message: "Too fast.", status: 429 } },
};

suite("the explorer with an impatient user", { skip: NO_BROWSER }, async () => {
  const service = await openDemo();
  after(() => service[Symbol.asyncDispose]());

  test("what was entered among the filters is dropped when the address changes", async () => {
    await using reader = await visit(service.url, NARROW);
    const { page } = reader;
    await page.goto("/?name=smith");
    await page.getByRole("button", { name: "Filters" }).click();
    const specialty = page.getByRole("combobox", { name: "Specialty" });
    await specialty.fill("nurse");
    await page.keyboard.press("Enter");
    await page.waitForURL("**/?name=smith&specialty=nurse&*");
    await page.goBack();
    await page.waitForURL("**/?name=smith");
    assert.equal(await specialty.inputValue(), "");
    await page.getByLabel("City").fill("spring");
    await page.getByRole("link", { name: "Remove Name: smith" }).click();
    await page.waitForURL(`${service.url}/`);
    await page.goto("/?page=1");
    await page.getByRole("button", { name: "Filters" }).click();
    await page.getByLabel("City").fill("spring");
    await page.getByRole("link", { name: "Next" }).click();
    await page.waitForURL("**/?page=2");
    assert.equal(await page.getByLabel("City").inputValue(), "");
  });

  test("the next page starts at its top, also by keyboard, and going back restores the position", async () => {
    await using reader = await visit(service.url, NARROW);
    const { page } = reader;
    await page.goto("/?page=23");
    await page.getByText("551–575 of 600").waitFor();
    // Clicks before the scrolling has settled.
    const place = await page.evaluate(() => {
      const link = document.querySelector<HTMLElement>("a[rel=next]");
      link?.scrollIntoView();
      const { scrollY } = window;
      link?.click();
      return scrollY;
    });
    await page.getByText("576–600 of 600").waitFor();
    const results = page.getByRole("region", { name: "Results" });
    assert.equal(
      await results.evaluate((it) => it === document.activeElement),
      true,
    );
    const top = await results.evaluate((it) => it.getBoundingClientRect().top);
    assert.ok(top >= 0 && top < 700, `at ${top}`);
    await page.goBack();
    await page.waitForFunction((at) => scrollY === at, place);
  });

  test("suggestions scroll by touch and by keys, and touching one without a tap selects none", async () => {
    await using reader = await visit(service.url, {
      viewport: { width: 390, height: 700 },
      hasTouch: true,
    });
    const { page } = reader;
    await page.goto("/?page=1");
    await page.getByRole("button", { name: "Filters" }).click();
    const specialty = page.getByRole("combobox", { name: "Specialty" });
    await specialty.tap();
    const options = page.getByRole("listbox").getByRole("option");
    await options.nth(19).waitFor({ state: "attached" });
    await page.keyboard.press("ArrowUp");
    await until("the last suggestion is in view", () =>
      options.nth(19).evaluate((option) => {
        const list = option.parentElement?.getBoundingClientRect();
        const { bottom } = option.getBoundingClientRect();
        return list !== undefined && bottom <= list.bottom;
      }),
    );
    await options.nth(18).dispatchEvent("pointerdown");
    assert.equal(new URL(page.url()).search, "?page=1");
    await options.nth(18).tap();
    await page.waitForURL(/\?taxonomy=[0-9A-Z]{10}$/);
  });

  test("while the map's points load, no total of the previous search is shown", async () => {
    await using reader = await visit(service.url, NARROW);
    const { page } = reader;
    await page.goto("/?zip=62701&radius=500");
    await page.getByText(/^1–25 of \d+ providers$/).waitFor();
    const held = Promise.withResolvers<Route>();
    await page.route("**/explore/map/nearby?*radius=250*", (route) => {
      held.resolve(route);
    });
    await page.getByRole("button", { name: "Filters" }).click();
    await page.getByLabel("Within").selectOption("250");
    await page.getByText(/^1–25$/).waitFor();
    await (await held.promise).continue();
    await page.getByText(/^1–25 of \d+ providers$/).waitFor();
  });

  test("while a question's results load, nothing says how many an earlier one found", async () => {
    await using reader = await visit(service.url, NARROW);
    const { page } = reader;
    await page.goto("/?specialty=physician");
    await page.getByText(/^1–25 of \d+ providers$/).waitFor();
    await page.getByRole("button", { name: "Filters" }).click();
    await page.getByLabel("Within").selectOption("500");
    await page.getByText("Where?", { exact: true }).waitFor();
    const asked = Promise.withResolvers<void>();
    const answered = Promise.withResolvers<void>();
    await page.route("**/explore/nearby?*", async (route) => {
      asked.resolve();
      await answered.promise;
      // The page may have asked again meanwhile.
      await route.continue().catch(() => undefined);
    });
    await page.getByLabel("ZIP code").fill("62701");
    await page.keyboard.press("Enter");
    await asked.promise;
    await page.getByText("Searching…").waitFor();
    assert.equal(await page.getByText(/^1–25/).count(), 0);
    answered.resolve();
    await page.getByText(/^1–25 of \d+ providers$/).waitFor();
    assert.deepEqual(reader.faults, []);
  });

  test("while the next results load, the list keeps the marks of the question it answers", async () => {
    await using reader = await visit(service.url, NARROW);
    const { page } = reader;
    await page.goto("/?name=a&state=IL");
    const marks = page.getByRole("listitem").locator("mark");
    await marks.first().waitFor();
    const before = await marks.allTextContents();
    const held = Promise.withResolvers<Route>();
    await page.route("**/explore/search?state=IL", (route) =>
      held.resolve(route),
    );
    await page.getByRole("link", { name: "Remove Name: a" }).click();
    const late = await held.promise;
    assert.deepEqual(await marks.allTextContents(), before);
    await late.continue();
    await marks.first().waitFor({ state: "detached" });
  });

  test("after a rate limit only the refused request is retried", async () => {
    await using reader = await visit(service.url, NARROW);
    const { page, requests } = reader;
    let refused = 0;
    await page.route("**/explore/map/nearby?*", (route) => {
      refused += 1;
      return refused === 1 ? route.fulfill(RATE_LIMITED) : route.continue();
    });
    await page.goto("/?zip=62701&radius=500");
    await page.getByText("Too many requests").waitFor();
    await page.getByText(/^1–25 of \d+ providers$/).waitFor();
    const lists = requests.filter((request) =>
      request.url().includes("/explore/nearby"),
    );
    assert.equal(lists.length, 1);
  });

  test("the Search button also retries a failed search", async () => {
    await using reader = await visit(service.url, NARROW);
    const { page } = reader;
    await page.route("**/explore/search*", (route) => route.abort());
    await page.goto("/?name=smith");
    await page.getByText("Can’t reach the service").waitFor();
    await page.unroute("**/explore/search*");
    await page.getByRole("button", { name: "Search" }).click();
    await page.getByText(/^\d+ providers?$/).waitFor();
  });

  test("an older answer that arrives late isn't shown", async () => {
    await using reader = await visit(service.url, NARROW);
    const { page } = reader;
    await page.goto("/?page=1");
    await page.getByText("of 600 providers").waitFor();
    await page.getByRole("button", { name: "Filters" }).click();
    const held = Promise.withResolvers<Route>();
    await page.route("**/explore/search?state=CA", (route) => {
      held.resolve(route);
    });
    await page.getByLabel("State").selectOption("CA");
    const late = await held.promise;
    await page.goBack();
    await page.getByText("of 600 providers").waitFor();
    await late.continue().catch(() => undefined);
    await page.waitForLoadState("networkidle");
    await page.getByText("1–25 of 600 providers").waitFor();
  });

  test("a page whose code can't be loaded says why, and recovers", async () => {
    await using reader = await visit(service.url, NARROW);
    const { context, page } = reader;
    await page.goto("/");
    await page.getByText("600 invented providers").waitFor();
    await cutOff(context);
    await page.getByRole("link", { name: "Guide", exact: true }).click();
    const away = page.getByText("Can’t reach the service");
    await away.waitFor();
    await page.getByRole("button", { name: "Try again" }).click();
    await page.waitForLoadState("networkidle");
    await away.waitFor();
    await reconnect(context);
    await page.getByRole("button", { name: "Try again" }).click();
    await page.getByRole("heading", { name: "For operators" }).waitFor();
  });

  test("Tab leads from the suggestions to the next field", async () => {
    await using reader = await visit(service.url, NARROW);
    const { page } = reader;
    await page.goto("/?page=1");
    await page.getByRole("button", { name: "Filters" }).click();
    await page.getByRole("combobox", { name: "Specialty" }).focus();
    await page.getByRole("listbox").getByRole("option").first().waitFor();
    await page.keyboard.press("Tab");
    const city = page.getByLabel("City");
    assert.ok(await city.evaluate((each) => each === document.activeElement));
    assert.equal(await page.getByRole("listbox").count(), 0);
  });

  test("results are sorted by name by keyboard, page by page, and so is their download", async () => {
    await using reader = await visit(service.url, NARROW);
    const { page } = reader;
    await page.goto("/?entity_type=organization&page=2");
    await sort(page).waitFor();
    assert.deepEqual(await orders(page), ["Location", "Name"]);
    await sort(page).focus();
    await page.keyboard.press("ArrowDown");
    await page.waitForURL("**/?entity_type=organization&sort=name");
    await page.getByText(/^1–25 of/).waitFor();
    assert.ok(
      await sort(page).evaluate((each) => each === document.activeElement),
    );
    assert.deepEqual(await chips(page), ["Type: organizations"]);
    await checkAxeInLightAndDark(page);
    assert.deepEqual(await tooWide(page, [320, 390]), []);
    const first = await names(page);
    await page.getByRole("link", { name: "Next" }).click();
    await page.waitForURL("**/?entity_type=organization&sort=name&page=2");
    await page.getByText(/^26–50 of/).waitFor();
    const listed = [...first, ...(await names(page))];
    assert.equal(listed.length, 50);
    assert.deepEqual(listed, listed.toSorted());

    await page.getByRole("button", { name: "More" }).click();
    await page.getByRole("button", { name: "Download these results" }).click();
    await page.getByLabel("File format").selectOption("csv");
    const download = page.waitForEvent("download");
    await page
      .getByRole("dialog")
      .getByRole("button", { name: "Download" })
      .click();
    const file = await text(await (await download).createReadStream());
    const [header = [], ...rows] = csvRecords(file);
    const name = header.indexOf("organization_name");
    assert.deepEqual(
      rows.slice(0, 50).map((cells) => fold(cells[name] ?? "")),
      listed,
    );
    assert.deepEqual(reader.faults, []);
  });

  test("a new search keeps the order, and the usual one is a choice away", async () => {
    await using reader = await visit(service.url, NARROW);
    const { page } = reader;
    await page.goto("/?zip=62701&radius=500&sort=name");
    await sort(page).waitFor();
    assert.equal(await sort(page).inputValue(), "name");
    assert.deepEqual(await orders(page), ["Distance", "Name"]);
    await box(page).fill("smith");
    await page.keyboard.press("Enter");
    await page.waitForURL("**/?zip=62701&radius=500&name=smith&sort=name");
    await page.goto("/?name=smith&sort=name");
    await sort(page).waitFor();
    assert.deepEqual(await orders(page), ["Best match", "Name"]);
    await sort(page).selectOption("Best match");
    await page.waitForURL("**/?name=smith");
    await page.goto("/?sort=name");
    await sort(page).selectOption("Location");
    await page.waitForURL("**/?page=1");
    assert.deepEqual(reader.faults, []);
  });
});

function sort(page: Page) {
  return page.getByLabel("Sort by");
}

function orders(page: Page): Promise<string[]> {
  return sort(page).locator("option").allTextContents();
}

/** The organizations on the page, as names are compared. */
async function names(page: Page): Promise<string[]> {
  const links = page.locator("ol > li p:first-child").getByRole("link");
  return (await links.allTextContents()).map(fold);
}
