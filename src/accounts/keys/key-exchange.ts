import { BroadcastChannel } from "node:worker_threads";
import type { KeyRow } from "./key-store.ts";
import { MAX_KNOWN, remember } from "./key-verifier.ts";

/** What was read about a key. */
export interface KeyReading {
  readonly hash: string;
  /** Null for a known key that was deleted. */
  readonly row: KeyRow | null;
  /** Epoch milliseconds. */
  readonly readAtMs: number;
}

type Message =
  | { readonly kind: "read"; readonly readings: readonly KeyReading[] }
  /** A new thread requests all readings. */
  | { readonly kind: "ask" };

/**
 * Shares key readings among the threads of a process, so that a key read by one is known to all when the database goes
 * away. They meet by the name of a channel.
 */
export class KeyExchange implements Disposable {
  readonly #channel: BroadcastChannel;

  /** Requests all readings; `onReadings` gets them, and later those of other threads. */
  constructor(
    channel: string,
    onReadings: (readings: readonly KeyReading[]) => void,
  ) {
    this.#channel = open(channel, (message) => {
      if (message.kind === "read") onReadings(message.readings);
    });
    this.#post({ kind: "ask" });
  }

  /** Sends readings to the other threads. */
  publish(readings: readonly KeyReading[]): void {
    if (readings.length > 0) this.#post({ kind: "read", readings });
  }

  [Symbol.dispose](): void {
    this.#channel.close();
  }

  #post(message: Message): void {
    const port = this.#channel;
    port.postMessage(message);
  }
}

/** Keeps all threads' readings for threads that start later, such as a worker that replaces a dead one. */
export function keepKeyReadings(channel: string): Disposable {
  const kept = new Map<string, KeyReading>();
  const port = open(channel, (message) => {
    if (message.kind === "ask") {
      const answer: Message = { kind: "read", readings: [...kept.values()] };
      port.postMessage(answer);
      return;
    }
    for (const reading of message.readings) {
      kept.delete(reading.hash);
      if (reading.row !== null)
        remember(kept, reading.hash, reading, MAX_KNOWN);
    }
  });
  return { [Symbol.dispose]: () => port.close() };
}

function open(
  channel: string,
  onMessage: (message: Message) => void,
): BroadcastChannel {
  const port = new BroadcastChannel(channel);
  port.addEventListener("message", ({ data }: { data: Message }) =>
    onMessage(data),
  );
  // The channel must not keep a thread alive.
  port.unref();
  return port;
}
