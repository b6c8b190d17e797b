/** The program of a worker thread: an HttpWorker that handles the supervisor's messages one after another. */
import process from "node:process";
import { type MessagePort, parentPort, workerData } from "node:worker_threads";
import { HttpWorker } from "./http-worker.ts";
import type {
  FromWorker,
  ListenOutcome,
  OpenOutcome,
  SnapshotToServe,
  ToWorker,
  WorkerSetup,
} from "./messages.ts";

if (parentPort === null)
  throw new Error("This file is the program of a worker thread.");
const setup: WorkerSetup = workerData;
await work(parentPort, setup);

async function work(port: MessagePort, given: WorkerSetup): Promise<void> {
  const worker = await HttpWorker.start(
    given,
    (lines) => tell(port, { kind: "log", lines }),
    (line) => tell(port, { kind: "notice", line }),
  );
  let last = Promise.resolve();
  port.on("message", (message: ToWorker) => {
    last = last.then(() => obey(worker, message, port));
  });
  tell(port, { kind: "started" });
}

async function obey(
  worker: HttpWorker,
  message: ToWorker,
  port: MessagePort,
): Promise<void> {
  switch (message.kind) {
    case "open":
      tell(port, {
        kind: "answer",
        answer: open(worker, message.snapshot, message.keepsCurrent),
      });
      return;
    case "release_previous":
      await worker.releasePrevious();
      tell(port, { kind: "answer", answer: { outcome: "released" } });
      return;
    case "close":
      worker.close();
      return;
    case "listen":
      tell(port, {
        kind: "answer",
        answer: await listen(worker, message.port, message.reusePort),
      });
      return;
    case "drain":
      await worker.drain(message.withinMs);
      // What is left may only be a request to a collector that does not answer.
      process.exit();
  }
}

function open(
  worker: HttpWorker,
  snapshot: SnapshotToServe,
  keepsCurrent: boolean,
): OpenOutcome {
  try {
    worker.open(snapshot, keepsCurrent);
    return { outcome: "opened" };
  } catch (error) {
    return {
      outcome: "unopened",
      message: error instanceof Error ? error.message : String(error),
    };
  }
}

async function listen(
  worker: HttpWorker,
  port: number,
  reusePort: boolean,
): Promise<ListenOutcome> {
  try {
    return { outcome: "listening", port: await worker.listen(port, reusePort) };
  } catch (error) {
    // Without a system error code it is a bug; the supervisor gets it when the thread ends.
    if (!(
      error instanceof Error &&
      "code" in error &&
      typeof error.code === "string"
    ))
      throw error;
    return {
      outcome: "not_listening",
      code: error.code,
      message: error.message,
    };
  }
}

function tell(port: MessagePort, message: FromWorker): void {
  port.postMessage(message);
}
