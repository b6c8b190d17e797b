/** What a service process counts with: the memory of its gates, and what keeps it current. */

import { randomUUID } from "node:crypto";
import type { Accounts } from "../../../src/accounts/accounts.ts";
import type { GateKeeper } from "../../../src/accounts/metering/gate-keeper.ts";
import {
  createGateMemory,
  type GateCapacity,
  type GateMemory,
} from "../../../src/accounts/metering/gate-memory.ts";
import type { Gate } from "../../../src/accounts/metering/thread-gate.ts";
import {
  ThreadGate,
  type GateOptions,
} from "../../../src/accounts/metering/thread-gate.ts";

export interface MeteringOptions
  extends
    Omit<
      Parameters<Accounts["keepGate"]>[0],
      "liveNodes" | "memory" | "process"
    >,
    Omit<GateOptions, "memory"> {
  readonly accounts: Accounts;
  readonly capacity?: Partial<GateCapacity>;
  readonly liveNodes?: () => number;
}

export interface MeteringProcess {
  /** Its UUID. */
  readonly process: string;
  readonly memory: GateMemory;
  readonly keeper: GateKeeper;
  /** Opens the gate of another thread. */
  openGate(): Gate;
  /** Writes the usage, and gives back what is prepaid. */
  [Symbol.asyncDispose](): Promise<void>;
}

/** Starts counting. */
export async function startMetering({
  accounts,
  capacity,
  liveNodes = () => 1,
  ...options
}: MeteringOptions): Promise<MeteringProcess> {
  const process = randomUUID();
  const memory = createGateMemory(capacity);
  const keeper = await accounts.keepGate({
    ...options,
    process,
    memory,
    liveNodes,
  });
  return {
    process,
    memory,
    keeper,
    openGate: () => new ThreadGate({ ...options, memory }),
    [Symbol.asyncDispose]: () => keeper[Symbol.asyncDispose](),
  };
}
