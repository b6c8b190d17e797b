import type { MessagePort } from "node:worker_threads";
import { BrokerClient } from "../broker/broker-client.ts";
import type { DatabasePlace } from "../database/database.ts";
import { KeyVerifier } from "../keys/key-verifier.ts";
import { RemoteKeyVerifier } from "../keys/remote-key-verifier.ts";
import { LeasedQuota, type WhenAway } from "../leases/leased-quota.ts";
import { AccountTables } from "./account-tables.ts";
import { AccountsReader } from "./accounts-reader.ts";
import type { Gate, Plan } from "./gate.ts";
import { KeyUses } from "./key-uses.ts";
import { monthAt } from "./month.ts";
import { LocalQuota } from "./quota-counter.ts";
import { ThreadGate } from "./thread-gate.ts";
import { noteWithoutDatabase, viewUsageBuffer } from "./usage-buffer.ts";

export interface GateOptions {
  /** The database, created by `openAccounts`. */
  readonly place: DatabasePlace;
  readonly plans: ReadonlyMap<string, Plan>;
  /** The memory in which the process counts (`createUsageBuffer`), the same for all its gates. */
  readonly usage: SharedArrayBuffer;
  /** A connection to the process's broker (`GateBroker.connect`), which a PostgreSQL database needs. */
  readonly broker?: MessagePort | null;
  /** How long keys work from memory while a PostgreSQL server is away, and what happens to quotas then. */
  readonly graceMs?: number;
  readonly whenAway?: WhenAway;
}

/** Five minutes. */
export const DEFAULT_GRACE_MS = 300_000;

/**
 * Opens a thread's gate. On a file it reads synchronously, and throws AccountsDatabaseError if the file cannot be read.
 * On PostgreSQL it asks the process's broker, and verdicts may be pending.
 */
export function openGate(options: GateOptions): Gate & Disposable {
  const { place, plans, usage } = options;
  const tables = new AccountTables(usage);
  const uses = new KeyUses(usage);
  if (place.kind === "sqlite")
    return localGate(new AccountsReader(place.file), plans, tables, uses);
  const { broker } = options;
  if (broker == null) throw new Error("A gate on PostgreSQL needs a broker.");
  return remoteGate(broker, tables, uses, options);
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
    quota: new LocalQuota(tables, (accountId, month) =>
      reader.monthlyUse(accountId, month),
    ),
    close: () => reader[Symbol.dispose](),
  });
}

function remoteGate(
  port: MessagePort,
  tables: AccountTables,
  uses: KeyUses,
  { graceMs = DEFAULT_GRACE_MS, plans, usage, whenAway = "grace" }: GateOptions,
): Gate & Disposable {
  const memory = viewUsageBuffer(usage);
  const broker = new BrokerClient(port, {
    onReadings: (readings) => verifier.mergeReadings(readings),
    onFeed(news) {
      verifier.hear(news);
      quota.noteContact();
    },
  });
  const verifier = new RemoteKeyVerifier({
    plans,
    graceMs,
    uses,
    onWithoutDatabase: (what) => noteWithoutDatabase(memory, what),
    async read(hashes, nowMs) {
      const month = monthAt(nowMs).number;
      const keys = await broker.readKeys(hashes, nowMs);
      for (const { found, hash } of keys) {
        if (found === null) verifier.learnUnknown(hash, nowMs);
        else {
          const { account_id: id } = found.row;
          tables.of(id).begin(id, month, found.used);
        }
      }
      return keys;
    },
  });
  const quota = new LeasedQuota({
    tables,
    usage,
    broker,
    whenAway,
    onRefused: () => noteWithoutDatabase(memory, "refused"),
  });
  return new ThreadGate(tables, uses, {
    keys: verifier,
    quota,
    close: () => broker[Symbol.dispose](),
  });
}
