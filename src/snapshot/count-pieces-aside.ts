import { Worker } from "node:worker_threads";
import { countPieces, type PieceNames } from "./count-pieces.ts";
import type { CountingResult } from "./counting-thread.ts";
import { NumberSet } from "./number-set.ts";
import type { NumberedPiece } from "./pieces.ts";

const PROGRAM = new URL("./counting-thread.ts", import.meta.url);
/** The pieces of fewer documents are counted sooner than a thread is of use. */
const LEAST_DOCS = 500_000;

/** Pieces that are counted while their asker does other things. Dispose it when done: what still runs ends then. */
export interface PieceCounting extends AsyncDisposable {
  /** The pieces to store, ascending, to be asked for once. */
  pieces(): Promise<NumberedPiece[]>;
}

/**
 * Begins to count the pieces of names as countPieces does: those of at least `leastThreadDocs` documents in a thread of its
 * own. What of the names is not in shared memory is copied for it.
 */
export function countPiecesAside(
  names: PieceNames,
  leastThreadDocs: number = LEAST_DOCS,
): PieceCounting {
  return names.name.length >= leastThreadDocs
    ? new CountingThread(names)
    : new CountingHere(names);
}

class CountingHere implements PieceCounting {
  readonly #names: PieceNames;

  constructor(names: PieceNames) {
    this.#names = names;
  }

  pieces(): Promise<NumberedPiece[]> {
    return Promise.resolve(countPieces(this.#names));
  }

  [Symbol.asyncDispose](): Promise<void> {
    return Promise.resolve();
  }
}

class CountingThread implements PieceCounting {
  readonly #worker: Worker;
  readonly #ended: Promise<CountingResult>;
  readonly #docCount: number;

  constructor(names: PieceNames) {
    this.#docCount = names.name.length;
    this.#worker = new Worker(PROGRAM, { workerData: names, name: "counting" });
    const { promise, reject, resolve } =
      Promise.withResolvers<CountingResult>();
    this.#worker.on("message", resolve);
    this.#worker.on("error", reject);
    this.#worker.on("exit", () =>
      reject(new Error("The thread that counts pieces ended early.")),
    );
    // A failure is thrown by `pieces`; it is not unhandled when that is never asked for.
    promise.catch(() => {});
    this.#ended = promise;
  }

  async pieces(): Promise<NumberedPiece[]> {
    const counted = await this.#ended;
    return counted.map(({ bits, counts, docCount, number }) => ({
      number,
      piece: {
        docCount,
        counts,
        docs: bits === null ? null : new NumberSet(this.#docCount, bits),
      },
    }));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#worker.terminate();
  }
}
