import assert from "node:assert/strict";
import { after, before, suite, test } from "node:test";
import { PAGE_PATHS } from "../../src/site/page-paths.ts";
import {
  checkAxe,
  foreignRequests,
  NO_BROWSER,
  startDemo,
  visit,
  type PortalService,
} from "./browser.ts";

const PATHS = Object.values(PAGE_PATHS).map((path) =>
  path.replace(":npi", "1234567893").replace(":page", "errors"),
);
const FIRST_LOAD_BYTES = 200_000;

suite("the portal's pages", { skip: NO_BROWSER }, () => {
  let service: PortalService;
  before(async () => {
    service = await startDemo();
  });
  after(() => service[Symbol.asyncDispose]());

  for (const colorScheme of ["light", "dark"] as const) {
    test(`axe finds nothing on any page (${colorScheme}), none violates the policy, and none asks another host`, async () => {
      await using reader = await visit(service.url, { colorScheme });
      const { faults, page } = reader;
      for (const path of [...PATHS, "/nowhere"]) {
        await page.goto(path);
        await page.locator("h1").waitFor();
        await page.waitForLoadState("networkidle");
        await checkAxe(page);
      }
      const missing = "the server responded with a status of 404";
      // The browser itself reports the page that is not there, and the NPI that nobody has.
      assert.deepEqual(
        faults.filter((fault) => !fault.includes(missing)),
        [],
      );
      assert.deepEqual(foreignRequests(reader, service), []);
    });
  }

  test("every page has a title of its own", async () => {
    await using reader = await visit(service.url);
    const titles = new Set<string>();
    for (const path of Object.values(PAGE_PATHS)) {
      if (path === PAGE_PATHS["guide-page"]) continue;
      await reader.page.goto(path.replace(":npi", "1234567893"));
      await reader.page.locator("h1").waitFor();
      titles.add(await reader.page.title());
    }
    assert.equal(titles.size, Object.keys(PAGE_PATHS).length - 1);
  });

  test("what / loads before anything else is under 200 KB", async () => {
    await using reader = await visit(service.url);
    await reader.page.goto("/", { waitUntil: "networkidle" });
    const sizes = await Promise.all(
      reader.requests
        .filter((request) => !/\/explore\//.test(request.url()))
        .map(async (request) => (await request.sizes()).responseBodySize),
    );
    const sum = sizes.reduce((total, size) => total + size, 0);
    assert.ok(sum > 20_000 && sum < FIRST_LOAD_BYTES, `${sum} bytes`);
  });

  test("the explorer finds providers by name, and the back button shows what was shown before", async () => {
    await using reader = await visit(service.url);
    const { page } = reader;
    await page.goto("/");
    await page.getByText("600 providers").waitFor();
    await page.getByRole("searchbox").fill("smith");
    await page.keyboard.press("Enter");
    await page.waitForURL("**/?name=smith");
    await page.getByText(/^[1-9][0-9]? providers$/).waitFor();
    await page.getByRole("listitem").getByRole("link").first().click();
    await page.waitForURL("**/npi/*");
    const heading = page.getByRole("heading", { level: 1 });
    await heading.waitFor();
    assert.ok(await heading.evaluate((h1) => h1 === document.activeElement));
    await page.goBack();
    await page.waitForURL("**/?name=smith");
    await page.getByText(/^[1-9][0-9]? providers$/).waitFor();
    assert.equal(await page.getByRole("searchbox").inputValue(), "smith");
    await page.goBack();
    await page.getByText("600 providers").waitFor();
    await page.goForward();
    await page.waitForURL("**/?name=smith");
    assert.deepEqual(reader.faults, []);
  });

  test("going back comes to the place that was read", async () => {
    await using reader = await visit(service.url, {
      viewport: { width: 400, height: 500 },
    });
    const { page } = reader;
    await page.goto("/");
    await page.getByText("600 providers").waitFor();
    await page.getByRole("link", { name: "Next" }).scrollIntoViewIfNeeded();
    const place = await page.evaluate(
      () => new Promise((seen) => setTimeout(() => seen(scrollY), 300)),
    );
    assert.ok(Number(place) > 100);
    await page.getByRole("link", { name: "Next" }).click();
    await page.waitForURL("**/?page=2");
    await page.goBack();
    await page.waitForFunction((at) => scrollY === at, place);
  });

  test("the specialty is chosen by keyboard among suggestions with their counts", async () => {
    await using reader = await visit(service.url);
    const { page } = reader;
    await page.goto("/");
    const specialty = page.getByRole("combobox", { name: "Specialty" });
    await specialty.pressSequentially("nurs");
    const list = page.getByRole("listbox", { name: "Specialty" });
    const first = list.getByRole("option").first();
    await first.waitFor();
    assert.match((await first.textContent()) ?? "", /Nurs.*[0-9]+$/);
    await page.keyboard.press("ArrowDown");
    assert.equal(await first.getAttribute("aria-selected"), "true");
    await checkAxe(page, "search");
    await page.keyboard.press("Enter");
    await list.waitFor({ state: "hidden" });
    assert.match(await specialty.inputValue(), /Nurs/);
    await page.keyboard.press("Enter");
    await page.waitForURL(/\?specialty=/);
    await page.getByText(/^[1-9][0-9]* providers$/).waitFor();
  });

  test("the request behind a view is shown in three languages, and the dialog gives the focus back", async () => {
    await using reader = await visit(service.url);
    const { page } = reader;
    await page.goto("/?name=smith");
    const open = page.getByRole("button", { name: "API request" });
    await open.click();
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
      await open.evaluate((button) => button === document.activeElement),
    );
    assert.deepEqual(reader.faults, []);
  });

  test("a chosen colour stays, whatever the system has", async () => {
    await using reader = await visit(service.url, { colorScheme: "light" });
    const { page } = reader;
    await page.goto("/guide");
    const color = () =>
      page.evaluate(
        () => getComputedStyle(document.documentElement).backgroundColor,
      );
    const light = await color();
    await page.getByRole("radio", { name: "Dark" }).check();
    const dark = await color();
    assert.notEqual(dark, light);
    await page.reload();
    await page.getByRole("radio", { name: "Dark" }).waitFor();
    assert.equal(await color(), dark);
  });

  test("what is not there is a page of its own, with the status 404", async () => {
    await using reader = await visit(service.url);
    const answer = await reader.page.goto("/no/such/page");
    assert.equal(answer?.status(), 404);
    await reader.page
      .getByRole("heading", { name: "Page not found" })
      .waitFor();
    await reader.page.getByRole("link", { name: "guide", exact: true }).click();
    await reader.page.waitForURL("**/guide");
  });
});
