/**
 * How long does one query take, in process, with the page of 25 rendered? Runs kinds of queries with values drawn from
 * the registry itself, each query once. Prints the median and the 99th percentile of each kind, then of the groups that
 * the kinds belong to. The floor, JSON.stringify of one record, is measured before and after, so a busy machine shows;
 * times are printed as multiples of it too. The mean of processor time says more if the machine is busy.
 *
 *   node_modules/.bin/node bench/search.ts [providers | data folder] [questions] [part of the titles of kinds]
 */
import { ParsedDirectory } from "../test/support/pure/engine/parsed-directory.ts";
import { withSnapshot } from "./support/bench-store.ts";
import {
  QUESTION_CLASSES,
  type QuestionGroup,
  type QuestionClass,
} from "./support/question-classes.ts";
import type { Provider } from "../src/contract/provider.ts";
import type { Snapshot } from "../src/snapshot/snapshot.ts";

const WARM_UP_MS = 500;
const [source = "1000000", questions = "2000", kinds = ""] =
  process.argv.slice(2);

interface Times {
  /** Microseconds of each question, ascending. */
  readonly walls: readonly number[];
  /** Microseconds of processor time of all questions together. */
  readonly processor: number;
}

const NO_TIMES: Times = { walls: [], processor: 0 };

await withSnapshot(source, (snapshot) => {
  console.log(
    `${snapshot.count} providers, snapshot ${(snapshot.sections.buffer.byteLength / 1e6).toFixed(0)} MB`,
  );
  const directory = new ParsedDirectory(snapshot);
  const asked = Number(questions);
  const providers = drawn(snapshot, directory, 2 * asked);
  const sample = providers.slice(0, asked);
  const others = providers.slice(asked);
  const before = floor(sample);
  printHead();
  printRow("floor: JSON.stringify", before, before);
  const byGroup = new Map<QuestionGroup, Times>();
  for (const each of QUESTION_CLASSES) {
    if (!each.title.includes(kinds)) continue;
    const times = askAll(each, directory, sample, others);
    printRow(each.title, times, before);
    const { processor, walls } = byGroup.get(each.group) ?? NO_TIMES;
    byGroup.set(each.group, {
      walls: [...walls, ...times.walls].sort(ascending),
      processor: processor + times.processor,
    });
  }
  printRow("floor: JSON.stringify", floor(sample), before);
  console.log("");
  printHead();
  for (const [{ title }, times] of byGroup) printRow(title, times, before);
  console.log(
    `memory ${(process.memoryUsage.rss() / 1e6).toFixed(0)} MB, the snapshot in it`,
  );
});

/** Providers from all over the registry. */
function drawn(
  snapshot: Snapshot,
  directory: ParsedDirectory,
  count: number,
): Provider[] {
  return Array.from({ length: count }, (_, i) => {
    const doc = Math.floor(((i * 0.618_033_988_75) % 1) * snapshot.count);
    return directory.recordOf(String(snapshot.npi[doc]));
  }).filter((provider) => provider !== null);
}

/** How long it takes to write each record as JSON. */
function floor(sample: Provider[]): Times {
  return timesOf(sample.map((provider) => () => JSON.stringify(provider)));
}

function askAll(
  { ask, share = 1 }: QuestionClass,
  directory: ParsedDirectory,
  sample: Provider[],
  others: Provider[],
): Times {
  const actionsFor = (providers: Provider[]): (() => unknown)[] =>
    providers
      .slice(0, Math.ceil(providers.length * share))
      .map((provider, index) => ask(directory, provider, index))
      .filter((action) => action !== null);
  const actions = actionsFor(sample);
  warmUp(actionsFor(others));
  return timesOf(actions);
}

/** Runs other queries of a kind until the code is compiled; the data of later queries is as cold as before. */
function warmUp(actions: (() => unknown)[]): void {
  const end = performance.now() + WARM_UP_MS;
  do for (const action of actions) action();
  while (performance.now() < end);
}

/** How long each action takes. */
function timesOf(actions: (() => unknown)[]): Times {
  const before = process.threadCpuUsage();
  const walls = actions
    .map((action) => {
      const began = process.hrtime.bigint();
      action();
      return Number(process.hrtime.bigint() - began) / 1000;
    })
    .sort(ascending);
  const { system, user } = process.threadCpuUsage();
  return { walls, processor: system + user - before.system - before.user };
}

function printHead(): void {
  console.log(
    `${"".padEnd(48)}${"asked".padStart(6)}${"p50 µs".padStart(10)}${"p99 µs".padStart(10)}${"processor".padStart(11)}${"p50 : floor".padStart(13)}`,
  );
}

function printRow(
  title: string,
  { processor, walls }: Times,
  floorTimes: Times,
): void {
  const p50 = quantile(walls, 0.5);
  const p99 = quantile(walls, 0.99);
  console.log(
    title.padEnd(48) +
      String(walls.length).padStart(6) +
      p50.toFixed(1).padStart(10) +
      p99.toFixed(1).padStart(10) +
      (processor / walls.length).toFixed(1).padStart(11) +
      (p50 / quantile(floorTimes.walls, 0.5)).toFixed(0).padStart(13),
  );
}

/** Of ascending times. */
function quantile(times: readonly number[], share: number): number {
  return times[Math.floor(times.length * share)] ?? 0;
}

function ascending(a: number, b: number): number {
  return a - b;
}
