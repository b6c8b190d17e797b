import type { Kysely } from "kysely";
import type { DatabasePlace } from "../database/database.ts";
import type { Tables } from "../database/tables.ts";
import { KeyFeed } from "../keys/key-feed.ts";
import { RemoteKeys } from "../keys/remote-keys.ts";
import { LeaseDesk, type LeaseDeskOptions } from "../leases/lease-desk.ts";
import { LeaseStore } from "../leases/lease-store.ts";
import { GateBroker } from "./gate-broker.ts";

export interface BrokerOptions extends Omit<LeaseDeskOptions, "store"> {
  readonly db: Kysely<Tables>;
  /** The server, for keys that requests wait for. */
  readonly place: DatabasePlace & { readonly kind: "postgresql" };
  /** The process's UUID. */
  readonly process: string;
  /** How often the feed of changed keys is read, in milliseconds. */
  readonly pollMs?: number;
}

/** Opens the broker of a process on PostgreSQL. Connects on first use. */
export function openBroker({
  db,
  process,
  place,
  pollMs,
  ...options
}: BrokerOptions): GateBroker {
  return new GateBroker({
    keys: new RemoteKeys(place),
    feed: new KeyFeed(db),
    desk: new LeaseDesk({ ...options, store: new LeaseStore(db, process) }),
    clock: options.clock,
    ...(pollMs === undefined ? {} : { pollMs }),
  });
}
