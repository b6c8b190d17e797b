import assert from "node:assert/strict";
import { text as readText } from "node:stream/consumers";
import { after, suite, test } from "node:test";
import { IS_FULL } from "../../support/pure/full-run.ts";
import {
  checkAxe,
  checkAxeInLightAndDark,
  checkWidth,
  foreignRequests,
  NO_BROWSER,
  tooWide,
  visit,
} from "../browser.ts";
import { box } from "./explorer-page.ts";
import {
  openDemo,
  startInstallation,
  type PortalService,
} from "../portal-service.ts";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ProgramProcess, succeed } from "../../support/program/program.ts";
import { temporaryFolder } from "../../support/pure/temporary-folder.ts";

const NAME = "Provider Organization Name (Legal Business Name)";
const SCRIPT = "<script>document.title='TAKEN'</script> CLINIC";
const RIGHT_TO_LEFT = "מרפאה לדוגמה (1) Clinic";
const LONG = `Verylongname${"verylongname".repeat(11)} & Partners of the Invented Valley`;

/** Adds up the layout shifts of a page in `shifted`. */
const OBSERVE_SHIFTS = `
  window.shifted = 0;
  new PerformanceObserver((list) => {
    for (const { value } of list.getEntries()) window.shifted += value;
  }).observe({ type: "layout-shift", buffered: true });
`;

