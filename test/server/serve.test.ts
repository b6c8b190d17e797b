import assert from "node:assert/strict";
import { cpSync, mkdirSync, writeFileSync, readFileSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { join } from "node:path";
import { after, before, suite, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import type { Environment } from "../../src/settings/setting-reader.ts";
import { SnapshotStore } from "../../src/store/store.ts";
import {
  ProgramProcess,
  runProgram,
  succeed,
  temporaryFolder,
  until,
} from "../support/program/program.ts";

/** By the decisions in force everywhere within five seconds; a busy test machine gets more time. */
const SOON_MS = 15_000;

/** Two demos, the second one current; made once and copied for each test. */
const DEMOS = temporaryFolder();
let npis: string[] = [];

before(async () => {
  for (const providers of ["300", "400"]) {
    assert.equal(
      (
        await runProgram([
          "demo",
          "--providers",
          providers,
          "--data-dir",
          DEMOS.path,
        ])
      ).code,
      0,
    );
  }
});
after(() => DEMOS[Symbol.dispose]());

/** A data folder with the demos, or without data. */
function dataFolder({ isEmpty = false } = {}) {
  const folder = temporaryFolder();
  if (!isEmpty) cpSync(DEMOS.path, folder.path, { recursive: true });
  return folder;
}

/** The service as a separate process, once it listens. */
async function serve(dataDir: string, environment: Environment = {}) {
  const program = new ProgramProcess(
    ["serve", "--port", "0", "--workers", "2", "--data-dir", dataDir],
    environment,
  );
  const [, url = ""] = await program.printed(/Listening on (http:\S+) with/);
  return {
    program,
    url,
    ask: (path: string, key?: string) =>
      fetch(`${url}${path}`, {
        headers: key === undefined ? {} : { authorization: `Bearer ${key}` },
      }),
    [Symbol.asyncDispose]: () => program[Symbol.asyncDispose](),
  };
}

async function createKey(
  dataDir: string,
  plan = "paid",
  environment: Environment = {},
): Promise<string> {
  const { code, err, out } = await runProgram(
    [
      "keys",
      "create",
      "--email",
      "ada@clinic.example",
      "--plan",
      plan,
      "--data-dir",
      dataDir,
    ],
    { environment },
  );
  assert.equal(code, 0, err);
  return out.trim();
}

/** An NPI that the demo holds. */
async function knownNpi(
  ask: (path: string, key?: string) => Promise<Response>,
  key: string,
): Promise<string> {
  if (npis.length === 0) {
    const { data } = JSON.parse(
      await (await ask("/v1/providers/search?limit=10", key)).text(),
    );
    npis = data.map(({ npi }: { npi: string }) => npi);
  }
  return npis[0] ?? "";
}

/** A bare connection, and everything that comes back on it. */
async function dial(
  url: string,
): Promise<{ socket: Socket; answer: Promise<string> }> {
  const socket = connect(Number(new URL(url).port), "127.0.0.1");
  let text = "";
  const answer = new Promise<string>((resolve, reject) => {
    socket.setEncoding("utf8").on("data", (piece) => void (text += piece));
    socket.on("close", () => resolve(text)).on("error", reject);
  });
  answer.catch(() => undefined);
  await new Promise((connected) => socket.once("connect", connected));
  return { socket, answer };
}

suite("the service's processes", { concurrency: 2 }, () => {
  test("is healthy but not ready without data, and serves the first import", async () => {
    using folder = dataFolder({ isEmpty: true });
    await using service = await serve(folder.path);
    const key = await createKey(folder.path);
    assert.equal((await service.ask("/healthz")).status, 200);
    assert.equal((await service.ask("/readyz")).status, 503);
    const early = await service.ask("/v1/providers/search", key);
    assert.equal(early.status, 503);
    assert.match(await early.text(), /data_not_loaded/);
    assert.match(service.program.err, /No data to serve yet/);

    assert.equal(
      (
        await runProgram([
          "demo",
          "--providers",
          "100",
          "--data-dir",
          folder.path,
        ])
      ).code,
      0,
    );
    await until(
      "the import to be served",
      async () => (await service.ask("/readyz")).status === 200,
      SOON_MS,
    );
    const { meta } = JSON.parse(
      await (await service.ask("/v1/providers/search", key)).text(),
    );
    assert.equal(meta.total, 100);
  });

  test("accepts a new key, and refuses a revoked one, within five seconds", async () => {
    using folder = dataFolder();
    await using service = await serve(folder.path);
    const statusOf = async (key: string) =>
      (await service.ask("/v1/providers/search?limit=1", key)).status;
    const key = await createKey(folder.path);
    await until(
      "the new key to work",
      async () => (await statusOf(key)) === 200,
      SOON_MS,
    );
    assert.equal(
      (
        await runProgram([
          "keys",
          "revoke",
          key.slice(0, 12),
          "--data-dir",
          folder.path,
        ])
      ).code,
      0,
    );
    // Every connection may meet another worker, so several must agree.
    await until(
      "the revoked key to be refused",
      async () =>
        (
          await Promise.all(Array.from({ length: 8 }, () => statusOf(key)))
        ).every((status) => status === 401),
      SOON_MS,
    );
  });

  test("switches to imports and rollbacks under load without a failed request", async () => {
    using folder = dataFolder();
    const environment = {
      PLANS: '{"load":{"monthlyQuota":1000000,"burstPerSecond":100000}}',
      LOG_LEVEL: "warn",
    };
    await using service = await serve(folder.path, environment);
    const key = await createKey(folder.path, "load", environment);
    const failures: string[] = [];
    const totals: number[] = [];
    const enough = new AbortController();
    async function load(): Promise<void> {
      while (!enough.signal.aborted) {
        try {
          const response = await service.ask(
            "/v1/providers/search?limit=1",
            key,
          );
          const body = await response.text();
          if (response.status === 200) totals.push(JSON.parse(body).meta.total);
          else failures.push(`${response.status} ${body}`);
        } catch (error) {
          failures.push(String(error));
        }
      }
    }
    const clients = [load(), load(), load(), load()];
    const isServed = (total: number) =>
      until(
        `${total} providers to be served`,
        () => {
          const latest = totals.slice(-20);
          return latest.length === 20 && latest.every((each) => each === total);
        },
        2 * SOON_MS,
      );
    // In separate processes, so the load goes on meanwhile.
    async function change(...args: string[]): Promise<void> {
      await using program = new ProgramProcess([
        ...args,
        "--data-dir",
        folder.path,
      ]);
      const { code, err } = await program.ended();
      assert.equal(code, 0, err);
    }
    try {
      await isServed(400);
      await change("snapshots", "rollback");
      await isServed(300);
      await change("demo", "--providers", "500");
      await isServed(500);
    } finally {
      enough.abort();
      await Promise.all(clients);
    }
    assert.deepEqual(failures, []);
    assert.deepEqual([...new Set(totals)], [400, 300, 500]);
  });

  test("waits for a rollback if there are snapshots but none is current", async () => {
    using folder = dataFolder();
    writeFileSync(join(folder.path, "snapshots", "current"), "");
    await using service = await serve(folder.path);
    await service.program.printed(
      /No snapshot is marked as current\. Run snapshots rollback/,
    );
    await runProgram(["snapshots", "rollback", "--data-dir", folder.path]);
    await until(
      "the newest snapshot to be served",
      async () => (await service.ask("/readyz")).status === 200,
      SOON_MS,
    );
  });

  test("logs a snapshot with a flipped bit, and serves the previous one", async () => {
    using folder = dataFolder();
    const key = await createKey(folder.path);
    const store = new SnapshotStore(folder.path);
    const good = store.currentId() ?? "";
    const { code, err } = await runProgram([
      "demo",
      "--providers",
      "350",
      "--data-dir",
      folder.path,
    ]);
    assert.equal(code, 0, err);
    const bad = store.currentId() ?? "";
    const bytes = readFileSync(store.pathOf(bad));
    bytes[bytes.length - 1_000]! ^= 1;
    writeFileSync(store.pathOf(bad), bytes);
    await using service = await serve(folder.path);
    await service.program.printed(
      new RegExp(
        `Snapshot ${bad} is damaged: Section .* does not match its checksum`,
      ),
    );
    await service.program.printed(
      new RegExp(`"snapshot":"${good}".*"instead_of":"${bad}"`),
    );
    const answer = await service.ask("/v1/providers/search?limit=1", key);
    assert.equal(JSON.parse(await answer.text()).meta.total, 400);
  });

  test("logs in one sentence that a snapshot cannot be opened, and keeps serving the previous one", async () => {
    using folder = dataFolder();
    await using service = await serve(folder.path);
    const key = await createKey(folder.path);
    const store = new SnapshotStore(folder.path);
    const id = store.newId(Date.now());
    mkdirSync(join(store.pathOf(id), ".."));
    writeFileSync(store.pathOf(id), Buffer.alloc(20_000, "x"));
    store.makeCurrent(id, Date.now());
    await service.program.printed(
      new RegExp(`Snapshot ${id} is damaged: The file is not a snapshot`),
    );
    assert.equal(
      (await service.ask("/v1/providers/search?limit=1", key)).status,
      200,
    );
    assert.equal((await service.ask("/readyz")).status, 200);
    await succeed(["snapshots", "rollback", "--data-dir", folder.path]);
    await sleep(1_500);
    assert.equal(
      (await service.ask("/v1/providers/search?limit=1", key)).status,
      200,
    );
  });

  test("on SIGTERM it finishes running requests, writes the counted usage, and exits with 0", async () => {
    using folder = dataFolder();
    const key = await createKey(folder.path);
    let remaining: string | null = null;
    {
      await using service = await serve(folder.path);
      const npi = await knownNpi(service.ask, key);
      // Two requests of which half has arrived when the wish to stop comes, and a connection on which nothing has.
      const running = await dial(service.url);
      running.socket.write(
        `GET /v1/providers/${npi} HTTP/1.1\r\nHost: test\r\nAuthoriz`,
      );
      const readiness = await dial(service.url);
      readiness.socket.write("GET /readyz HTTP/1.1\r\nHo");
      await dial(service.url);
      await sleep(100);

      service.program.kill("SIGTERM");
      // npm passes the same wish on once more.
      service.program.kill("SIGTERM");
      await until("the port to be closed", () =>
        fetch(`${service.url}/healthz`).then(
          () => false,
          () => true,
        ),
      );
      running.socket.write(`ation: Bearer ${key}\r\n\r\n`);
      readiness.socket.write("st: test\r\n\r\n");
      const answer = await running.answer;
      assert.match(answer, /^HTTP\/1\.1 200 OK\r\n/);
      assert.match(answer, /\r\nconnection: close\r\n/i);
      assert.ok(answer.includes(`"npi":"${npi}"`));
      assert.match(
        await readiness.answer,
        /^HTTP\/1\.1 503 [\s\S]*shutting down/,
      );
      remaining =
        /\r\nx-ratelimit-remaining: (\d+)\r\n/i.exec(answer)?.[1] ?? null;
      const { code, out } = await service.program.ended();
      assert.equal(code, 0);
      assert.match(out, /"msg":"stopping"/);
    }
    await using again = await serve(folder.path);
    const response = await again.ask("/v1/providers/search?limit=1", key);
    assert.equal(
      Number(response.headers.get("x-ratelimit-remaining")),
      Number(remaining) - 1,
    );
  });

  test("loses at most the last second's usage when it is killed", async () => {
    using folder = dataFolder();
    const key = await createKey(folder.path);
    {
      await using service = await serve(folder.path);
      for (let request = 0; request < 20; request++) {
        assert.equal(
          (await service.ask("/v1/providers/search?limit=1", key)).status,
          200,
        );
      }
      await sleep(1_500);
      service.program.kill("SIGKILL");
      await service.program.ended();
    }
    await using again = await serve(folder.path);
    const response = await again.ask("/v1/providers/search?limit=1", key);
    assert.equal(
      response.headers.get("x-ratelimit-remaining"),
      String(25_000 - 21),
    );
  });

  test("two workers share a quota to the last request", async () => {
    using folder = dataFolder();
    const environment = {
      PLANS: '{"tiny":{"monthlyQuota":60,"burstPerSecond":100000}}',
    };
    await using service = await serve(folder.path, environment);
    const key = await createKey(folder.path, "tiny", environment);
    const responses = await Promise.all(
      Array.from({ length: 150 }, () =>
        service.ask("/v1/providers/search?limit=1", key),
      ),
    );
    const statuses = responses.map(({ status }) => status);
    assert.equal(statuses.filter((status) => status === 200).length, 60);
    assert.equal(statuses.filter((status) => status === 429).length, 90);
    await until("both workers to have answered", () =>
      ["worker 1", "worker 2"].every((name) =>
        service.program.out.includes(`"thread":"${name}"`),
      ),
    );
  });

  test("logs one JSON object per line, without keys and names", async () => {
    using folder = dataFolder();
    await using service = await serve(folder.path);
    const key = await createKey(folder.path);
    await Promise.all(
      Array.from({ length: 40 }, () =>
        service
          .ask("/v1/providers/search?last_name=quackenbush&limit=1", key)
          .then((response) => response.text()),
      ),
    );
    service.program.kill("SIGINT");
    const { out } = await service.program.ended();
    const lines = out
      .trimEnd()
      .split("\n")
      .map((line): unknown => JSON.parse(line));
    assert.ok(lines.length >= 42);
    assert.equal(out.includes(key), false);
    assert.doesNotMatch(out, /quackenbush/i);
  });

  test("refuses in one sentence a port that another service uses, even one that would share it", async () => {
    using folder = dataFolder();
    await using service = await serve(folder.path);
    const { port } = new URL(service.url);
    const { code, err, out } = await runProgram([
      "serve",
      "--port",
      port,
      "--data-dir",
      folder.path,
    ]);
    assert.deepEqual(
      [code, out, err],
      [
        1,
        "",
        `provider-directory: Port ${port} on 127.0.0.1 is in use. Stop the program that uses it, or choose another port with --port.\n`,
      ],
    );
  });

  test("refuses in one sentence a host that is not this machine's", async () => {
    using folder = dataFolder();
    for (const [host, sentence] of [
      ["192.0.2.1", /192\.0\.2\.1 is not an address of this machine/],
      ["no-such-host.invalid", /Cannot resolve host no-such-host\.invalid\./],
    ] as const) {
      const { code, err } = await runProgram([
        "serve",
        "--port",
        "0",
        "--host",
        host,
        "--data-dir",
        folder.path,
      ]);
      assert.equal(code, 1);
      assert.match(err, sentence);
    }
  });
});
