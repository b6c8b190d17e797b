import { BroadcastChannel } from "node:worker_threads";
import type { KeyRow } from "./key-store.ts";
import { MAX_KNOWN, remember } from "./key-verifier.ts";

/** What was read of a key. */
export interface KeyReading {
  readonly hash: string;
  /** Null for a key that was known and is gone. */
  readonly row: KeyRow | null;
  /** Epoch milliseconds. */
  readonly readAtMs: number;
}

type Message =
  | { readonly kind: "read"; readonly readings: readonly KeyReading[] }
  /** A thread that begins asks for all that is known. */
  | { readonly kind: "ask" };

/**
 * What the threads of one process tell each other of keys, so that a key which one of them has read is known to all of them
 * when the database goes. They meet by the name of a channel.
 */
export class KeyExchange implements Disposable {
  readonly #channel: BroadcastChannel;

  /** Asks for what is known; `onReadings` gets that, and later what other threads read. */
  constructor(
    channel: string,
    onReadings: (readings: readonly KeyReading[]) => void,
  ) {
    this.#channel = open(channel, (message) => {
      if (message.kind === "read") onReadings(message.readings);
    });
    this.#post({ kind: "ask" });
  }

  /** Tells the other threads what was read. */
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

/** Keeps what all threads have read, for those that begin later: a worker that takes the place of one that died. */
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
  // It keeps no thread alive.
  port.unref();
  return port;
}
