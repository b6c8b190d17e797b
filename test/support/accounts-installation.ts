/** Accounts in a temporary folder, with a clock that tests move by hand, and service processes over them. */

import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openAccounts, type Accounts } from "../../src/accounts/accounts.ts";
import type { Random } from "../../src/accounts/api-key.ts";
import { ACCOUNTS_FILE } from "../../src/accounts/database.ts";
import type { AccountHandle, Gate } from "../../src/accounts/gate.ts";
import { openGate } from "../../src/accounts/open-gate.ts";
import { BUILT_IN_PLANS, type Plans } from "../../src/accounts/plans.ts";
import {
  createUsageBuffer,
  type UsageCapacity,
} from "../../src/accounts/usage-buffer.ts";
import {
  startUsageFlush,
  type UsageFlush,
} from "../../src/accounts/usage-flusher.ts";

/** When tests begin: well inside a month. */
export const START_MS = Date.UTC(2026, 10, 20, 12);

/** Longer than any test: flushes happen only when a test asks for them. */
const NEVER_MS = 3_600_000;

export interface Clock {
  nowMs: number;
}

export interface Installation extends AsyncDisposable {
  readonly file: string;
  readonly folder: string;
  readonly plans: Plans;
  readonly clock: Clock;
  readonly accounts: Accounts;
  /** What one service process has; it ends with the installation. */
  startProcess(capacity?: Partial<UsageCapacity>): Promise<ServiceProcess>;
}

export interface ServiceProcess {
  readonly accounts: Accounts;
  readonly usage: SharedArrayBuffer;
  readonly gate: Gate;
  /** Another thread's gate. */
  openGate(): Gate;
  readonly flusher: UsageFlush;
}

export async function install({
  plans = BUILT_IN_PLANS,
  random = randomBytes,
}: { plans?: Plans; random?: Random } = {}): Promise<Installation> {
  const folder = await mkdtemp(join(tmpdir(), "accounts-"));
  const file = join(folder, ACCOUNTS_FILE);
  const clock: Clock = { nowMs: START_MS };
  const options = { file, plans, clock: () => clock.nowMs, random };
  const owned = new AsyncDisposableStack();
  owned.defer(() => rm(folder, { recursive: true }));
  const accounts = owned.use(await openAccounts(options));

  async function startProcess(
    capacity: Partial<UsageCapacity> = { accounts: 1_000, keys: 1_000 },
  ): Promise<ServiceProcess> {
    const own = owned.use(await openAccounts(options));
    const usage = createUsageBuffer(capacity);
    const openAnother = () => owned.use(openGate({ file, plans, usage }));
    const flusher = owned.use(
      startUsageFlush({
        accounts: own,
        usage,
        clock: options.clock,
        intervalMs: NEVER_MS,
        onError(error) {
          throw error;
        },
      }),
    );
    return {
      accounts: own,
      usage,
      gate: openAnother(),
      openGate: openAnother,
      flusher,
    };
  }

  return {
    file,
    folder,
    plans,
    clock,
    accounts,
    startProcess,
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

/** An account (made if need be) and a new key for it. */
export async function issueKey(
  accounts: Accounts,
  email = "ada@clinic.example",
  plan?: string,
): Promise<string> {
  await accounts.createAccount(email, plan);
  const made = await accounts.createKey(email);
  if (made.outcome !== "created") throw new Error(made.outcome);
  return made.key;
}

/** The account of a key that must be valid. */
export function accountOf(
  gate: Gate,
  key: string,
  nowMs: number,
): AccountHandle {
  const verdict = gate.verify(key, nowMs);
  if (verdict.status !== "valid") throw new Error(`The key is no longer valid`);
  return verdict.account;
}

/** Takes from the month's quota so many times, and says how often it was allowed. */
export function takeTimes(
  gate: Gate,
  account: AccountHandle,
  times: number,
  nowMs: number,
): number {
  let taken = 0;
  for (let time = 0; time < times; time++) {
    if (gate.takeQuota(account, nowMs)) taken++;
  }
  return taken;
}
