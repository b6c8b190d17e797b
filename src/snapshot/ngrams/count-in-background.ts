import { Worker } from "node:worker_threads";
import { countPieces } from "./count-frequent-ngrams.ts";
import type { CountingMessage } from "./counting-worker.ts";
import { dictionaryOf } from "../dictionary/dictionary.ts";
import type { Names } from "../names/name-index.ts";
import { NumberSet } from "../bytes/bitset.ts";
import {
  organizationWords,
  type OrganizationWords,
} from "../names/organization-words.ts";
import type { NumberedPiece } from "./frequent-ngrams.ts";

const PROGRAM = new URL("./counting-worker.ts", import.meta.url);
/** The pieces of fewer documents are counted sooner than a thread is of use. */
const LEAST_DOCS = 500_000;

/** Pieces that are counted while their asker does other things. Dispose it when done: what still runs ends then. */
export interface PieceCounting extends AsyncDisposable {
  /** The words of organization names, which come first. */
  words(): Promise<OrganizationWords>;
  /** The pieces to store, ascending, to be asked for once. */
  pieces(): Promise<NumberedPiece[]>;
}

/**
 * Begins to find the words of organization names, and then to count the pieces of all names as countPieces does: those of at
 * least `leastThreadDocs` documents in a thread of its own. What of the names is not in shared memory is copied for it.
 */
export function countPiecesAside(
  names: Names,
  leastThreadDocs: number = LEAST_DOCS,
): PieceCounting {
  return names.name.length >= leastThreadDocs
    ? new CountingThread(names)
    : new CountingHere(names);
}

class CountingHere implements PieceCounting {
  readonly #names: Names;
  readonly #words: OrganizationWords;

  constructor(names: Names) {
    this.#names = names;
    this.#words = organizationWords(dictionaryOf(names.organizations));
  }

  words(): Promise<OrganizationWords> {
    return Promise.resolve(this.#words);
  }

  pieces(): Promise<NumberedPiece[]> {
    return Promise.resolve(countPieces(this.#names, this.#words));
  }

  [Symbol.asyncDispose](): Promise<void> {
    return Promise.resolve();
  }
}

class CountingThread implements PieceCounting {
  readonly #worker: Worker;
  readonly #words = Promise.withResolvers<OrganizationWords>();
  readonly #counted = Promise.withResolvers<NumberedPiece[]>();
  readonly #docCount: number;

  constructor(names: Names) {
    this.#docCount = names.name.length;
    this.#worker = new Worker(PROGRAM, { workerData: names, name: "counting" });
    this.#worker.on("message", (message: CountingMessage) => {
      if (message.kind === "words") this.#words.resolve(message.words);
      else this.#counted.resolve(this.#piecesOf(message));
    });
    this.#worker.on("error", (error) => this.#fail(error));
    this.#worker.on("exit", () =>
      this.#fail(new Error("The thread that counts pieces ended early.")),
    );
    // A failure is thrown to who asks; it is not unhandled when nobody does.
    this.#words.promise.catch(() => {});
    this.#counted.promise.catch(() => {});
  }

  words(): Promise<OrganizationWords> {
    return this.#words.promise;
  }

  pieces(): Promise<NumberedPiece[]> {
    return this.#counted.promise;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#worker.terminate();
  }

  #piecesOf({
    pieces,
  }: Extract<CountingMessage, { kind: "pieces" }>): NumberedPiece[] {
    return pieces.map(({ bits, counts, docCount, number }) => ({
      number,
      piece: {
        docCount,
        counts,
        docs: bits === null ? null : new NumberSet(this.#docCount, bits),
      },
    }));
  }

  #fail(error: unknown): void {
    this.#words.reject(error);
    this.#counted.reject(error);
  }
}
