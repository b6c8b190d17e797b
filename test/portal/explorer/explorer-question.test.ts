import assert from "node:assert/strict";
import { after, suite, test } from "node:test";
import type { Locator, Page, Route } from "playwright-core";
import type { Interpretation } from "../../../src/contract/interpret.ts";
import { stateName } from "../../../src/contract/states.ts";
import {
  checkAxe,
  checkAxeInLightAndDark,
  checkWidth,
  cutOff,
  NARROW,
  NO_BROWSER,
  reconnect,
  tooWide,
  visit,
} from "../browser.ts";
import { openDemo } from "../portal-service.ts";
import { box, chips } from "./explorer-page.ts";

suite("the explorer's one box", { skip: NO_BROWSER }, async () => {
  const service = await openDemo();
  after(() => service[Symbol.asyncDispose]());

  test("a sentence becomes filters, and the page says what it left out", async () => {
    await using reader = await visit(service.url, NARROW);
    const { page } = reader;
    await page.goto("/");
    await ask(page, "nurse, dentist, near 62701, please");
    await page.waitForURL(
      "**/?zip=62701&radius=25&specialty=nurse&specialty_scope=common",
    );
    assert.deepEqual(await chips(page), [
      "Near: 62701, 25 miles",
      "Specialty: nurse",
    ]);
    const left = page.getByText(
      "“dentist”: you can search for only one specialty",
    );
    await left.waitFor();
    assert.equal(await box(page).inputValue(), "");
    await checkAxe(page);
    // Once: not for another search.
    await page.getByRole("link", { name: "Remove Specialty: nurse" }).click();
    await page.waitForURL("**/?zip=62701&radius=25");
    await left.waitFor({ state: "detached" });
    assert.deepEqual(reader.faults, []);
  });

  test("a title, a credential, and joining words need no note, unless nothing else was typed", async () => {
    await using reader = await visit(service.url, NARROW);
    const { page } = reader;
    await page.goto("/");
    await ask(page, "Dr. John Q Smith MD in Springfield IL");
    const note = page.getByText("Not used: ");
    await note.waitFor();
    assert.equal(
      await note.innerText(),
      "Not used: “Q”: a middle initial; no one is found with it",
    );
    await page.goto("/");
    await ask(page, "please");
    await page.getByText("Nothing to search for").waitFor();
    await page.getByText("“please”: not about a provider").waitFor();
  });

  test("an NPI leads to its page, and a wrong one is explained with those that may be meant", async () => {
    const { data: facts } = await json("/portal.json");
    const npi = String(facts.example_npi);
    const wrong = `${npi.slice(0, 9)}${(Number(npi.at(-1)) + 1) % 10}`;
    await using reader = await visit(service.url, NARROW);
    const { page } = reader;
    await page.goto("/");
    await ask(page, wrong);
    await page.getByText(`${wrong} isn’t a valid NPI`).waitFor();
    await page.getByText("an NPI with a wrong check digit").waitFor();
    // What was typed can be corrected.
    assert.equal(await box(page).inputValue(), wrong);
    const meant = page.getByRole("search").getByRole("link");
    await meant.getByText(`NPI ${npi}`).waitFor();
    await checkAxe(page);
    await ask(page, ` ${npi.slice(0, 4)}-${npi.slice(4)} `);
    await page.waitForURL(`**/npi/${npi}`);
  });

  test("what is typed is added to the filters, and one click searches only for it", async () => {
    await using reader = await visit(service.url, NARROW);
    const { page } = reader;
    await page.goto("/?zip=62701&radius=500");
    await ask(page, "nurse");
    await page.waitForURL(
      "**/?zip=62701&radius=500&specialty=nurse&specialty_scope=common",
    );
    await page.getByText("Added “nurse” to your search.").waitFor();
    await page.getByRole("link", { name: "Search only for this" }).click();
    await page.waitForURL("**/?specialty=nurse&specialty_scope=common");
    assert.deepEqual(await chips(page), ["Specialty: nurse"]);
    await page.getByText("Added").waitFor({ state: "detached" });
  });

  test("a sentence that finds no one shows its first other reading, and says so", async () => {
    await using reader = await visit(service.url, NARROW);
    const { page } = reader;
    const answer: Interpretation = {
      operation: "search",
      filters: { name: "jhon smiht" },
      understood: [],
      dropped: [],
      alternatives: [
        { operation: "search", filters: { last_name: "smith" }, total: 7 },
        { operation: "search", filters: { city: "smithville" }, total: 1_234 },
      ],
      total: 0,
    };
    await page.route("**/explore/interpret?*", (route) =>
      route.fulfill({ json: { data: answer, meta: {} } }),
    );
    await page.goto("/");
    await ask(page, "jhon smiht");
    await page.waitForURL("**/?last_name=smith");
    await page.getByText("No providers match “jhon smiht”.").waitFor();
    await page.getByText("Showing results for Smith.").waitFor();
    const other = page.getByRole("link", {
      name: "All providers in Smithville",
    });
    assert.equal(await other.getAttribute("href"), "/?city=smithville");
    await page.getByText("(1,234)").waitFor();
    await page.getByRole("link", { name: "Search as typed" }).click();
    await page.waitForURL("**/?name=jhon+smiht");
    await page.getByText("No providers found").waitFor();
  });

  test("a middle initial is a chip with a field, its middle name is marked, and the search without it is offered", async () => {
    const { name, typed } = await someoneWithMiddleName(service.url);
    await using reader = await visit(service.url, NARROW);
    const { page } = reader;
    await page.goto("/");
    await ask(page, typed);
    await page.waitForURL("**/?name=*&middle_initial=*");
    const initial = name.middle[0] ?? "";
    assert.deepEqual(
      (await chips(page)).filter((chip) => chip.startsWith("Middle")),
      [`Middle initial: ${initial}`],
    );
    const marks = page
      .getByRole("region", { name: "Results" })
      .locator("ol > li")
      .first()
      .locator("mark");
    await marks.first().waitFor();
    assert.ok((await marks.allInnerTexts()).includes(initial));
    const whole = `${name.first} ${name.last}`;
    await page
      .getByRole("link", { name: new RegExp(`^${whole}$`, "i") })
      .waitFor();
    await page
      .getByRole("button", { name: `Change Middle initial ${initial}` })
      .press("Enter");
    const field = page.getByLabel("Middle initial", { exact: true });
    await focused(field);
    await checkAxe(page);
    await field.fill("");
    await page.keyboard.press("Enter");
    await page.waitForURL(
      `**/?${new URLSearchParams({ name: whole }).toString()}`,
    );
    assert.deepEqual(reader.faults, []);
  });

  test("chips are removed by keyboard, the focus stays with them, and a chip leads to its field", async () => {
    await using reader = await visit(service.url, NARROW);
    const { page } = reader;
    await page.goto("/?name=smith&state=CA&status=active");
    const removes = (name: string) =>
      page.getByRole("link", { name: `Remove ${name}`, exact: true });
    await removes("State: CA").press("Enter");
    await page.waitForURL("**/?name=smith&status=active");
    await focused(removes("Status: active"));
    await page.keyboard.press("Enter");
    await page.waitForURL("**/?name=smith");
    await focused(removes("Name: Smith"));
    await page
      .getByRole("button", { name: "Change Name Smith" })
      .press("Enter");
    const field = page.getByLabel("Name", { exact: true });
    await focused(field);
    await field.fill("jones");
    await page.keyboard.press("Enter");
    await page.waitForURL("**/?name=jones");
    await removes("Name: Jones").press("Enter");
    await page.waitForURL(`${service.url}/`);
    await focused(box(page));
    assert.deepEqual(reader.faults, []);
  });

  test("on a phone a chip opens a sheet with its field, and closing it gives the focus back", async () => {
    await using reader = await visit(service.url, {
      viewport: { width: 320, height: 640 },
      hasTouch: true,
      isMobile: true,
    });
    const { page } = reader;
    await page.goto("/");
    assert.ok(
      await box(page).evaluate((input) => input !== document.activeElement),
    );
    await checkWidth(page);
    await page.goto(
      "/?specialty=nurse&specialty_scope=common&entity_type=individual",
    );
    const chip = page.getByRole("button", { name: "Change Type individuals" });
    await chip.tap();
    const sheet = page.getByRole("dialog", { name: "Type" });
    await focused(sheet.getByLabel("Type", { exact: true }));
    await checkWidth(page);
    await checkAxe(page);
    await page.keyboard.press("Escape");
    await sheet.waitFor({ state: "detached" });
    await focused(chip);
    assert.deepEqual(reader.faults, []);
  });

  test("a question that says near without a place asks where, and never lists all of the country", async () => {
    await using reader = await visit(service.url, {
      ...NARROW,
      geolocation: { latitude: 39.8017, longitude: -89.6436 },
      permissions: ["geolocation"],
    });
    const { page } = reader;
    await page.goto("/");
    const nurse = "specialty=nurse&specialty_scope=common";
    await ask(page, "nurse near me");
    await page.waitForURL(`**/?radius=25&${nurse}`);
    await page.getByText("Where?", { exact: true }).waitFor();
    await page.getByText("Type a city or ZIP code.").waitFor();
    await focused(box(page));
    assert.equal(
      await box(page).getAttribute("placeholder"),
      "City or ZIP code",
    );
    await checkAxe(page);
    await ask(page, "62701");
    await page.waitForURL(`**/?zip=62701&radius=25&${nurse}`);
    // A city is a center too, and a search with a place needs no other.
    await page.goto(`/?radius=10&${nurse}`);
    await focused(box(page));
    const [there] = (await json("/explore/nearby?zip=62701&radius=500")).data;
    const { city, state } = there;
    await ask(page, `${city}, ${state}`);
    await page.waitForURL(/\?zip=\d{5}&place=[^&]+&radius=10&specialty=nurse/);
    await page.goto(`/?${new URLSearchParams({ city, state })}`);
    await ask(page, "nearby nurse");
    await page.waitForURL(/\?zip=\d{5}&place=[^&]+&radius=25&specialty=nurse/);
    await page.goto(`/?radius=25&${nurse}`);
    await page.getByRole("button", { name: "Use my location" }).click();
    await page.waitForURL("**/?lat=39.80&lng=-89.64&*specialty=nurse*");
    assert.equal((await chips(page))[0], "Near: a point on the map, 25 miles");
  });

  test("a sentence that can't be read now stays in the box, and can be sent again", async () => {
    await using reader = await visit(service.url, NARROW);
    const { context, page } = reader;
    await page.goto("/");
    await page.getByText("600 invented providers").waitFor();
    await cutOff(context);
    await ask(page, "smith");
    await page.getByText("Can’t reach the service").waitFor();
    assert.equal(await box(page).inputValue(), "smith");
    await reconnect(context);
    await page.getByRole("button", { name: "Try again" }).click();
    await page.waitForURL("**/?name=smith");
    await page
      .getByText("Can’t reach the service")
      .waitFor({ state: "detached" });
  });

  test("typing suggests, with totals; a suggestion is chosen by keyboard, and Escape closes the list", async () => {
    await using reader = await visit(service.url, NARROW);
    const { page } = reader;
    await page.goto("/");
    const list = page.getByRole("listbox", { name: "Search providers" });
    const option = list.getByRole("option", { name: /^Smith Name/ });
    await box(page).pressSequentially("smi");
    await option.waitFor();
    assert.equal(await box(page).getAttribute("aria-expanded"), "true");
    await page.keyboard.press("Escape");
    await list.waitFor({ state: "hidden" });
    assert.equal(await box(page).inputValue(), "smi");
    const answered = page.waitForResponse("**/explore/suggest?q=smit");
    await box(page).pressSequentially("t");
    await answered;
    await list.getByRole("option").first().and(option).waitFor();
    await page.keyboard.press("ArrowDown");
    await list.getByRole("option", { selected: true }).and(option).waitFor();
    assert.equal(
      await box(page).getAttribute("aria-activedescendant"),
      await option.getAttribute("id"),
    );
    await checkAxe(page, "search");
    const [, total = ""] =
      / (\d+) providers$/.exec((await option.textContent()) ?? "") ?? [];
    await page.keyboard.press("Enter");
    await page.waitForURL("**/?name=smith");
    await page.getByText(new RegExp(`(^| of )${total} providers?$`)).waitFor();
    await list.waitFor({ state: "hidden" });
    await focused(box(page));
    // The total is that of the filters with it.
    await page.goto("/?state=IL");
    await box(page).pressSequentially("smi");
    await option.waitFor();
    const [, there = ""] =
      / (\d+) providers?$/.exec((await option.textContent()) ?? "") ?? [];
    assert.ok(Number(there) < Number(total));
    await option.click();
    await page.waitForURL("**/?name=smith&state=IL");
    await page.getByText(new RegExp(`(^| of )${there} providers?$`)).waitFor();
    assert.deepEqual(reader.faults, []);
  });

  test("Enter without a suggestion reads the text, whatever suggestions do", async () => {
    await using reader = await visit(service.url, NARROW);
    const { page } = reader;
    const held = Promise.withResolvers<Route>();
    await page.route("**/explore/suggest?q=smi", (route) => {
      held.resolve(route);
    });
    await page.goto("/");
    await box(page).fill("smi");
    const late = await held.promise;
    // While one is under way, the next is refused.
    await page.route("**/explore/suggest?q=smith", (route) =>
      route.fulfill({
        status: 429,
        json: { error: { code: "rate_limited", message: "Too fast." } },
      }),
    );
    const refused = page.waitForResponse("**/explore/suggest?q=smith");
    await box(page).fill("smith");
    await refused;
    await late.continue().catch(() => undefined);
    await page.waitForLoadState("networkidle");
    assert.equal(await page.getByRole("option").count(), 0);
    await page.keyboard.press("Enter");
    await page.waitForURL("**/?name=smith");
    await page.getByText(/^\d+ providers?$| of \d+ providers$/).waitFor();
    assert.equal(await page.getByText("Too many requests").count(), 0);
  });

  test("a misspelled specialty near a missing place is offered corrected, without a total", async () => {
    await using reader = await visit(service.url, NARROW);
    const { page } = reader;
    await page.goto("/");
    await ask(page, "pediatrition near me");
    const meant = page.getByRole("list", { name: "Did you mean" });
    await meant.waitFor();
    assert.equal(
      (await meant.innerText()).trim(),
      "pediatrician within 25 miles",
    );
    await meant.getByRole("link").click();
    await page.waitForURL("**/*specialty=pediatrician*");
    await ask(page, "62701");
    await page.waitForURL("**/*zip=62701*");
    assert.ok(page.url().includes("specialty=pediatrician"));
    assert.deepEqual(reader.faults, []);
  });

  test("a search that finds no one says what may be meant", async () => {
    await using reader = await visit(service.url, NARROW);
    const { page } = reader;
    await page.goto("/?name=smitj");
    await page.getByText("No providers found").waitFor();
    const meant = page.getByRole("link", { name: "Smith" });
    await meant.waitFor();
    await checkAxe(page);
    await meant.click();
    await page.waitForURL("**/?name=smith");
    assert.deepEqual(reader.faults, []);
  });

  test("a search that finds no one leads on without some of its filters", async () => {
    await using reader = await visit(service.url, {
      viewport: { width: 320, height: 667 },
    });
    const { page } = reader;
    const { data } = await json("/explore/search?entity_type=individual");
    const [{ name, state }] = data;
    const inWords = stateName(state) ?? state;
    const query = new URLSearchParams({
      last_name: name.last,
      // Longer than a phone is wide.
      city: "nowhere".repeat(6),
      state,
    });
    await page.goto(`/?${query}`);
    await page.getByText("No providers found").waitFor();
    const meant = page.getByRole("list", { name: "Did you mean" });
    const way = meant.getByRole("link", {
      name: new RegExp(`^${name.last} in ${inWords}$`, "i"),
    });
    await way.waitFor();
    assert.equal(await page.getByText("No providers").count(), 1);
    assert.deepEqual(await tooWide(page), []);
    await checkAxeInLightAndDark(page);
    const [, total = ""] =
      new RegExp(` in ${inWords}\\s*\\((\\d+)\\)`, "i").exec(
        await meant.innerText(),
      ) ?? [];
    await way.press("Enter");
    await page.waitForURL((url) => !url.searchParams.has("city"));
    await page
      .getByText(
        new RegExp(`[–]\\d+ of ${total} providers?$|^${total} provider`),
      )
      .waitFor();
    // If no single one is enough, the link names all that it leaves out.
    const hospital = { last_name: name.last, taxonomy: "282N00000X" };
    await page.goto(
      `/?${new URLSearchParams({ ...hospital, city: "nowhere" })}`,
    );
    await page
      .getByRole("list", { name: "Search with fewer filters" })
      .getByRole("link", {
        name: new RegExp(`^All providers matching “${name.last}”$`, "i"),
      })
      .press("Enter");
    await page.waitForURL(`**/?last_name=${name.last}`);
    assert.deepEqual(reader.faults, []);
  });

  async function json(path: string) {
    return (await fetch(`${service.url}${path}`)).json();
  }
});

async function ask(page: Page, sentence: string): Promise<void> {
  await box(page).fill(sentence);
  await page.keyboard.press("Enter");
}

async function focused(control: Locator): Promise<void> {
  await control.and(control.page().locator(":focus")).waitFor();
}

/** Someone in the data whose name with the middle initial is read as one. */
async function someoneWithMiddleName(url: string): Promise<{
  readonly name: Record<"first" | "last" | "middle", string>;
  readonly typed: string;
}> {
  const get = async (path: string) => (await fetch(`${url}${path}`)).json();
  const { data } = await get("/explore/search?entity_type=individual&limit=50");
  for (const { name } of data) {
    if (!name.middle || !name.first) continue;
    const typed = `${name.first} ${name.middle[0]} ${name.last}`;
    const query = new URLSearchParams({ q: typed });
    const read = await get(`/explore/interpret?${query.toString()}`);
    const { filters } = read.data;
    if (filters.middle_initial && filters.name === `${name.first} ${name.last}`)
      return { name, typed };
  }
  throw new Error("No one has a middle name.");
}
