import assert from "node:assert/strict";
import { once } from "node:events";
import { after, suite, test } from "node:test";
import { startService } from "../../src/server/service.ts";
import { createKey } from "../support/program/create-key.ts";
import { demoFolder } from "../support/program/demo-folder.ts";
import { ProgramProcess } from "../support/program/program.ts";
import { until } from "../support/pure/until.ts";
import {
  NO_POSTGRESQL,
  postgresqlOfFile,
} from "../support/postgresql/postgresql.ts";
import { startHttpService } from "../support/app/http-service.ts";
import { serviceOptions } from "../support/app/service-options.ts";

const demo = await demoFolder();
after(() => demo[Symbol.dispose]());

/** The status of `/readyz` and the code in its body, or "ready". */
async function readiness(url: string): Promise<[number, string]> {
  const answer = await fetch(`${url}/readyz`, {
    headers: { connection: "close" },
  });
  const [, code = "ready"] =
    /"code":"([a-z_]+)"/.exec(await answer.text()) ?? [];
  return [answer.status, code];
}

/** The service as a separate process with data, its URL, and a search with a key. */
async function serve(seconds: number, workers: number) {
  const key = await createKey(demo.path, { email: "drain@clinic.example" });
  const program = new ProgramProcess([
    "serve",
    "--port",
    "0",
    "--workers",
    String(workers),
    "--drain-delay",
    String(seconds),
    "--data-dir",
    demo.path,
  ]);
  const [, url = ""] = await program.printed(/Listening on (http:\S+) with/);
  await until("data", async () => (await readiness(url))[0] === 200);
  const search = (): Promise<number> =>
    fetch(`${url}/v1/providers/search?limit=1`, {
      headers: { authorization: `Bearer ${key}`, connection: "close" },
    }).then(async (answer) => {
      await answer.arrayBuffer();
      return answer.status;
    });
  return { program, search, url };
}

suite("after SIGTERM, with a drain delay,", () => {
  test("every worker is unready at once, and new connections are answered until a second signal stops the process", async () => {
    const { program, search, url } = await serve(3_600, 2);
    await using _program = program;
    program.kill("SIGTERM");
    await until(
      "/readyz to fail",
      async () => (await readiness(url))[1] === "shutting_down",
    );
    for (let times = 0; times < 20; times++) {
      assert.deepEqual(await readiness(url), [503, "shutting_down"]);
      assert.equal(await search(), 200);
    }
    // Within half a second, it would be an echo of the first.
    await until("the process to end", async () => {
      program.kill("SIGTERM");
      const ended = program.ended().then(() => true);
      return Promise.race([
        ended,
        once(AbortSignal.timeout(100), "abort").then(() => false),
      ]);
    });
    assert.equal((await program.ended()).code, 1);
  });

  test("the process ends once the delay is over, with every request answered before", async () => {
    const { program, search, url } = await serve(1, 1);
    await using _program = program;
    program.kill("SIGTERM");
    await until(
      "/readyz to fail",
      async () => (await readiness(url))[0] === 503,
    );
    assert.equal(await search(), 200);
    const { code, out } = await program.ended();
    assert.equal(code, 0);
    const events = out
      .split("\n")
      .filter((line) => line.includes('"thread":"supervisor"'))
      .map((line): string => JSON.parse(line).msg);
    assert.deepEqual(events.slice(-3), [
      "not ready: /readyz is 503",
      "leaving",
      "stopping",
    ]);
  });
});

test("a node that lacks the fleet's snapshot is not ready, and still answers", async () => {
  await using service = await startHttpService({ unready: "snapshot_behind" });
  const answer = await service.get("/readyz");
  assert.equal(answer.statusCode, 503);
  assert.equal(answer.headers["retry-after"], "2");
  const { error } = answer.json<{ error: Record<string, unknown> }>();
  assert.equal(error["code"], "snapshot_behind");
  assert.equal(
    error["message"],
    "The fleet serves a newer snapshot, which this node has not downloaded yet.",
  );
  const search = await service.get("/v1/providers/search?limit=1");
  assert.equal(search.statusCode, 200);
});

test(
  "a node whose PostgreSQL is away is ready until the grace is over, and again once it is back",
  { skip: NO_POSTGRESQL },
  async () => {
    await using owned = new AsyncDisposableStack();
    const postgresql = await postgresqlOfFile();
    const started = await startService(
      serviceOptions(demo.path, {
        database: await postgresql.makeDatabase(),
        databaseGraceMs: 3_000,
        metrics: { host: "127.0.0.1", port: 0 },
      }),
    );
    assert.ok(started.outcome === "started");
    const { service } = started;
    owned.use(service);
    owned.defer(() => postgresql.resume());
    const url = `http://127.0.0.1:${service.port}`;
    const reasons = async (): Promise<string[]> => {
      const metrics = await fetch(
        `http://127.0.0.1:${service.metricsPort}/metrics`,
      );
      const lines = (await metrics.text()).matchAll(
        /^provider_directory_unready\{reason="([a-z_]+)"\} 1$/gm,
      );
      return [...lines].map(([, reason = ""]) => reason);
    };
    await until("data", async () => (await readiness(url))[0] === 200);
    assert.deepEqual(await reasons(), []);

    await postgresql.stop();
    assert.deepEqual(await readiness(url), [200, "ready"]);
    await until(
      "the end of the grace",
      async () => (await readiness(url))[1] === "accounts_unavailable",
    );
    assert.deepEqual(await reasons(), ["accounts_unavailable"]);
    assert.equal((await fetch(`${url}/healthz`)).status, 200);

    await postgresql.resume();
    await until("PostgreSQL", async () => (await readiness(url))[0] === 200);
    assert.deepEqual(await reasons(), []);
  },
);
