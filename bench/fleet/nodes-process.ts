/** Some of a simulation's nodes as a process, with the requests to them. See `simulate.ts`. */
import { once } from "node:events";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { setTimeout as sleep } from "node:timers/promises";
import { keyOf } from "./accounts.ts";
import { drawAccounts } from "./draw-accounts.ts";
import type { NodesOrder, NodesReport, NodesTotal } from "./orders.ts";
import { openNode, type SimulatedNode } from "./simulated-node.ts";
import { StatementTimer } from "./statement-timer.ts";

const TICK_MS = 2;
/** Open requests, above which no more are sent. */
const MAX_OPEN = 20_000;
/** Nodes start after each other, so that their timers are spread over a second. */
const SPREAD_MS = 1_000;

process.on("disconnect", () => process.exit());
const [order]: NodesOrder[] = await once(process, "message");
if (order === undefined) throw new Error("No order was given.");
const { accounts, balance, draw, first, nodes, perSecond, step, url } = order;
const timer = new StatementTimer();
const own = new Map<number, SimulatedNode>();
for (let number = first; number < nodes; number += step) {
  own.set(number, await openNode(url, `node-${number}`, timer));
  await sleep((SPREAD_MS * step) / nodes);
}

let answers = 0;
let unsent = 0;
const open = new Set<Promise<void>>();
let refused: Record<string, number> = {};
let quotaWaits: number[] = [];
const drawAccount = drawAccounts(accounts, draw);
const loopDelay = monitorEventLoopDelay({ resolution: 5 });
loopDelay.enable();

const startMs = performance.now();
let due = 0;
const ticking = setInterval(() => {
  const soFar = ((performance.now() - startMs) / 1000) * perSecond;
  for (; due < soFar; due++) {
    const accountId = drawAccount();
    const number =
      balance === "key" ? accountId % nodes : Math.floor(Math.random() * nodes);
    // The other processes draw the same, and send what is for their nodes.
    const node = own.get(number);
    if (node === undefined) continue;
    if (open.size >= MAX_OPEN) {
      unsent++;
      continue;
    }
    const asked = ask(node, keyOf(accountId));
    open.add(asked);
    void asked.finally(() => open.delete(asked));
  }
}, TICK_MS);

process.send?.("running");
await once(process, "message");
const before = process.cpuUsage();
const answersBefore = answers;
[unsent, refused, quotaWaits] = [0, {}, []];
timer.take();
loopDelay.reset();
process.send?.("measuring");
await once(process, "message");
const { system, user } = process.cpuUsage(before);
const report: NodesReport = {
  answers: answers - answersBefore,
  refused,
  unsent,
  times: timer.take(),
  quotaWaits,
  processorSeconds: (user + system) / 1e6,
  loopDelay: {
    p50: loopDelay.percentile(50) / 1e6,
    p99: loopDelay.percentile(99) / 1e6,
  },
};
process.send?.(report);
await once(process, "message");
clearInterval(ticking);
await Promise.all(open);
let failedFlushes = 0;
for (const node of own.values()) {
  failedFlushes += node.flusher.state.failures;
  await node[Symbol.asyncDispose]();
}
const total: NodesTotal = { answers, failedFlushes };
process.send?.(total, () => process.disconnect?.());

/** What a worker does for a look-up, as far as accounts are concerned. */
async function ask({ gate }: SimulatedNode, key: string): Promise<void> {
  const reason = await admit(gate, key);
  if (reason === null) answers++;
  else refused[reason] = (refused[reason] ?? 0) + 1;
}

/** Null if the request may be answered, else why not. */
async function admit(gate: SimulatedNode["gate"], key: string) {
  const nowMs = Date.now();
  const verdict = gate.verify(key, nowMs);
  if (verdict.status !== "valid") return verdict.status;
  const { account } = verdict;
  const askedMs = performance.now();
  const begun = gate.beginMonth(account, nowMs);
  if (begun !== null) await begun;
  if (!gate.takeBurst(account, nowMs).allowed) return "too_fast";
  let taking = gate.takeQuota(account, nowMs, "lookup");
  if (begun !== null || taking instanceof Promise) {
    taking = await taking;
    quotaWaits.push(performance.now() - askedMs);
  }
  if (taking !== "taken") return taking;
  gate.quota(account, nowMs);
  return null;
}