suite("the page of a provider", { skip: NO_BROWSER }, async () => {
  const service = await startInstallation({ EXPLORER: "open" }, (csv) =>
    withNames(csv, [SCRIPT, RIGHT_TO_LEFT.toUpperCase(), LONG.toUpperCase()]),
  );
  after(() => service[Symbol.asyncDispose]());

  test("shows names, whatever they contain", async () => {
    await using reader = await visit(service.url, {
      viewport: { width: 320, height: 700 },
    });
    const { page } = reader;
    for (const [words, name] of [
      ["TAKEN CLINIC", SCRIPT],
      ["מרפאה", RIGHT_TO_LEFT],
      ["VERYLONGNAME", LONG],
    ] as const) {
      await page.goto(`/?${new URLSearchParams({ name: words })}`);
      const link = page.getByRole("link", { name, exact: true });
      await link.waitFor();
      await checkWidth(page);
      // The pages differ only in the name.
      const isChecked = IS_FULL || name === LONG;
      if (isChecked) await checkAxe(page);
      await link.click();
      const heading = page.getByRole("heading", { level: 1, name });
      await heading.waitFor();
      assert.equal(await heading.textContent(), name);
      assert.match(await page.title(), /^.+ – .+ – Provider Directory$/);
      assert.ok((await page.title()).startsWith(name));
      await checkWidth(page);
      if (isChecked) await checkAxe(page);
    }
    assert.deepEqual(reader.faults, []);
    assert.deepEqual(foreignRequests(reader, service), []);
  });

  test("shows the whole record, and the API request for the same", async () => {
    const { npi, record } = await fullRecord(service);
    await using reader = await visit(service.url, {
      viewport: { width: 1_280, height: 800 },
      permissions: ["clipboard-read", "clipboard-write"],
    });
    const { page } = reader;
    await page.goto(`/npi/${npi}`);
    await page.locator("canvas").waitFor();
    const text = await page.locator("main").innerText();
    // Names and addresses have natural capitals.
    const inCapitals = text.toUpperCase();
    for (const value of [
      record.organization_name,
      record.practice_address.address_1,
      record.practice_address.city,
      record.identity.authorized_official.last,
      record.identity.authorized_official.title,
      record.mailing_address.address_1,
      record.mailing_address.city,
      ...record.identifiers.flatMap(({ identifier, issuer }) => [
        identifier,
        issuer,
      ]),
      ...record.taxonomies.flatMap(({ code, license_number: license }) => [
        code,
        license,
      ]),
    ])
      if (value !== null)
        assert.ok(inCapitals.includes(value.toUpperCase()), `lacks ${value}`);
    // Once: on paper, which has no footer, the record itself says it.
    const disclaimer = page.getByText(
      "confirms only that the provider is enumerated",
    );
    assert.equal(await disclaimer.filter({ visible: true }).count(), 1);
    await page.emulateMedia({ media: "print" });
    const printed = await disclaimer.filter({ visible: true }).allInnerTexts();
    assert.equal(printed.length, 1);
    // What a printed record is evidence of: the data, the day, and the page.
    await page.evaluate(() => dispatchEvent(new Event("beforeprint")));
    const from = await page.getByText(/Printed /).innerText();
    assert.match(from, /Source: .+, data through November 8, 2026/);
    assert.match(
      from,
      /Printed \w+ \d+, 20\d\d at \d+:\d\d:\d\d [AP]M \S+ from http/,
    );
    assert.ok(from.endsWith(`${service.url}/npi/${npi}`));
    await page.emulateMedia({ media: "screen" });
    await page
      .getByText(`${service.url}/v1/providers/${npi}?include=all`)
      .waitFor();
    await page.getByRole("button", { name: "Copy NPI" }).click();
    await page.getByRole("status").getByText("Copied").waitFor();
    assert.equal(
      await page.evaluate(() => navigator.clipboard.readText()),
      npi,
    );
    assert.deepEqual(reader.faults, []);
  });

  test("fits a phone, however long the specialty's name from the operator's table", async () => {
    const { npi } = await fullRecord(service);
    await using reader = await visit(service.url);
    const { page } = reader;
    await page.route("**/explore/providers/*", async (route) => {
      const response = await route.fetch();
      const body = (await response.text()).replace(
        /(?<="primary_taxonomy":\{"code":"\w+","description":)"[^"]*"/,
        JSON.stringify(LONG),
      );
      return route.fulfill({ response, body });
    });
    await page.goto(`/npi/${npi}`);
    await page.getByText(LONG).first().waitFor();
    assert.deepEqual(await tooWide(page), []);
  });

  test("has the explorer's box, which leads to results and to other providers", async () => {
    const { npi } = await fullRecord(service);
    const { npi: other } = await personWithPhone(service);
    await using reader = await visit(service.url, {
      viewport: { width: 320, height: 667 },
    });
    const { page } = reader;
    await page.goto(`/npi/${npi}`);
    const heading = page.getByRole("heading", { level: 1 });
    const name = (await heading.textContent()) ?? "";
    // Users read the record first.
    assert.equal(
      await box(page).evaluate((field) => field === document.activeElement),
      false,
    );
    await box(page).fill("please");
    await page.keyboard.press("Enter");
    await page.getByText("Nothing to search for").waitFor();
    assert.deepEqual(await tooWide(page), []);
    await box(page).fill(other);
    await page.keyboard.press("Enter");
    await page.waitForURL(`**/npi/${other}`);
    await heading.filter({ hasNotText: name }).waitFor();
    assert.equal(await box(page).inputValue(), "");
    // How it was read is said at the results.
    await box(page).fill("smith, of 4 elm street, california");
    await page.keyboard.press("Enter");
    await page.waitForURL("**/?name=smith&state=CA");
    await page.getByText("Not used: ").waitFor();
    const results = page.getByRole("region", { name: "Results" }).locator("ol");
    await results.getByRole("link").first().click();
    await page.waitForURL(/\/npi\/\d{10}$/);
    await checkAxeInLightAndDark(page);
    assert.deepEqual(await tooWide(page), []);
    await page.getByRole("link", { name: "Back to results" }).press("Enter");
    await page.waitForURL("**/?name=smith&state=CA");
    assert.deepEqual(reader.faults, []);
  });

  test("shows every value of mailing address, identifiers, and endpoints on a phone, the endpoints as text", async () => {
    await using demo = await openDemo();
    const { npi, record } = await fullRecord(demo);
    const other = await withEndpoints(demo.url);
    await using reader = await visit(demo.url, {
      viewport: { width: 390, height: 844 },
      isMobile: true,
      hasTouch: true,
    });
    const { page } = reader;
    const { identifiers, mailing_address: mailing } = record;
    const parts = [
      [
        npi,
        "Mailing address",
        // The country is shown if it is another one, and says of what type the address is.
        Object.values(mailing).filter(
          (value) => value !== "US" && value !== "domestic",
        ),
      ],
      [
        npi,
        "Other identifiers",
        identifiers.flatMap(({ identifier, issuer, state, type }) => [
          identifier,
          issuer,
          state,
          type?.description,
        ]),
      ],
      [
        other.npi,
        "Endpoints",
        other.endpoints.flatMap(({ address, location, type }) => [
          address,
          type?.description,
          location?.address_1,
        ]),
      ],
    ] as const;
    for (const [of, heading, values] of parts) {
      if (!page.url().endsWith(`/npi/${of}`)) await page.goto(`/npi/${of}`);
      const part = page.locator("section").filter({
        has: page.getByRole("heading", { name: heading, exact: true }),
      });
      await part.waitFor();
      const text = digitsAndLetters(await part.innerText());
      assert.ok(values.length > 2, heading);
      for (const value of values)
        assert.ok(
          text.includes(digitsAndLetters(value ?? "")),
          `${heading} lacks ${value}`,
        );
      await checkWidth(page);
    }
    const [endpoint] = other.endpoints;
    assert.equal(
      await page.getByRole("link", { name: endpoint!.address }).count(),
      0,
    );
    await checkAxe(page);
    assert.deepEqual(reader.faults, []);
  });

  test("shows address and phone on a phone's first screen, calls, and saves a contact", async () => {
    const { npi, record } = await personWithPhone(service);
    await using reader = await visit(service.url, {
      viewport: { width: 375, height: 667 },
      isMobile: true,
      hasTouch: true,
    });
    const { page } = reader;
    await page.addInitScript(OBSERVE_SHIFTS);
    await page.goto(`/npi/${npi}`);
    const heading = page.getByRole("heading", { level: 1 });
    await page.getByRole("heading", { name: "Practice location" }).waitFor();
    const name = await heading.textContent();
    assert.equal(
      name?.toUpperCase().endsWith(`, ${record.name.credential}`),
      record.name.credential !== null,
    );
    const call = page
      .getByRole("region", { name: "Practice location" })
      .getByRole("link", { name: /^\(\d{3}\) \d{3}-\d{4}$/ });
    assert.equal(
      await call.getAttribute("href"),
      `tel:+1${record.identity.phone}`,
    );
    for (const part of [
      heading,
      page.getByRole("main").locator("address").first(),
      call,
    ]) {
      const at = await part.boundingBox();
      assert.ok(at !== null && at.y + at.height < 667, `${at?.y}`);
    }
    const directions = page.getByRole("link", { name: /^Directions in / });
    assert.match(
      (await directions.getAttribute("href")) ?? "",
      /^https:\/\/www\.openstreetmap\.org\/search\?query=\w/,
    );
    assert.equal(
      await page
        .getByRole("link", { name: "As the registry shows it" })
        .getAttribute("href"),
      `https://npiregistry.cms.hhs.gov/provider-view/${npi}`,
    );
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("button", { name: "Save contact" }).click(),
    ]);
    assert.equal(download.suggestedFilename(), `npi-${npi}.vcf`);
    const card = await readText(await download.createReadStream());
    assert.match(card, /^BEGIN:VCARD\r\nVERSION:3\.0\r\n/);
    assert.ok(card.includes(`TEL;TYPE=WORK,VOICE:+1${record.identity.phone}`));
    // The page's code loaded early asked for the record only once.
    const asked = reader.requests.map((request) => new URL(request.url()));
    for (const path of ["/portal.json", `/explore/providers/${npi}`])
      assert.equal(
        asked.filter(({ pathname }) => pathname === path).length,
        1,
        path,
      );
    const shift = await page.evaluate<number>("window.shifted");
    assert.ok(shift <= 0.05, `shifted by ${shift}`);
    assert.deepEqual(await tooWide(page), []);
    await checkAxeInLightAndDark(page);
    await page.emulateMedia({ media: "print" });
    for (const hidden of ["banner", "contentinfo"] as const)
      assert.equal(await page.getByRole(hidden).count(), 0);
    assert.equal(await page.getByRole("button").count(), 0);
    const sheets = (await page.pdf()).toString("latin1");
    assert.equal(sheets.match(/\/Type \/Page\b/g)?.length, 1);
    assert.deepEqual(reader.faults, []);
    assert.deepEqual(foreignRequests(reader, service), []);
  });

  test("says what a deactivated NPI means", async () => {
    await using demo = await openDemo();
    const found = await fetch(
      `${demo.url}/explore/search?status=deactivated&limit=100`,
    );
    const { data } = await found.json();
    const withheld = data.find(
      (entry: { readonly entity_type: string | null }) =>
        entry.entity_type === null,
    );
    await using reader = await visit(demo.url);
    const { page } = reader;
    await page.goto(`/npi/${withheld.npi}`);
    await page.getByText("This NPI is deactivated").waitFor();
    await page
      .getByText("The registry publishes only the number and the date")
      .waitFor();
    assert.equal(await page.getByText("Practice location").count(), 0);
    // Invented NPIs may be someone's.
    assert.equal(await page.getByText("As the registry shows it").count(), 0);
    await checkAxe(page);
    assert.deepEqual(reader.faults, []);
  });

  test("has status 404, and says what to do, for an invalid NPI and one that isn't in the registry", async () => {
    await using reader = await visit(service.url);
    const { page } = reader;
    for (const [npi, sentence] of [
      [
        "1234567890",
        "The check digit of this NPI is wrong. Check the number for a typo.",
      ],
      ["1234567893", "The registry has no record of NPI"],
    ] as const) {
      const answer = await page.goto(`/npi/${npi}`);
      assert.equal(answer?.status(), 404);
      await page.getByText(sentence).waitFor();
      assert.equal(
        await page.title(),
        `NPI ${npi} not found – Provider Directory`,
      );
    }
    await checkAxe(page);
    await box(page).fill("smith");
    await page.keyboard.press("Enter");
    await page.waitForURL("**/?name=smith");
  });
});

