import assert from "node:assert/strict";
import { after, suite, test } from "node:test";
import type { Page } from "playwright-core";
import type { ResultNotes } from "../../../src/contract/explorer/notes.ts";
import type { NearbyEntry } from "../../../src/contract/provider.ts";
import { naturalCase } from "../../../src/text/natural-case.ts";
import {
  checkAxeInLightAndDark,
  checkWidth,
  foreignRequests,
  NARROW,
  NO_BROWSER,
  visit,
} from "../browser.ts";
import { checkShifts, watchShifts } from "../layout-shifts.ts";
import { openDemo } from "../portal-service.ts";

interface Answer {
  readonly data: readonly (NearbyEntry & { readonly npi: string })[];
  readonly notes: readonly ResultNotes[];
}

suite("what results say about themselves", { skip: NO_BROWSER }, async () => {
  const service = await openDemo();
  after(() => service[Symbol.asyncDispose]());

  async function answer(path: string): Promise<Answer> {
    return (await fetch(`${service.url}/explore/${path}`)).json();
  }

  /** The first of some searches with a result for which `isWanted` holds, and that result's position. */
  async function findIn(
    paths: readonly string[],
    isWanted: (answer: Answer, at: number) => boolean,
  ): Promise<{ path: string; found: Answer; at: number }> {
    for (const path of paths) {
      const found = await answer(path);
      const at = found.data.findIndex((_, index) => isWanted(found, index));
      if (at >= 0) return { path, found, at };
    }
    throw new Error("No search has such a result.");
  }

  test("another name, with the matched words marked, and the phone and street", async () => {
    const { at, found, path } = await findIn(
      Array.from(
        "abcdefghijklmnop",
        (letter) => `search?last_name=${letter}&name_scope=any`,
      ),
      ({ notes }, index) =>
        (notes[index]?.other_names.length ?? 0) > 0 &&
        notes[index]?.phone !== null,
    );
    await using reader = await visit(service.url, NARROW);
    const { page } = reader;
    await page.goto(`/?${path.split("?")[1]}`);
    const entry = entries(page).nth(at);
    const { last } = found.notes[at]!.other_names[0]!;
    const why = entry.getByText("Other name:");
    await why.waitFor();
    assert.ok((await why.innerText()).includes(naturalCase(last!, "person")));
    assert.equal((await why.locator("mark").innerText()).length, 1);
    const { address_1: street, phone } = found.notes[at]!;
    const call = entry.locator("a[href^='tel:']");
    assert.equal(await call.getAttribute("href"), `tel:+1${phone}`);
    await entry
      .getByText(naturalCase(street!, "address"), { exact: true })
      .waitFor();
    await checkAxeInLightAndDark(page);
    assert.deepEqual(reader.faults, []);
    assert.deepEqual(foreignRequests(reader, service), []);
  });

  test("another specialty, and another location, also on a phone", async () => {
    const specialty = await findIn(
      ["nurse", "physician", "clinic", "medicine"].map(
        (word) => `search?specialty=${word}&taxonomy_scope=any&limit=100`,
      ),
      ({ notes }, index) => (notes[index]?.other_specialties.length ?? 0) > 0,
    );
    await using reader = await visit(service.url, {
      viewport: { width: 320, height: 700 },
    });
    const { page } = reader;
    await page.goto(`/?${specialty.path.split("?")[1]}`);
    const also = entries(page).nth(specialty.at).getByText("Also: ");
    const [{ description } = { description: null }] =
      specialty.found.notes[specialty.at]!.other_specialties;
    assert.equal(await also.textContent(), `Also: ${description}`);
    assert.ok((await also.locator("mark").count()) > 0);
    await checkWidth(page);
    const location = await findIn(
      ["62701", "60601", "10001", "90001", "77001"].map(
        (zip) => `nearby?zip=${zip}&radius=100&location_scope=any&limit=100`,
      ),
      ({ data }, index) => data[index]?.matched_location?.kind === "secondary",
    );
    await page.goto(`/?${location.path.split("?")[1]}`);
    const elsewhere = entries(page).nth(location.at);
    const { address_1: street } =
      location.found.data[location.at]!.matched_location!.address;
    const where = elsewhere.getByText("Also practices at");
    assert.ok(
      (await where.innerText()).includes(naturalCase(street!, "address")),
    );
    await checkWidth(page);
    assert.deepEqual(reader.faults, []);
  });

  test("a status that isn't active, with its date, and which results are organizations", async () => {
    await using reader = await visit(service.url, NARROW);
    const { page } = reader;
    await page.goto("/?status=deactivated");
    await entries(page)
      .first()
      .getByText(/^Deactivated \w+ \d+, \d{4}$/)
      .waitFor();
    await page.goto("/?status=active&entity_type=organization");
    await entries(page)
      .first()
      .getByRole("img", { name: "Organization" })
      .waitFor();
    assert.equal(await page.getByText("Active", { exact: true }).count(), 0);
    await page.goto("/?status=active&entity_type=individual");
    await entries(page).first().waitFor();
    assert.equal(
      await page.getByRole("img", { name: "Organization" }).count(),
      0,
    );
    await page.goto("/?zip=62701&radius=100&name=a");
    await entries(page).first().waitFor();
    assert.ok((await page.locator("ol mark").count()) > 0);
  });

  for (const width of [1_280, 390])
    test(`nothing moves while results load, ${width} pixels wide`, async () => {
      await using reader = await visit(service.url, {
        viewport: { width, height: 800 },
      });
      const { page } = reader;
      await watchShifts(page);
      for (const path of [
        "/?name=a&name_scope=any",
        "/?zip=62701&radius=100",
      ]) {
        await page.goto(path);
        await entries(page).first().waitFor();
        await page.waitForLoadState("networkidle");
        await checkShifts(page);
      }
    });
});

function entries(page: Page) {
  return page.getByRole("region", { name: "Results" }).locator("ol > li");
}
