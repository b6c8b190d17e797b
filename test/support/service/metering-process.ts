/** What a service process counts with: the writer of its usage, and on PostgreSQL the broker of its gates. */

import { randomUUID } from "node:crypto";
import type { GateBroker } from "../../../src/accounts/broker/gate-broker.ts";
import type { Gate } from "../../../src/accounts/metering/gate.ts";
import {
  openGate,
  type GateOptions,
} from "../../../src/accounts/metering/open-gate.ts";
import {
  startUsageFlush,
  type UsageFlush,
  type UsageFlushOptions,
} from "../../../src/accounts/metering/usage-flusher.ts";

export interface MeteringOptions
  extends
    Omit<UsageFlushOptions, "process" | "fault">,
    Omit<GateOptions, "broker"> {
  /** How often the feed of changed keys is read, in milliseconds. */
  readonly pollMs?: number;
  readonly liveNodes?: () => number;
}

export interface MeteringProcess {
  /** Its UUID. */
  readonly process: string;
  readonly flusher: UsageFlush;
  /** Null on a file. */
  readonly broker: GateBroker | null;
  /** Opens the gate of another thread. */
  openGate(): Gate & Disposable;
  /** Writes the usage, and returns the leases. */
  [Symbol.asyncDispose](): Promise<void>;
}

/** Starts counting. */
export async function startMetering({
  liveNodes = () => 1,
  pollMs,
  ...options
}: MeteringOptions): Promise<MeteringProcess> {
  const { accounts, place, usage } = options;
  const process = randomUUID();
  const broker = await accounts.openBroker(place, {
    process,
    usage,
    liveNodes,
    flushes: () => flusher.flushes,
    ...(pollMs === undefined ? {} : { pollMs }),
  });
  const flusher = startUsageFlush({
    ...options,
    process,
    fault: () => broker?.fault ?? null,
  });
  return {
    process,
    flusher,
    broker,
    openGate: () => openGate({ ...options, broker: broker?.connect() ?? null }),
    async [Symbol.asyncDispose]() {
      try {
        await flusher[Symbol.asyncDispose]();
      } finally {
        await broker?.[Symbol.asyncDispose]();
      }
    },
  };
}
