import type { Failure } from "../pipeline/failure.ts";

/** `Retry-After` of both failures. */
const RETRY_SECONDS = 10;

/** What all accounts of a thread, and each of them, may take of something at the same time. */
interface Limits {
  readonly all: number;
  readonly account: number;
}

/**
 * Limits what the requests of a thread take at the same time, such as memory until their clients have read the answers.
 * Accounts are named by their id, visitors by their network.
 */
export class AccountShares<Account extends number | string = number> {
  readonly #limits: Limits;
  readonly #tooMany: () => Failure;
  readonly #byAccount = new Map<Account, number>();
  #taken = 0;

  constructor(limits: Limits, tooMany = () => tooManyAtOnce()) {
    this.#limits = limits;
    this.#tooMany = tooMany;
  }

  /** An empty share of an account, which gives everything back when it is disposed of. */
  open(account: Account): AccountShare {
    let taken = 0;
    return {
      take: (amount) => {
        const own = (this.#byAccount.get(account) ?? 0) + amount;
        if (own > this.#limits.account) return this.#tooMany();
        if (this.#taken + amount > this.#limits.all) return serviceBusy();
        this.#add(account, amount);
        taken += amount;
        return null;
      },
      [Symbol.dispose]: () => {
        this.#add(account, -taken);
        taken = 0;
      },
    };
  }

  #add(account: Account, amount: number): void {
    this.#taken += amount;
    const own = (this.#byAccount.get(account) ?? 0) + amount;
    if (own === 0) this.#byAccount.delete(account);
    else this.#byAccount.set(account, own);
  }
}

/** What one request takes. */
export interface AccountShare extends Disposable {
  /**
   * Takes an amount in addition; a failure, and nothing taken, if that is more than its account or the thread may take.
   */
  take(amount: number): Failure | null;
}

export function tooManyAtOnce(
  message = "Other exports or large answers of this account are still running. Send this request again when one has finished.",
): Failure {
  return {
    code: "too_many_at_once",
    message,
    headers: { "retry-after": String(RETRY_SECONDS) },
  };
}

export function serviceBusy(
  reason = "Too many exports and large answers are running.",
): Failure {
  return {
    code: "service_busy",
    message: `${reason} Try again in ${RETRY_SECONDS} s.`,
    headers: { "retry-after": String(RETRY_SECONDS) },
  };
}

/** The failure of a request that waited too long for its turn (`fair-queue.ts`). */
export function queuedTooLong(): Failure {
  return serviceBusy("More requests arrive than the service can answer.");
}
