import { AccountsDatabaseError } from "../../accounts/database/database.ts";
import type { BurstState, Plan } from "../../accounts/metering/gate.ts";
import { Refusal, tryAgain, type Failure } from "../pipeline/failure.ts";

/** Failures that several routes share. */

/** Seconds until a retry while the accounts database or Stripe is unavailable. */
const ACCOUNTS_RETRY_SECONDS = 5;
const BILLING_RETRY_SECONDS = 30;

export function notSignedIn(
  message = "You are not signed in. Sign in and send the session cookie.",
): Failure {
  return { code: "not_signed_in", message };
}

export function accountSuspended(message: string): Failure {
  return { code: "account_suspended", message };
}

/** Makes the failure of requests without an API key that need the accounts database while it is unavailable. */
export function accountsUnreachable(): Failure {
  return tryAgain(
    "accounts_unavailable",
    "Accounts are temporarily unavailable.",
    ACCOUNTS_RETRY_SECONDS,
  );
}

/** The part of sign-up and sign-in that says whether the accounts database can be reached. */
interface Reachable {
  readonly accounts: { isReachable(): Promise<boolean> };
}

/** Does work that needs the accounts database. Rejects with a `Refusal` if it fails because the database is away. */
export async function withAccounts<Auth extends Reachable, Result>(
  lazyAuth: { open(): Promise<Auth> },
  work: (auth: Auth) => Promise<Result>,
): Promise<Result> {
  try {
    return await work(await lazyAuth.open());
  } catch (error) {
    if (error instanceof Refusal) throw error;
    if (await isAccountsDatabaseDown(lazyAuth, error))
      throw new Refusal(accountsUnreachable());
    throw error;
  }
}

/** True if an error was caused by the accounts database; asks it once more to find out. */
async function isAccountsDatabaseDown(
  lazyAuth: { open(): Promise<Reachable> },
  error: unknown,
): Promise<boolean> {
  if (error instanceof AccountsDatabaseError) return true;
  const { accounts } = await lazyAuth.open();
  return !(await accounts.isReachable());
}

export function billingUnavailable(): Failure {
  return tryAgain(
    "billing_unavailable",
    "Billing is temporarily unavailable. Nothing was changed.",
    BILLING_RETRY_SECONDS,
  );
}

/** Makes the failure to delete an account that may be paying while Stripe is not configured. */
export function paymentsNotEnded(): Failure {
  return {
    code: "payments_not_ended",
    message:
      "This account may have a paid plan that the service cannot cancel. Nothing was deleted. Ask the operator of this service to delete the account.",
  };
}

export function wantedBody(wanted: string): Failure {
  return invalidBody(`Send ${wanted} as application/json.`);
}

export function invalidBody(message: string): Failure {
  return { code: "invalid_body", message };
}

/** Makes the failure of a missing key. `hint` says how else it can be sent; `challenge` is the other scheme's. */
export function missingKey(hint = "", challenge = ""): Failure {
  return {
    code: "missing_api_key",
    message: `The request has no API key. Send it as Authorization: Bearer <API key>${hint}.`,
    headers: { "www-authenticate": `Bearer${challenge}` },
  };
}

export function invalidKey(challenge = ""): Failure {
  return {
    code: "invalid_api_key",
    message:
      "The API key is not valid: it is mistyped, unknown, revoked or expired.",
    headers: {
      "www-authenticate": `Bearer error="invalid_token"${challenge}`,
    },
  };
}

export function tooManyFailures(waitSeconds: number): Failure {
  return tryAgain(
    "too_many_failures",
    "This address sent too many invalid API keys.",
    waitSeconds,
  );
}

export function keySuspended(): Failure {
  return accountSuspended(
    "The account of this API key is suspended. Contact the operator of this service.",
  );
}

export function keyUnchecked(retryAfterSeconds: number): Failure {
  return tryAgain(
    "accounts_unavailable",
    "The API key cannot be checked right now.",
    retryAfterSeconds,
  );
}

export function quotaUnchecked(): Failure {
  return tryAgain(
    "accounts_unavailable",
    "The account's quota cannot be checked right now.",
    ACCOUNTS_RETRY_SECONDS,
  );
}

export function tooFast(
  { burstPerSecond, name }: Pick<Plan, "burstPerSecond" | "name">,
  { retryAfterSeconds }: Pick<BurstState, "retryAfterSeconds">,
): Failure {
  return tryAgain(
    "rate_limit_exceeded",
    `The ${name} plan allows ${burstPerSecond} requests per second.`,
    retryAfterSeconds,
  );
}
