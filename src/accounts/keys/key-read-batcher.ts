/** Hashes in one question, questions at once, and hashes that wait; more than that is a flood. */
const MAX_BATCH = 500;
const MAX_QUERIES = 2;
const MAX_WAITING = 10_000;

/** How long to wait before the database is asked again after it did not answer: doubled each time, in milliseconds. */
const FIRST_WAIT_MS = 100;
const LONGEST_WAIT_MS = 5_000;

/** Reads keys by their hashes and takes in what is found, as of `nowMs`; rejects when the database does not answer. */
export type ReadKeys = (
  hashes: readonly string[],
  nowMs: number,
) => Promise<void>;

interface Waiting {
  readonly nowMs: number;
  readonly done: PromiseWithResolvers<boolean>;
}

/**
 * The questions of one thread to a database on another machine: those that come together go together, the same one is
 * asked once, and a database that does not answer is asked again only after a while.
 */
export class KeyReadBatcher {
  readonly #read: ReadKeys;
  readonly #waiting = new Map<string, Waiting>();
  readonly #asked = new Map<string, Promise<boolean>>();
  #questions = 0;
  #isScheduled = false;
  #away: { readonly waitMs: number; readonly until: number } | null = null;
  #lastContactMs = Number.NEGATIVE_INFINITY;

  constructor(read: ReadKeys) {
    this.#read = read;
  }

  /** Whether the last question got no answer. */
  get isAway(): boolean {
    return this.#away !== null;
  }

  /** When the database answered last, by the clock of requests; in the infinite past when it never did. */
  get lastContactMs(): number {
    return this.#lastContactMs;
  }

  /** Notes that the database answered another thread of the process. */
  noteContact(atMs: number): void {
    this.#lastContactMs = Math.max(this.#lastContactMs, atMs);
  }

  /** Has a key read; false when the database did not answer, or was not asked because it is away. */
  load(hash: string, nowMs: number): Promise<boolean> {
    const same = this.#waiting.get(hash)?.done.promise ?? this.#asked.get(hash);
    if (same !== undefined) return same;
    if (
      this.#waiting.size >= MAX_WAITING ||
      (this.#away !== null && performance.now() < this.#away.until)
    )
      return UNREAD;
    const done = Promise.withResolvers<boolean>();
    this.#waiting.set(hash, { nowMs, done });
    this.#schedule();
    return done.promise;
  }

  /** All that came in one turn of the event loop is asked together. */
  #schedule(): void {
    if (this.#isScheduled || this.#questions >= MAX_QUERIES) return;
    this.#isScheduled = true;
    setImmediate(() => {
      this.#isScheduled = false;
      void this.#question();
    });
  }

  async #question(): Promise<void> {
    const batch = [...this.#waiting].slice(0, MAX_BATCH);
    const [first] = batch;
    if (first === undefined) return;
    for (const [hash, { done }] of batch) {
      this.#waiting.delete(hash);
      this.#asked.set(hash, done.promise);
    }
    this.#questions++;
    if (this.#waiting.size > 0) this.#schedule();
    // What is read is at least as new as the first of those who ask.
    const { nowMs } = first[1];
    const isRead = await this.#ask(
      batch.map(([hash]) => hash),
      nowMs,
    );
    this.#questions--;
    for (const [hash, { done }] of batch) {
      this.#asked.delete(hash);
      done.resolve(isRead);
    }
    if (this.#waiting.size > 0) this.#schedule();
  }

  async #ask(hashes: readonly string[], nowMs: number): Promise<boolean> {
    try {
      await this.#read(hashes, nowMs);
      this.#away = null;
      this.noteContact(nowMs);
      return true;
    } catch {
      const waitMs = Math.min(
        (this.#away?.waitMs ?? FIRST_WAIT_MS / 2) * 2,
        LONGEST_WAIT_MS,
      );
      this.#away = { waitMs, until: performance.now() + waitMs };
      return false;
    }
  }
}

const UNREAD = Promise.resolve(false);
