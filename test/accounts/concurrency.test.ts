import assert from "node:assert/strict";
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { Worker } from "node:worker_threads";
import { test } from "node:test";
import type { DatabasePlace } from "../../src/accounts/database/database.ts";
import { openDatabase } from "../../src/accounts/database/open-database.ts";
import { IS_FULL, rounds } from "../support/pure/full-run.ts";
import {
  START_MS,
  accountOf,
  issueKey,
  takeOne,
} from "../support/app/accounts-installation.ts";
import {
  suiteOnBoth,
  suiteOnBothInFull,
} from "../support/postgresql/on-both.ts";
import type {
  HammerResult,
  HammerTask,
} from "../support/program/quota-hammer.ts";

const THREADS = rounds(4, 2);
/** A plan, with its monthly quota and requests at once. */
const {
  plan: PLAN,
  quota: QUOTA,
  burst: BURST,
} = IS_FULL
  ? ({ plan: "paid", quota: 25_000, burst: 50 } as const)
  : ({ plan: "free", quota: 1_000, burst: 10 } as const);
/** Divisible by any number of threads. */
const ATTEMPTS = 1.6 * QUOTA;
const SHARE = rounds(5_000, 1_500);
const DECEMBER_MS = Date.UTC(2026, 11, 1);
const COUNTING_PROCESS = fileURLToPath(
  new URL("../support/program/counting-process.ts", import.meta.url),
);

