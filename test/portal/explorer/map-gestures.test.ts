import assert from "node:assert/strict";
import { after, suite, test } from "node:test";
import type { CDPSession, Page } from "playwright-core";
import { NO_BROWSER, visit, WIDE } from "../browser.ts";
import { openDemo } from "../portal-service.ts";
import { LAT, LNG, MAP_PATH, mapSays, showPlaces } from "./map-page.ts";

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

suite("gestures over the map", { skip: NO_BROWSER }, async () => {
  const service = await openDemo();
  after(() => service[Symbol.asyncDispose]());

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
