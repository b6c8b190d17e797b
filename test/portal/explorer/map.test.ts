import assert from "node:assert/strict";
import { after, suite, test } from "node:test";
import type { MapRow } from "../../../src/contract/explorer/map.ts";
import { checkAxe, NO_BROWSER, visit, WIDE } from "../browser.ts";
import { openDemo } from "../portal-service.ts";
import { checkShifts, watchShifts } from "../layout-shifts.ts";
import {
  corners,
  LAT,
  LNG,
  MAP_PATH,
  mapSays,
  showPlaces,
} from "./map-page.ts";

/** Of `tokens.css` and `map.module.css`. */
const COLORS = {
  light: { surface: [244, 246, 248], land: [252, 251, 249] },
  dark: { surface: [29, 35, 41], land: [35, 42, 49] },
};
/** A neighboring ZIP, in degrees of longitude. */
const NEIGHBOR = 0.02;

suite("the map", { skip: NO_BROWSER }, async () => {
  const service = await openDemo();
  after(() => service[Symbol.asyncDispose]());

  test("a cluster opens on a click, and the map stays there on the list's next page", async () => {
    await using reader = await visit(service.url, WIDE);
    const { page, requests } = reader;
    await showPlaces(page, [
      ["62701", LAT, LNG - NEIGHBOR, 3],
      ["62702", LAT, LNG + NEIGHBOR, 4],
    ]);
    await page.goto(MAP_PATH);
    await mapSays(page, "Map: 7 providers in 1 circle");
    const counties = () =>
      requests.some((request) => request.url().includes("/counties-"));
    assert.equal(counties(), false);
    await page.locator("canvas").click();
    await mapSays(page, "Map: 7 providers in 2 circles");
    assert.ok(counties());
    await page.getByRole("link", { name: "Next" }).click();
    await page.getByText(/^26–50 of/).waitFor();
    await mapSays(page, "Map: 7 providers in 2 circles");
    assert.deepEqual(reader.faults, []);
  });

  test("until its land is drawn, the map doesn't look like water", async () => {
    for (const colorScheme of ["light", "dark"] as const) {
      await using reader = await visit(service.url, { ...WIDE, colorScheme });
      const { page } = reader;
      await watchShifts(page);
      const loaded = Promise.withResolvers<void>();
      await page.route("**/states-*", async (route) => {
        await loaded.promise;
        await route.continue();
      });
      await showPlaces(page, [["62701", LAT, LNG, 3]]);
      await page.goto(MAP_PATH);
      await page.getByRole("button", { name: "Zoom in" }).waitFor();
      const panel = page.locator("section", { has: page.locator("canvas") });
      const { surface, land } = COLORS[colorScheme];
      assert.deepEqual((await corners(panel))[0], surface);
      loaded.resolve();
      await mapSays(page, "Map: 3 providers in 1 circle");
      assert.deepEqual((await corners(panel))[0], land);
      await checkShifts(page);
      assert.deepEqual(reader.faults, []);
    }
  });

  test("in a window of another size the map still shows all points, until the user moves it", async () => {
    await using reader = await visit(service.url, WIDE);
    const { page } = reader;
    await showPlaces(page, [
      ["62701", LAT - 4, LNG, 3],
      ["62702", LAT + 4, LNG, 4],
    ]);
    await page.goto(MAP_PATH);
    await mapSays(page, "Map: 7 providers in 2 circles");
    await page.setViewportSize({ width: 1_280, height: 500 });
    await mapSays(page, "Map: 7 providers in 2 circles");
    const zoomIn = page.getByRole("button", { name: "Zoom in" });
    for (let turn = 0; turn < 2; turn++) await zoomIn.click();
    await mapSays(page, "Map: 0 providers in 0 circles");
    await page.setViewportSize(WIDE.viewport);
    await page.getByRole("link", { name: "Search this area" }).waitFor();
    await mapSays(page, "Map: 0 providers in 0 circles");
    assert.deepEqual(reader.faults, []);
  });

  test("ZIPs with the same center are one point, which lists each", async () => {
    await using reader = await visit(service.url, WIDE);
    const { page } = reader;
    await showPlaces(page, [
      ["62701", LAT, LNG, 1],
      ["62702", LAT, LNG, 4],
    ]);
    await page.goto(MAP_PATH);
    await mapSays(page, "Map: 5 providers in 1 circle");
    await page.locator("canvas").click();
    await page.getByText("5 providers in ZIP 62701, 62702").waitFor();
    await page.getByRole("link", { name: "See all in 62702 (4)" }).waitFor();
    await page.getByRole("link", { name: "See all in 62701 (1)" }).waitFor();
  });

  test("a point names who is there, and leads to all in its ZIP", async () => {
    await using reader = await visit(service.url, WIDE);
    const { page } = reader;
    await page.goto("/?state=IL");
    const canvas = page.locator("canvas[aria-label^='Map: ']");
    await canvas.waitFor();
    const { data } = await (
      await page.request.get("/explore/map/search?state=IL")
    ).json();
    const [zip, lat, lng, count] = data.find(
      ([, , , providers]: MapRow) => providers > 1,
    );
    await showPlaces(page, [[zip, lat, lng, count]]);
    await page.goto(`/?state=IL&status=active`);
    // Drawn with its point, not only with land.
    await page
      .locator(`canvas[aria-label^="Map: ${count} provider"]`)
      .waitFor();
    await canvas.focus();
    await page.keyboard.press("Enter");
    const card = page.getByRole("status").filter({ hasText: `in ZIP ${zip}` });
    await card.getByRole("listitem").first().getByRole("link").waitFor();
    await card
      .getByRole("link", { name: `See all in ${zip} (${count})` })
      .click();
    await page.waitForURL((url) => url.searchParams.get("zip") === zip);
    assert.deepEqual(reader.faults, []);
  });

  test("after moving the map, its area can be searched", async () => {
    await using reader = await visit(service.url, WIDE);
    const { page } = reader;
    await showPlaces(page, [["62701", LAT, LNG, 3]]);
    await page.goto("/?state=IL&specialty=nurse");
    await mapSays(page, "Map: 3 providers in 1 circle");
    const button = page.getByRole("link", { name: "Search this area" });
    assert.equal(await button.count(), 0);
    await page.locator("canvas").focus();
    await page.keyboard.press("ArrowRight");
    await button.click();
    await page.waitForURL((url) => url.searchParams.has("radius"));
    const { searchParams } = new URL(page.url());
    assert.equal(searchParams.get("specialty"), "nurse");
    assert.ok(Number(searchParams.get("radius")) < 100);
    assert.ok(Number(searchParams.get("lng")) > LNG);
    // Not the user's location.
    await page.getByText(/^a point on the map, \d/).waitFor();
  });

  test("an area too large to search says so", async () => {
    await using reader = await visit(service.url, WIDE);
    const { page } = reader;
    await showPlaces(page, [
      ["90001", 34, -118, 3],
      ["10001", 40.7, -74, 4],
    ]);
    await page.goto("/?page=1");
    await mapSays(page, "Map: 7 providers in 2 circles");
    await page.locator("canvas").focus();
    await page.keyboard.press("ArrowRight");
    await page.getByText(/^Too large an area to search: zoom in/).waitFor();
    assert.equal(
      await page.getByRole("link", { name: "Search this area" }).count(),
      0,
    );
  });

  test("groups of ZIPs become ZIPs when the map is closer", async () => {
    await using reader = await visit(service.url, WIDE);
    const { page } = reader;
    await page.route("**/explore/map/search?*", (route) => {
      const isPart = new URL(route.request().url()).searchParams.has("bounds");
      return route.fulfill({
        json: {
          data: isPart
            ? [
                ["62701", LAT, LNG, 3],
                ["62702", LAT, LNG + 20 * NEIGHBOR, 4],
              ]
            : [["627", LAT, LNG, 7]],
          meta: { total: 7, grouped_by: isPart ? "zip" : "zip3" },
        },
      });
    });
    await page.goto("/?state=IL");
    await mapSays(page, "Map: 7 providers in 1 circle");
    await page.locator("canvas").focus();
    await page.keyboard.press("Enter");
    await page
      .locator(
        "canvas[aria-label$='in 2 circles'], canvas[aria-label^='Map: 3 ']",
      )
      .waitFor();
  });

  test("an entry and its point mark each other", async () => {
    await using reader = await visit(service.url, WIDE);
    const { page } = reader;
    await page.goto("/?state=IL&entity_type=organization");
    const first = page.getByRole("listitem").filter({ hasText: "NPI" }).first();
    await page.locator("canvas[aria-label^='Map: ']").waitFor();
    const before = await page.locator("canvas").screenshot();
    await first.getByRole("link").first().focus();
    await page.waitForTimeout(1_000);
    assert.notDeepEqual(await page.locator("canvas").screenshot(), before);
  });

  test("ZIPs too near to each other to be separated are listed together", async () => {
    await using reader = await visit(service.url, WIDE);
    const { page } = reader;
    await showPlaces(page, [
      ["62701", LAT, LNG, 3],
      ["62702", LAT, LNG + NEIGHBOR / 100, 4],
    ]);
    await page.goto(MAP_PATH);
    await mapSays(page, "Map: 7 providers in 1 circle");
    await page.locator("canvas").focus();
    await page.keyboard.press("Enter");
    await page.getByText("7 providers in ZIP 62701, 62702").waitFor();
  });

  test("without WebGL a sentence is there instead of the map, and the map can be hidden", async () => {
    await using reader = await visit(service.url, WIDE);
    const { page, requests } = reader;
    await page.addInitScript(() => {
      HTMLCanvasElement.prototype.getContext = () => null;
    });
    await page.goto("/?page=1");
    const sentence = page.getByText(/^This browser can’t draw the map/);
    await sentence.waitFor();
    await page.getByText("of 600 providers").waitFor();
    await checkAxe(page);
    assert.equal(await page.locator("canvas").count(), 0);
    assert.ok(requests.every((each) => !each.url().includes("provider-map")));
    await page.getByRole("button", { name: "Hide map" }).click();
    await sentence.waitFor({ state: "detached" });
    await page.getByRole("button", { name: "Show map" }).click();
    await sentence.waitFor();
  });

  test("tiles are shown with their attribution, as text", async () => {
    await using reader = await visit(service.url, WIDE);
    const { page } = reader;
    await page.route("**/portal.json", async (route) => {
      const response = await route.fetch();
      const { data } = await response.json();
      const facts = {
        ...data,
        tile_url: `${service.url}/tiles/{z}/{x}/{y}.png`,
        tile_attribution: "© Example <b>& others</b>",
      };
      await route.fulfill({ response, json: { data: facts, meta: {} } });
    });
    let tiles = 0;
    await page.route("**/tiles/**", (route) => {
      tiles += 1;
      return route.fulfill({ status: 204 });
    });
    await page.goto("/?page=1");
    await page.getByText("© Example <b>& others</b>").waitFor();
    await page.locator("canvas[aria-label]").waitFor();
    assert.ok(tiles > 0);
  });
});
