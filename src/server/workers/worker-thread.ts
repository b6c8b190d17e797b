/** The program of a worker thread: an HttpWorker that handles the supervisor's messages one after another. */
import process from "node:process";
import { type MessagePort, parentPort, workerData } from "node:worker_threads";
import { HttpWorker } from "./http-worker.ts";
import type { Answers, FromWorker, ToWorker, WorkerSetup } from "./messages.ts";

if (parentPort === null)
  throw new Error("This file is the program of a worker thread.");
const setup: WorkerSetup = workerData;
await work(parentPort, setup);

async function work(port: MessagePort, given: WorkerSetup): Promise<void> {
  const tell = (message: FromWorker): void => port.postMessage(message);
  const worker = await HttpWorker.start(
    given,
    (lines) => tell({ kind: "log", lines }),
    (line) => tell({ kind: "notice", line }),
  );
  let last = Promise.resolve();
  port.on("message", (message: ToWorker) => {
    last = last.then(async () =>
      tell({ kind: "answer", answer: await obey(worker, message) }),
    );
  });
  tell({ kind: "started" });
}

async function obey(
  worker: HttpWorker,
  message: ToWorker,
): Promise<Answers[keyof Answers]> {
  switch (message.kind) {
    case "open":
      return worker.open(message.snapshot, message.keepsCurrent);
    case "release_previous":
      await worker.releasePrevious();
      return null;
    case "close":
      worker.close();
      return null;
    case "listen":
      return worker.listen(message.port, message.reusePort);
    case "drain":
      break;
  }
  await worker.drain(message.withinMs);
  // What is left may only be a request to a collector that does not answer.
  return process.exit();
}
