import { setTimeout as sleep } from "node:timers/promises";
import type { Logger } from "pino";
import {
  openAccounts,
  type Accounts,
  type AccountsOptions,
} from "../accounts/accounts.ts";
import { AccountsDatabaseUnavailableError } from "../accounts/database/database.ts";
import {
  planOfPriceIn,
  type BillingConfig,
} from "../billing/billing-config.ts";

const SECRET_BYTES = 32;

/** Delays before a retry, doubled each time, in milliseconds. */
const BASE_DELAY_MS = 250;
const MAX_DELAY_MS = 5_000;

/** The part of the accounts that a service needs before it can answer. */
export interface ServiceAccounts {
  readonly accounts: Accounts;
  /** Keys the entity tags. */
  readonly tagSecret: Uint8Array;
}

/**
 * Opens the accounts of a service and reads what its workers need. Throws AccountsDatabaseError and leaves nothing
 * open. Failed writes are only logged.
 */
export async function openServiceAccounts(
  options: Omit<AccountsOptions, "actor">,
  billing: BillingConfig | null,
  logger: Logger,
): Promise<ServiceAccounts> {
  await using owned = new AsyncDisposableStack();
  const accounts = owned.use(
    await openAccounts({ ...options, actor: "service" }),
  );
  for (const plan of await accounts.unconfiguredPlans()) {
    logger.warn(
      { plan },
      "accounts with a plan that is not configured get the free plan's limits",
    );
  }
  if (billing !== null)
    await attemptOptional(
      async () => {
        const planOf = planOfPriceIn(billing.prices);
        const moved = await accounts.billing.applyPrices(planOf);
        if (moved > 0)
          logger.warn(
            { accounts: moved },
            "STRIPE_PRICES changed: paying accounts moved to other plans",
          );
      },
      (err) =>
        logger.error(
          { err },
          "cannot apply paid plans to accounts: restart the service once their database is writable",
        ),
    );
  const tagSecret = await attemptOptional(
    () => accounts.installationSecret("entity_tags"),
    (err) =>
      logger.warn(
        { err },
        "cannot store the entity-tag secret in the accounts database: tags are valid only on this machine, until the next start",
      ),
  );
  owned.move();
  return { accounts, tagSecret: tagSecret ?? options.random(SECRET_BYTES) };
}

/**
 * Runs an optional step of the start. Reports any error except an unavailable database, which it throws so that the
 * start waits.
 */
async function attemptOptional<Result>(
  act: () => Promise<Result>,
  onFault: (error: unknown) => void,
): Promise<Result | null> {
  try {
    return await act();
  } catch (error) {
    if (error instanceof AccountsDatabaseUnavailableError) throw error;
    onFault(error);
    return null;
  }
}

export interface WaitOptions {
  /** The time to retry an unavailable server, from the first failed attempt. */
  readonly waitMs: number;
  /** Ends the wait. */
  readonly stop: AbortSignal;
  /** Called once with a sentence when the server is unavailable and will be retried. */
  readonly onAway: (reason: string) => void;
}

/**
 * Does what a start needs the accounts database for, all over again for a while where its server is away or goes away
 * meanwhile: machines and containers start in any order. Null when that was stopped. Throws AccountsDatabaseError at
 * the end of the while, and at once for any other fault.
 */
export async function retryUntilAvailable<Result>(
  attempt: () => Promise<Result>,
  { onAway, stop, waitMs }: WaitOptions,
): Promise<Result | null> {
  let until: number | null = null;
  for (let pauseMs = BASE_DELAY_MS; ; pauseMs *= 2) {
    try {
      return await attempt();
    } catch (error) {
      if (stop.aborted) return null;
      until ??= performance.now() + waitMs;
      const leftMs = until - performance.now();
      if (!(error instanceof AccountsDatabaseUnavailableError) || leftMs <= 0)
        throw error;
      if (pauseMs === BASE_DELAY_MS)
        onAway(`${error.message} Retrying for ${Math.ceil(waitMs / 1000)} s.`);
      await sleep(Math.min(pauseMs, MAX_DELAY_MS, leftMs), undefined, {
        signal: stop,
      }).catch(() => undefined);
      if (stop.aborted) return null;
    }
  }
}
