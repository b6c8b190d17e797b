import assert from "node:assert/strict";
import { buffer } from "node:stream/consumers";
import { after, suite, test } from "node:test";
import type { Download, Page } from "playwright-core";
import { checkDigit } from "../../src/registry/npi.ts";
import { fullTest } from "../support/pure/full-run.ts";
import { csvRecords } from "../support/pure/reference/csv-records.ts";
import {
  checkAxe,
  checkAxeInLightAndDark,
  foreignRequests,
  NARROW,
  NO_BROWSER,
  signedUp,
  tooWide,
  visit,
} from "./browser.ts";
import { openDemo, startInstallation } from "./portal-service.ts";

const PHONE = { viewport: { width: 360, height: 640 } };
/** In no registry of 600 providers. */
const UNKNOWN = Array.from({ length: 1_200 }, (_, index) => {
  const nine = String(299_990_000 + index);
  return nine + checkDigit(nine);
});

interface Listed {
  readonly npi: string;
  readonly name: { readonly first: string; readonly last: string };
  readonly city: string;
  readonly state: string;
}

suite("the page that checks a list", { skip: NO_BROWSER }, async () => {
  const service = await openDemo();
  after(() => service[Symbol.asyncDispose]());

  test("a pasted list is checked by keyboard, on a phone, in light and dark", async () => {
    await using reader = await visit(service.url, PHONE);
    const { page } = reader;
    const [{ npi } = missing()] = await providers(page);
    const typo = npi.slice(0, 9) + String((Number(npi[9]) + 1) % 10);
    await page.goto("/?page=1");
    await page.getByRole("button", { name: "More" }).click();
    await page.getByRole("link", { name: "Check a list" }).click();
    await page.waitForURL("**/check");
    await page.getByRole("button", { name: "Check", exact: true }).click();
    await page.getByText("Paste NPIs or choose a file first.").waitFor();
    const box = page.getByLabel("NPIs or CSV");
    await box.fill(`${npi}\n ${typo}, ${UNKNOWN[0]}; 12345`);
    await page.getByText("4 rows.").waitFor();
    await box.press("Tab");
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await page.getByText("Checked 3 numbers.").waitFor();
    assert.deepEqual(await rowsOf(page), [
      `1 ${npi} Valid`,
      `2 ${typo} Wrong check digit`,
      `2 ${UNKNOWN[0]} Not in the registry`,
      "2 12345 Not 10 digits",
    ]);
    const table = page.getByRole("table");
    await table.getByText("Did you mean").waitFor();
    assert.deepEqual(await tooWide(page, [320, 360]), []);
    await checkAxeInLightAndDark(page);
    await page.getByLabel("Only with problems").check();
    assert.equal((await rowsOf(page)).length, 3);
    const [record] = await Promise.all([
      page.waitForEvent("popup"),
      table.getByRole("link", { name: npi }).first().click(),
    ]);
    await record.waitForURL(`**/npi/${npi}`);
    assert.deepEqual(reader.faults, []);
    assert.deepEqual(foreignRequests(reader, service), []);
  });

  test("a file in windows-1252 with semicolons is compared, and saved with its rows", async () => {
    await using reader = await visit(service.url, NARROW);
    const { page } = reader;
    const [first = missing(), second = missing()] = await providers(page);
    await page.goto("/check");
    const rows = [
      [first.npi, first.name.last.toLowerCase(), first.city, first.state, "é"],
      [second.npi, "Otherwise", second.city, second.state, "=1+1"],
      ["", "", "", "", ""],
      [second.npi, "Otherwise", second.city],
      [`"${second.npi}`, "Otherwise", second.city],
    ];
    const header = "NPI;Last Name;City;State;Note";
    const text = [header, ...rows.map((row) => row.join(";"))].join("\r\n");
    await choose(page, "staff.csv", Buffer.from(`${text}\r\n`, "latin1"));
    await page.getByText("staff.csv: 4 rows.").waitFor();
    await page.getByRole("button", { name: "Check", exact: true }).click();
    await page.getByText("Checked 2 numbers.").waitFor();
    await page.getByText("Line 6 can’t be read").waitFor();
    await page.getByText("Line 5 has more or fewer values").waitFor();
    const differing = page.getByRole("row", { name: "Last Name:" });
    assert.equal(await differing.count(), 2);
    await checkAxe(page);
    const download = page.waitForEvent("download");
    await page.getByRole("button", { name: "Download" }).click();
    const [name, content] = await saved(await download);
    assert.equal(name, "staff-checked.csv");
    assert.ok(content.startsWith("\uFEFFNPI,Last Name,City,State,Note,"));
    const [columns = [], ...records] = csvRecords(content.slice(1));
    const column = (wanted: string) =>
      records.map((record) => record[columns.indexOf(wanted)]);
    assert.deepEqual(column("Note"), ["é", "'=1+1", "", ""]);
    assert.deepEqual(column("registry_verdict"), [
      "active",
      "active",
      "active",
      "malformed",
    ]);
    assert.deepEqual(column("registry_differs"), [
      "",
      "last_name",
      "last_name",
      "",
    ]);
    assert.equal(column("registry_last_name")[1], second.name.last);
  });

  fullTest("a list that can’t be read says why, and what to do", async () => {
    await using reader = await visit(service.url, NARROW);
    const { page } = reader;
    await page.goto("/check");
    const problems = [
      ["Name,Phone\nA,1\n", "The list has no column “NPI”."],
      [Buffer.from("NPI,Name\n1,A\n", "utf16le"), "isn't UTF-8 text"],
      [" \r\n", "The list is empty."],
      [UNKNOWN.join("\n"), "The list has 1,200 rows, and the most is 1,000"],
      [Buffer.alloc(10_000_001, "1\n"), "long.csv is larger than 10 MB"],
    ] as const;
    for (const [content, problem] of problems) {
      await choose(page, "long.csv", Buffer.from(content));
      if (content.length < 1_000_000) {
        await page.getByText("long.csv:").waitFor();
        await page.getByRole("button", { name: "Check", exact: true }).click();
      }
      await page.getByText(problem).waitFor();
    }
    await page.getByRole("button", { name: "Check", exact: true }).click();
    assert.equal(await page.getByText("Paste NPIs or choose").count(), 0);
    await page.getByText("long.csv is larger than 10 MB").waitFor();
    await checkAxe(page);
    await page.getByRole("link", { name: "Sign in" }).last().click();
    await page.waitForURL("**/sign-in?next=%2Fcheck");
  });

  fullTest(
    "batches follow each other, wait when there are too many, stop, and continue",
    async () => {
      await using reader = await visit(service.url, NARROW);
      const { page } = reader;
      const sizes: number[] = [];
      let isRefusing = true;
      await page.route("**/explore/check*", async (route) => {
        const npis = new URL(route.request().url()).searchParams.get("npi");
        sizes.push(npis?.split(",").length ?? 0);
        if (sizes.length < 2 || !isRefusing) return route.continue();
        return route.fulfill({
          status: 429,
          headers: { "retry-after": sizes.length === 2 ? "1" : "100" },
          json: {
            error: { code: "rate_limited", message: "Slow.", status: 429 },
          },
        });
      });
      await page.goto("/check");
      await page
        .getByLabel("NPIs or CSV")
        .fill(UNKNOWN.slice(0, 900).join(" "));
      await page.getByRole("button", { name: "Check", exact: true }).click();
      await page
        .getByText(
          "Checked 500 of 900 numbers. Too many requests: continues in 100 seconds.",
        )
        .waitFor();
      await page.getByRole("button", { name: "Stop" }).click();
      await page.getByText("Stopped after 500 of 900 numbers.").waitFor();
      isRefusing = false;
      await page.getByRole("button", { name: "Continue" }).click();
      await page.getByText("Checked 900 numbers.").waitFor();
      assert.deepEqual(sizes, [500, 400, 400, 400]);
      assert.equal((await rowsOf(page)).length, 100);
      await page.getByRole("button", { name: "Show more" }).click();
      assert.equal((await rowsOf(page)).length, 200);
    },
  );
});

