import type { DataCall } from "../call.ts";
import {
  AccountShares,
  readerOf,
  type AccountShare,
} from "../limits/account-share.ts";
import { turnsOf } from "../limits/fair-queue.ts";
import { stopIfGone } from "../answer.ts";
import {
  MAX_ACCOUNT_BATCH_CHARACTERS,
  MAX_BATCH_CHARACTERS,
} from "../limits/server-limits.ts";
import { must } from "./failure.ts";

/** The time that one request's work in pieces keeps the thread, and all of them together, in milliseconds. */
const PIECES_MS = 1;
const PIECES_TURN_MS = 5;

/** Does the work of large answers a piece at a time, and bounds the memory that they take until they are sent. */
export class WorkInPieces {
  readonly #inTurn = turnsOf(() => PIECES_TURN_MS);
  readonly #inLongTurn = turnsOf(() => 0);
  readonly #shares = new AccountShares<number | string>({
    all: MAX_BATCH_CHARACTERS,
    account: MAX_ACCOUNT_BATCH_CHARACTERS,
  });

  /**
   * Does work in pieces, in turns with that of other requests. Each yields how many characters it adds to the answer.
   * They are taken from the caller's share until the answer is sent; rejects with a `Refusal` if that is too much, and
   * if the client goes.
   */
  doAll(call: DataCall, pieces: Iterator<number, void>): Promise<void> {
    const { caller, response } = call;
    const share = this.#shares.open(caller.party);
    response?.once("close", () => share[Symbol.dispose]());
    return new Promise((resolve, reject) => {
      // In the turn itself, not once a promise resolves in it, so that its length counts the work.
      const step = (): void => {
        try {
          stopIfGone(call);
          if (!workFor(PIECES_MS, pieces, share)) return this.#inTurn(step);
          if (response === null) share[Symbol.dispose]();
          else share.readBy(readerOf(response, share.amount));
          resolve();
        } catch (error) {
          reject(error);
        }
      };
      step();
    });
  }

  /**
   * Resolves in a turn for long work: one each, between the turns of all other requests. Rejects if the client goes.
   */
  async longTurn(call: DataCall): Promise<void> {
    await new Promise<void>((resolve) => this.#inLongTurn(resolve));
    stopIfGone(call);
  }
}

/** Does pieces of work for a time; true if all are done. Throws a `Refusal` if they take too much of a share. */
function workFor(
  ms: number,
  pieces: Iterator<number, void>,
  share: AccountShare,
): boolean {
  const endMs = performance.now() + ms;
  do {
    const { done, value } = pieces.next();
    if (done === true) return true;
    must(share.take(value));
  } while (performance.now() < endMs);
  return false;
}
