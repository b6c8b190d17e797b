/** Accounts in a temporary folder, with a clock that tests move by hand, and service processes over them. */

import { randomBytes, randomUUID } from "node:crypto";
import { copyFile, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after } from "node:test";
import { openAccounts, type Accounts } from "../../../src/accounts/accounts.ts";
import type { Random } from "../../../src/accounts/keys/api-key.ts";
import {
  ACCOUNTS_FILE,
  type DatabasePlace,
} from "../../../src/accounts/database/database.ts";
import { openDatabase } from "../../../src/accounts/database/open-database.ts";
import type { Operation } from "../../../src/contract/operation.ts";
import type {
  AccountHandle,
  KeyVerdict,
  QuotaTaking,
} from "../../../src/accounts/metering/gate.ts";
import type { Gate } from "../../../src/accounts/metering/thread-gate.ts";
import { monthAt } from "../../../src/accounts/metering/month.ts";
import { MonthlyUse } from "../../../src/accounts/metering/monthly-use.ts";
import {
  recordUsage,
  type KeyPart,
} from "../../../src/accounts/metering/record-usage.ts";
import { BUILT_IN_PLANS, type Plans } from "../../../src/accounts/plans.ts";
import type { GateKeeper } from "../../../src/accounts/metering/gate-keeper.ts";
import type {
  GateCapacity,
  GateMemory,
} from "../../../src/accounts/metering/gate-memory.ts";
import { startMetering, type MeteringOptions } from "./metering-process.ts";

/** When tests begin: well inside a month. */
export const START_MS = Date.UTC(2026, 10, 20, 12);

/** Longer than any test: flushes happen only when a test asks for them. */
const NEVER_MS = 3_600_000;

export interface Clock {
  nowMs: number;
}

export interface Installation extends AsyncDisposable {
  readonly place: DatabasePlace;
  /** A data folder; the database is in it if it is a file. */
  readonly folder: string;
  readonly plans: Plans;
  readonly clock: Clock;
  readonly accounts: Accounts;
  /** What one service process has; it ends with the installation. */
  startProcess(
    capacity?: Partial<GateCapacity>,
    options?: ProcessOptions,
  ): Promise<ServiceProcess>;
}

/** What of a process is other than tests usually have it. */
export type ProcessOptions = Pick<
  MeteringOptions,
  "idleMs" | "pollMs" | "whenAway"
>;

export interface ServiceProcess {
  readonly accounts: Accounts;
  readonly memory: GateMemory;
  readonly gate: Gate;
  /** Another thread's gate. */
  openGate(): Gate;
  readonly keeper: GateKeeper;
  /** Lets all its gates know the changes of keys and accounts so far. */
  readonly hear: () => Promise<void>;
  /** Writes its usage, and gives back what is prepaid; returns how many answers were written. */
  readonly write: () => Promise<number>;
  /** Ends the process as a stopped service does: writes its usage, and gives back what is prepaid. */
  readonly stop: () => Promise<void>;
}

export interface InstallOptions {
  readonly plans?: Plans;
  readonly random?: Random;
}

/** A database file with the tables of accounts, and nothing else: to copy it is faster than to migrate each. */
let migrated: Promise<string> | null = null;

function migratedFile(): Promise<string> {
  return (migrated ??= (async () => {
    const folder = await mkdtemp(join(tmpdir(), "accounts-"));
    const file = join(folder, ACCOUNTS_FILE);
    await (await openDatabase({ kind: "sqlite", file })).destroy();
    return file;
  })());
}

after(async () => {
  if (migrated !== null) await rm(dirname(await migrated), { recursive: true });
});

/** Accounts on SQLite, in a folder that goes with them. */
export async function install(
  options: InstallOptions = {},
): Promise<Installation> {
  const folder = await mkdtemp(join(tmpdir(), "accounts-"));
  const file = join(folder, ACCOUNTS_FILE);
  await copyFile(await migratedFile(), file);
  return installAt({ kind: "sqlite", file }, folder, options);
}

/** Accounts in a database that is there. */
export async function installOver(
  place: DatabasePlace,
  options: InstallOptions = {},
): Promise<Installation> {
  const folder = await mkdtemp(join(tmpdir(), "accounts-"));
  return installAt(place, folder, options);
}