suite("a list of a signed-in user", { skip: NO_BROWSER }, () => {
  fullTest("counts, and may be longer", async () => {
    await using service = await startInstallation({ EXPLORER_BURST: "1000" });
    await using reader = await visit(service.url, NARROW);
    const { page } = reader;
    await page.goto("/check");
    await page.getByText("Sign in to check a list.").waitFor();
    await signedUp(reader, service, "ada@clinic.example");
    await page.reload();
    const list = UNKNOWN.concat(UNKNOWN.slice(0, 10));
    await page.getByLabel("NPIs or CSV").fill(`NPI\n${list.join("\n")}`);
    await page
      .getByText("1,210 rows. Checking counts as 1,200 requests")
      .waitFor();
    await page.getByText("At most 10,000 rows.").waitFor();
    await page.getByRole("button", { name: "Check", exact: true }).click();
    // The free plan's month.
    await page.getByText("Stopped after 1,000 of 1,200 numbers.").waitFor();
    await page.getByText("doesn’t have enough requests left").waitFor();
    const { data } = await (await page.request.get("/account")).json();
    assert.equal(data.used, 1_000);
  });
});

/** Finds individuals of the data. */
async function providers(page: Page): Promise<Listed[]> {
  const answer = await page.request.get(
    "/explore/search?entity_type=individual&status=active&limit=5",
  );
  return (await answer.json()).data;
}

function missing(): never {
  throw new Error("The data has no individuals.");
}

async function choose(page: Page, name: string, content: Buffer) {
  await page
    .getByLabel("Or a CSV file")
    .setInputFiles({ name, mimeType: "text/csv", buffer: content });
}

/** Writes the line, the NPI, and the verdict of each row that is shown. */
async function rowsOf(page: Page): Promise<string[]> {
  return page.locator("tbody tr").evaluateAll((rows) =>
    rows.map((row) =>
      [0, 1, 2]
        .map((cell) => {
          const { childNodes, textContent } = row.children[cell]!;
          return (
            (childNodes[0]?.firstChild ?? childNodes[0])?.textContent ??
            textContent
          );
        })
        .join(" "),
    ),
  );
}

async function saved(download: Download): Promise<[string, string]> {
  const content = await buffer(await download.createReadStream());
  return [download.suggestedFilename(), content.toString()];
}
