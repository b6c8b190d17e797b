/** How much a page's content moves without the user's doing, as browsers measure it. */

import assert from "node:assert/strict";
import type { Page } from "playwright-core";

/** Browsers' own limit for a good page is 0.1. */
const MAX_LAYOUT_SHIFT = 0.05;

/** Measures each document that the page opens from now on. */
export async function watchShifts(page: Page): Promise<void> {
  await page.addInitScript(() => {
    window.shifts = 0;
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries())
        if (Reflect.get(entry, "hadRecentInput") !== true)
          window.shifts += Number(Reflect.get(entry, "value"));
    }).observe({ type: "layout-shift", buffered: true });
  });
}

/** Fails if something has moved since the document was opened. */
export async function checkShifts(page: Page): Promise<void> {
  const shifts = await page.evaluate(() => window.shifts);
  assert.ok(shifts <= MAX_LAYOUT_SHIFT, `${page.url()}: ${shifts}`);
}

declare global {
  interface Window {
    /** The sum of all layout shifts since the document was opened. */
    shifts: number;
  }
}
