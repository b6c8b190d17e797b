import assert from "node:assert/strict";
import { after, suite, test } from "node:test";
import {
  checkAxe,
  checkWidth,
  foreignRequests,
  NO_BROWSER,
  visit,
} from "../browser.ts";
import { startInstallation, type PortalService } from "../portal-service.ts";

const NAME = "Provider Organization Name (Legal Business Name)";
const SCRIPT = "<script>document.title='TAKEN'</script> CLINIC";
const RIGHT_TO_LEFT = "מרפאה לדוגמה (1) CLINIC";
const LONG = `${"VERYLONGNAME".repeat(12)} & PARTNERS OF THE INVENTED VALLEY`;

const PARTS = ["taxonomies", "other_names", "locations", "identity"];

suite("the page of a provider", { skip: NO_BROWSER }, async () => {
  const service = await startInstallation({ EXPLORER: "open" }, (csv) =>
    withNames(csv, [SCRIPT, RIGHT_TO_LEFT, LONG]),
  );
  after(() => service[Symbol.asyncDispose]());

  test("shows names as they are, whatever they contain", async () => {
    await using reader = await visit(service.url, {
      viewport: { width: 320, height: 700 },
    });
    const { page } = reader;
    for (const [words, name] of [
      ["TAKEN CLINIC", SCRIPT],
      ["מרפאה", RIGHT_TO_LEFT],
      ["VERYLONGNAME", LONG],
    ] as const) {
      await page.goto("/");
      await page.getByRole("searchbox").fill(words);
      await page.keyboard.press("Enter");
      await page.waitForURL("**/?name=*");
      const link = page.getByRole("link", { name, exact: true });
      await link.waitFor();
      await checkWidth(page);
      await checkAxe(page);
      await link.click();
      const heading = page.getByRole("heading", { level: 1, name });
      await heading.waitFor();
      assert.equal(await heading.textContent(), name);
      assert.equal(await page.title(), `${name} – Provider Directory`);
      await page.waitForLoadState("networkidle");
      await checkWidth(page);
      await checkAxe(page);
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
    for (const value of [
      record.organization_name,
      record.practice_address.address_1,
      record.practice_address.city,
      record.identity.authorized_official.last,
      record.identity.authorized_official.title,
      ...record.taxonomies.flatMap(({ code, license_number: license }) => [
        code,
        license,
      ]),
    ])
      if (value !== null) assert.ok(text.includes(value), `lacks ${value}`);
    assert.match(text, /confirms only that the provider is enumerated/);
    assert.match(text, /Data through November 8, 2026/);
    const include = PARTS.filter((part) => part in record).join("%2C");
    await page
      .getByText(`${service.url}/v1/providers/${npi}?include=${include}`)
      .waitFor();
    await page.getByRole("button", { name: "Copy NPI" }).click();
    await page.getByRole("status").getByText("Copied").waitFor();
    assert.equal(
      await page.evaluate(() => navigator.clipboard.readText()),
      npi,
    );
    await page.getByRole("link", { name: "Search providers" }).click();
    await page.getByText("600 providers").waitFor();
    assert.deepEqual(reader.faults, []);
  });

  test("reports an invalid NPI, and one that isn't in the registry", async () => {
    await using reader = await visit(service.url);
    const { page } = reader;
    await page.goto("/npi/1234567890");
    await page
      .getByText(
        "The check digit of this NPI is wrong. Check the number for a typo.",
      )
      .waitFor();
    await page.goto("/npi/1234567893");
    await page.getByText("The registry has no record of NPI").waitFor();
    await checkAxe(page);
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
  readonly identity: {
    readonly authorized_official: {
      readonly last: string | null;
      readonly title: string | null;
    };
  };
}

/** An organization with a full record. */
async function fullRecord({
  url,
}: PortalService): Promise<{ npi: string; record: FullRecord }> {
  const answer = await fetch(
    `${url}/explore/search?entity_type=organization&status=active&name=center`,
  );
  const found = await answer.json();
  const { npi } = found.data[0];
  const { data: record } = await (
    await fetch(`${url}/explore/providers/${npi}`)
  ).json();
  return { npi, record };
}
