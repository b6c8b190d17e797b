/**
 * How soon does a user see the pages, and what is loaded for them? Opens each in a browser with an empty cache, and
 * prints the largest contentful paint with its element, layout shifts, the longest tasks of the main thread and what
 * took them, and what was sent before the map's code. The floor, in the same run: the first paint of a page of the same
 * service that is only text (`/v1/status`).
 *
 * A task's processor time is its share of the page's own work. On machines without a graphics processor, a task also
 * waits while the map is drawn in software.
 *
 *   node_modules/.bin/node bench/portal.ts [data folder] [rounds]
 */
import { openChromium } from "../test/portal/chromium.ts";
import { installOver } from "./load/installation.ts";
import { ServerProcess } from "./load/server-process.ts";
import { median } from "./support/median.ts";
import { viewPage, type PageView } from "./support/page-view.ts";

/** Users notice a longer task when they type or click. */
const LONG_MS = 50;
const SHOWN_TASKS = 4;

const [dataDir = "data", rounds = "7"] = process.argv.slice(2);
using installation = await installOver(dataDir);
await using service = await ServerProcess.program(
  ["serve", "--data-dir", installation.dataDir, "--port", "0"],
  { EXPLORER: "open", EXPLORER_BURST: "1000", LOG_LEVEL: "warn" },
);
const addresses = [
  "/",
  "/?name=smith&state=CA",
  "/?zip=60601&radius=10&specialty=nurse",
  `/npi/${await exampleNpi()}`,
];
const browser = await openChromium({ isOptimizing: true });
if (typeof browser === "string") throw new Error(browser);
try {
  const open = (path: string) => viewPage(browser, `${service.url}${path}`);
  // The first one of each finds nothing warm in the service.
  for (const path of addresses) await open(path);
  const floors: number[] = [];
  const seen = new Map<string, PageView[]>(addresses.map((path) => [path, []]));
  for (let round = 0; round < Number(rounds); round++) {
    floors.push((await open("/v1/status")).firstPaint);
    for (const [path, views] of seen) views.push(await open(path));
  }
  console.log(`floor, first paint of a text: ${spread(floors)}`);
  for (const [path, views] of seen) print(path, views);
} finally {
  await browser.close();
}

/** The NPI that the pages show as their example. */
async function exampleNpi(): Promise<string> {
  const answer = await fetch(`${service.url}/portal.json`);
  const { data } = JSON.parse(await answer.text());
  return String(data.example_npi);
}

function print(path: string, views: readonly PageView[]): void {
  const bytes = Math.max(...views.map((view) => view.bytes));
  const shift = Math.max(...views.map((view) => view.shift.score));
  const drawn = views.map(({ largest }) => largest.element);
  const moved = views.flatMap((view) => view.shift.elements);
  const tasks = views.flatMap((view) => view.tasks);
  const longest = tasks
    .toSorted((a, b) => b.processorMs - a.processorMs)
    .slice(0, SHOWN_TASKS);
  console.log(path);
  console.log(`  sent before the map's code: ${(bytes / 1e3).toFixed(0)} KB`);
  console.log(
    `  largest contentful paint: ${spread(views.map(({ largest }) => largest.at))}: ${distinct(drawn)}`,
  );
  console.log(
    `  layout shift: ${[shift.toFixed(3), ...new Set(moved)].join(", ")}`,
  );
  console.log(
    `  main thread: ${spread(views.map(processorMs))} of processor time`,
  );
  console.log(
    `  tasks over ${LONG_MS} ms in ${views.length} rounds: ${tasks.filter((task) => task.processorMs > LONG_MS).length} by processor time, ${tasks.filter((task) => task.wallMs > LONG_MS).length} with waiting; the longest:`,
  );
  for (const task of longest)
    console.log(
      `    ${ms(task.processorMs)} of processor time, ${ms(task.wallMs)} with waiting: ${task.source}`,
    );
}

function processorMs({ tasks }: PageView): number {
  return tasks.reduce((sum, task) => sum + task.processorMs, 0);
}

function distinct(names: readonly string[]): string {
  return [...new Set(names)].join(", ");
}

function ms(time: number): string {
  return `${time.toFixed(0)} ms`;
}

function spread(times: readonly number[]): string {
  return `median ${ms(median(times))}, slowest ${ms(Math.max(...times))}`;
}