async function hammer(
  task: Omit<HammerTask, "ready" | "sizes" | "threads"> & {
    sizes?: readonly number[];
  },
): Promise<HammerResult[]> {
  const ready = new Int32Array(new SharedArrayBuffer(4));
  return Promise.all(
    Array.from({ length: THREADS }, async () => {
      const workerData: HammerTask = {
        sizes: [1],
        ...task,
        ready,
        threads: THREADS,
      };
      const worker = new Worker(
        new URL("../support/program/quota-hammer.ts", import.meta.url),
        { workerData },
      );
      // Both may arrive at once on a busy thread.
      const [[result]] = await Promise.all([
        once(worker, "message"),
        once(worker, "exit"),
      ]);
      return result;
    }),
  );
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

function startCounting(
  place: DatabasePlace,
  key: string,
  count: number,
): ChildProcess {
  return spawn(
    process.execPath,
    [COUNTING_PROCESS, JSON.stringify(place), key, String(count)],
    { stdio: ["ignore", "pipe", "inherit"] },
  );
}

/** Account 1 in the database. */
async function written(place: DatabasePlace): Promise<number> {
  await using db = await openDatabase(place);
  const rows = await db
    .selectFrom("api_usage")
    .select("used")
    .where("account_id", "=", 1)
    .execute();
  return sum(rows.map(({ used }) => used));
}

suiteOnBoth("concurrent use of an account", (install) => {
  test("threads that start an account together give it exactly its quota", async () => {
    await using installation = await install();
    const { accounts, memory, gate, write } = await installation.startProcess();
    const key = await issueKey(accounts, "ada@clinic.example", PLAN);
    const results = await hammer({
      memory,
      key,
      moments: [START_MS],
      attemptsPerMoment: ATTEMPTS / THREADS,
    });
    assert.equal(sum(results.flatMap((result) => result.taken)), QUOTA);
    assert.equal(sum(results.flatMap((result) => result.bursts)), BURST);
    const account = await accountOf(gate, key, START_MS);
    assert.equal(gate.quota(account, START_MS).remaining, 0);
    await write();
    assert.equal(await accounts.usage.thisMonth(account.id), QUOTA);
  });

  test("threads that take many answers at once give exactly the quota, and never a part of them", async () => {
    await using installation = await install();
    const { accounts, memory, gate, write } = await installation.startProcess();
    const key = await issueKey(accounts, "ada@clinic.example", "paid");
    const results = await hammer({
      memory,
      key,
      moments: [START_MS],
      attemptsPerMoment: 1_200 / THREADS,
      sizes: [500, 1, 77],
    });
    const taken = sum(results.flatMap((result) => result.taken));
    const account = await accountOf(gate, key, START_MS);
    for (let left = 25_000 - taken; left > 0; left--)
      assert.equal(await takeOne(gate, account, START_MS), "taken");
    assert.equal(await takeOne(gate, account, START_MS), "used_up");
    await write();
    assert.equal(await accounts.usage.thisMonth(account.id), 25_000);
    const listed = await accounts.keys.list();
    assert.ok(listed.outcome === "listed");
    assert.equal(listed.keys[0]?.usedThisMonth, 25_000);
  });

  test("sums are exact while threads and another process count during flushes", async () => {
    await using installation = await install();
    const { accounts, memory, gate, write } = await installation.startProcess();
    const other = await installation.startProcess();
    const key = await issueKey(accounts, "ada@clinic.example", "paid");
    const hammered = { ended: false };
    const hammering = hammer({
      memory,
      key,
      moments: [START_MS],
      attemptsPerMoment: SHARE,
    }).finally(() => {
      hammered.ended = true;
    });
    const account = await accountOf(gate, key, START_MS);
    const elsewhere = await accountOf(other.gate, key, START_MS);
    let foreign = 0;
    while (!hammered.ended) {
      if (
        foreign < 2_000 &&
        (await takeOne(other.gate, elsewhere, START_MS)) === "taken"
      )
        foreign++;
      await other.write();
      await write();
      await new Promise((resolve) => setImmediate(resolve));
    }
    const own = sum((await hammering).flatMap((result) => result.taken));
    await write();
    await other.write();
    assert.equal(own, THREADS * SHARE);
    assert.equal(await accounts.usage.thisMonth(account.id), own + foreign);
  });

  test("threads that cross a month's end together lose nothing of the old month and give exactly the new quota", async () => {
    await using installation = await install();
    const { accounts, memory, gate, write } = await installation.startProcess();
    const key = await issueKey(accounts, "ada@clinic.example");
    // Back and forth over midnight, like threads with slightly different clocks.
    const moments = [-2, 0, -1, 1, 2].map((ms) => DECEMBER_MS + ms);
    const results = await hammer({
      memory,
      key,
      moments,
      attemptsPerMoment: 360 / THREADS,
    });
    const takenAt = (chosen: readonly number[]) =>
      sum(results.flatMap(({ taken }) => chosen.map((at) => taken[at] ?? 0)));
    assert.equal(takenAt([0, 2]), 720);
    assert.equal(takenAt([1, 3, 4]), 1_000);
    await write();
    const { id } = await accountOf(gate, key, DECEMBER_MS);
    const { clock } = installation;
    clock.nowMs = DECEMBER_MS - 1;
    assert.equal(await accounts.usage.thisMonth(id), 720);
    clock.nowMs = DECEMBER_MS;
    assert.equal(await accounts.usage.thisMonth(id), 1_000);
  });
});

suiteOnBothInFull("processes that count for an account", (install) => {
  test("a killed process gave no more than counts as used, and loses less than it had prepaid", async () => {
    await using installation = await install();
    const key = await issueKey(
      installation.accounts,
      "ada@clinic.example",
      "paid",
    );
    const child = startCounting(installation.place, key, 0);
    assert.ok(child.stdout);
    const exited = once(child, "exit");
    const lines: { atMs: number; counted: number }[] = [];
    let firstMs = Infinity;
    for await (const line of createInterface({ input: child.stdout })) {
      const [atMs = NaN, counted = NaN] = line.split(" ").map(Number);
      firstMs = Math.min(firstMs, atMs);
      lines.push({ atMs, counted });
      if (atMs - firstMs > 2_600) child.kill("SIGKILL");
    }
    assert.deepEqual(await exited, [null, "SIGKILL"]);
    const last = lines.at(-1);
    assert.ok(last !== undefined);
    const used = await written(installation.place);
    assert.ok(used >= last.counted, `${used} of ${last.counted}`);
    // Of what is left, a quarter of the share of one of three nodes, and a quarter more when it is renewed.
    assert.ok(used <= last.counted + 20 + (25_000 / 12) * 1.25, `${used}`);
    // A second between flushes, plus the time of one on a busy machine.
    const safe = lines.findLast((line) => line.atMs <= last.atMs - 1_500);
    assert.ok(safe !== undefined);
    const days = await installation.accounts.usage.byDay(1, firstMs);
    const shown = days.reduce((all, { used: each }) => all + each, 0);
    assert.ok(shown >= safe.counted, `${shown} of ${safe.counted}`);
    assert.ok(shown <= last.counted + 20, `${shown} of ${last.counted}`);
  });

  test("counts of two processes add up, and are all written at the end", async () => {
    await using installation = await install();
    const key = await issueKey(
      installation.accounts,
      "ada@clinic.example",
      "paid",
    );
    const children = [1, 2].map(() =>
      startCounting(installation.place, key, 2_000),
    );
    const exits = await Promise.all(
      children.map((child) => {
        child.stdout?.resume();
        return once(child, "exit");
      }),
    );
    assert.deepEqual(exits, [
      [0, null],
      [0, null],
    ]);
    assert.equal(await written(installation.place), 4_000);
  });
});
