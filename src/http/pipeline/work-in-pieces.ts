import type { FastifyReply } from "fastify";
import {
  AccountShares,
  readerOf,
  type AccountShare,
} from "../limits/account-share.ts";
import { inTurns } from "../limits/fair-queue.ts";
import {
  MAX_ACCOUNT_BATCH_CHARACTERS,
  MAX_BATCH_CHARACTERS,
} from "../limits/server-limits.ts";
import type { Failure } from "./failure.ts";

/** How long one request's work in pieces keeps the thread, and all of them together, in milliseconds. */
const PIECES_MS = 1;
const PIECES_TURN_MS = 5;

/** What a handler returns: undefined once it has written the answer itself. */
export type Sent = FastifyReply | undefined | Promise<FastifyReply | undefined>;

/** Does the work of large answers a piece at a time, and bounds the memory that they take until they are sent. */
export class WorkInPieces {
  readonly #inTurn = inTurns<() => void>(
    (work) => work(),
    () => PIECES_TURN_MS,
  );
  readonly #shares = new AccountShares({
    all: MAX_BATCH_CHARACTERS,
    account: MAX_ACCOUNT_BATCH_CHARACTERS,
  });

  /** What an answer takes of its account's memory, empty so far. All requests without a key are one account. */
  shareOf(account: { readonly id: number } | null): AccountShare {
    return this.#shares.open(account?.id ?? 0);
  }

  /**
   * Does work in pieces, in turns with that of other requests, and then goes on, unless the client has gone. What they
   * add to the answer is taken from the account's share until the answer is sent; goes on with a failure if that is too
   * much.
   */
  doAll(
    reply: FastifyReply,
    pieces: Iterator<number, void>,
    share: AccountShare,
    goOn: (failure: Failure | null) => Sent,
  ): Promise<FastifyReply | undefined> {
    const { promise, reject, resolve } = Promise.withResolvers<
      FastifyReply | undefined
    >();
    const release = () => share[Symbol.dispose]();
    reply.raw.once("close", release);
    const step = () => {
      try {
        if (reply.raw.destroyed) {
          release();
          return resolve(void reply.hijack());
        }
        const done = workFor(PIECES_MS, pieces, share);
        if (done === "more") return this.#inTurn(step);
        if (done === null) share.readBy(readerOf(reply.raw, share.amount));
        resolve(goOn(done));
      } catch (error) {
        reject(error);
      }
    };
    step();
    return promise;
  }
}

/** Does pieces of work for a time; null if all are done, or a failure if they take too much of the account's share. */
function workFor(
  ms: number,
  pieces: Iterator<number, void>,
  share: AccountShare,
): Failure | "more" | null {
  const endMs = performance.now() + ms;
  do {
    const { done, value } = pieces.next();
    if (done === true) return null;
    const failure = share.take(value);
    if (failure !== null) return failure;
  } while (performance.now() < endMs);
  return "more";
}
