import assert from "node:assert/strict";
import { text } from "node:stream/consumers";
import { after, suite, test } from "node:test";
import type { Page } from "playwright-core";
import { fold } from "../../../src/text/fold.ts";
import { csvRecords } from "../../support/reference/csv-records.ts";
import {
  checkAxeInLightAndDark,
  NARROW,
  NO_BROWSER,
  tooWide,
  visit,
} from "../browser.ts";
import { openDemo } from "../portal-service.ts";
import { box, chips } from "./explorer-page.ts";

suite("the order of results", { skip: NO_BROWSER }, async () => {
  const service = await openDemo();
  after(() => service[Symbol.asyncDispose]());

  test("results are sorted by name by keyboard, page by page, and so is their download", async () => {
    await using reader = await visit(service.url, NARROW);
    const { page } = reader;
    await page.goto("/?entity_type=organization&page=2");
    await sort(page).waitFor();
    assert.deepEqual(await options(page), ["Location", "Name"]);
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

    await page.getByRole("button", { name: "Download these results" }).click();
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
    assert.deepEqual(await options(page), ["Distance", "Name"]);
    await box(page).fill("smith");
    await page.keyboard.press("Enter");
    await page.waitForURL("**/?zip=62701&radius=500&name=smith&sort=name");
    await page.goto("/?name=smith&sort=name");
    await sort(page).waitFor();
    assert.deepEqual(await options(page), ["Best match", "Name"]);
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

function options(page: Page): Promise<string[]> {
  return sort(page).locator("option").allTextContents();
}

/** The organizations on the page, as names are compared. */
async function names(page: Page): Promise<string[]> {
  const links = page.locator("ol > li p:first-child").getByRole("link");
  return (await links.allTextContents()).map(fold);
}
