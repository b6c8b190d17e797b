import { randomBytes } from "node:crypto";
import { fork, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { Accounts } from "../../src/accounts/accounts.ts";
import { openDatabase } from "../../src/accounts/database/open-database.ts";
import { BUILT_IN_PLANS } from "../../src/accounts/plans.ts";
import {
  initPostgresql,
  startPostgresql,
  type Connection,
} from "../peers/systems/postgresql-server.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { fillAccounts, USED_BEFORE } from "./accounts.ts";
import { printSimulation } from "./print-simulation.ts";
import type {
  Balance,
  Draw,
  NodesOrder,
  NodesReport,
  NodesTotal,
} from "./orders.ts";
import {
  enableStatistics,
  measureServer,
  SERVER_SETTINGS,
} from "./server-statistics.ts";

const PROCESSES = 2;
/** The database with accounts, and its copy for a run. */
const FILLED = "filled";
const COPY = "copy";

export interface Simulation {
  readonly seconds: number;
  readonly warmUpSeconds: number;
  readonly nodes: number;
  readonly accounts: number;
  readonly perSecond: number;
  readonly balances: readonly Balance[];
  readonly draws: readonly Draw[];
  /** New keys a second, for accounts drawn uniformly. */
  readonly keyChangesPerSecond: number;
}

/** Runs each draw with each balance on a fresh copy of the accounts, and prints what it measures. */
export async function simulate(options: Simulation): Promise<void> {
  await using owned = new AsyncDisposableStack();
  const { path: folder } = owned.use(temporaryFolder("fleet-bench-"));
  await initPostgresql(folder);
  await fill(folder, options.accounts);
  for (const draw of options.draws)
    for (const balance of options.balances)
      await runOnce(folder, draw, balance, options);
}

async function fill(folder: string, accounts: number): Promise<void> {
  await using server = await startPostgresql(folder, SERVER_SETTINGS);
  await server.connection.query({ text: `CREATE DATABASE ${FILLED}` });
  const url = urlOf(folder, FILLED);
  await (await openDatabase({ kind: "postgresql", url })).destroy();
  const connection = await server.connect(FILLED);
  await enableStatistics(connection);
  await fillAccounts(connection, accounts);
  await connection.end();
}

async function runOnce(
  folder: string,
  draw: Draw,
  balance: Balance,
  options: Simulation,
): Promise<void> {
  await using owned = new AsyncDisposableStack();
  const server = owned.use(await startPostgresql(folder, SERVER_SETTINGS));
  const { connection } = server;
  await connection.query({
    text: `CREATE DATABASE ${COPY} TEMPLATE ${FILLED} STRATEGY FILE_COPY`,
  });
  owned.defer(async () => {
    await connection.query({ text: `DROP DATABASE ${COPY} WITH (FORCE)` });
  });
  const url = urlOf(folder, COPY);
  const copy = await server.connect(COPY);
  owned.defer(() => copy.end());
  const { accounts, nodes, perSecond, seconds, warmUpSeconds } = options;
  const children = Array.from({ length: PROCESSES }, () => {
    const child = fork(new URL("./nodes-process.ts", import.meta.url));
    owned.defer(() => void child.kill());
    return child;
  });
  const common = { url, step: PROCESSES, nodes, accounts, perSecond };
  await tellAll<string>(children, (first): NodesOrder => ({
    ...common,
    first,
    balance,
    draw,
  }));
  const changes = owned.use(await changeKeys(url, options));
  await sleep(warmUpSeconds * 1000);
  await tellAll<string>(children);
  const workSince = await measureServer(server, copy);
  const startMs = performance.now();
  await sleep(seconds * 1000);
  const reports = await tellAll<NodesReport>(children);
  const work = await workSince();
  const took = (performance.now() - startMs) / 1000;
  await changes[Symbol.asyncDispose]();
  const stoppingMs = performance.now();
  const totals = await tellAll<NodesTotal>(children);
  const stopSeconds = (performance.now() - stoppingMs) / 1000;
  const counted = await countUsage(copy, accounts);
  printSimulation({
    title: `${draw}, ${balance}`,
    seconds: took,
    work,
    reports,
    totals,
    stopSeconds,
    counted,
  });
}

/** Sends each process a message, and waits for the answers. */
async function tellAll<Answer>(
  children: readonly ChildProcess[],
  messageOf: (index: number) => NodesOrder | "go" = () => "go",
): Promise<Answer[]> {
  return Promise.all(
    children.map(async (child, index) => {
      const ended = once(child, "exit").then((): never => {
        throw new Error("A process of nodes ended.");
      });
      const answered: Promise<Answer[]> = once(child, "message");
      child.send(messageOf(index));
      const [answer] = await Promise.race([answered, ended]);
      if (answer === undefined) throw new Error("A process sent nothing.");
      return answer;
    }),
  );
}

/** Makes new keys all the time, so that the feed has something to tell. */
async function changeKeys(
  url: string,
  { accounts, keyChangesPerSecond }: Simulation,
): Promise<AsyncDisposable> {
  const db = await openDatabase({ kind: "postgresql", url });
  const { keys } = new Accounts(
    { db, clock: Date.now, random: randomBytes, actor: "bench" },
    BUILT_IN_PLANS,
  );
  let making = Promise.resolve();
  const timer = setInterval(() => {
    const id = 1 + Math.floor(Math.random() * accounts);
    making = making
      .then(() => keys.create(`${id}@bench.example`))
      .then(() => undefined);
  }, 1000 / keyChangesPerSecond);
  let isOpen = true;
  return {
    async [Symbol.asyncDispose]() {
      if (!isOpen) return;
      isOpen = false;
      clearInterval(timer);
      await making;
      await db.destroy();
    },
  };
}

/** Reads how many answers the database has. */
async function countUsage(
  connection: Connection,
  accounts: number,
): Promise<number> {
  const { rows } = await connection.query({
    text: "SELECT sum(used)::float8 AS used FROM api_usage",
  });
  const [row = {}] = rows;
  return Number(row["used"]) - USED_BEFORE * accounts;
}

function urlOf(folder: string, database: string): string {
  return `postgres://postgres:peers@${encodeURIComponent(folder)}/${database}`;
}
