import assert from "node:assert/strict";
import { after, suite, test } from "node:test";
import {
  checkAxeInLightAndDark,
  foreignRequests,
  NO_BROWSER,
  PATHS,
  tooWide,
  visit,
} from "./browser.ts";
import { box } from "./explorer/explorer-page.ts";
import { checkShifts, watchShifts } from "./layout-shifts.ts";
import { openDemo } from "./portal-service.ts";

const FIRST_LOAD_BYTES = 120_000;

suite("the portal's pages", { skip: NO_BROWSER }, async () => {
  const service = await openDemo();
  after(() => service[Symbol.asyncDispose]());

  test("every page has a unique title, which the server sends too; nothing moves while it loads; light or dark, axe finds nothing, and there are no policy violations or requests to other hosts", async () => {
    await using reader = await visit(service.url);
    const { faults, page } = reader;
    const titles = new Set<string>();
    await watchShifts(page);
    for (const path of [...PATHS, "/nowhere"]) {
      const answer = await page.goto(path);
      await page.locator("h1").waitFor();
      await page.waitForLoadState("networkidle");
      const title = await page.title();
      const sent = (await answer?.text())?.includes(`<title>${title}</title>`);
      assert.ok(sent, `${path}: ${title}`);
      titles.add(title);
      await checkShifts(page);
      await checkAxeInLightAndDark(page);
    }
    assert.equal(titles.size, PATHS.length + 1);
    const missing = "the server responded with a status of 404";
    // The browser reports the 404 of the missing page and of the unknown NPI.
    assert.deepEqual(
      faults.filter((fault) => !fault.includes(missing)),
      [],
    );
    assert.deepEqual(foreignRequests(reader, service), []);
  });

  test("what a search of the guide finds comes without moving the page", async () => {
    await using reader = await visit(service.url);
    const { page } = reader;
    await watchShifts(page);
    await page.goto("/guide?q=limits");
    await page.locator("mark").first().waitFor();
    await page.waitForLoadState("networkidle");
    await checkShifts(page);
  });

  test("the first screen and a list of results load less than 120 KB before the map", async () => {
    for (const path of ["/", "/?page=1"]) {
      await using reader = await visit(service.url);
      await reader.page.goto(path, { waitUntil: "networkidle" });
      const { requests } = reader;
      // Its code or its answer, whichever is requested first.
      const map = requests.findIndex((request) =>
        /provider-map|explore\/map/.test(request.url()),
      );
      assert.equal(map > 0, path !== "/", "the map comes later");
      const sizes = await Promise.all(
        requests
          .slice(0, map < 0 ? requests.length : map)
          .map(async (request) => (await request.sizes()).responseBodySize),
      );
      const sum = sizes.reduce((total, size) => total + size, 0);
      assert.ok(
        sum > 20_000 && sum < FIRST_LOAD_BYTES,
        `${path}: ${sum} bytes`,
      );
    }
  });

  test("going back puts the focus on the link that was followed", async () => {
    await using reader = await visit(service.url);
    const { page } = reader;
    await page.goto("/?page=1");
    const third = page.locator("main ol a[href^='/npi/']").nth(2);
    const href = await third.getAttribute("href");
    await third.press("Enter");
    await page.waitForURL(`**${href}`);
    await page.locator("h1").waitFor();
    await page.goBack();
    await page.waitForFunction(
      (followed) => document.activeElement?.getAttribute("href") === followed,
      href,
    );
  });

  test("going back leaves the focus in the box if a user types there before the list comes", async () => {
    await using reader = await visit(service.url);
    const { page } = reader;
    await page.goto("/?page=1");
    const first = page.locator("main ol a[href^='/npi/']").first();
    const href = await first.getAttribute("href");
    await first.press("Enter");
    await page.waitForURL(`**${href}`);
    await page.reload();
    const list = Promise.withResolvers<void>();
    await page.route("**/explore/search*", async (route) => {
      await list.promise;
      await route.continue();
    });
    await page.goBack();
    // Programs that fill in a form set the focus without a key or a pointer.
    await box(page).fill("smith");
    list.resolve();
    await first.waitFor();
    await page.evaluate(
      () => new Promise((resolve) => requestAnimationFrame(resolve)),
    );
    await page.keyboard.press("Enter");
    await page.waitForURL("**/?name=smith");
  });

  test("a chosen theme stays, whatever the system's is", async () => {
    await using reader = await visit(service.url, { colorScheme: "light" });
    const { page } = reader;
    await page.goto("/guide");
    // Otherwise the first paint would use the system's colors.
    assert.equal(await page.locator('script[blocking="render"]').count(), 1);
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

  test("an unknown path has a page, with status 404 and the explorer's box", async () => {
    await using reader = await visit(service.url);
    const { page } = reader;
    await watchShifts(page);
    const answer = await page.goto("/no/such/page");
    assert.equal(answer?.status(), 404);
    await page.getByRole("heading", { name: "Page not found" }).waitFor();
    await box(page).waitFor();
    await checkShifts(page);
    await page.getByRole("link", { name: "guide", exact: true }).click();
    await page.waitForURL("**/guide");
    await page.goBack();
    await box(page).fill("smith");
    await page.keyboard.press("Enter");
    await page.waitForURL("**/?name=smith");
  });

  test("on a phone all of the service's name is shown, a long one on more lines", async () => {
    await using reader = await visit(service.url, {
      viewport: { width: 320, height: 640 },
    });
    const { page } = reader;
    await page.goto("/guide");
    const name = page.getByRole("banner").getByRole("link").first();
    for (const text of [
      null,
      "Directory of the Physicians and Hospitals of Northern Exampleshire",
      "Gesundheitsdienstleisterverzeichnis",
    ]) {
      await name.evaluate((link, long) => {
        if (long !== null) link.textContent = long;
      }, text);
      const cut = await name.evaluate(
        ({ clientWidth, scrollWidth }) => scrollWidth - clientWidth,
      );
      assert.ok(cut <= 0, `${text}: ${cut}`);
      assert.deepEqual(await tooWide(page, []), []);
      const menu = page.getByRole("button", { name: "Menu" });
      assert.ok((await menu.boundingBox())!.x < 320);
    }
  });

  test("on a phone the header is one line, with the pages in a menu", async () => {
    await using reader = await visit(service.url, {
      viewport: { width: 320, height: 640 },
    });
    const { page } = reader;
    await page.goto("/guide");
    const header = page.getByRole("banner");
    await header.waitFor();
    const size = await header.boundingBox();
    assert.ok(size !== null && size.height < 60, `${size?.height}`);
    const menu = header.getByRole("button", { name: "Menu" });
    const links = header.getByRole("navigation").getByRole("link");
    assert.equal(await links.count(), 0);
    await menu.press("Enter");
    assert.equal(await menu.getAttribute("aria-expanded"), "true");
    assert.deepEqual(await links.allInnerTexts(), [
      "Explorer",
      "Guide",
      "Reference",
      "Sign in",
      "Get an API key",
    ]);
    await checkAxeInLightAndDark(page);
    assert.deepEqual(await tooWide(page, []), []);
    await page.keyboard.press("Tab");
    await page.keyboard.press("Escape");
    assert.equal(await links.count(), 0);
    assert.ok(await menu.evaluate((each) => each === document.activeElement));
    await menu.press("Enter");
    await links.filter({ hasText: "Reference" }).click();
    await page.waitForURL("**/reference");
    assert.equal(await links.count(), 0);
    assert.deepEqual(reader.faults, []);
  });
});
