import { AccountsReader } from "./accounts-reader.ts";
import { Counters } from "./counters.ts";
import { ExplorerCounts } from "./explorer-counts.ts";
import type { DatabasePlace } from "../database/database.ts";
import type {
  AccountHandle,
  BurstRate,
  BurstState,
  Gate,
  KeyVerdict,
  Plan,
  QuotaState,
} from "./gate.ts";
import { KeyExchange, type KeyReading } from "../keys/key-exchange.ts";
import { KeyVerifier } from "../keys/key-verifier.ts";
import { monthAt, quotaIn, type Month } from "./month.ts";
import type { Operation } from "../../contract/operation.ts";
import { RemoteKeys } from "../keys/remote-keys.ts";
import { RemoteKeyVerifier, SWEEP_MS } from "../keys/remote-key-verifier.ts";
import type { UsageReader } from "./usage-table.ts";

export interface GateOptions {
  /** The database; `openAccounts` has made it. */
  readonly place: DatabasePlace;
  readonly plans: ReadonlyMap<string, Plan>;
  /** The memory in which the process counts (`createUsageBuffer`), the same for all its gates. */
  readonly usage: SharedArrayBuffer;
  /** How long keys go on working from memory while a PostgreSQL server is away. */
  readonly graceMs?: number;
  /** By what name the threads of the process meet to tell each other what they read of keys; without it each knows its own. */
  readonly keyChannel?: string | null;
}

/** Five minutes. */
export const DEFAULT_GRACE_MS = 300_000;

/**
 * Opens a thread's own gate. Over a file it reads what it must know at once, and throws AccountsDatabaseError when that
 * cannot be read; over PostgreSQL it asks beside the requests, and its verdicts may be pending.
 */
export function openGate(options: GateOptions): Gate & Disposable {
  const { place, plans, usage } = options;
  const counters = new Counters(usage);
  if (place.kind === "sqlite")
    return localGate(new AccountsReader(place.file), plans, counters);
  return remoteGate(new RemoteKeys(place.url), counters, options);
}

function localGate(
  reader: AccountsReader,
  plans: ReadonlyMap<string, Plan>,
  counters: Counters,
): Gate & Disposable {
  const verifier = new KeyVerifier({
    plans,
    read: (hash) => reader.keyStanding(hash),
    placeOf: counters.placeOf,
    noteUse: counters.noteUse,
  });
  return new ThreadGate(counters, {
    verify: (key, nowMs) => verifier.verify(key, nowMs),
    remembers: (key) => verifier.remembers(key),
    readUse: (accountId, month) => reader.monthlyUse(accountId, month),
    close: () => reader[Symbol.dispose](),
  });
}

function remoteGate(
  remote: RemoteKeys,
  counters: Counters,
  { graceMs = DEFAULT_GRACE_MS, keyChannel = null, plans }: GateOptions,
): Gate & Disposable {
  const verifier = new RemoteKeyVerifier({
    plans,
    graceMs,
    placeOf: counters.placeOf,
    noteUse: counters.noteUse,
    onWithoutDatabase: counters.noteWithoutDatabase,
    async read(hashes, nowMs) {
      const month = monthAt(nowMs).number;
      const news: KeyReading[] = [];
      for (const { found, hash } of await remote.read(hashes, nowMs)) {
        const standing = found?.standing ?? null;
        if (verifier.learn(hash, standing, nowMs))
          news.push({ hash, standing, readAtMs: nowMs });
        if (found === null) continue;
        const { account_id: id } = found.standing;
        counters.tableOf(id).begin(id, month, found.used);
      }
      exchange?.tell(news);
    },
  });
  const exchange =
    keyChannel === null
      ? null
      : new KeyExchange(keyChannel, (readings) =>
          verifier.learnFromOthers(readings),
        );
  const sweep = setInterval(() => verifier.sweep(Date.now()), SWEEP_MS);
  sweep.unref();
  return new ThreadGate(counters, {
    verify: (key, nowMs) => verifier.verify(key, nowMs),
    remembers: (key) => verifier.remembers(key),
    // A month that turns under a key in use begins with nothing; the next flush brings what others counted in it.
    readUse: () => 0,
    close() {
      clearInterval(sweep);
      exchange?.[Symbol.dispose]();
      remote[Symbol.dispose]();
    },
  });
}

/** What a gate asks its database. */
interface GateSource {
  verify(key: string, nowMs: number): KeyVerdict;
  remembers(key: string): boolean;
  readonly readUse: UsageReader;
  close(): void;
}

class ThreadGate implements Gate, Disposable {
  readonly explorer: ExplorerCounts;
  readonly #counters: Counters;
  readonly #source: GateSource;
  #month: Month = monthAt(0);

  constructor(counters: Counters, source: GateSource) {
    this.explorer = new ExplorerCounts(counters);
    this.#counters = counters;
    this.#source = source;
  }

  verify(key: string, nowMs: number): KeyVerdict {
    return this.#source.verify(key, nowMs);
  }

  remembers(key: string): boolean {
    return this.#source.remembers(key);
  }

  takeBurst({ id, plan }: AccountHandle, nowMs: number): BurstState {
    return this.#counters.tableOf(id).takeToken(id, plan.burstPerSecond, nowMs);
  }

  takeOwnerBurst(
    accountId: number,
    rate: BurstRate,
    nowMs: number,
  ): BurstState {
    const table = this.#counters.tableOf(accountId);
    return table.takeOwnerToken(accountId, "account", rate, nowMs);
  }

  quota({ id, plan }: AccountHandle, nowMs: number): QuotaState {
    const month = this.#monthAt(nowMs);
    const used = this.#counters
      .tableOf(id)
      .used(id, month.number, this.#source.readUse);
    return quotaIn(month, plan.monthlyQuota, used, nowMs);
  }

  takeQuota(
    { id, keyPlace, plan }: AccountHandle,
    nowMs: number,
    operation: Operation,
  ): boolean {
    const isTaken = this.#counters
      .tableOf(id)
      .count(
        id,
        this.#monthAt(nowMs).number,
        plan.monthlyQuota,
        this.#source.readUse,
      );
    if (isTaken) this.#counters.countKey(keyPlace, operation);
    return isTaken;
  }

  [Symbol.dispose](): void {
    this.#source.close();
  }

  #monthAt(nowMs: number): Month {
    if (nowMs < this.#month.startMs || nowMs >= this.#month.endMs)
      this.#month = monthAt(nowMs);
    return this.#month;
  }
}