/** Replaces the names of the file's first organizations. */
function withNames(csv: string, names: readonly string[]): string {
  const [header = "", ...rows] = csv.split("\n");
  const at = header.split(",").findIndex((cell) => cell.includes(NAME));
  const left = [...names];
  return [
    header,
    ...rows.map((row) => {
      const cells = row.split('","');
      if (left.length === 0 || !cells[at]) return row;
      cells[at] = left.shift() ?? "";
      return cells.join('","');
    }),
  ].join("\n");
}

interface FullRecord {
  readonly organization_name: string;
  readonly practice_address: {
    readonly address_1: string | null;
    readonly city: string | null;
  };
  readonly taxonomies: readonly {
    readonly code: string;
    readonly license_number: string | null;
  }[];
  readonly mailing_address: {
    readonly address_1: string | null;
    readonly address_2: string | null;
    readonly city: string | null;
    readonly state: string | null;
  };
  readonly identifiers: readonly {
    readonly identifier: string | null;
    readonly type: { readonly description: string | null } | null;
    readonly state: string | null;
    readonly issuer: string | null;
  }[];
  readonly identity: {
    readonly authorized_official: {
      readonly last: string | null;
      readonly title: string | null;
    };
  };
}

interface RecordWithEndpoints {
  readonly npi: string;
  readonly endpoints: readonly {
    readonly type: { readonly description: string } | null;
    readonly address: string;
    readonly location: { readonly address_1: string } | null;
  }[];
}

