/** The program of a thread that makes scopes: of a task, and then for the snapshot file that it is told. */
import { parentPort, workerData } from "node:worker_threads";
import { SnapshotFormatError } from "../container/section-file.ts";
import { ScopesMaker, type ScopesTask } from "./write-scopes.ts";

/** How it ended. */
export type ScopesResult =
  | { kind: "written" }
  /** A SnapshotFormatError. */
  | { kind: "damaged"; fault: string; advice: string }
  /** Any other error; `facts` are its members that do not come with it, such as the system's code. */
  | { kind: "failed"; error: unknown; facts: object };

/** Tells it that the snapshot is finished. */
export interface ScopesOrder {
  snapshotPath: string;
}

if (parentPort === null)
  throw new Error("This file is the program of a worker thread.");
const port = parentPort;
const task: ScopesTask = workerData;
attempt(() => {
  const maker = new ScopesMaker(task);
  port.once("message", ({ snapshotPath }: ScopesOrder) => {
    attempt(() => {
      maker.write(snapshotPath);
      port.postMessage({ kind: "written" } satisfies ScopesResult);
    });
    maker[Symbol.dispose]();
  });
});

function attempt(action: () => void): void {
  try {
    action();
  } catch (error) {
    const result: ScopesResult =
      error instanceof SnapshotFormatError
        ? { kind: "damaged", fault: error.fault, advice: error.advice }
        : { kind: "failed", error, facts: { ...Object(error) } };
    port.postMessage(result);
  }
}