async function installAt(
  place: DatabasePlace,
  folder: string,
  { plans = BUILT_IN_PLANS, random = randomBytes }: InstallOptions,
): Promise<Installation> {
  const owned = new AsyncDisposableStack();
  owned.defer(() => rm(folder, { recursive: true }));
  const clock: Clock = { nowMs: START_MS };
  const options = {
    place,
    plans,
    clock: () => clock.nowMs,
    random,
    actor: "test",
  };
  const accounts = owned.use(await openAccounts(options));
  let started = 0;

  async function startProcess(
    capacity: Partial<GateCapacity> = { accounts: 1_000, keys: 1_000 },
    processOptions: ProcessOptions = {},
  ): Promise<ServiceProcess> {
    const own = owned.use(await openAccounts(options));
    started++;
    const metering = await startMetering({
      accounts: own,
      capacity,
      plans,
      intervalMs: NEVER_MS,
      pollMs: NEVER_MS,
      ...processOptions,
      liveNodes: () => started,
      onError(error) {
        throw error;
      },
    });
    const { keeper, memory } = metering;
    let stopped: Promise<void> | null = null;
    const stop = () => (stopped ??= metering[Symbol.asyncDispose]());
    owned.defer(stop);
    return {
      accounts: own,
      memory,
      gate: metering.openGate(),
      openGate: () => metering.openGate(),
      keeper,
      hear: () => keeper.readKeys(),
      async write() {
        await keeper.quota.serve();
        await keeper.quota.recall(null);
        return keeper.flusher.flush();
      },
      stop,
    };
  }

  return {
    place,
    folder,
    plans,
    clock,
    accounts,
    startProcess,
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

/** An account (created if needed) and a new key for it. */
export async function issueKey(
  accounts: Accounts,
  email = "ada@clinic.example",
  plan?: string,
): Promise<string> {
  await accounts.users.create(email, plan);
  const made = await accounts.keys.create(email);
  if (made.outcome !== "created") throw new Error(made.outcome);
  return made.key;
}

/** What a gate makes of a key, once new keys are read. */
export async function verdictOf(
  gate: Gate,
  key: string,
  nowMs: number,
): Promise<KeyVerdict> {
  const verdict = gate.verify(key, nowMs);
  return verdict.status === "unknown" && verdict.reason === "never_issued"
    ? gate.verifyAgain(key, nowMs)
    : verdict;
}

/** The account of a key that must be valid, once its month is known. */
export async function accountOf(
  gate: Gate,
  key: string,
  nowMs: number,
): Promise<AccountHandle> {
  const verdict = await verdictOf(gate, key, nowMs);
  if (verdict.status !== "valid") throw new Error(`The key is no longer valid`);
  await gate.beginMonth(verdict.account, nowMs);
  return verdict.account;
}

/** Takes one answer or several from the month's quota, and waits for them as a request does. */
export async function takeOne(
  gate: Gate,
  account: AccountHandle,
  nowMs: number,
  operation: Operation = "lookup",
  answers = 1,
): Promise<QuotaTaking> {
  return gate.takeQuota(account, nowMs, operation, answers);
}

/** Takes from the month's quota `times` times. Returns how many were allowed. */
export async function takeTimes(
  gate: Gate,
  account: AccountHandle,
  times: number,
  nowMs: number,
  operation: Operation = "lookup",
): Promise<number> {
  let taken = 0;
  for (let time = 0; time < times; time++) {
    if ((await takeOne(gate, account, nowMs, operation)) === "taken") taken++;
  }
  return taken;
}

/** Records answers of an account's keys, as a process over the same database does. */
export async function recordUse(
  place: DatabasePlace,
  accountId: number,
  nowMs: number,
  parts: readonly KeyPart[],
): Promise<void> {
  await using db = await openDatabase(place);
  const batch = { writer: randomUUID(), number: 1, uses: [], parts };
  await recordUsage(db, batch, nowMs);
  const answers = parts.reduce((sum, { count }) => sum + count, 0);
  const month = monthAt(nowMs).number;
  const quota = Number.MAX_SAFE_INTEGER;
  await new MonthlyUse(db, () => nowMs).change([
    { accountId, month, answers, quota },
  ]);
}
