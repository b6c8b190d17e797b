import type { Failure } from "../pipeline/failure.ts";
import {
  EXPORT_RETRY_SECONDS,
  MAX_ACCOUNT_EXPORTS,
  MAX_EXPORTS,
} from "../limits/server-limits.ts";

/** Limits the exports that run at the same time in a thread, each of which takes memory until its client has read it. */
export class ExportSlots {
  readonly #byAccount = new Map<number, number>();
  #count = 0;

  /** Takes a slot until it is disposed of; a failure if there is none. */
  take(account: number): Disposable | Failure {
    const own = this.#byAccount.get(account) ?? 0;
    if (own >= MAX_ACCOUNT_EXPORTS) return tooManyExports();
    if (this.#count >= MAX_EXPORTS) return exportsBusy();
    this.#add(account, 1);
    let isTaken = true;
    return {
      [Symbol.dispose]: () => {
        if (isTaken) this.#add(account, -1);
        isTaken = false;
      },
    };
  }

  #add(account: number, change: 1 | -1): void {
    this.#count += change;
    const own = (this.#byAccount.get(account) ?? 0) + change;
    if (own === 0) this.#byAccount.delete(account);
    else this.#byAccount.set(account, own);
  }
}

export function tooManyExports(): Failure {
  return {
    code: "too_many_exports",
    message: `${MAX_ACCOUNT_EXPORTS} exports of this account are running. Start the next one when one of them has ended.`,
    headers: { "retry-after": String(EXPORT_RETRY_SECONDS) },
  };
}

export function exportsBusy(): Failure {
  return {
    code: "exports_busy",
    message: `Too many exports are running. Try again in ${EXPORT_RETRY_SECONDS} s.`,
    headers: { "retry-after": String(EXPORT_RETRY_SECONDS) },
  };
}
