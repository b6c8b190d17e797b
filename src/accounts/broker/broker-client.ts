import type { MessagePort } from "node:worker_threads";
import type { FeedNews, KeyReading } from "../keys/key-reading.ts";
import type { RemoteKey } from "../keys/remote-keys.ts";
import type { LeaseOutcome, LeaseRequest } from "../leases/lease-requests.ts";
import type { FromBroker, ToBroker } from "./messages.ts";

export interface BrokerListener {
  onReadings(readings: readonly KeyReading[]): void;
  onFeed(news: FeedNews): void;
}

type Answer = Extract<FromBroker, { readonly kind: "read" | "lease" }>;

/**
 * A thread's side of the connection to its process's broker. It keeps the thread alive only while a question is open.
 */
export class BrokerClient implements Disposable {
  readonly #port: MessagePort;
  readonly #open = new Map<number, (answer: Answer | null) => void>();
  #id = 0;

  /** `port` comes from `GateBroker.connect`. */
  constructor(port: MessagePort, listener: BrokerListener) {
    this.#port = port;
    port.on("message", (message: FromBroker) => {
      if (message.kind === "readings") listener.onReadings(message.readings);
      else if (message.kind === "feed") listener.onFeed(message.news);
      else this.#settle(message.id, message);
    });
    port.on("close", () => {
      for (const id of this.#open.keys()) this.#settle(id, null);
    });
    port.unref();
  }

  /** Reads keys by their hashes. Rejects if the database doesn't answer. */
  async readKeys(
    hashes: readonly string[],
    nowMs: number,
  ): Promise<readonly RemoteKey[]> {
    const answer = await this.#ask((id) => ({
      kind: "read",
      id,
      hashes,
      nowMs,
    }));
    if (answer?.kind !== "read" || answer.keys === null)
      throw new Error("The accounts database did not answer.");
    return answer.keys;
  }

  /** Gets a lease. Never rejects. */
  async lease(request: LeaseRequest): Promise<LeaseOutcome> {
    const answer = await this.#ask((id) => ({ kind: "lease", id, request }));
    return answer?.kind === "lease" ? answer.outcome : "unavailable";
  }

  [Symbol.dispose](): void {
    this.#port.close();
  }

  #ask(question: (id: number) => ToBroker): Promise<Answer | null> {
    const id = ++this.#id;
    if (this.#open.size === 0) this.#port.ref();
    return new Promise((resolve) => {
      this.#open.set(id, resolve);
      post(this.#port, question(id));
    });
  }

  #settle(id: number, answer: Answer | null): void {
    this.#open.get(id)?.(answer);
    this.#open.delete(id);
    if (this.#open.size === 0) this.#port.unref();
  }
}

function post(port: MessagePort, message: ToBroker): void {
  port.postMessage(message);
}
