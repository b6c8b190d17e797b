/**
 * How soon does a user see the explorer? Opens `/` in a browser with an empty cache, and prints the largest contentful
 * paint and what was loaded before the map's code. The floor, in the same run: the first paint of a page of the same
 * service that is only text (`/v1/status`).
 *
 *   node bench/portal.ts [data folder] [rounds]
 */
import type { Browser } from "playwright-core";
import { openChromium } from "../test/portal/chromium.ts";
import { installOver } from "./load/installation.ts";
import { ServerProcess } from "./load/server-process.ts";

/** After it, nothing larger comes. */
const SETTLED_MS = 1_500;

/** Times in milliseconds since the navigation began. Text: it runs in the page. */
const PAINTS = `new Promise((resolve) => {
  const times = { first: 0, largest: 0 };
  new PerformanceObserver((list) => {
    for (const { startTime } of list.getEntries()) times.largest = startTime;
  }).observe({ type: "largest-contentful-paint", buffered: true });
  setTimeout(() => {
    times.first = performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? 0;
    resolve(times);
  }, ${SETTLED_MS});
})`;

interface Paints {
  readonly first: number;
  readonly largest: number;
}

const [dataDir = "data", rounds = "7"] = process.argv.slice(2);
using installation = await installOver(dataDir);
await using service = await ServerProcess.program(
  ["serve", "--data-dir", installation.dataDir, "--port", "0"],
  { EXPLORER: "open", EXPLORER_BURST: "1000", LOG_LEVEL: "warn" },
);
const browser = await openChromium();
if (typeof browser === "string") throw new Error(browser);
try {
  // The first one of each finds nothing warm in the service.
  await open(browser, "/");
  const floors: number[] = [];
  const paints: number[] = [];
  let bytes = 0;
  for (let round = 0; round < Number(rounds); round++) {
    floors.push((await open(browser, "/v1/status")).paints.first);
    const opened = await open(browser, "/");
    paints.push(opened.paints.largest);
    bytes = opened.bytes;
  }
  console.log(`floor, first paint of a text: ${spread(floors)}`);
  console.log(`largest contentful paint of /: ${spread(paints)}`);
  console.log(`loaded before the map's code: ${(bytes / 1e3).toFixed(0)} KB`);
} finally {
  await browser.close();
}

async function open(
  inside: Browser,
  path: string,
): Promise<{ readonly paints: Paints; readonly bytes: number }> {
  await using context = await inside.newContext({
    viewport: { width: 1_280, height: 800 },
  });
  const page = await context.newPage();
  const sizes: Promise<number>[] = [];
  let isMap = false;
  page.on("requestfinished", (request) => {
    isMap ||= request.url().includes("provider-map");
    if (!isMap)
      sizes.push(
        request.sizes().then(({ responseBodySize }) => responseBodySize),
      );
  });
  await page.goto(`${service.url}${path}`);
  const paints = await page.evaluate<Paints>(PAINTS);
  const bytes = (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
  return { paints, bytes };
}

function ms(time = 0): string {
  return `${time.toFixed(0)} ms`;
}

function spread(times: readonly number[]): string {
  const sorted = [...times].sort((a, b) => a - b);
  return `median ${ms(sorted[Math.floor(sorted.length / 2)])}, slowest ${ms(sorted.at(-1))}`;
}
