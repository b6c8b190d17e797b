import type { ExpectedSnapshots as Expectation } from "../http/app-context.ts";

/** The places in the memory: what worker threads should open, and what is published. */
const OPENING = 0;
const PUBLISHED = [1, 2] as const;
const PLACES = 1 + PUBLISHED.length;

/** Makes memory in which the supervisor says which snapshots will soon be served, and workers read it. */
export function createExpectedMemory(): SharedArrayBuffer {
  return new SharedArrayBuffer(PLACES * BigInt64Array.BYTES_PER_ELEMENT);
}

/** Snapshots that other threads or nodes may serve before this one does. */
export class ExpectedSnapshots implements Expectation {
  readonly #memory: BigInt64Array<SharedArrayBuffer>;

  /** Over the memory of `createExpectedMemory`. */
  constructor(memory: SharedArrayBuffer) {
    this.#memory = new BigInt64Array(memory);
  }

  /** The snapshot that is being read, or that worker threads are about to open, one after another. */
  set opening(id: string) {
    Atomics.store(this.#memory, OPENING, numberOf(id));
  }

  /** The snapshots that this node knows to be published, at most two. */
  set published(ids: readonly string[]) {
    for (const [index, place] of PUBLISHED.entries()) {
      const id = ids[index];
      Atomics.store(this.#memory, place, id === undefined ? 0n : numberOf(id));
    }
  }

  includes(id: string, served: string): boolean {
    const wanted = numberOf(id);
    for (let place = 0; place < PLACES; place++) {
      const expected = Atomics.load(this.#memory, place);
      // A node that missed publications doesn't know their IDs, but these are between what it serves and the newest.
      if (wanted === expected) return true;
      if (numberOf(served) < wanted && wanted < expected) return true;
    }
    return false;
  }
}

/** Returns the digits of a snapshot's ID, `20261116T031500000Z`, which sort like the IDs. */
function numberOf(id: string): bigint {
  return BigInt(id.replaceAll(/\D/g, ""));
}
