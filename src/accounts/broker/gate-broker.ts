import { MessageChannel, type MessagePort } from "node:worker_threads";
import { type FeedPage, type KeyFeed, LOOK_BACK_MS } from "../keys/key-feed.ts";
import { KeyReadBatcher } from "../keys/key-read-batcher.ts";
import type { FeedNews, KeyReading } from "../keys/key-reading.ts";
import type { KeyRow } from "../keys/key-store.ts";
import { MAX_KNOWN, remember } from "../keys/key-verifier.ts";
import type { RemoteKey, RemoteKeys } from "../keys/remote-keys.ts";
import type { LeaseDesk } from "../leases/lease-desk.ts";
import type { LeaseOutcome, LeaseRequest } from "../leases/lease-requests.ts";
import { isDatabaseAway } from "../database/postgresql-fault.ts";
import type { FromBroker, ToBroker } from "./messages.ts";

const POLL_MS = 1_000;
const SWEEP_MS = 1_000;
const FOLD_MS = 10_000;
/** A feed that takes longer to read, while other questions get no answer either, is silent. */
const SILENT_MS = 1_000;

export interface GateBrokerOptions {
  readonly keys: RemoteKeys;
  readonly feed: KeyFeed;
  readonly desk: LeaseDesk;
  /** Epoch milliseconds. */
  readonly clock: () => number;
  /** How often the feed is read, in milliseconds. */
  readonly pollMs?: number;
}

/** A key as the feed had it, and when that was read (monotonic milliseconds). */
interface Change {
  readonly row: KeyRow | null;
  readonly readMs: number;
}

/**
 * What a process's gates on PostgreSQL ask of the database, in its supervisor: it reads keys that no thread knows,
 * listens to the feed of changed keys, and gets leases of quotas, for all threads together. So a process needs few
 * connections, a key that any thread knows is known to all when the database goes away, and a thread that starts later
 * gets them too.
 */
export class GateBroker implements AsyncDisposable {
  readonly #options: GateBrokerOptions;
  readonly #ports = new Set<MessagePort>();
  readonly #batcher: KeyReadBatcher;
  /** Keys that some thread asked for. */
  readonly #known = new Map<string, KeyReading>();
  /** Recently changed keys, as the feed had them. */
  readonly #recent = new Map<string, Change>();
  /** Until when `#recent` lacks some of them (monotonic milliseconds). */
  #recentLacksUntilMs = Number.NEGATIVE_INFINITY;
  readonly #timers: NodeJS.Timeout[] = [];
  /** Accounts that the last reading of the feed had. A thread may have asked for them before it heard of it. */
  #changed: ReadonlySet<number> = new Set();
  #fault: unknown = null;
  #coveredSinceMs = Number.POSITIVE_INFINITY;
  #lastNews: FeedNews | null = null;
  #polling: Promise<void> | null = null;
  /** Since when an answer of the feed is awaited (monotonic milliseconds). */
  #feedAskedMs = Number.POSITIVE_INFINITY;
  #isClosed = false;

