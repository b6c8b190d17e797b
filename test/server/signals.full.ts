import assert from "node:assert/strict";
import { once } from "node:events";
import { Agent, createServer, get } from "node:http";
import { connect, type Socket } from "node:net";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { after, test } from "node:test";
import { acceptWaiting } from "../../src/server/workers/last-connections.ts";
import { bytesBetween } from "../support/pure/bytes-between.ts";
import { createKey } from "../support/program/create-key.ts";
import { demoFolder } from "../support/program/demo-folder.ts";
import { ProgramProcess } from "../support/program/program.ts";
import { until } from "../support/pure/until.ts";

const ENVIRONMENT = {
  PLANS: '{"load":{"monthlyQuota":10000000,"burstPerSecond":100000}}',
  LOG_LEVEL: "warn",
};
/** Busy connections while the service stops. */
const CLIENTS = 1_000;
/** Clients that connect at once. */
const WAITING = 100;
/** Half the time without data after which a service that stops ends connections. */
const MAX_PAUSE_MS = 500;
const demo = await demoFolder();
after(() => demo[Symbol.dispose]());
const key = await createKey(demo.path, {
  plan: "load",
  environment: ENVIRONMENT,
});

/** The service as a separate process, once it listens. */
async function serve(
  workers: string,
): Promise<{ program: ProgramProcess; url: string }> {
  const program = new ProgramProcess(
    ["serve", "--port", "0", "--workers", workers, "--data-dir", demo.path],
    ENVIRONMENT,
  );
  const [, url = ""] = await program.printed(/Listening on (http:\S+) with/);
  return { program, url };
}

test("a second SIGTERM ends the process at once while an answer still waits for its client", async () => {
  const { program, url } = await serve("1");
  await using _program = program;
  const stalled = connect(Number(new URL(url).port), "127.0.0.1");
  stalled.on("error", () => undefined);
  const request = `GET /openapi.json HTTP/1.1\r\nHost: test\r\n\r\n`;
  stalled.pause().write(request.repeat(2_000));
  // The kernel takes no more for a client that reads nothing: the service answers others, and writes no byte to this
  // one.
  await until("the answers to be stuck", async () => {
    const waiting = await bytesBetween(stalled);
    for (let others = 0; others < 10; others++) await fetch(`${url}/healthz`);
    return waiting > 0 && (await bytesBetween(stalled)) === waiting;
  });
  program.kill("SIGTERM");
  await until("the port to be closed", () =>
    fetch(`${url}/healthz`).then(
      () => false,
      () => true,
    ),
  );
  // Beyond the half second in which it would be an echo of the first.
  await until("the process to end", async () => {
    program.kill("SIGTERM");
    const ended = program.ended().then(() => true);
    return Promise.race([
      ended,
      once(AbortSignal.timeout(100), "abort").then(() => false),
    ]);
  });
  // One that waits for the client until it may wait no longer ends with 0.
  const { code } = await program.ended();
  assert.equal(code, 1);
  stalled.destroy();
});

test("SIGHUP and SIGUSR1 stop nothing and open no debugger, and SIGTERM under hundreds of busy connections resets none of them", async () => {
  for (let round = 1; ; round++) {
    const { err, faults, pausedMs, stopped } = await stopUnderLoad();
    // Connections of clients that stood still are not busy: the service may end them while they write.
    if (faults.length > 0 && pausedMs > MAX_PAUSE_MS && round < 5) continue;
    assert.doesNotMatch(err, /[Dd]ebugger/);
    assert.deepEqual(faults, [], `clients paused for ${pausedMs} ms`);
    assert.equal(stopped, CLIENTS);
    return;
  }
});

/** Stops a service while clients ask it, and returns its standard error and what befell the clients. */
async function stopUnderLoad() {
  const { program, url } = await serve("2");
  await using _program = program;
  for (const signal of ["SIGHUP", "SIGUSR1", "SIGHUP"] as const) {
    program.kill(signal);
    assert.equal((await fetch(`${url}/healthz`)).status, 200);
  }
  const faults: string[] = [];
  let answered = 0;
  let connected = 0;
  let stopped = 0;
  const clients = Array.from({ length: CLIENTS }, () => keepAsking());
  await until(
    "all clients to be answered",
    () => connected === CLIENTS && answered > 3 * CLIENTS,
  );
  const pauses = monitorEventLoopDelay();
  pauses.enable();
  program.kill("SIGTERM");
  await Promise.all(clients);
  const pausedMs = pauses.max / 1e6;
  pauses.disable();
  // What the first signals bring comes before the answer to SIGTERM, which is the last.
  const { code, err } = await program.ended();
  assert.equal(code, 0);
  return { err, faults, pausedMs, stopped };

  /** Asks on one connection, as fast as it is answered, until the service says that the connection ends. */
  async function keepAsking(): Promise<void> {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    try {
      answered += Number(await ask(agent));
      connected++;
      while (await ask(agent)) answered++;
      stopped++;
    } catch (error) {
      faults.push(String(error));
    } finally {
      agent.destroy();
    }
  }

  /** True if the connection goes on. */
  function ask(agent: Agent): Promise<boolean> {
    const path =
      answered % 2 === 0 ? "/v1/providers/search?limit=5" : "/healthz";
    return new Promise((resolve, reject) => {
      const request = get(`${url}${path}`, {
        agent,
        headers: { authorization: `Bearer ${key}` },
      });
      request.on("error", reject);
      request.on("response", (response) => {
        if (response.statusCode !== 200)
          faults.push(`answered ${response.statusCode}`);
        response.resume();
        response.on("error", reject);
        response.on("end", () =>
          resolve(response.headers.connection !== "close"),
        );
      });
    });
  }
}

test("connections that wait to be accepted are accepted before the server closes", async () => {
  const server = createServer((_request, response) => {
    response.shouldKeepAlive = false;
    response.end();
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  assert.ok(address !== null && typeof address !== "string");
  const { port } = address;
  const answers = Array.from({ length: WAITING }, async () => {
    const request = get({ port, host: "127.0.0.1", agent: false });
    const [response] = await once(request, "response");
    response.resume();
    return response.statusCode;
  });
  // The clients connect in this turn, in which the server accepts none.
  await new Promise((resolve) => process.nextTick(resolve));
  await acceptWaiting(server, 60_000);
  server.close();
  assert.deepEqual(
    await Promise.all(answers),
    Array.from({ length: WAITING }, () => 200),
  );
});

test("accepting ends in time, however many connections arrive", async () => {
  const server = createServer();
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  assert.ok(address !== null && typeof address !== "string");
  const { port } = address;
  const clients: Socket[] = [];
  let accepted = 0;
  server.on("connection", () => {
    accepted++;
    clients.push(connect(port, "127.0.0.1").on("error", () => undefined));
  });
  clients.push(connect(port, "127.0.0.1"));
  await once(server, "connection");
  await acceptWaiting(server, 0);
  assert.ok(accepted < WAITING, `${accepted} are accepted`);
  server.removeAllListeners("connection");
  for (const client of clients) client.destroy();
  server.close();
});
