/**
 * Does the service hold up under load? Sends a realistic mix (60 % look-ups, 30 % searches, 10 % nearby; values drawn
 * from the registry itself) over 1, 64, and 1,000 connections; then look-ups while one client sends only the heaviest
 * searches (`name=AN`, `name=A`); then swaps the snapshot while the mix goes on. Prints latencies from the client's
 * side and the server's memory. Fails if a request fails, an answer differs from the one that the same request got
 * before the load, look-ups are starved, or memory grows beyond its limits.
 *
 * autocannon runs in a separate process. The key's plan allows 100,000 requests per second and ten thousand million per
 * month, so nothing is refused; key, burst, and quota are still checked and counted.
 *
 *   node_modules/.bin/node bench/load/run.ts [data folder] [seconds of a step] [workers]
 */
import { setTimeout as sleep } from "node:timers/promises";
import { fire, type Shot, type Volley } from "./cannon.ts";
import { expectAnswers } from "./expected-answers.ts";
import { installOver } from "./installation.ts";
import { drawQuestions, QUERY_KINDS, type QueryKind } from "./questions.ts";
import { ServerProcess } from "./server-process.ts";

const MIX: Readonly<Record<QueryKind, number>> = {
  "look-up": 1_200,
  search: 600,
  nearby: 200,
};
const CONNECTIONS = [1, 64, 1_000];
const HEAVY = ["AN", "A"].map((name) => ({
  kind: "search" as const,
  path: `/v1/providers/search?name=${name}`,
}));
/** The 99th percentile of look-ups during the heaviest searches must be less than this. */
const STARVED_MS = 50;
/** Memory after the whole set of queries, by the number of workers, in bytes. */
const MAX_MEMORY_BYTES = new Map([
  [1, 1.15e9],
  [2, 1.3e9],
]);
/** So much more than before the new snapshot may stay after it, and only for so long may there be more. */
const MEMORY_SLACK = 1.15;
const GIVEN_BACK_MS = 60_000;

const [dataDir = "data", seconds = "20", workers = "1"] = process.argv.slice(2);
const faults: string[] = [];

using installation = await installOver(dataDir);
const { key } = installation;
const questions = drawQuestions(installation.dataDir, MIX);
await using service = await ServerProcess.serve(installation, {
  workers: Number(workers),
  logLevel: "info",
});
const atStart = service.residentBytes;
const mix = mixed(
  await expectAnswers(
    service.url,
    key,
    QUERY_KINDS.flatMap((kind) => questions[kind]),
  ),
);
const heavy = await expectAnswers(service.url, key, HEAVY);
console.log(
  `${workers} workers, ${mix.length} questions; memory at the start ${gigabytes(atStart)}`,
);

for (const connections of CONNECTIONS)
  report(`${connections} connections`, await volley(mix, connections));
await besideHeavySearches();
checkMemory();
await whileReplaced();
for (const fault of faults) console.log(`FAILED: ${fault}`);
if (faults.length > 0) process.exitCode = 1;

async function besideHeavySearches(): Promise<void> {
  const lookups = mix.filter(({ kind }) => kind === "look-up");
  const [light, slow] = await Promise.all([
    volley(lookups, 64),
    volley(heavy, 1),
  ]);
  report("look-ups meanwhile", light);
  report("one client, AN and A", slow);
  const { p99 = Number.NaN } = light.latencies["look-up"] ?? {};
  if (!(p99 < STARVED_MS))
    faults.push(`look-ups took ${p99} ms during the heaviest searches`);
}

/** Memory after the whole set of queries. */
function checkMemory(): void {
  const most =
    MAX_MEMORY_BYTES.get(Number(workers)) ?? Number.POSITIVE_INFINITY;
  if (service.residentBytes > most)
    faults.push(`the server holds more than ${gigabytes(most)}`);
}

async function whileReplaced(): Promise<void> {
  const before = service.residentBytes;
  const answers = volley(mix, 64);
  await sleep(Number(seconds) * 300);
  installation.replaceSnapshot();
  report("snapshot replaced", await answers);
  const limit = performance.now() + GIVEN_BACK_MS;
  while (
    service.residentBytes > before * MEMORY_SLACK &&
    performance.now() < limit
  )
    await sleep(500);
  const after = service.residentBytes;
  console.log(
    `memory before the new snapshot ${gigabytes(before)}, at most ${gigabytes(service.peakBytes)}, after it ${gigabytes(after)}`,
  );
  if (after > before * MEMORY_SLACK)
    faults.push("memory was not given back within a minute");
}

async function volley(
  shots: readonly Shot[],
  connections: number,
): Promise<Volley> {
  const volleyed = await fire({
    url: service.url,
    key,
    connections,
    seconds: Number(seconds),
    shots,
  });
  faults.push(...volleyed.faults);
  return volleyed;
}

/** Brings questions of all kinds into one row in which each part of it has the mix. */
function mixed(shots: readonly Shot[]): Shot[] {
  const placed = QUERY_KINDS.flatMap((kind) => {
    const own = shots.filter((shot) => shot.kind === kind);
    return own.map((shot, index) => ({ shot, at: index / own.length }));
  });
  return placed.sort((a, b) => a.at - b.at).map(({ shot }) => shot);
}

function report(
  step: string,
  { answers, latencies, seconds: taken }: Volley,
): void {
  const perSecond = Math.round(answers / taken).toLocaleString("en");
  console.log(
    `${step}: ${perSecond} answers a second; memory ${gigabytes(service.residentBytes)}`,
  );
  for (const kind of QUERY_KINDS) {
    const times = latencies[kind];
    if (times === undefined) continue;
    const { count, max, p50, p99, p999 } = times;
    console.log(
      `  ${kind.padEnd(8)} ${count.toLocaleString("en").padStart(9)} answers, ms: p50 ${ms(p50)}  p99 ${ms(p99)}  p99.9 ${ms(p999)}  max ${ms(max)}`,
    );
  }
}

function ms(value: number): string {
  return value.toFixed(2).padStart(8);
}

function gigabytes(bytes: number): string {
  return `${(bytes / 1e9).toFixed(2)} GB`;
}
