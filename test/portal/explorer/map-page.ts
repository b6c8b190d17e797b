/** What tests of the map do to its page. */

import type { Locator, Page } from "playwright-core";

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

/** The most frequent colors in the upper corners of a picture of the map, outside of the circle of `MAP_PATH`. */
export async function corners(map: Locator): Promise<number[][]> {
  const picture = await map.screenshot();
  return map.page().evaluate(async (base64) => {
    const bytes = Uint8Array.from(atob(base64), (each) => each.charCodeAt(0));
    const image = await createImageBitmap(new Blob([bytes]));
    const canvas = new OffscreenCanvas(image.width, image.height);
    const context = canvas.getContext("2d");
    context?.drawImage(image, 0, 0);
    return [20, image.width - 80].map((x) => {
      const { data } = context?.getImageData(x, 20, 40, 40) ?? { data: [] };
      const counts = new Map<string, number>();
      for (let at = 0; at < data.length; at += 4) {
        const color = data.slice(at, at + 3).join(" ");
        counts.set(color, (counts.get(color) ?? 0) + 1);
      }
      const [[most] = [""]] = [...counts].toSorted(([, a], [, b]) => b - a);
      return most.split(" ").map(Number);
    });
  }, picture.toString("base64"));
}
