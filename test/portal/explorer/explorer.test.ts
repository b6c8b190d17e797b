import assert from "node:assert/strict";
import { after, suite, test } from "node:test";
import type { Locator, Page } from "playwright-core";
import { cases } from "../../support/pure/full-run.ts";
import { until } from "../../support/pure/until.ts";
import {
  checkAxe,
  checkAxeInLightAndDark,
  checkWidth,
  cutOff,
  foreignRequests,
  NARROW,
  NO_BROWSER,
  reconnect,
  visit,
  WIDE,
} from "../browser.ts";
import { openDemo } from "../portal-service.ts";
import { box, chips } from "./explorer-page.ts";

/** In the middle of the demo's providers. */
const NEARBY = "/?zip=62701&radius=500";

suite("the explorer", { skip: NO_BROWSER }, async () => {
  const service = await openDemo();
  after(() => service[Symbol.asyncDispose]());

  test("asks for nothing but a question, and its examples find providers", async () => {
    await using reader = await visit(service.url, NARROW);
    const { page, requests } = reader;
    await page.goto("/");
    await page.getByRole("heading", { name: "Find a healthcare" }).waitFor();
    await page
      .getByText("600 invented providers in the format of the U.S. national")
      .waitFor();
    await page.getByText("Demo data. Browse all").waitFor();
    const next = page.getByRole("main").getByRole("list").last();
    assert.deepEqual(
      await next
        .getByRole("link")
        .evaluateAll((links) =>
          links.map((link) => [link.textContent, link.getAttribute("href")]),
        ),
      [
        ["Get an API key", "/sign-up"],
        ["Read the guide", "/guide"],
        ["See the API reference", "/reference"],
      ],
    );
    await page.waitForLoadState("networkidle");
    assert.ok(
      await box(page).evaluate((input) => input === document.activeElement),
    );
    assert.ok(!requests.some((each) => each.url().includes("/explore/")));
    const examples = page.getByRole("list", { name: "For example" });
    const links = await examples.getByRole("link").all();
    const hrefs = await Promise.all(
      links.map((link) => link.getAttribute("href")),
    );
    assert.ok(hrefs.length > 0);
    for (const href of hrefs) {
      await page.goto(href ?? "");
      await page
        .getByText(/of \d+ providers?|NPI \d{10}/)
        .first()
        .waitFor();
      assert.equal(await page.getByText("No providers").count(), 0, href ?? "");
    }
    await page.goto("/");
    await page.getByRole("link", { name: "Browse all" }).click();
    await page.getByText("1–25 of 600 providers").waitFor();
    assert.deepEqual(reader.faults, []);
  });

  test("finds providers by name, opens one, and goes back and forward", async () => {
    await using reader = await visit(service.url, NARROW);
    const { page } = reader;
    await page.goto("/");
    await box(page).fill("smith");
    await page.keyboard.press("Enter");
    await page.waitForURL("**/?name=smith");
    const count = await summary(page, /^\d\d? providers$/);
    assert.equal(total(count), await apiTotal("name=smith"));
    assert.equal(await page.title(), "“smith” – Provider Directory");
    await page
      .getByRole("region", { name: "Results" })
      .locator("ol")
      .getByRole("link")
      .first()
      .click();
    await page.waitForURL("**/npi/*");
    const heading = page.getByRole("heading", { level: 1 });
    await heading.waitFor();
    assert.ok(await heading.evaluate((h1) => h1 === document.activeElement));
    await page.getByRole("link", { name: "Back to results" }).click();
    await page.waitForURL("**/?name=smith");
    await page.goBack();
    await page.goBack();
    await page.waitForURL("**/?name=smith");
    await page.getByText(count).waitFor();
    assert.deepEqual(await chips(page), ["Name: Smith"]);
    await page.goBack();
    await page.getByRole("heading", { name: "Find a healthcare" }).waitFor();
    assert.deepEqual(await chips(page), []);
    await page.goForward();
    await page.waitForURL("**/?name=smith");
    assert.deepEqual(reader.faults, []);
    assert.deepEqual(foreignRequests(reader, service), []);
  });

  test("a filter searches at once, and its address shows another user the same", async () => {
    await using reader = await visit(service.url, NARROW);
    const { page } = reader;
    await page.goto("/?page=1");
    await page.getByRole("button", { name: "Filters" }).click();
    await page.getByLabel("State", { exact: true }).selectOption("CA");
    await page.waitForURL("**/?state=CA");
    const status = page.getByLabel("Status", { exact: true });
    await status.focus();
    await status.selectOption("active");
    await page.waitForURL("**/?state=CA&status=active");
    assert.ok(await status.evaluate((each) => each === document.activeElement));
    await page.getByLabel("Type", { exact: true }).selectOption("individual");
    await page.waitForURL("**/?state=CA&entity_type=individual&status=active");
    const found = await apiTotal(
      "state=CA&entity_type=individual&status=active",
    );
    const shown = await summary(page, new RegExp(` of ${found} providers$`));

    await using other = await visit(service.url, NARROW);
    await other.page.goto(page.url());
    await other.page.getByText(shown).waitFor();
    assert.deepEqual(await chips(other.page), [
      "State: CA",
      "Type: individuals",
      "Status: active",
    ]);
    await other.page.getByRole("link", { name: "Clear all" }).click();
    await other.page.getByText("600 invented providers").waitFor();
    assert.ok(
      await box(other.page).evaluate(
        (input) => input === document.activeElement,
      ),
    );
  });

  test("a name in a search by distance is in the list and on the map, is shown, and can be removed", async () => {
    await using reader = await visit(service.url, WIDE);
    const { page } = reader;
    await page.goto(`${NEARBY}&name=a+e`);
    const named = (await api("map/nearby?zip=62701&radius=500&name=a+e")).meta
      .total;
    const all = (await api("map/nearby?zip=62701&radius=500")).meta.total;
    assert.ok(named > 0 && named < all);
    await summary(page, new RegExp(` of ${named} providers$`));
    await mapWith(page, named);
    assert.deepEqual(await chips(page), [
      "Near: 62701, 500 miles",
      "Name: A E",
    ]);
    await page.getByRole("link", { name: "Remove Name: A E" }).click();
    await page.waitForURL(`**${NEARBY}`);
    await summary(page, new RegExp(` of ${all} providers$`));
    assert.deepEqual(reader.faults, []);
  });

  test("a search is widened to secondary data, and narrowed again", async () => {
    await using reader = await visit(service.url, NARROW);
    const { page } = reader;
    await page.goto("/?specialty=nurse");
    const narrow = await summary(page, / of \d+ providers$/);
    await page.getByRole("button", { name: "Filters" }).click();
    const further = page.getByRole("checkbox", {
      name: "Secondary specialties",
    });
    await further.check();
    await page.waitForURL("**/?specialty=nurse&taxonomy_scope=any");
    const found = await apiTotal("specialty=nurse&taxonomy_scope=any");
    assert.ok(found > total(narrow));
    await summary(page, new RegExp(` of ${found} providers$`));
    assert.ok(await further.isChecked());
    await checkAxe(page, "search");
    await page.getByRole("checkbox", { name: "Other names" }).check();
    await page.waitForURL("**/?name_scope=any&specialty=nurse&*");
    await page.getByLabel("Within").selectOption("25");
    await page.getByLabel("Secondary locations").waitFor();
    assert.ok(await further.isChecked());
    await further.uncheck();
    await page.waitForURL("**/?*name_scope=any&specialty=nurse*");
    assert.ok(!page.url().includes("taxonomy_scope"));
    assert.deepEqual(await chips(page), [
      "Within: 25 miles",
      "Specialty: nurse",
      "Also: other names",
    ]);
  });

  test("pages show exact ranges, and one past the end leads to the first", async () => {
    await using reader = await visit(service.url, NARROW);
    const { page } = reader;
    await page.goto("/?page=1");
    await page.getByRole("link", { name: "Next" }).click();
    await page.waitForURL("**/?page=2");
    await page.getByText("26–50 of 600 providers").waitFor();
    await page.goto("/?page=99");
    await page.getByText("No results on this page").waitFor();
    await page.getByRole("link", { name: "first page" }).click();
    await page.waitForURL("**/?page=1");
    await page.getByText("1–25 of 600 providers").waitFor();
    await page.goto("/?name=zzzzzz");
    await page.getByText("No providers found").waitFor();
    await checkAxe(page);
  });

  test("a specialty is chosen by keyboard from suggestions with counts", async () => {
    await using reader = await visit(service.url, NARROW);
    const { page } = reader;
    await page.goto("/?page=1");
    await page.getByRole("button", { name: "Filters" }).click();
    const specialty = page.getByRole("combobox", { name: "Specialty" });
    await specialty.pressSequentially("nurs");
    const list = page.getByRole("listbox", { name: "Specialty" });
    const first = list.getByRole("option").first();
    await first.getByText(/Nurs/).waitFor();
    const [, name = "", individuals = "", organizations = "0"] =
      /^(.*?) Active: (\d+) individuals?(?:, (\d+) organizations?)?$/.exec(
        (await first.textContent()) ?? "",
      ) ?? [];
    await page.keyboard.press("ArrowDown");
    await list.getByRole("option", { selected: true }).and(first).waitFor();
    await checkAxe(page, "search");
    await page.keyboard.press("Enter");
    await list.waitFor({ state: "hidden" });
    await page.waitForURL(/\?taxonomy=[0-9A-Z]{10}$/);
    // The title has the name, not the code.
    await page
      .getByRole("heading", { level: 1, name: /Nurs/ })
      .waitFor({ state: "attached" });
    const query = new URL(page.url()).search.slice(1);
    for (const [type, count] of [
      ["individual", individuals],
      ["organization", organizations],
    ])
      assert.equal(
        await apiTotal(`${query}&status=active&entity_type=${type}`),
        Number(count),
      );
    const all = await apiTotal(query);
    await summary(page, new RegExp(`(^|of )${all} providers$`));
    const isNamed = () =>
      until(
        "the field has the specialty's name",
        async () => (await specialty.inputValue()) === name,
      );
    await isNamed();
    assert.ok(
      await specialty.evaluate((each) => each === document.activeElement),
    );
    await page.reload();
    // The chip says the name, and a click on it opens its field.
    await page.getByRole("button", { name: `Specialty ${name}` }).click();
    await isNamed();
    assert.ok(
      await specialty.evaluate((each) => each === document.activeElement),
    );
    await specialty.fill("nurse practitioner");
    await page.keyboard.press("Enter");
    await page.waitForURL(
      "**/?specialty=nurse+practitioner&specialty_scope=common",
    );
    await page
      .getByRole("button", { name: "Specialty nurse practitioner" })
      .click();
    await specialty.fill("");
    await page.keyboard.press("Enter");
    // Without its only filter, nothing is asked.
    await page.getByRole("heading", { name: "Find a healthcare" }).waitFor();
  });

  test("by distance, the map shows all results, in a circle; without a distance, the rest stays", async () => {
    await using reader = await visit(service.url, WIDE);
    const { page } = reader;
    await page.goto("/?specialty=physician");
    await page.getByRole("button", { name: "Filters" }).click();
    await page.getByLabel("Within").selectOption("25");
    await page.getByText("Where?", { exact: true }).waitFor();
    await page.getByLabel("ZIP code").fill("62701");
    await page.keyboard.press("Enter");
    await page.waitForURL("**/?zip=62701&radius=25&specialty=physician");
    await page.getByLabel("Within").selectOption("500");
    await page.waitForURL("**/?zip=62701&radius=500&specialty=physician");
    const found = total(await summary(page, /^1–25 of \d+ providers$/));
    await mapWith(page, found);
    await page.getByLabel("Within").selectOption("Place only");
    await page.waitForURL("**/?zip=62701&specialty=physician");
    await page.getByRole("link", { name: "Remove ZIP code: 62701" }).click();
    await page.waitForURL("**/?specialty=physician");
    await until("the map shows more than a page of them", async () => {
      const label = await page.locator("canvas").getAttribute("aria-label");
      return Number(/\d+/.exec(label ?? "")?.[0] ?? 0) > 25;
    });
    // A city's distance is measured from its ZIP with the most providers.
    const [there] = (await api("nearby?zip=62701&radius=500")).data;
    const city = there?.city?.toLowerCase() ?? "";
    await page.getByLabel("City").fill(city);
    await page.keyboard.press("Enter");
    await page.waitForURL("**/?city=*&specialty=physician");
    await page.getByLabel("Within").selectOption("100");
    await page.waitForURL(
      /\?zip=\d{5}&place=[^&]+&radius=100&specialty=physician$/,
    );
    await page.getByLabel("City").fill("nowhere at all");
    await page.keyboard.press("Enter");
    await page.getByText("Its location is unknown").waitFor();
    assert.deepEqual(reader.faults, []);
    assert.deepEqual(foreignRequests(reader, service), []);
  });

  test("a point on the map lists its providers, and the map follows the theme", async () => {
    const zip = await someZip();
    await using reader = await visit(service.url, WIDE);
    const { page } = reader;
    await page.goto(`/?zip=${zip}&radius=1`);
    const found = total(await summary(page, /^\d+ providers?$/));
    await mapWith(page, found);
    const canvas = page.locator("canvas");
    await canvas.click();
    const card = page.getByRole("region", {
      name: "Map of all results",
    });
    await card.getByText(/providers? in ZIP/).waitFor();
    await checkAxe(page);
    const light = await canvas.screenshot();
    await page.getByRole("radio", { name: "Dark" }).check();
    await until(
      "the map is drawn in dark colours",
      async () => !light.equals(await canvas.screenshot()),
    );
    await checkAxe(page);
    await card.getByRole("link", { name: `See all in ${zip}` }).click();
    await page.waitForURL(`**/?zip=${zip}`);
    await summary(page, new RegExp(`^${found} providers?$`));
    assert.deepEqual(reader.faults, []);
  });

  test("searches around the user's location, or says that the browser blocked it", async () => {
    await using reader = await visit(service.url, {
      ...NARROW,
      geolocation: { latitude: 39.8017, longitude: -89.6436 },
      permissions: ["geolocation"],
    });
    await reader.page.goto("/?radius=250");
    await reader.page.getByRole("button", { name: "Use my location" }).click();
    await reader.page.waitForURL("**/?lat=39.80&lng=-89.64&radius=250");
    await reader.page.getByText(/ of \d+ providers/).waitFor();
    await using stranger = await visit(service.url, NARROW);
    await stranger.page.goto("/?radius=250");
    await stranger.page
      .getByRole("button", { name: "Use my location" })
      .click();
    await stranger.page.getByText(/blocked access to your location/).waitFor();
  });

  test("an unknown ZIP is reported at its field, and a lost connection can be retried", async () => {
    await using reader = await visit(service.url, NARROW);
    const { context, page } = reader;
    await page.goto("/?zip=00000&radius=25");
    await page.getByRole("button", { name: "Filters" }).click();
    await page
      .getByRole("search")
      .getByText("The location of ZIP code 00000 is unknown.")
      .waitFor();
    await page.getByLabel("ZIP code").fill("62701");
    await cutOff(context);
    await page.keyboard.press("Enter");
    await page.getByText("Can’t reach the service").waitFor();
    await reconnect(context);
    await page.getByRole("button", { name: "Try again" }).click();
    await page.waitForURL("**/?zip=62701&radius=25");
    await page
      .getByText("Can’t reach the service")
      .waitFor({ state: "detached" });
  });

  test("the API request is shown in three languages, and the dialog gives the focus back", async () => {
    await using reader = await visit(service.url, NARROW);
    const { page } = reader;
    await page.goto("/?name=smith");
    const more = page.getByRole("button", { name: "More" });
    const open = async () => {
      await more.click();
      await page.getByRole("button", { name: "API request" }).click();
    };
    await open();
    const panel = page.getByRole("tabpanel");
    await page
      .getByText(`${service.url}/v1/providers/search?name=smith`)
      .waitFor();
    await page.getByRole("tab", { name: "curl" }).focus();
    await page.keyboard.press("ArrowRight");
    assert.match((await panel.textContent()) ?? "", /await fetch/);
    await page.keyboard.press("ArrowRight");
    assert.match((await panel.textContent()) ?? "", /urllib/);
    await checkAxe(page);
    await page.keyboard.press("Escape");
    await panel.waitFor({ state: "detached" });
    assert.ok(
      await more.evaluate((button) => button === document.activeElement),
    );
    await page.goto(NEARBY);
    await open();
    await page
      .getByText(`${service.url}/v1/providers/nearby?zip=62701&radius=500`)
      .waitFor();
    assert.deepEqual(reader.faults, []);
  });

  test("on a phone nothing is wider than the window, and axe finds nothing, light or dark", async () => {
    await using reader = await visit(service.url, {
      hasTouch: true,
      isMobile: true,
    });
    const { page } = reader;
    const npi = await someNpi("entity_type=organization");
    const paths = ["/?city=springfield", NEARBY, `/npi/${npi}`];
    // Axe checks the rest in a wide window too.
    const checked = new Set(cases(paths));
    for (const path of paths) {
      await page.setViewportSize({ width: 390, height: 700 });
      await page.goto(path, { waitUntil: "networkidle" });
      await checkWidth(page);
      await page.setViewportSize({ width: 320, height: 700 });
      await checkWidth(page);
      if (checked.has(path)) await checkAxeInLightAndDark(page);
    }
    await page.goto("/?state=CA");
    const open = page.getByRole("button", { name: "Filters" });
    await open.tap();
    const sheet = page.getByRole("dialog", { name: "Filters" });
    assert.equal(await sheet.getByLabel("State").inputValue(), "CA");
    await checkWidth(page);
    await checkTargets(sheet);
    await checkAxeInLightAndDark(page);
    await sheet.getByLabel("Status").selectOption("active");
    const found = await apiTotal("state=CA&status=active");
    await sheet.getByRole("button", { name: `Show ${found} providers` }).tap();
    await sheet.waitFor({ state: "detached" });
    await summary(page, new RegExp(` of ${found} providers$`));
    await checkTargets(page.getByRole("search"));
  });

  test("a phone shows the list or the map, and stays with it when the user comes back", async () => {
    await using reader = await visit(service.url, {
      viewport: { width: 390, height: 700 },
      hasTouch: true,
      isMobile: true,
    });
    const { page } = reader;
    await page.goto(NEARBY);
    const found = total(await summary(page, /^1–25 of \d+ providers$/));
    assert.equal(await page.locator("canvas").count(), 0);
    await page.getByText("Map", { exact: true }).tap();
    await mapWith(page, found);
    assert.equal(await page.getByRole("listitem").getByText("NPI").count(), 0);
    await checkWidth(page);
    await page.getByRole("button", { name: "Menu" }).tap();
    await page.getByRole("link", { name: "Guide" }).tap();
    await page.waitForURL("**/guide");
    await page.goBack();
    await mapWith(page, found);
    await page.getByRole("radio", { name: "Map" }).press("ArrowLeft");
    await page.getByRole("listitem").getByText("NPI").first().waitFor();
    assert.deepEqual(reader.faults, []);
  });

  async function api(path: string): Promise<Answer> {
    const response = await fetch(`${service.url}/explore/${path}`);
    assert.equal(response.status, 200);
    return response.json();
  }

  async function apiTotal(query: string): Promise<number> {
    return (await api(`search?${query}`)).meta.total;
  }

  async function someNpi(query: string): Promise<string> {
    return (await api(`search?${query}`)).data[0]?.npi ?? "";
  }

  /** A ZIP with providers, and no others within a mile. */
  async function someZip(): Promise<string> {
    const { data } = await api(`map/nearby?zip=62701&radius=500`);
    for (const row of data) {
      const zip = String(row[0]);
      const near = await api(`map/nearby?zip=${zip}&radius=1`);
      if (near.data.length === 1) return zip;
    }
    throw new Error("No ZIP is that far from others.");
  }
});

interface Answer {
  readonly data: readonly {
    readonly npi: string;
    readonly city?: string | null;
    readonly [0]?: string;
  }[];
  readonly meta: { readonly total: number };
  readonly points: readonly unknown[];
}

/** Fails if a control is too small for a finger. */
async function checkTargets(inside: Locator): Promise<void> {
  const small = await inside
    .locator("button, input, select, a, label:has(input)")
    .evaluateAll((all) =>
      all
        .filter(
          (each) => each.closest("label") === null || each.matches("label"),
        )
        .filter((each) => each.getBoundingClientRect().height < 44)
        .map((each) => each.outerHTML),
    );
  assert.deepEqual(small, []);
}

/** The summary of the results, once it matches. */
async function summary(page: Page, like: RegExp): Promise<string> {
  const status = page.getByRole("status").filter({ hasText: like });
  await status.waitFor();
  return (await status.textContent()) ?? "";
}

function total(text: string): number {
  return Number(/(\d+) providers?$/.exec(text)?.[1]);
}

/** Waits until the map shows this many providers in total. */
async function mapWith(page: Page, count: number): Promise<void> {
  await page.locator(`canvas[aria-label^="Map: ${count} provider"]`).waitFor();
}