/** An organization with a full record. */
async function fullRecord({
  url,
}: Pick<PortalService, "url">): Promise<{ npi: string; record: FullRecord }> {
  const query = "entity_type=organization&status=active&limit=100";
  for await (const record of recordsOf(url, query))
    if (record.identifiers.length > 0) return { npi: record.npi, record };
  throw new Error("No organization has other identifiers.");
}

interface Person {
  readonly npi: string;
  readonly name: { readonly credential: string | null };
  readonly identity: { readonly phone: string | null };
}

/** An active individual with a phone number and a credential. */
async function personWithPhone({
  url,
}: Pick<PortalService, "url">): Promise<{ npi: string; record: Person }> {
  const query = "entity_type=individual&status=active&limit=100";
  for await (const record of recordsOf<Person>(url, query))
    if (record.identity.phone !== null && record.name.credential !== null)
      return { npi: record.npi, record };
  throw new Error("No individual has a phone number.");
}

/** A provider with endpoints. */
async function withEndpoints(url: string): Promise<RecordWithEndpoints> {
  for await (const record of recordsOf(url, "status=active&limit=100"))
    if (record.endpoints.length > 0) return record;
  throw new Error("No provider has endpoints.");
}

/** A text without what phone numbers and postal codes are shown with. */
function digitsAndLetters(text: string): string {
  return text.replace(/[^\p{L}\p{N}]/gu, "").toUpperCase();
}

