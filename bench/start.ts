/**
 * How long does it take from the start of the process to the first answer? Starts `serve` on a data folder, asks for
 * readiness every ten milliseconds until it is there, then looks one provider up. The floor, in the same run and the
 * same state of the file: `cat SNAPSHOT > /dev/null`. Once with the snapshot in the page cache, and once without it,
 * where the system lets go of it when asked by `dd iflag=nocache` (posix_fadvise; what a file in memory does not).
 *
 *   node_modules/.bin/node bench/start.ts [data folder] [rounds] [workers]
 */
import { spawnSync } from "node:child_process";
import { statSync } from "node:fs";
import { availableParallelism } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import { installOver } from "./load/installation.ts";
import { drawQuestions } from "./load/questions.ts";
import { ServerProcess } from "./load/server-process.ts";
import { median } from "./support/median.ts";
import { freePort } from "../test/support/pure/free-port.ts";

const POLL_MS = 10;
const MAX_START_MS = 60_000;
const [
  dataDir = "data",
  rounds = "5",
  workers = String(availableParallelism()),
] = process.argv.slice(2);

using installation = await installOver(dataDir);
const { key, snapshotFile: file } = installation;
const questions = drawQuestions(installation.dataDir, {
  "look-up": Number(rounds),
  search: 0,
  nearby: 0,
});
const megabytes = (statSync(file).size / 1e6).toFixed(0);
console.log(`snapshot of ${megabytes} MB, ${workers} workers`);
await compare("in the page cache", warm);
await compare("not in the page cache", drop);

/** Puts the file into a state before each measurement, then prints the medians of the rounds. */
async function compare(state: string, prepare: () => void): Promise<void> {
  const floors: number[] = [];
  const starts: number[] = [];
  const ready: number[] = [];
  for (const { path } of questions["look-up"]) {
    prepare();
    floors.push(secondsSince(performance.now(), cat));
    prepare();
    const port = await freePort();
    const url = `http://127.0.0.1:${port}`;
    const began = performance.now();
    const starting = ServerProcess.serve(installation, {
      workers: Number(workers),
      logLevel: "warn",
      port,
    });
    await using owned = new AsyncDisposableStack();
    owned.defer(async () => (await starting)[Symbol.asyncDispose]());
    // One worker answers before all listen.
    await Promise.race([untilReady(url), failure(starting)]);
    ready.push((performance.now() - began) / 1000);
    const response = await fetch(`${url}${path}`, {
      headers: { authorization: `Bearer ${key}` },
    });
    if (response.status !== 200)
      throw new Error(`The first look-up got ${response.status}.`);
    await response.text();
    starts.push((performance.now() - began) / 1000);
  }
  const [floor, start] = [median(floors), median(starts)];
  console.log(
    `${state.padEnd(22)} cat ${floor.toFixed(2)} s, ready after ${median(ready).toFixed(2)} s, ` +
      `first answer after ${start.toFixed(2)} s (${(start / floor).toFixed(1)} × cat)`,
  );
}

/** Readiness as a load balancer asks for it. */
async function untilReady(url: string): Promise<void> {
  const isReady = () =>
    fetch(`${url}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    );
  const untilMs = performance.now() + MAX_START_MS;
  while (!(await isReady())) {
    if (performance.now() > untilMs) throw new Error("It is not ready.");
    await sleep(POLL_MS);
  }
}

/** Rejects if a server doesn't start. */
function failure(starting: Promise<unknown>): Promise<never> {
  return starting.then(() => new Promise<never>(() => undefined));
}

function warm(): void {
  cat();
}

function drop(): void {
  run("dd", [`if=${file}`, "iflag=nocache", "count=0", "status=none"]);
}

function cat(): void {
  run("sh", ["-c", 'cat "$0" > /dev/null', file]);
}

function run(command: string, args: string[]): void {
  const { error, status } = spawnSync(command, args);
  if (error !== undefined || status !== 0)
    throw error ?? new Error(`${command} failed.`);
}

function secondsSince(beganMs: number, action: () => void): number {
  action();
  return (performance.now() - beganMs) / 1000;
}
