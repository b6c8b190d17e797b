import type { RemoteKey } from "./remote-keys.ts";

/** Hashes per query, concurrent queries, and queued hashes; beyond that further reads are refused. */
const MAX_BATCH = 500;
const MAX_QUERIES = 2;
const MAX_WAITING = 10_000;

/** Wait before the next query after the database did not answer; doubled each time. */
const FIRST_WAIT_MS = 100;
const MAX_WAIT_MS = 4_000;

/** Reads keys by their hashes, in their order, as of `nowMs`; rejects if the database does not answer. */
export type ReadKeys = (
  hashes: readonly string[],
  nowMs: number,
) => Promise<readonly RemoteKey[]>;

interface Waiting {
  readonly nowMs: number;
  readonly done: PromiseWithResolvers<RemoteKey | null>;
}

/**
 * Batches key reads from a remote database: hashes of one turn are read together, the same hash is read
 * once, and a database that does not answer is queried again only after a while.
 */
export class KeyReadBatcher {
  readonly #read: ReadKeys;
  readonly #waiting = new Map<string, Waiting>();
  readonly #reading = new Map<string, Promise<RemoteKey | null>>();
  #queries = 0;
  #isScheduled = false;
  #away: { readonly waitMs: number; readonly until: number } | null = null;
  #lastContactMs = Number.NEGATIVE_INFINITY;

  constructor(read: ReadKeys) {
    this.#read = read;
  }

  /** Whether the last query got no answer. */
  get isAway(): boolean {
    return this.#away !== null;
  }

  /** When the database last answered, by the clock of requests; -Infinity if it never did. */
  get lastContactMs(): number {
    return this.#lastContactMs;
  }

  /** Records that the database answered another query. */
  noteContact(atMs: number): void {
    this.#lastContactMs = Math.max(this.#lastContactMs, atMs);
    this.#away = null;
  }

  /** Reads a key. Resolves to null if the database did not answer, or was not queried because it is away. */
  load(hash: string, nowMs: number): Promise<RemoteKey | null> {
    const same =
      this.#waiting.get(hash)?.done.promise ?? this.#reading.get(hash);
    if (same !== undefined) return same;
    if (
      this.#waiting.size >= MAX_WAITING ||
      (this.#away !== null && performance.now() < this.#away.until)
    )
      return UNREAD;
    const done = Promise.withResolvers<RemoteKey | null>();
    this.#waiting.set(hash, { nowMs, done });
    this.#schedule();
    return done.promise;
  }

  /** Hashes that arrive in one turn of the event loop are read together. */
  #schedule(): void {
    if (this.#isScheduled || this.#queries >= MAX_QUERIES) return;
    this.#isScheduled = true;
    setImmediate(() => {
      this.#isScheduled = false;
      void this.#query();
    });
  }

  async #query(): Promise<void> {
    const batch = [...this.#waiting].slice(0, MAX_BATCH);
    const [first] = batch;
    if (first === undefined) return;
    for (const [hash, { done }] of batch) {
      this.#waiting.delete(hash);
      this.#reading.set(hash, done.promise);
    }
    this.#queries++;
    if (this.#waiting.size > 0) this.#schedule();
    // The result is at least as new as the first request in the batch.
    const { nowMs } = first[1];
    const keys = await this.#ask(
      batch.map(([hash]) => hash),
      nowMs,
    );
    this.#queries--;
    for (const [index, [hash, { done }]] of batch.entries()) {
      this.#reading.delete(hash);
      done.resolve(keys?.[index] ?? null);
    }
    if (this.#waiting.size > 0) this.#schedule();
  }

  async #ask(
    hashes: readonly string[],
    nowMs: number,
  ): Promise<readonly RemoteKey[] | null> {
    try {
      const keys = await this.#read(hashes, nowMs);
      this.noteContact(nowMs);
      return keys;
    } catch {
      const waitMs = Math.min(
        (this.#away?.waitMs ?? FIRST_WAIT_MS / 2) * 2,
        MAX_WAIT_MS,
      );
      this.#away = { waitMs, until: performance.now() + waitMs };
      return null;
    }
  }
}

const UNREAD = Promise.resolve(null);
