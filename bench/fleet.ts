/**
 * What do several nodes over one PostgreSQL cost?
 *
 * `nodes`: look-ups a second of 1, 2, and 3 `serve` nodes, or of the numbers that `--nodes` has, with 300 accounts that
 * all nodes answer. The floor in the same run is the same number of nodes with accounts on SQLite. Statements are
 * counted by pg_stat_statements. Rounds alternate. The best rate and the least processor time per answer count;
 * latencies are of the best round, of the slowest node. Nodes, clients, and PostgreSQL share the machine, so more nodes
 * than cores don't give more answers: look at the processor time per answer and the statements.
 *
 * `simulate`: 100 nodes and a million accounts over one PostgreSQL 18 with synchronous commits and full pages in its
 * log. Each node is the program's own gate, its keeper, and heartbeat, with its own memory and
 * connections, in two processes. There is no HTTP and no data: a request verifies its key and takes its quota. Accounts
 * are drawn by a Zipf distribution or uniformly, and requests go to the node of the account ("by key") or to a random
 * one ("round robin"). After a warm-up, all is measured for `--seconds`. At the end all nodes stop as on SIGTERM, and
 * what PostgreSQL counted is compared with what was answered.
 *
 *   node_modules/.bin/node bench/fleet.ts nodes [--nodes 1,2,3] [--data-dir data] [--seconds 3] [--rounds 3]
 *   node_modules/.bin/node bench/fleet.ts simulate [--seconds 20] [--warm-up 20] [--nodes 100] [--accounts 1000000] [--rate 2000]
 *                                [--balance key,round-robin] [--draw zipf,uniform] [--key-changes 10]
 */
import { parseArgs } from "node:util";
import { measureNodes } from "./fleet/measure-nodes.ts";
import { isBalance, isDraw } from "./fleet/orders.ts";
import { simulate } from "./fleet/simulate.ts";

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    "data-dir": { type: "string", default: "data" },
    seconds: { type: "string" },
    rounds: { type: "string", default: "3" },
    "warm-up": { type: "string", default: "20" },
    nodes: { type: "string" },
    accounts: { type: "string", default: "1000000" },
    rate: { type: "string", default: "2000" },
    balance: { type: "string", default: "key,round-robin" },
    draw: { type: "string", default: "zipf,uniform" },
    "key-changes": { type: "string", default: "10" },
  },
});
const [what] = positionals;
if (what === "nodes")
  await measureNodes({
    dataDir: values["data-dir"],
    nodes: (values.nodes ?? "1,2,3").split(",").map(Number),
    seconds: Number(values.seconds ?? 3),
    rounds: Number(values.rounds),
  });
else if (what === "simulate")
  await simulate({
    seconds: Number(values.seconds ?? 20),
    warmUpSeconds: Number(values["warm-up"]),
    nodes: Number(values.nodes ?? 100),
    accounts: Number(values.accounts),
    perSecond: Number(values.rate),
    balances: values.balance.split(",").filter(isBalance),
    draws: values.draw.split(",").filter(isDraw),
    keyChangesPerSecond: Number(values["key-changes"]),
  });
else throw new Error("Say what to measure: nodes, or simulate.");
