import type { Browser } from "playwright-core";
import { pageTasks, TRACED, type PageTask } from "./page-tasks.ts";

/** After it, nothing larger comes, and the map is drawn. */
const SETTLED_MS = 3_000;
/** The map's code: what is loaded after it doesn't delay the page. */
const MAP_CODE = /provider-map|maplibre/;

/** What a user's browser saw of a page. Times in milliseconds since the navigation began. */
export interface PageView extends PagePaints {
  /** What was sent before the map's code, in bytes, without headers. */
  readonly bytes: number;
  readonly tasks: readonly PageTask[];
}

interface PagePaints {
  readonly firstPaint: number;
  /** The largest contentful paint, and the element that it drew. */
  readonly largest: { readonly at: number; readonly element: string };
  /** Cumulative layout shift, and the elements that moved. */
  readonly shift: {
    readonly score: number;
    readonly elements: readonly string[];
  };
}

/** Text: it runs in the page. */
const WATCH = `new Promise((resolve) => {
  const view = {
    largest: { at: 0, element: "nothing" },
    shift: { score: 0, elements: [] },
  };
  const watch = (type, add) =>
    new PerformanceObserver((list) => list.getEntries().forEach(add))
      .observe({ type, buffered: true });
  const name = (node) => {
    const element = node instanceof Element ? node : node?.parentElement;
    if (element == null) return "nothing";
    const label = element.getAttribute("aria-label") ?? element.textContent;
    return element.localName + ' "' + label.trim().slice(0, 40) + '"';
  };
  watch("largest-contentful-paint", ({ element, startTime }) => {
    view.largest = { at: startTime, element: name(element) };
  });
  watch("layout-shift", ({ hadRecentInput, sources, value }) => {
    if (hadRecentInput) return;
    view.shift.score += value;
    view.shift.elements.push(...sources.map(({ node }) => name(node)));
  });
  setTimeout(() => {
    const [paint] = performance.getEntriesByName("first-contentful-paint");
    resolve({ ...view, firstPaint: paint?.startTime ?? 0 });
  }, ${SETTLED_MS});
})`;

/** Opens an address in a window with an empty cache. */
export async function viewPage(
  browser: Browser,
  address: string,
): Promise<PageView> {
  await using context = await browser.newContext({
    viewport: { width: 1_280, height: 800 },
  });
  const page = await context.newPage();
  const sizes: Promise<number>[] = [];
  let isMap = false;
  page.on("requestfinished", (request) => {
    isMap ||= MAP_CODE.test(request.url());
    if (!isMap)
      sizes.push(
        request.sizes().then(({ responseBodySize }) => responseBodySize),
      );
  });
  await browser.startTracing(page, { categories: TRACED });
  await page.goto(address);
  const paints = await page.evaluate<PagePaints>(WATCH);
  const tasks = pageTasks(await browser.stopTracing());
  const bytes = (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
  return { ...paints, bytes, tasks };
}
