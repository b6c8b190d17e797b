/** What tests of the map do to its page. */

import type { Page } from "playwright-core";

/** The center of the circle of `MAP_PATH`, and so of the map. */
export const [LAT, LNG] = [39.8, -89.65];
export const MAP_PATH = `/?lat=${LAT}&lng=${LNG}&radius=300`;

/** Puts these ZIPs on the map, whatever the results. */
export async function showPlaces(
  page: Page,
  rows: readonly (readonly [string, number, number, number])[],
): Promise<void> {
  await page.route("**/explore/map/*", (route) =>
    route.fulfill({
      json: { data: rows, meta: { total: 600 } },
    }),
  );
}

/** Waits until the map is idle and has this label. */
export async function mapSays(page: Page, label: string): Promise<void> {
  await page.locator(`canvas[aria-label="${label}"]`).waitFor();
}
