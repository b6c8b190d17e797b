import { fork } from "node:child_process";
import { once } from "node:events";
import type { QueryKind } from "./questions.ts";

/** A request with the body that its answer must have. */
export interface Shot {
  readonly kind: QueryKind;
  readonly path: string;
  readonly expected: string;
}

export interface Order {
  /** `http://127.0.0.1:PORT` */
  readonly url: string;
  readonly key: string;
  /** Keys that requests take in turn, instead of `key`. */
  readonly keys?: readonly string[];
  readonly connections: number;
  readonly seconds: number;
  readonly shots: readonly Shot[];
}

/** Milliseconds from a request to the whole of its answer. */
export interface Latencies {
  readonly count: number;
  readonly p50: number;
  readonly p99: number;
  readonly p999: number;
  readonly max: number;
}

export interface Volley {
  readonly seconds: number;
  readonly answers: number;
  /** How many answers were compared with the expected one: one in some. */
  readonly compared: number;
  /** Requests without an answer, answers other than 200, and wrong bodies, in words; none when all is well. */
  readonly faults: readonly string[];
  readonly latencies: Readonly<Partial<Record<QueryKind, Latencies>>>;
}

/** Sends requests from a separate process (`cannon-process.ts`), so client and server share no thread. */
export async function fire(order: Order): Promise<Volley> {
  const child = fork(new URL("./cannon-process.ts", import.meta.url));
  const ended = once(child, "exit").then((): never => {
    throw new Error("The client ended without a result.");
  });
  child.send(order);
  const [volley]: Volley[] = await Promise.race([
    once(child, "message"),
    ended,
  ]);
  if (volley === undefined) throw new Error("The client sent nothing.");
  return volley;
}