  constructor(options: GateBrokerOptions) {
    this.#options = options;
    this.#batcher = new KeyReadBatcher((hashes, nowMs) =>
      this.#readKeys(hashes, nowMs),
    );
    this.#every(options.pollMs ?? POLL_MS, () => void this.poll());
    this.#every(SWEEP_MS, () => void options.desk.sweep());
    this.#every(FOLD_MS, () => void this.#fold());
    void this.poll();
  }

  /** Why the last reading of the feed failed; null while the database answers. */
  get fault(): unknown {
    return this.#fault;
  }

  /** The leases of the process. */
  get leases(): LeaseDesk {
    return this.#options.desk;
  }

  /** Connects another thread; the port is for its `BrokerClient`. */
  connect(): MessagePort {
    const { port1, port2 } = new MessageChannel();
    this.#ports.add(port1);
    port1.on(
      "message",
      (message: ToBroker) => void this.#answer(port1, message),
    );
    port1.on("close", () => this.#ports.delete(port1));
    port1.unref();
    post(port1, { kind: "readings", readings: [...this.#known.values()] });
    if (this.#lastNews !== null)
      post(port1, {
        kind: "feed",
        news: { ...this.#lastNews, readings: [] },
      });
    return port2;
  }

  /** Reads the feed now. Never rejects. */
  poll(): Promise<void> {
    this.#polling ??= this.#poll().finally(() => {
      this.#polling = null;
    });
    return this.#polling;
  }

  /** Returns what is leased; call it when no thread answers any more and all usage is written. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#isClosed = true;
    for (const timer of this.#timers) clearInterval(timer);
    for (const port of this.#ports) port.close();
    await this.#polling;
    this.#options.keys[Symbol.dispose]();
    await this.#options.desk.returnAll();
  }

  #every(ms: number, act: () => void): void {
    const timer = setInterval(act, ms);
    timer.unref();
    this.#timers.push(timer);
  }

  async #answer(port: MessagePort, message: ToBroker): Promise<void> {
    const { id } = message;
    if (message.kind === "lease") {
      const outcome = await this.#lease(message.request);
      post(port, { kind: "lease", id, outcome });
      return;
    }
    const keys = await this.#find(message.hashes, message.nowMs);
    post(port, { kind: "read", id, keys });
  }

  /** A statement that takes too long doesn't mean that the database is away, unless the feed is silent too. */
  async #lease(request: LeaseRequest): Promise<LeaseOutcome> {
    const outcome = await this.#options.desk.ask(request);
    if (outcome !== "timed_out") return outcome;
    const isSilent =
      performance.now() - this.#feedAskedMs > SILENT_MS ||
      isDatabaseAway(this.#fault);
    return isSilent ? "unavailable" : outcome;
  }

  /** Reads keys, together with those of other threads. Null if the database doesn't answer. */
  async #find(
    hashes: readonly string[],
    nowMs: number,
  ): Promise<RemoteKey[] | null> {
    const loaded = await Promise.all(
      hashes.map((hash) => this.#batcher.load(hash, nowMs)),
    );
    const keys = loaded.filter((key) => key !== null);
    return keys.length === hashes.length ? keys : null;
  }

  async #readKeys(
    hashes: readonly string[],
    nowMs: number,
  ): Promise<RemoteKey[]> {
    const readings: KeyReading[] = [];
    const startMs = performance.now();
    const lacksUntilMs = this.#recentLacksUntilMs;
    const found = await this.#options.keys.read(hashes, nowMs);
    // Its change may have been read meanwhile and pushed out already: then it is read again for the next request.
    const readAtMs = this.#recentLacksUntilMs === lacksUntilMs ? nowMs : 0;
    const keys = found.map((read) => {
      const { hash } = read;
      const change = this.#recent.get(hash);
      // The feed may be newer if it was read meanwhile; if it is not, its next reading is.
      const row =
        change !== undefined && change.readMs >= startMs
          ? change.row
          : (read.found?.row ?? null);
      const used = read.found?.used ?? 0;
      const reading = { hash, row, readAtMs };
      if (row !== null || this.#known.has(hash)) readings.push(reading);
      this.#keep(reading);
      return { hash, found: row === null ? null : { row, used } };
    });
    if (readings.length > 0) this.#tellAll({ kind: "readings", readings });
    return keys;
  }

  async #poll(): Promise<void> {
    const { clock, feed } = this.#options;
    try {
      let hasMore = true;
      while (hasMore && !this.#isClosed) {
        this.#feedAskedMs = performance.now();
        const page = await feed.poll(clock());
        this.#fault = null;
        this.#takeIn(page);
        hasMore = page.hasMore;
      }
    } catch (error) {
      this.#fault = error;
    } finally {
      this.#feedAskedMs = Number.POSITIVE_INFINITY;
    }
  }

  #takeIn({ asOfMs, changes, hasGap, hasMore, isNewServer }: FeedPage): void {
    const readMs = performance.now();
    this.#batcher.noteContact(asOfMs);
    // A replacement may lack the last changes of its predecessor, so all keys are read again.
    if (isNewServer || hasGap) this.#coveredSinceMs = asOfMs;
    if (hasGap) {
      this.#known.clear();
      this.#lackRecentFrom(readMs);
    }
    const readings: KeyReading[] = [];
    for (const [hash, row] of changes) {
      this.#recent.delete(hash);
      const dropped = remember(this.#recent, hash, { row, readMs }, MAX_KNOWN);
      if (dropped !== undefined) this.#lackRecentFrom(dropped.readMs);
      // For all keys: a thread may remember one that others have pushed out here.
      const reading = { hash, row, readAtMs: asOfMs };
      readings.push(reading);
      if (this.#known.has(hash)) this.#keep(reading);
    }
    this.#lastNews = {
      heardAtMs: hasMore
        ? (this.#lastNews?.heardAtMs ?? Number.NEGATIVE_INFINITY)
        : asOfMs,
      coveredSinceMs: this.#coveredSinceMs,
      readings,
    };
    this.#tellAll({ kind: "feed", news: this.#lastNews });
    const accounts = new Set(
      [...changes.values()].flatMap((row) => row?.account_id ?? []),
    );
    this.#options.desk.recall(new Set([...accounts, ...this.#changed]));
    this.#changed = accounts;
  }

  /** Changes read at a time are not remembered. */
  #lackRecentFrom(readMs: number): void {
    this.#recentLacksUntilMs = Math.max(
      this.#recentLacksUntilMs,
      readMs + LOOK_BACK_MS,
    );
  }

  #keep(reading: KeyReading): void {
    this.#known.delete(reading.hash);
    if (reading.row !== null)
      remember(this.#known, reading.hash, reading, MAX_KNOWN);
  }

  async #fold(): Promise<void> {
    try {
      await this.#options.desk.fold();
    } catch {
      // The feed reports that the database is away.
    }
  }

  #tellAll(message: FromBroker): void {
    for (const port of this.#ports) post(port, message);
  }
}

function post(port: MessagePort, message: FromBroker): void {
  port.postMessage(message);
}
