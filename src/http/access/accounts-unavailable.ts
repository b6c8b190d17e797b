import { AccountsDatabaseError } from "../../accounts/database/database.ts";
import type { LazyAuth } from "../app-context.ts";
import type { Failure } from "../pipeline/failure.ts";

const RETRY_SECONDS = 5;

/** The refusal of what needs the accounts' database, while that is away. */
export function accountsUnavailable(
  what: string,
  retryAfterSeconds: number,
): Failure {
  return {
    code: "accounts_unavailable",
    message: `${what} Try again in ${retryAfterSeconds} s.`,
    headers: { "retry-after": String(retryAfterSeconds) },
  };
}

/** The same for people, who have no key to be judged by. */
export function accountsAway(): Failure {
  return accountsUnavailable(
    "Accounts cannot be reached at the moment.",
    RETRY_SECONDS,
  );
}

/** Whether something failed because the accounts' database is away: it is asked once more. */
export async function isAway(
  people: LazyAuth,
  error: unknown,
): Promise<boolean> {
  if (error instanceof AccountsDatabaseError) return true;
  const { accounts } = await people.open();
  return !(await accounts.isReachable());
}
