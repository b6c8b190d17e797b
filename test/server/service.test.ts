import assert from "node:assert/strict";
import { once } from "node:events";
import { connect } from "node:net";
import { suite, test } from "node:test";
import type { Worker } from "node:worker_threads";
import { startService } from "../../src/server/service.ts";
import { fullTest } from "../support/pure/full-run.ts";
import { serviceOptions } from "../support/app/service-options.ts";
import { freePort } from "../support/pure/free-port.ts";
import { demoFolder } from "../support/program/demo-folder.ts";
import { temporaryFolder } from "../support/pure/temporary-folder.ts";
import { until } from "../support/pure/until.ts";

/** The service in this process, with its threads, which tests then can end. */
async function start(dataDir: string, workers: number) {
  const threads: Worker[] = [];
  const note = (worker: Worker): void => void threads.push(worker);
  process.on("worker", note);
  const started = await startService(serviceOptions(dataDir, { workers }));
  assert.ok(started.outcome === "started");
  const { service } = started;
  return {
    service,
    threads,
    /** The statuses of this many requests, each on its own connection. */
    async statuses(path: string, times: number): Promise<number[]> {
      const ask = () =>
        fetch(`http://127.0.0.1:${service.port}${path}`, {
          headers: { connection: "close" },
        }).then(
          ({ status }) => status,
          () => 0,
        );
      return Promise.all(Array.from({ length: times }, ask));
    },
    async [Symbol.asyncDispose]() {
      process.off("worker", note);
      await service[Symbol.asyncDispose]();
    },
  };
}

suite("the service", () => {
  test("replaces a worker that dies by one that serves the same data on the same port; closes the port and ends the threads when it is disposed", async () => {
    using folder = await demoFolder();
    let port = 0;
    let threads: Worker[] = [];
    {
      await using running = await start(folder.path, 2);
      ({ threads } = running);
      ({ port } = running.service);
      assert.equal(threads.length, 2);
      assert.deepEqual(
        await running.statuses("/readyz", 10),
        Array(10).fill(200),
      );

      await threads[0]?.terminate();
      await threads[1]?.terminate();
      await until("two new workers", () => threads.length === 4);
      await until("both to be ready", async () =>
        (await running.statuses("/readyz", 20)).every(
          (status) => status === 200,
        ),
      );
    }
    await assert.rejects(fetch(`http://127.0.0.1:${port}/healthz`));
    assert.deepEqual(
      threads.map(({ threadId }) => threadId),
      [-1, -1, -1, -1],
    );
  });

  fullTest("replaces a worker that dies while it starts", async () => {
    using folder = await demoFolder();
    const threads: Worker[] = [];
    const endSecond = (worker: Worker): void => {
      threads.push(worker);
      if (threads.length === 2) void worker.terminate();
    };
    process.on("worker", endSecond);
    const started = await startService(
      serviceOptions(folder.path, { workers: 2 }),
    );
    assert.ok(started.outcome === "started");
    await using _service = started.service;
    await until("a third thread", () => threads.length === 3);
    process.off("worker", endSecond);
  });

  fullTest("stops at once while a worker starts", async () => {
    using folder = await demoFolder();
    const running = await start(folder.path, 2);
    const { threads } = running;
    await threads[1]?.terminate();
    await until("a replacement", () => threads.length === 3);
    const began = performance.now();
    await running[Symbol.asyncDispose]();
    // The time limit for running requests; there are none.
    assert.ok(performance.now() - began < 10_000);
  });

  fullTest("answers from one worker while the rest start", async () => {
    using folder = await demoFolder();
    const port = await freePort();
    const statuses: Promise<number>[] = [];
    let threads = 0;
    const ask = (): void => {
      if (++threads > 1)
        statuses.push(
          fetch(`http://127.0.0.1:${port}/healthz`).then(
            ({ status }) => status,
            () => 0,
          ),
        );
    };
    process.on("worker", ask);
    const started = await startService(
      serviceOptions(folder.path, { port, workers: 3 }),
    );
    process.off("worker", ask);
    assert.ok(started.outcome === "started");
    await using service = started.service;
    assert.equal(service.workers, 3);
    assert.deepEqual(await Promise.all(statuses), [200, 200]);
  });

  test("says its port, its number of workers, and what it serves; answers a request that is in progress when it stops, and closes its connection", async () => {
    using folder = temporaryFolder();
    const running = await start(folder.path, 1);
    const { port, snapshot, workers } = running.service;
    assert.ok(port > 0);
    assert.equal(workers, 1);
    assert.equal(snapshot, null);
    assert.deepEqual(await running.statuses("/healthz", 1), [200]);

    const socket = connect(port, "127.0.0.1");
    let answers = "";
    socket.on("data", (chunk) => (answers += chunk.toString()));
    const request = "GET /healthz HTTP/1.1\r\nHost: a.example\r\n\r\n";
    socket.write(request);
    await until("the first answer", () => answers.includes('"ok"'));
    const stopped = running[Symbol.asyncDispose]();
    await until("the worker to be stopping", () =>
      fetch(`http://127.0.0.1:${port}/healthz`).then(
        ({ headers }) => headers.get("connection") === "close",
        () => true,
      ),
    );
    socket.write(request);
    await once(socket, "close");
    await stopped;
    const [, , last = ""] = answers.split("HTTP/1.1 ");
    assert.match(last, /^200 OK\r\n/);
    assert.match(last, /\r\nconnection: close\r\n/i);
  });
});
