import assert from "node:assert/strict";
import { buffer } from "node:stream/consumers";
import { after, suite, test } from "node:test";
import type { Download, Page } from "playwright-core";
import { fullTest } from "../../support/pure/full-run.ts";
import { sheetOf } from "../../support/pure/sheet.ts";
import {
  checkAxe,
  checkAxeInLightAndDark,
  NARROW,
  NO_BROWSER,
  signedUp,
  tooWide,
  visit,
} from "../browser.ts";
import { openDemo, startInstallation } from "../portal-service.ts";

const PHONE = { viewport: { width: 360, height: 640 } };
const TOO_LONG = 12_345;

suite("downloads of results", { skip: NO_BROWSER }, async () => {
  const service = await openDemo();
  after(() => service[Symbol.asyncDispose]());

  test("a list is saved as CSV by keyboard, on a phone, on the same page", async () => {
    await using reader = await visit(service.url, PHONE);
    const { page } = reader;
    await page.goto("/?state=CA&status=active");
    const total = await totalOf(page);
    const more = page.getByRole("button", { name: "More" });
    await more.focus();
    await page.keyboard.press("Enter");
    await page.getByRole("button", { name: "Download these results" }).focus();
    await page.keyboard.press("Enter");
    const dialog = page.getByRole("dialog", { name: "Download these results" });
    await dialog
      .getByText(`The file will have ${total} rows, one per provider.`)
      .waitFor();
    assert.deepEqual(await tooWide(page, [320, 360]), []);
    await checkAxeInLightAndDark(page);
    await dialog.getByLabel("File format").selectOption("csv");
    await dialog.getByLabel("File format").focus();
    const button = dialog.getByRole("button", { name: "Download" });
    for (let presses = 0; presses < 6; presses++) {
      if (await button.evaluate((each) => each === document.activeElement))
        break;
      await page.keyboard.press("Tab");
    }
    const download = page.waitForEvent("download");
    await page.keyboard.press("Enter");
    const [name, content] = await saved(await download);
    assert.equal(name, "providers-ca.csv");
    const lines = content.split("\r\n");
    assert.equal(lines.length, total + 2);
    assert.match(lines[0] ?? "", /^\uFEFFnpi,last_name,.*,phone,.*,status$/);
    await dialog.getByText("Saved as providers-ca.csv").waitFor();
    await checkAxe(page, "dialog[open]");
    const columns = dialog.getByLabel("Columns");
    await columns.selectOption("Mailing list");
    await dialog.getByText("Name and mailing address.").waitFor();
    const again = page.waitForEvent("download");
    await button.click();
    const [, list] = await saved(await again);
    assert.match(
      list,
      /^\uFEFFnpi,first_name,.*,mailing_zip,mailing_country\r\n/,
    );
    await dialog.getByText("Saved as providers-ca.csv").waitFor();
    await dialog.getByLabel("File format").selectOption("ndjson");
    assert.equal(await columns.count(), 0);
    await page.keyboard.press("Escape");
    assert.ok(await more.evaluate((each) => each === document.activeElement));
    assert.equal(new URL(page.url()).search, "?state=CA&status=active");
    assert.deepEqual(reader.faults, []);
  });

  test("an Excel workbook is the first choice, and has the list's rows", async () => {
    await using reader = await visit(service.url, NARROW);
    const { page } = reader;
    await page.goto("/?state=CA");
    const total = await totalOf(page);
    const dialog = await openDialog(page);
    const formats = dialog.getByLabel("File format").getByRole("option");
    assert.deepEqual((await formats.allInnerTexts()).slice(0, 2), [
      "Excel workbook (.xlsx)",
      "CSV, for spreadsheets",
    ]);
    const download = page.waitForEvent("download");
    await dialog.getByRole("button", { name: "Download" }).click();
    const file = await download;
    assert.equal(file.suggestedFilename(), "providers-ca.xlsx");
    const rows = await sheetOf(await buffer(await file.createReadStream()));
    assert.equal(rows.length, total + 1);
    assert.equal(rows[0]?.[0], "npi");
    assert.deepEqual(reader.faults, []);
  });

  fullTest("a list by distance is saved as NDJSON, nearest first", async () => {
    await using reader = await visit(service.url, NARROW);
    const { page } = reader;
    await page.goto("/?zip=62701&radius=500&page=2");
    const total = await totalOf(page);
    const dialog = await openDialog(page);
    await dialog.getByText(`have ${total} rows`).waitFor();
    await dialog.getByLabel("File format").selectOption("ndjson");
    const download = page.waitForEvent("download");
    await dialog.getByRole("button", { name: "Download" }).click();
    const [name, content] = await saved(await download);
    assert.equal(name, "providers-62701.ndjson");
    const npis = content
      .trimEnd()
      .split("\n")
      .map((line): unknown => JSON.parse(line).npi);
    assert.equal(npis.length, total);
    const listed = await page.request.get(
      "/explore/nearby?zip=62701&radius=500&limit=100",
    );
    const { data } = await listed.json();
    assert.deepEqual(
      npis.slice(0, 100),
      data.map(({ npi }: { npi: string }) => npi),
    );
  });

  fullTest("an empty list has nothing to download", async () => {
    await using reader = await visit(service.url, NARROW);
    const { page } = reader;
    await page.goto("/?name=zzzzzz");
    await page.getByText("No providers found").waitFor();
    await page.getByRole("button", { name: "More" }).click();
    await page.getByRole("button", { name: "API request" }).waitFor();
    const open = page.getByRole("button", { name: "Download these results" });
    assert.equal(await open.count(), 0);
  });

  fullTest(
    "the dialog says if a file is cut, and how to get more",
    async () => {
      await using reader = await visit(service.url, NARROW);
      const { page } = reader;
      await page.route("**/explore/search*", async (route) => {
        const response = await route.fetch();
        const json = await response.json();
        json.meta.total = TOO_LONG;
        await route.fulfill({ response, json });
      });
      await page.goto("/?page=1");
      const dialog = await openDialog(page);
      await dialog
        .getByText(
          "The file will have the first 1,000 of 12,345 providers, one per row: without an account, a download has at most 1,000 rows.",
        )
        .waitFor();
      await dialog.getByText("to download up to 100,000").waitFor();
      await checkAxe(page, "dialog[open]");
      await dialog.getByRole("link", { name: "the API" }).click();
      await page.waitForURL("**/guide/http-api#get-v1providersexport");
      await page.goBack();
      await openDialog(page);
      await dialog.getByRole("link", { name: "Sign in" }).click();
      await page.waitForURL("**/sign-in?next=*");
    },
  );

  fullTest(
    "a refused or broken download says why, and saves nothing",
    async () => {
      await using reader = await visit(service.url, NARROW);
      const { page } = reader;
      let downloads = 0;
      page.on("download", () => downloads++);
      await page.goto("/?state=CA");
      const dialog = await openDialog(page);
      await dialog.getByLabel("File format").selectOption("csv");
      const button = dialog.getByRole("button", { name: "Download" });
      const path = "**/explore/search.csv*";
      await page.route(path, (route) =>
        route.fulfill(refusal(503, "service_busy", "Too many are running.")),
      );
      await button.click();
      await dialog.getByText("Too many are running.").waitFor();
      await checkAxe(page, "dialog[open]");
      await page.unroute(path);
      await page.route(path, (route) => route.abort());
      await dialog.getByRole("button", { name: "Try again" }).click();
      await dialog.getByText("Can’t reach the service").waitFor();
      await page.unroute(path);
      await page.route(path, (route) =>
        route.fulfill(refusal(429, "quota_exceeded", "Only 5 are left.")),
      );
      await button.click();
      await dialog
        .getByText("Your plan doesn’t have enough requests")
        .waitFor();
      await dialog.getByText("Only 5 are left.").waitFor();
      await page.unroute(path);
      assert.equal(downloads, 0);
      let refused = false;
      await page.route(path, (route) => {
        if (refused) return route.continue();
        refused = true;
        return route.fulfill(refusal(429, "rate_limited", "Too fast."));
      });
      const download = page.waitForEvent("download");
      await button.click();
      await dialog.getByText("Too many requests").waitFor();
      // It tries again by itself.
      await download;
    },
  );

  fullTest(
    "a file that the browser can't keep is not called saved",
    async () => {
      await using reader = await visit(service.url, NARROW);
      const { page } = reader;
      await page.addInitScript(() => {
        URL.createObjectURL = () => {
          throw new Error("no room");
        };
      });
      await page.goto("/?state=CA");
      const dialog = await openDialog(page);
      await dialog.getByRole("button", { name: "Download" }).click();
      await dialog.getByText("Something went wrong").waitFor();
      assert.equal(await dialog.getByText("Downloading…").count(), 0);
      assert.deepEqual(reader.faults, []);
    },
  );

  fullTest("closing the dialog ends a download", async () => {
    await using reader = await visit(service.url, NARROW);
    const { page } = reader;
    let downloads = 0;
    page.on("download", () => downloads++);
    await page.goto("/?state=CA");
    const dialog = await openDialog(page);
    await dialog.getByLabel("File format").selectOption("csv");
    await page.route("**/explore/search.csv*", () => undefined);
    const asked = page.waitForRequest("**/explore/search.csv*");
    await dialog.getByRole("button", { name: "Download" }).click();
    const ended = page.waitForEvent("requestfailed");
    await asked;
    await dialog.getByText("Downloading…").waitFor();
    await dialog.getByRole("button", { name: "Cancel" }).click();
    assert.equal(await ended, await asked);
    await dialog.waitFor({ state: "hidden" });
    assert.equal(downloads, 0);
    await openDialog(page);
    assert.equal(await dialog.getByText("Downloading…").count(), 0);
  });

  fullTest(
    "a signed-in user's download counts, as the dialog says",
    async () => {
      await using own = await startInstallation({
        EXPLORER: "open",
        PLANS: JSON.stringify({ free: { monthlyQuota: 7 } }),
      });
      await using reader = await visit(own.url, NARROW);
      const { page } = reader;
      await signedUp(reader, own, "ada@clinic.example");
      await page.goto("/?page=1");
      const dialog = await openDialog(page);
      await dialog
        .getByText(
          "The file will have 600 rows, one per provider. It counts as 6 requests of this month’s quota.",
        )
        .waitFor();
      const download = page.waitForEvent("download");
      await dialog.getByRole("button", { name: "Download" }).click();
      const [name] = await saved(await download);
      assert.equal(name, "providers.xlsx");
      await dialog.getByText("Saved as providers.xlsx").waitFor();
      await dialog.getByRole("button", { name: "Download" }).click();
      await dialog
        .getByText("Your plan doesn’t have enough requests")
        .waitFor();
      await dialog
        .getByText("This request counts as 6, and only 1 of 7 are left")
        .waitFor();
      await dialog.getByRole("link", { name: "See plans" }).click();
      await page.waitForURL("**/plan");
      await page.goto("/settings/usage");
      await page.getByText("Used this month").waitFor();
      await page.getByText("6", { exact: true }).first().waitFor();
      await page.goto("/?page=1");
      await openDialog(page);
      await dialog.getByText("It counts as 6 requests").waitFor();
      await reader.context.clearCookies();
      const visitors = page.waitForEvent("download");
      await dialog.getByRole("button", { name: "Download" }).click();
      await visitors;
      // The session had ended, so nothing was counted.
      await dialog
        .getByText("The file will have 600 rows, one per provider.", {
          exact: true,
        })
        .waitFor();
    },
  );
});

async function totalOf(page: Page): Promise<number> {
  const status = page.getByText(/of [\d,]+ providers$/);
  await status.waitFor();
  const [, total = ""] = /of ([\d,]+) /.exec(await status.innerText()) ?? [];
  return Number(total.replace(",", ""));
}

async function openDialog(page: Page) {
  await page.getByRole("button", { name: "More" }).click();
  await page.getByRole("button", { name: "Download these results" }).click();
  return page.getByRole("dialog", { name: "Download these results" });
}

/** The name and the text of a file. */
async function saved(download: Download): Promise<[string, string]> {
  // The browser may be another process's, so its file has no path here.
  const file = await download.createReadStream();
  return [download.suggestedFilename(), (await buffer(file)).toString()];
}

/** What the service answers instead of a file. */
function refusal(status: number, code: string, message: string) {
  return {
    status,
    headers: { "retry-after": "1" },
    json: { error: { code, message, status } },
  };
}
