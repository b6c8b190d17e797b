/**
 * How long does a batch of 500 known NPIs take in process, from its URL to its JSON, and how much do batches delay
 * others?
 *
 * The floor of the first: JSON.stringify of the same 500 records. Each NPI is drawn at random from the whole registry
 * and used once. For the second, look-ups are sent with and without four clients that send one batch after the other,
 * in turns. Server and clients share the machine, so on two cores the clients wait for each other too.
 *
 *   node_modules/.bin/node bench/batch.ts [data folder] [batches] [rounds]
 */
import { MAX_BATCH_NPIS } from "../src/contract/verdicts.ts";
import type { Directory } from "../src/search/directory.ts";
import { batchOperation } from "../src/http/routes/batch.ts";
import { WorkInPieces } from "../src/http/pipeline/work-in-pieces.ts";
import { answerInProcess } from "./support/answer-in-process.ts";
import { openCurrent } from "../src/cli/commands/registry/current-directory.ts";
import { SnapshotStore } from "../src/store/store.ts";
import { expectAnswers } from "./load/expected-answers.ts";
import { installOver } from "./load/installation.ts";
import { lookUpsDuring, p99Of } from "./load/look-ups-during.ts";
import { drawQuestions } from "./load/questions.ts";
import { ServerProcess } from "./load/server-process.ts";

const CLIENTS = 4;
const WARM_UP = 50;
const FLOOR_BATCHES = 100;
const BATCH_SHOTS = 20;
const [dataDir = "data", batches = "500", rounds = "4"] = process.argv.slice(2);

const BATCH = batchOperation(new WorkInPieces());

await inProcess();
if (Number(rounds) > 0) await lookUpsDuringBatches();

async function inProcess(): Promise<void> {
  using directory = openCurrent(new SnapshotStore(dataDir, { create: false }));
  if (directory === null) throw new Error("The data folder has no snapshot.");
  const urls = drawBatches(WARM_UP + Number(batches));
  for (const url of urls.slice(0, WARM_UP)) await answer(directory, url);
  const asked = urls.slice(WARM_UP);
  // Kept answers would be moved by each garbage collection, which the service doesn't do.
  const ours = await timed(asked, (url) => answer(directory, url));
  const parsed: unknown[] = [];
  for (const url of asked.slice(0, FLOOR_BATCHES))
    parsed.push(JSON.parse(await answer(directory, url)));
  const floor = await timed(parsed, (value) => JSON.stringify(value));
  console.log(
    `a batch of ${MAX_BATCH_NPIS}: ${ours}   ÷ JSON.stringify ${floor}`,
  );
}

function answer(directory: Directory, url: string): Promise<string> {
  return answerInProcess(directory, BATCH, url);
}

/** Times of some work by the clock, and on the processor, which others on the machine disturb less. */
async function timed<T>(
  work: readonly T[],
  run: (each: T) => unknown,
): Promise<string> {
  const times: number[] = [];
  const processor: number[] = [];
  for (const each of work) {
    const before = process.threadCpuUsage();
    const began = performance.now();
    await run(each);
    times.push(performance.now() - began);
    const { system, user } = process.threadCpuUsage();
    processor.push((user + system - before.user - before.system) / 1e3);
  }
  return `${describe(times)}, on the processor ${describe(processor)}`;
}

function describe(times: number[]): string {
  times.sort((a, b) => a - b);
  const at = (share: number) => times[Math.floor(times.length * share)] ?? 0;
  return `p50 ${at(0.5).toFixed(2)}, p99 ${at(0.99).toFixed(2)} ms`;
}

function drawBatches(count: number): string[] {
  const questions = drawQuestions(dataDir, {
    "look-up": count * MAX_BATCH_NPIS,
    search: 0,
    nearby: 0,
  });
  const npis = questions["look-up"].map(({ path }) => path.split("/").at(-1));
  return Array.from(
    { length: count },
    (_, index) =>
      `/v1/providers?npi=${npis.slice(index * MAX_BATCH_NPIS, (index + 1) * MAX_BATCH_NPIS).join(",")}`,
  );
}

async function lookUpsDuringBatches(): Promise<void> {
  using installation = await installOver(dataDir);
  const { key } = installation;
  await using service = await ServerProcess.serve(installation, {
    workers: 1,
    logLevel: "info",
  });
  const questions = drawQuestions(dataDir, {
    "look-up": 2_000,
    search: 0,
    nearby: 0,
  });
  const { url } = service;
  const shots = await expectAnswers(url, key, questions["look-up"]);
  const batchShots = await expectAnswers(
    url,
    key,
    drawBatches(BATCH_SHOTS).map((path) => ({ kind: "look-up", path })),
  );
  const order = { url, key };
  await lookUpsDuring(
    { ...order, shots },
    Number(rounds),
    `with ${CLIENTS} clients that send batches`,
    (seconds) =>
      p99Of({ ...order, shots: batchShots, connections: CLIENTS, seconds }),
  );
}
