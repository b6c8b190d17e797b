import { fork } from "node:child_process";
import { once } from "node:events";

/** Exports to read at the same time, each over a connection and again and again. */
export interface ReaderOrder {
  readonly url: string;
  readonly key: string;
  /** The path with the query. */
  readonly path: string;
  readonly encoding: "identity" | "gzip";
  readonly readers: number;
  /** Each reader ends with the first export that ends after this time; 0 for one export each. */
  readonly seconds: number;
}

/** What was read. */
export interface Reading {
  readonly seconds: number;
  /** Of complete exports, by their `X-Total-Count`. */
  readonly rows: number;
  readonly bytes: number;
}

/** Reads exports in a separate process (`reader-process.ts`). Rejects if one is not complete. */
export async function readExports(order: ReaderOrder): Promise<Reading> {
  const child = fork(new URL("./reader-process.ts", import.meta.url));
  const ended = once(child, "exit").then((): never => {
    throw new Error("The readers ended without a result.");
  });
  child.send(order);
  const [reading]: Reading[] = await Promise.race([
    once(child, "message"),
    ended,
  ]);
  if (reading === undefined) throw new Error("The readers sent nothing.");
  return reading;
}