/** The records of a search's page. */
async function* recordsOf<T = FullRecord & RecordWithEndpoints>(
  url: string,
  query: string,
): AsyncGenerator<T> {
  const found = await (await fetch(`${url}/explore/search?${query}`)).json();
  for (const { npi } of found.data) {
    const answer = await fetch(`${url}/explore/providers/${npi}`);
    yield (await answer.json()).data;
  }
}

const STREET = "Provider First Line Business Practice Location Address";
const PHONE = "Provider Business Practice Location Address Telephone Number";
const UPDATED = "Last Update Date";
const TAXONOMY = "Healthcare Provider Taxonomy Code_1";

suite("the history of a provider", { skip: NO_BROWSER }, () => {
  test("is grouped by date in the words of the page, and says so if there is none", async () => {
    using folder = temporaryFolder();
    const data = join(folder.path, "data");
    const full = join(folder.path, "npidata_pfile_20050523-20261108.csv");
    const week = join(folder.path, "npidata_pfile_20261109-20261115.csv");
    await succeed(["generate", "--providers", "60", "--out", full]);
    const [header = "", ...rows] = readFileSync(full, "utf8").split("\n");
    const names = cellsOf(header);
    const at = (name: string) => names.indexOf(name);
    const [row = [], other = []] = rows
      .map(cellsOf)
      .filter((cells) => cells[at("Entity Type Code")] === "1")
      .filter((cells) => cells[at(PHONE)] !== "" && cells[at(STREET)] !== "")
      .filter((cells) => !cells[at("Healthcare Provider Taxonomy Code_2")]);
    const changed = row
      .with(at(STREET), "12 NEW ELM ST")
      .with(at(PHONE), "2175550199")
      .with(at(TAXONOMY), "207RC0000X")
      .with(at(UPDATED), "11/12/2026");
    writeFileSync(full, [header, ...rows].join("\n"));
    writeFileSync(week, `${header}\n${lineOf(changed)}\n`);
    await succeed(["import", full, "--data-dir", data]);
    await succeed(["import", week, "--data-dir", data]);
    await using program = new ProgramProcess(["serve"], {
      DATA_DIR: data,
      PORT: "0",
      WORKERS: "1",
      EXPLORER: "open",
    });
    const [, url = ""] = await program.printed(/Listening on (http:\S+) with/);
    await program.printed(/Serving snapshot/);
    await using reader = await visit(url, {
      viewport: { width: 320, height: 667 },
    });
    const { page } = reader;
    const history = page
      .locator("section")
      .filter({ has: page.getByRole("heading", { name: "History" }) });
    await page.goto(`/npi/${row[0]}`);
    // The name of a specialty is looked up.
    await history.getByText("→ Cardiovascular Disease Physician").waitFor();
    await history.getByText("Added: Cardiovascular Disease").waitFor();
    const said = await history.innerText();
    for (const text of [
      "Practice location, street",
      "12 New Elm St",
      "Phone",
      "(217) 555-0199",
      "Last updated",
      "November 12, 2026",
    ])
      assert.ok(said.includes(text), `${said} lacks ${text}`);
    assert.doesNotMatch(said, /_|207RC0000X/);
    assert.equal(await history.getByRole("heading", { level: 3 }).count(), 1);
    assert.deepEqual(await tooWide(page), []);
    await checkAxeInLightAndDark(page);
    await page.goto(`/npi/${other[0]}`);
    await history.getByText("No changes recorded yet.").waitFor();
    assert.deepEqual(reader.faults, []);
  });
});

function cellsOf(line: string): string[] {
  return line.replace(/^"|"$/g, "").split('","');
}

function lineOf(cells: readonly string[]): string {
  return `"${cells.join('","')}"`;
}
