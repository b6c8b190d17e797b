/** How many requests a second one thread can let through: key, burst and quota, in memory that threads share. */

import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openAccounts } from "../src/accounts/accounts.ts";
import { generateKey } from "../src/accounts/keys/api-key.ts";
import { ACCOUNTS_FILE } from "../src/accounts/database/database.ts";
import type { AccountHandle } from "../src/accounts/metering/gate.ts";
import type { Gate } from "../src/accounts/metering/thread-gate.ts";
import { createGateMemory } from "../src/accounts/metering/gate-memory.ts";
import { ThreadGate } from "../src/accounts/metering/thread-gate.ts";
import { configurePlans } from "../src/accounts/plans.ts";

const ACCOUNTS = 10_000;
const PREPAID = 100_000_000;
const ROUND_MS = 500;
const ROUNDS = 5;

const clock = () => Date.now();

const folder = await mkdtemp(join(tmpdir(), "accounts-bench-"));
try {
  await bench(join(folder, ACCOUNTS_FILE));
} finally {
  await rm(folder, { recursive: true });
}

async function bench(file: string): Promise<void> {
  const configured = configurePlans({
    unlimited: { monthlyQuota: 10_000_000_000, burstPerSecond: 100_000 },
  });
  if (configured.outcome !== "plans") throw new Error("The plan is wrong");
  const { plans } = configured;
  await using accounts = await openAccounts({
    place: { kind: "sqlite", file },
    plans,
    clock,
    random: randomBytes,
    actor: "bench",
  });
  const keys: string[] = [];
  const making = performance.now();
  for (let number = 0; number < ACCOUNTS; number++) {
    const email = `${number}@bench.example`;
    await accounts.users.create(email, "unlimited");
    const made = await accounts.keys.create(email);
    if (made.outcome === "created") keys.push(made.key);
  }
  report("accounts made, each with a key", keys.length, making);
  const memory = createGateMemory();
  await using keeper = await accounts.keepGate({
    process: "bench",
    memory,
    liveNodes: () => 1,
    onError(error) {
      throw error;
    },
  });
  const gate = new ThreadGate({ plans, memory });
  const handles = keys.map((key) => validAccount(gate, key));
  // More than the rounds take: they don't wait for the database.
  const started = performance.now();
  await Promise.all(
    handles.map(async (handle) => {
      await gate.takeQuota(handle, clock(), "lookup", PREPAID);
      gate.giveBack(handle, clock(), "lookup", PREPAID);
    }),
  );
  report("accounts prepaid at once", handles.length, started);

  for (const count of [1, ACCOUNTS]) {
    const label = `${count.toLocaleString("en")} account${count > 1 ? "s" : ""}`;
    measure(`verify, ${label}`, (turn) => {
      gate.verify(keys[turn % count]!, clock());
    });
    measure(`takeBurst, ${label}`, (turn) => {
      gate.takeBurst(handles[turn % count]!, clock());
    });
    measure(`quota, ${label}`, (turn) => {
      gate.quota(handles[turn % count]!, clock());
    });
    measure(`takeQuota, ${label}`, (turn) => {
      void gate.takeQuota(handles[turn % count]!, clock(), "lookup");
    });
    measure(`verify + takeBurst + takeQuota + quota, ${label}`, (turn) => {
      const nowMs = clock();
      const account = validAccount(gate, keys[turn % count]!);
      gate.takeBurst(account, nowMs);
      void gate.takeQuota(account, nowMs, "lookup");
      gate.quota(account, nowMs);
    });
  }

  const invented = Array.from({ length: 100_000 }, () =>
    generateKey(randomBytes),
  );
  measure("verify, invented keys with a right checksum", (turn) => {
    gate.verify(invented[turn % invented.length]!, clock());
  });
  measure("verify, mistyped keys", () => {
    gate.verify(`${keys[0]!.slice(0, -1)}_`, clock());
  });

  const flushing = performance.now();
  await keeper.flusher.flush();
  report("keys written at once", handles.length, flushing);
}

function validAccount(gate: Gate, key: string): AccountHandle {
  const verdict = gate.verify(key, Date.now());
  if (verdict.status !== "valid") throw new Error("The key is not valid");
  return verdict.account;
}

/** Prints the best of a few rounds: other work on the machine only ever slows a round down. */
function measure(label: string, operate: (turn: number) => void): void {
  let best = 0;
  for (let round = 0; round < ROUNDS; round++) {
    const start = performance.now();
    let turns = 0;
    while (performance.now() - start < ROUND_MS) {
      for (let inner = 0; inner < 1_000; inner++) operate(turns++);
    }
    best = Math.max(best, turns / (performance.now() - start));
  }
  print(label, `${Math.round(best * 1_000).toLocaleString("en")} a second`);
}

function report(label: string, count: number, startMs: number): void {
  const elapsedMs = performance.now() - startMs;
  print(label, `${count.toLocaleString("en")} in ${Math.round(elapsedMs)} ms`);
}

function print(label: string, value: string): void {
  process.stdout.write(`${label.padEnd(60)} ${value}\n`);
}
