import assert from "node:assert/strict";
import { after, suite, test } from "node:test";
import {
  checkAxe,
  checkAxeInLightAndDark,
  checkWidth,
  NARROW,
  NO_BROWSER,
  visit,
} from "../browser.ts";
import { openDemo } from "../portal-service.ts";
import { box, chips } from "./explorer-page.ts";

const DESKTOP = { viewport: { width: 1280, height: 720 } };
const PHONE = { viewport: { width: 390, height: 844 }, isMobile: true };
/** Pixels from the top of a window of 1280 pixels to the first result. */
const MAX_TOP = 260;

suite("the results of the explorer", { skip: NO_BROWSER }, async () => {
  const service = await openDemo();
  after(() => service[Symbol.asyncDispose]());

  test("a facet narrows the search to as many providers as it says", async () => {
    await using reader = await visit(service.url, DESKTOP);
    const { page } = reader;
    await page.goto("/?specialty=nurse");
    const specialty = page.getByRole("button", {
      name: "Specialty",
      exact: true,
    });
    await specialty.click();
    const values = page
      .getByRole("list", { name: "Specialty" })
      .getByRole("link");
    await values.first().waitFor();
    await checkAxeInLightAndDark(page);
    const total = /(\d+)$/.exec(
      (await values.first().textContent()) ?? "",
    )?.[1];
    await page.keyboard.press("Escape");
    await values.first().waitFor({ state: "detached" });
    await specialty.and(page.locator(":focus")).press("Enter");
    await values.first().press("Enter");
    await page.waitForURL(/\?taxonomy=\w{10}$/);
    await page.getByText(new RegExp(`(^| of )${total} providers?$`)).waitFor();
    // One value is no choice.
    await page.getByRole("button", { name: "City", exact: true }).waitFor();
    await specialty.waitFor({ state: "detached" });
    assert.deepEqual(reader.faults, []);
  });

  test("on a phone facets are in the sheet, and the sort in the menu", async () => {
    await using reader = await visit(service.url, PHONE);
    const { page } = reader;
    await page.goto("/?specialty=nurse");
    await page.getByText(/of \d+ providers$/).waitFor();
    const top = await page.locator("ol > li").first().boundingBox();
    assert.ok(top !== null && top.y < 844 / 2, `${top?.y}`);
    await page.getByRole("button", { name: "Filters" }).click();
    await page.getByText("Narrow by type").click();
    await checkWidth(page);
    await checkAxe(page);
    await page.getByRole("link", { name: /^Individuals/ }).click();
    await page.waitForURL("**/?specialty=nurse&entity_type=individual");
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await page.getByRole("button", { name: "More" }).click();
    await checkWidth(page);
    await page.getByLabel("Sort by").selectOption("Name");
    await page.waitForURL(
      "**/?specialty=nurse&entity_type=individual&sort=name",
    );
  });

  test("results start near the top, and no results have no map", async () => {
    await using reader = await visit(service.url, DESKTOP);
    const { page } = reader;
    await page.goto("/?specialty=nurse&specialty_scope=common&status=active");
    const first = page.locator("ol > li").first();
    await first.waitFor();
    const item = await first.boundingBox();
    assert.ok(item !== null && item.y <= MAX_TOP, `${item?.y}`);
    await page.getByRole("region", { name: "Map of all results" }).waitFor();
    await page.goto("/?name=zzzzzz");
    await page.getByText("No providers found").waitFor();
    assert.equal(await page.getByRole("region", { name: /^Map/ }).count(), 0);
    assert.equal(await page.getByLabel("Sort by").count(), 0);
  });

  test("the map says that it loads until it is drawn", async () => {
    await using reader = await visit(service.url, DESKTOP);
    const { page } = reader;
    const code = Promise.withResolvers<void>();
    await page.route("**/provider-map-*.js", async (route) => {
      await code.promise;
      await route.continue();
    });
    await page.goto("/?state=IL");
    const loading = page.getByText("Loading the map…");
    await loading.waitFor();
    code.resolve();
    await loading.waitFor({ state: "hidden" });
  });

  test("a city stays as it was typed, also in a shared address, and not in the API's request", async () => {
    await using reader = await visit(service.url, NARROW);
    const { page } = reader;
    const [there] = (
      await (
        await fetch(`${service.url}/explore/nearby?zip=62701&radius=500`)
      ).json()
    ).data;
    const city = `${there.city}, ${there.state}`.toLowerCase();
    await page.goto("/");
    await box(page).fill(`near ${city}`);
    await page.keyboard.press("Enter");
    await page.waitForURL("**/?zip=*&place=*&radius=25");
    await page.reload();
    await page
      .getByText(/providers?$|No providers/)
      .first()
      .waitFor();
    const [near = ""] = await chips(page);
    assert.equal(
      near.toLowerCase().replace(/ \(\d{5}\)/, ""),
      `near: ${city}, 25 miles`,
    );
    await page.getByRole("button", { name: "More" }).click();
    await page.getByRole("button", { name: "API request" }).click();
    const request = await page.getByRole("tabpanel").textContent();
    assert.ok(!request?.includes("place="), request ?? "");
    await page.keyboard.press("Escape");
    // Another ZIP is another place.
    await page.getByRole("button", { name: /^Change Near/ }).click();
    await page.getByLabel("ZIP code").fill("60601");
    await page.keyboard.press("Enter");
    await page.waitForURL("**/?zip=60601&radius=25");
    assert.deepEqual(reader.faults, []);
  });

  test("a chip opens a panel of its field; Escape closes it, and the form of all filters", async () => {
    await using reader = await visit(service.url, DESKTOP);
    const { page } = reader;
    await page.goto("/?state=CA&status=active");
    const chip = page.getByRole("button", { name: "Change Status active" });
    await chip.click();
    const status = page.getByLabel("Status", { exact: true });
    await status.and(page.locator(":focus")).waitFor();
    assert.equal(await page.getByLabel("Name", { exact: true }).count(), 0);
    await checkAxe(page);
    await page.keyboard.press("Escape");
    await status.waitFor({ state: "detached" });
    await chip.and(page.locator(":focus")).waitFor();
    const filters = page.getByRole("button", { name: "Filters" });
    await filters.click();
    const groups = page.getByRole("search").getByRole("group");
    assert.deepEqual(
      (await groups.locator(":scope > legend").allTextContents()).slice(0, 4),
      ["Who", "What", "Where", "More"],
    );
    await checkAxe(page);
    await page.getByLabel("City").press("Escape");
    await groups.first().waitFor({ state: "detached" });
    await filters.and(page.locator(":focus")).waitFor();
    assert.deepEqual(reader.faults, []);
  });

  test("all providers are listed by name", async () => {
    await using reader = await visit(service.url, NARROW);
    const { page } = reader;
    await page.goto("/");
    await page.getByRole("link", { name: "Browse all" }).click();
    await page.waitForURL("**/?sort=name");
    await page.getByText("1–25 of 600 providers").waitFor();
    assert.equal(await page.getByLabel("Sort by").inputValue(), "name");
  });
});
