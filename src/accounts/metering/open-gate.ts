import { KeyExchange, type KeyReading } from "../keys/key-exchange.ts";
import { KeyVerifier } from "../keys/key-verifier.ts";
import { RemoteKeyVerifier, SWEEP_MS } from "../keys/remote-key-verifier.ts";
import { RemoteKeys } from "../keys/remote-keys.ts";
import type { DatabasePlace } from "../database/database.ts";
import { AccountsReader } from "./accounts-reader.ts";
import type { Gate, Plan } from "./gate.ts";
import { KeyUses } from "./key-uses.ts";
import { monthAt } from "./month.ts";
import { AccountTables, ThreadGate } from "./thread-gate.ts";
import { noteWithoutDatabase, viewUsageBuffer } from "./usage-buffer.ts";

export interface GateOptions {
  /** The database, created by `openAccounts`. */
  readonly place: DatabasePlace;
  readonly plans: ReadonlyMap<string, Plan>;
  /** The memory in which the process counts (`createUsageBuffer`), the same for all its gates. */
  readonly usage: SharedArrayBuffer;
  /** How long keys work from memory while a PostgreSQL server is away. */
  readonly graceMs?: number;
  /** The name of the channel on which the process's threads share key readings; without it they do not. */
  readonly keyChannel?: string | null;
}

/** Five minutes. */
export const DEFAULT_GRACE_MS = 300_000;

/**
 * Opens a thread's gate. On a file it reads synchronously, and throws AccountsDatabaseError if the file cannot be read.
 * On PostgreSQL it queries in the background, and verdicts may be pending.
 */
export function openGate(options: GateOptions): Gate & Disposable {
  const { place, plans, usage } = options;
  const tables = new AccountTables(usage);
  const uses = new KeyUses(usage);
  if (place.kind === "sqlite")
    return localGate(new AccountsReader(place.file), plans, tables, uses);
  return remoteGate(new RemoteKeys(place), tables, uses, options);
}

function localGate(
  reader: AccountsReader,
  plans: ReadonlyMap<string, Plan>,
  tables: AccountTables,
  uses: KeyUses,
): Gate & Disposable {
  const verifier = new KeyVerifier({
    plans,
    read: (hash) => reader.keyRow(hash),
    uses,
  });
  return new ThreadGate(tables, uses, {
    keys: verifier,
    readUse: (accountId, month) => reader.monthlyUse(accountId, month),
    close: () => reader[Symbol.dispose](),
  });
}

function remoteGate(
  remote: RemoteKeys,
  tables: AccountTables,
  uses: KeyUses,
  { graceMs = DEFAULT_GRACE_MS, keyChannel = null, plans, usage }: GateOptions,
): Gate & Disposable {
  const memory = viewUsageBuffer(usage);
  const verifier = new RemoteKeyVerifier({
    plans,
    graceMs,
    uses,
    onWithoutDatabase: (what) => noteWithoutDatabase(memory, what),
    async read(hashes, nowMs) {
      const month = monthAt(nowMs).number;
      const news: KeyReading[] = [];
      for (const { found, hash } of await remote.read(hashes, nowMs)) {
        const row = found?.row ?? null;
        if (verifier.learn(hash, row, nowMs))
          news.push({ hash, row, readAtMs: nowMs });
        if (found === null) continue;
        const { account_id: id } = found.row;
        tables.of(id).begin(id, month, found.used);
      }
      exchange?.publish(news);
    },
  });
  const exchange =
    keyChannel === null
      ? null
      : new KeyExchange(keyChannel, (readings) =>
          verifier.mergeReadings(readings),
        );
  const sweep = setInterval(() => verifier.sweep(Date.now()), SWEEP_MS);
  sweep.unref();
  return new ThreadGate(tables, uses, {
    keys: verifier,
    // A new month starts at zero for a key in use; the next flush brings in what other processes counted.
    readUse: () => 0,
    close() {
      clearInterval(sweep);
      exchange?.[Symbol.dispose]();
      remote[Symbol.dispose]();
    },
  });
}
