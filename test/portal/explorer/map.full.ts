import assert from "node:assert/strict";
import { after, suite, test } from "node:test";
import type { MapRow } from "../../../src/contract/explorer/map.ts";
import { checkAxe, NO_BROWSER, visit, WIDE } from "../browser.ts";
import { openDemo } from "../portal-service.ts";
import { checkShifts, watchShifts } from "../layout-shifts.ts";
import { until } from "../../support/pure/until.ts";
import {
  corners,
  LAT,
  LNG,
  MAP_PATH,
  mapSays,
  showPlaces,
} from "./map-page.ts";
import type { CDPSession, Page } from "playwright-core";

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
    await until("the point to be marked", async () => {
      const now = await page.locator("canvas").screenshot();
      return !now.equals(before);
    });
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
    const more = page.getByRole("button", { name: "More" });
    await more.click();
    await page.getByRole("button", { name: "Hide map" }).click();
    await sentence.waitFor({ state: "detached" });
    await more.click();
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

  test("the wheel scrolls the page over the map until the map is clicked", async () => {
    await using reader = await visit(service.url, WIDE);
    const { page } = reader;
    await showPlaces(page, [["62701", LAT, LNG, 3]]);
    await page.goto(MAP_PATH);
    await mapSays(page, "Map: 3 providers in 1 circle");
    const canvas = page.locator("canvas");
    await canvas.hover({ position: { x: 60, y: 100 } });
    await page.mouse.wheel(0, 100);
    await page.waitForFunction(() => scrollY > 50);
    assert.equal(await page.locator(".maplibregl-show").count(), 0);
    await canvas.click({ position: { x: 60, y: 200 } });
    const before = await page.evaluate(() => scrollY);
    // Closer, there are counties.
    const zoomed = page.waitForRequest("**/counties-*");
    for (let turn = 0; turn < 6; turn++) await page.mouse.wheel(0, -400);
    await zoomed;
    assert.equal(await page.evaluate(() => scrollY), before);
    assert.deepEqual(reader.faults, []);
  });

  test("the wheel with Ctrl zooms the map, and neither scrolls nor zooms the page", async () => {
    await using reader = await visit(service.url, WIDE);
    const { page } = reader;
    await openMap(page);
    const before = await pageState(page);
    await page.locator("canvas").hover();
    await page.keyboard.down("Control");
    for (let turn = 0; turn < 8; turn++) await page.mouse.wheel(0, -300);
    await page.keyboard.up("Control");
    await zoomsIn(page);
    assert.deepEqual(await pageState(page), before);
    assert.deepEqual(reader.faults, []);
  });

  test("buttons and keys zoom the map", async () => {
    await using reader = await visit(service.url, WIDE);
    const { page } = reader;
    await openMap(page);
    const button = (name: string) => page.getByRole("button", { name });
    for (let turn = 0; turn < 3; turn++) await button("Zoom in").click();
    await mapSays(page, APART);
    for (let turn = 0; turn < 3; turn++) await button("Zoom out").click();
    await mapSays(page, TOGETHER);
    await page.locator("canvas").focus();
    await page.keyboard.press("Shift+Equal");
    await mapSays(page, APART);
    await page.keyboard.press("Shift+Minus");
    await mapSays(page, TOGETHER);
    assert.deepEqual(reader.faults, []);
  });

  test("one finger scrolls the page, two move and zoom the map, without a notice", async () => {
    await using reader = await visit(service.url, PHONE);
    const { context, page } = reader;
    await showPlaces(page, NEIGHBORS);
    // So near that its area can be searched.
    await page.goto(`/?lat=${LAT}&lng=${LNG}&radius=150`);
    await page.getByText("Map", { exact: true }).tap();
    await mapSays(page, TOGETHER);
    const fingers = await context.newCDPSession(page);
    const moved = page.getByRole("link", { name: "Search this area" });
    const start = await middleOf(page);
    const settled = page.evaluate(
      () =>
        new Promise<number>((resolve) => {
          addEventListener("scrollend", () => resolve(scrollY), { once: true });
        }),
    );
    await slide(fingers, [{ from: start, by: { x: 0, y: -150 } }]);
    assert.ok((await settled) > 100);
    assert.equal(await page.locator(".maplibregl-show").count(), 0);
    assert.equal(await moved.count(), 0);
    await mapSays(page, TOGETHER);
    const before = await pageState(page);
    const { x, y } = await middleOf(page);
    const by = { x: 60, y: 40 };
    await slide(fingers, [
      { from: { x: x - 40, y }, by },
      { from: { x: x + 40, y }, by },
    ]);
    await moved.waitFor();
    await slide(fingers, [
      { from: { x: x - 20, y }, by: { x: -100, y: 0 } },
      { from: { x: x + 20, y }, by: { x: 100, y: 0 } },
    ]);
    await zoomsIn(page);
    assert.deepEqual(await pageState(page), before);
    assert.deepEqual(reader.faults, []);
  });
});

/** Two ZIPs that are one circle until the map is closer. */
const NEIGHBORS = [
  ["62701", LAT, LNG - 0.3, 3],
  ["62702", LAT, LNG + 0.3, 4],
] as const;
const TOGETHER = "Map: 7 providers in 1 circle";
const APART = "Map: 7 providers in 2 circles";
const PHONE = { viewport: { width: 390, height: 700 }, hasTouch: true };
const STEPS = 10;

/** A place in the window, in pixels. */
interface Place {
  readonly x: number;
  readonly y: number;
}

async function openMap(page: Page): Promise<void> {
  await showPlaces(page, NEIGHBORS);
  await page.goto(MAP_PATH);
  await mapSays(page, TOGETHER);
}

/** Waits until the places of `openMap` are apart, or left behind: how far a gesture zooms depends on its speed. */
async function zoomsIn(page: Page): Promise<void> {
  await page.locator("canvas:not([aria-label$='in 1 circle'])").waitFor();
}

/** How far the page is scrolled, and how much the browser enlarges it. */
function pageState(page: Page): Promise<readonly unknown[]> {
  return page.evaluate(() => [
    scrollY,
    devicePixelRatio,
    visualViewport?.scale,
  ]);
}

/** The middle of the part of the map that is in the window. */
async function middleOf(page: Page): Promise<Place> {
  const box = await page.locator("canvas").boundingBox();
  assert.ok(box !== null);
  const top = Math.max(0, box.y);
  const bottom = Math.min(PHONE.viewport.height, box.y + box.height);
  return { x: box.x + box.width / 2, y: (top + bottom) / 2 };
}

/** Puts fingers on the screen, slides them in small steps, and lifts them. */
async function slide(
  session: CDPSession,
  fingers: readonly { readonly from: Place; readonly by: Place }[],
): Promise<void> {
  const touch = (
    type: "touchStart" | "touchMove" | "touchEnd",
    touchPoints: Place[],
  ) => session.send("Input.dispatchTouchEvent", { type, touchPoints });
  const touchesAt = (step: number) =>
    fingers.map(({ by, from }) => ({
      x: from.x + (by.x * step) / STEPS,
      y: from.y + (by.y * step) / STEPS,
    }));
  await touch("touchStart", touchesAt(0));
  for (let step = 1; step <= STEPS; step++)
    await touch("touchMove", touchesAt(step));
  await touch("touchEnd", []);
}
