/**
 * How long does one question take, in process, the page of 25 rendered? Asks classes of questions with values drawn from
 * the registry itself, each question once, and prints per class the median and the 99th percentile with what they must be
 * at full scale. The floor, JSON.stringify of one record, is measured before and after, so that a busy machine shows.
 *
 *   node bench/search.ts [providers | data folder] [questions]
 */
import { Directory } from "../src/search/directory.ts";
import { withSnapshot } from "./bench-snapshot.ts";
import { QUESTION_CLASSES, type QuestionClass } from "./question-classes.ts";
import type { Provider } from "../src/registry/provider.ts";
import type { Snapshot } from "../src/snapshot/snapshot.ts";

const WARM_UP = 200;
const [source = "1000000", questions = "2000"] = process.argv.slice(2);

await withSnapshot(source, (snapshot) => {
  console.log(
    `${snapshot.count} providers, snapshot ${(snapshot.file.buffer.byteLength / 1e6).toFixed(0)} MB`,
  );
  const directory = new Directory(snapshot);
  const sample = drawn(snapshot, directory, Number(questions));
  console.log(
    `${"".padEnd(44)}${"asked".padStart(6)}${"p50 µs".padStart(10)}${"p99 µs".padStart(10)}`,
  );
  floor(sample);
  for (const each of QUESTION_CLASSES) measure(each, directory, sample);
  floor(sample);
  const memory = process.memoryUsage();
  console.log(`memory ${(memory.rss / 1e6).toFixed(0)} MB`);
});

/** Providers from all over the registry. */
function drawn(
  snapshot: Snapshot,
  directory: Directory,
  count: number,
): Provider[] {
  return Array.from({ length: count }, (_, i) => {
    const doc = Math.floor(((i * 0.618_033_988_75) % 1) * snapshot.count);
    return directory.lookup(String(snapshot.npi[doc]));
  }).filter((provider) => provider !== null);
}

function floor(sample: Provider[]): void {
  print(
    "floor: JSON.stringify",
    timesOf(sample.map((provider) => () => JSON.stringify(provider))),
    null,
  );
}

function measure(
  { title, most, ask, share = 1 }: QuestionClass,
  directory: Directory,
  sample: Provider[],
): void {
  const actions = sample
    .slice(0, Math.ceil(sample.length * share))
    .map((provider, index) => ask(directory, provider, index))
    .filter((action) => action !== null);
  print(title, timesOf(actions), most);
}

/** Microseconds that each action takes, ascending. */
function timesOf(actions: (() => unknown)[]): number[] {
  for (const action of actions.slice(0, WARM_UP)) action();
  return actions
    .map((action) => {
      const began = process.hrtime.bigint();
      action();
      return Number(process.hrtime.bigint() - began) / 1000;
    })
    .sort((a, b) => a - b);
}

function print(
  title: string,
  times: number[],
  most: QuestionClass["most"] | null,
): void {
  const at = (share: number): number =>
    times[Math.floor(times.length * share)] ?? 0;
  const limits =
    most === null
      ? ""
      : `   must ${most.p50} / ${most.p99}${at(0.5) > most.p50 || at(0.99) > most.p99 ? "  OVER" : ""}`;
  console.log(
    title.padEnd(44) +
      String(times.length).padStart(6) +
      at(0.5).toFixed(1).padStart(10) +
      at(0.99).toFixed(1).padStart(10) +
      limits,
  );
}
