/** A worker thread that takes from one account's quota and bucket as fast as it can, once all threads are there. */

import { parentPort, workerData } from "node:worker_threads";
import type { GateMemory } from "../../../src/accounts/metering/gate-memory.ts";
import { ThreadGate } from "../../../src/accounts/metering/thread-gate.ts";
import { BUILT_IN_PLANS } from "../../../src/accounts/plans.ts";
import { accountOf, takeOne } from "../app/accounts-installation.ts";

export interface HammerTask {
  /** The memory of the process's gates. */
  memory: GateMemory;
  key: string;
  /** The moments at which it takes, one after the other. */
  moments: readonly number[];
  attemptsPerMoment: number;
  /** How many answers it takes at once, in turn. */
  sizes: readonly number[];
  /** Counts the threads that are ready, so they start together. */
  ready: Int32Array<SharedArrayBuffer>;
  threads: number;
}

export interface HammerResult {
  /** Answers counted, for each moment. */
  taken: number[];
  /** Tokens taken, for each moment. */
  bursts: number[];
}

async function hammer(task: HammerTask): Promise<HammerResult> {
  const { memory, key, moments, attemptsPerMoment, sizes } = task;
  const gate = new ThreadGate({ plans: BUILT_IN_PLANS, memory });
  // Everything else is read before the threads start.
  await accountOf(gate, key, Math.min(...moments));
  waitForAll(task.ready, task.threads);
  const result: HammerResult = { taken: [], bursts: [] };
  for (const nowMs of moments) {
    let taken = 0;
    let bursts = 0;
    for (let attempt = 0; attempt < attemptsPerMoment; attempt++) {
      const account = await accountOf(gate, key, nowMs);
      if (gate.takeBurst(account, nowMs).allowed) bursts++;
      const answers = sizes[attempt % sizes.length]!;
      const taking = await takeOne(gate, account, nowMs, "lookup", answers);
      if (taking === "taken") taken += answers;
    }
    result.taken.push(taken);
    result.bursts.push(bursts);
  }
  return result;
}

/** Returns when as many threads have called this. */
function waitForAll(
  ready: Int32Array<SharedArrayBuffer>,
  threads: number,
): void {
  let there = Atomics.add(ready, 0, 1) + 1;
  Atomics.notify(ready, 0);
  while (there < threads) {
    if (Atomics.wait(ready, 0, there, 10_000) === "timed-out") {
      throw new Error("The other threads did not come");
    }
    there = Atomics.load(ready, 0);
  }
}

parentPort?.postMessage(await hammer(workerData), []);
