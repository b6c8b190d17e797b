import type { KeyRow } from "./key-store.ts";

/** What was read about a key. */
export interface KeyReading {
  readonly hash: string;
  /** Null for a known key that was deleted. */
  readonly row: KeyRow | null;
  /** Epoch milliseconds. */
  readonly readAtMs: number;
}

/** What the feed of changed keys told. */
export interface FeedNews {
  /** When it was read, in epoch milliseconds. */
  readonly heardAtMs: number;
  /** Readings from then on are up to date as long as the feed is heard. */
  readonly coveredSinceMs: number;
  /** Known keys that changed. */
  readonly readings: readonly KeyReading[];
}
