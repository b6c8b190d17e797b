import type { FeedNews, KeyReading } from "../keys/key-reading.ts";
import type { RemoteKey } from "../keys/remote-keys.ts";
import type { LeaseOutcome, LeaseRequest } from "../leases/lease-requests.ts";

/** From a thread's gate to the broker. `id` numbers the thread's questions. */
export type ToBroker =
  /** Read keys by their hashes, as of a time in epoch milliseconds. */
  | {
      readonly kind: "read";
      readonly id: number;
      readonly hashes: readonly string[];
      readonly nowMs: number;
    }
  /** Get a lease. */
  | {
      readonly kind: "lease";
      readonly id: number;
      readonly request: LeaseRequest;
    };

/** From the broker to a thread's gate. */
export type FromBroker =
  /**
   * The answer to "read", in the order of the hashes, after "readings" with those that exist; null if the database
   * didn't answer.
   */
  | {
      readonly kind: "read";
      readonly id: number;
      readonly keys: readonly RemoteKey[] | null;
    }
  /** The answer to "lease". */
  | {
      readonly kind: "lease";
      readonly id: number;
      readonly outcome: LeaseOutcome;
    }
  /** Keys that a thread asked for. */
  | { readonly kind: "readings"; readonly readings: readonly KeyReading[] }
  /** The feed of changed keys was read. */
  | { readonly kind: "feed"; readonly news: FeedNews };
