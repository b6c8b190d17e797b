import assert from "node:assert/strict";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { join } from "node:path";
import { after, before, suite, test } from "node:test";
import { Snapshot } from "../../src/snapshot/snapshot.ts";
import { SnapshotStore } from "../../src/store/store.ts";
import {
  fixtureOf,
  unpackInstallation,
} from "../fixtures/make-installation.ts";
import { fullTest } from "../support/pure/full-run.ts";
import { bytesBetween } from "../support/pure/bytes-between.ts";
import { createKey } from "../support/program/create-key.ts";
import { DEMO_PROVIDERS, demoFolder } from "../support/program/demo-folder.ts";
import {
  ProgramProcess,
  runProgram,
  succeed,
  succeeded,
} from "../support/program/program.ts";
import { temporaryFolder } from "../support/pure/temporary-folder.ts";
import { until } from "../support/pure/until.ts";

/** By the decisions in force everywhere within five seconds; a busy test machine gets more time. */
const SOON_MS = 15_000;

/** The service as a separate process, once it listens. */
async function serve(
  dataDir: string,
  { workers = "1", PLANS }: { workers?: string; PLANS?: string } = {},
) {
  const program = new ProgramProcess(
    ["serve", "--port", "0", "--workers", workers, "--data-dir", dataDir],
    PLANS === undefined ? {} : { PLANS },
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

/** How much of the month's quota the accounts database has as used. */
async function written(dataDir: string): Promise<number> {
  const args = ["keys", "list", "--json", "--data-dir", dataDir];
  const [key] = JSON.parse(await succeed(args));
  return key.used_this_month;
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

/** Runs a command on a data folder in a separate process, so the load of a test goes on meanwhile. */
async function runApart(dataDir: string, ...args: string[]): Promise<void> {
  await using program = new ProgramProcess([...args, "--data-dir", dataDir]);
  await succeeded(program.ended());
}

suite("a service process with two workers", () => {
  const folder = temporaryFolder();
  const PLANS = JSON.stringify({
    load: { monthlyQuota: 1_000_000, burstPerSecond: 100_000 },
    tiny: { monthlyQuota: 60, burstPerSecond: 100_000 },
  });
  const keys: string[] = [];
  let service: Awaited<ReturnType<typeof serve>>;
  before(async () => {
    service = await serve(folder.path, { workers: "2", PLANS });
  });
  after(async () => {
    await service[Symbol.asyncDispose]();
    folder[Symbol.dispose]();
  });

  const statusOf = async (key: string) =>
    (await service.ask("/v1/providers/search?limit=1", key)).status;

  /** A key on a plan, which works within five seconds after it is made. */
  async function workingKey(email: string, plan: string): Promise<string> {
    const key = await createKey(folder.path, {
      email,
      plan,
      environment: { PLANS },
    });
    keys.push(key);
    await until(
      "the new key to work",
      async () => (await statusOf(key)) === 200,
      SOON_MS,
    );
    return key;
  }

  test("is healthy but not ready without data, and serves the first import", async () => {
    const key = await createKey(folder.path, {
      email: "first@clinic.example",
      plan: "load",
      environment: { PLANS },
    });
    keys.push(key);
    assert.equal((await service.ask("/healthz")).status, 200);
    assert.equal((await service.ask("/readyz")).status, 503);
    const early = await service.ask("/v1/providers/search", key);
    assert.equal(early.status, 503);
    assert.match(await early.text(), /data_not_loaded/);
    assert.match(service.program.err, /No data to serve yet/);

    await succeed(["demo", "--providers", "60", "--data-dir", folder.path]);
    await until(
      "the import to be served",
      async () => (await service.ask("/readyz")).status === 200,
      SOON_MS,
    );
    await until("all threads to serve it", async () =>
      (await Promise.all(Array.from({ length: 8 }, () => statusOf(key)))).every(
        (status) => status === 200,
      ),
    );
    const { meta } = JSON.parse(
      await (await service.ask("/v1/providers/search", key)).text(),
    );
    assert.equal(meta.total, 60);
  });

  test("accepts a new key, and refuses a revoked one, within five seconds", async () => {
    const key = await workingKey("ada@clinic.example", "paid");
    await succeed([
      "keys",
      "revoke",
      key.slice(0, 12),
      "--data-dir",
      folder.path,
    ]);
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

  fullTest(
    "switches to imports and rollbacks under load without a failed request",
    async () => {
      const key = await workingKey("load@clinic.example", "load");
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
            if (response.status === 200)
              totals.push(JSON.parse(body).meta.total);
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
            return (
              latest.length === 20 && latest.every((each) => each === total)
            );
          },
          2 * SOON_MS,
        );
      try {
        await isServed(60);
        await runApart(folder.path, "demo", "--providers", "80");
        await isServed(80);
        await runApart(folder.path, "snapshots", "rollback");
        await isServed(60);
      } finally {
        enough.abort();
        await Promise.all(clients);
      }
      assert.deepEqual(failures, []);
      const runs = totals.filter((total, index) => total !== totals[index - 1]);
      assert.deepEqual([...new Set(runs)], [60, 80]);
      assert.equal(runs.at(-1), 60);
    },
  );

  test("logs in one sentence that a snapshot cannot be opened, and keeps serving the previous one", async () => {
    const key = await workingKey("eve@clinic.example", "paid");
    const store = new SnapshotStore(folder.path);
    const id = store.newId(Date.now());
    mkdirSync(join(store.pathOf(id), ".."));
    writeFileSync(store.pathOf(id), Buffer.alloc(20_000, "x"));
    store.makeCurrent(id, Date.now());
    await service.program.printed(
      new RegExp(`Snapshot ${id} is damaged: The file is not a snapshot`),
    );
    assert.equal(await statusOf(key), 200);
    assert.equal((await service.ask("/readyz")).status, 200);
    await succeed(["snapshots", "rollback", "--data-dir", folder.path]);
    await until("the end of the warning", async () => {
      const answer = await service.ask("/readyz");
      assert.equal(answer.status, 200);
      return JSON.parse(await answer.text()).data.warning === null;
    });
    assert.equal(await statusOf(key), 200);
  });

  test("two workers share a quota to the last request", async () => {
    const key = await createKey(folder.path, {
      email: "tiny@clinic.example",
      plan: "tiny",
      environment: { PLANS },
    });
    keys.push(key);
    const from = service.program.out.length;
    const statuses = await Promise.all(
      Array.from({ length: 150 }, () => statusOf(key)),
    );
    assert.equal(statuses.filter((status) => status === 200).length, 60);
    assert.equal(statuses.filter((status) => status === 429).length, 90);
    await until("both workers to have answered", () => {
      const { out } = service.program;
      return ["worker 1", "worker 2"].every((name) =>
        out.includes(`"thread":"${name}"`, from),
      );
    });
  });

  test("refuses in one sentence a port that another service uses, even one that would share it", async () => {
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

  test("logs one JSON object per line, without keys and names", async () => {
    const key = await workingKey("log@clinic.example", "paid");
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
    for (const each of keys) assert.equal(out.includes(each), false);
    assert.doesNotMatch(out, /quackenbush/i);
  });
});

suite("a service process that starts and stops", { concurrency: 2 }, () => {
  test("says where its first data comes from", async () => {
    for (const [environment, sentence] of [
      [{}, /No data to serve yet\. Run update, or import a registry file;/],
      [
        { SNAPSHOT_STORE: "http://127.0.0.1:1/" },
        /No data to serve yet\. The service pulls what is published to the snapshot store\./,
      ],
      [
        { UPDATE: "@weekly", UPDATE_SOURCE: "http://127.0.0.1:1/" },
        /No data to serve yet\. The scheduled update imports it\./,
      ],
    ] as const) {
      using folder = temporaryFolder();
      await using program = new ProgramProcess(
        ["serve", "--port", "0", "--data-dir", folder.path],
        { PORTAL: "off", WORKERS: "1", ...environment },
      );
      await program.printed(sentence);
    }
  });

  test("waits for a rollback if there are snapshots but none is current", async () => {
    using folder = await demoFolder();
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

  test("serves a snapshot of an older format, and logs what writes the new one", async () => {
    using folder = temporaryFolder();
    unpackInstallation(fixtureOf(2), folder.path);
    await using service = await serve(folder.path);
    await service.program.printed(
      /"format":2,.*it is served as before, and the next import writes format 3/,
    );
  });

  test("logs a snapshot with a flipped bit, and serves the previous one", async () => {
    using folder = await demoFolder();
    const key = await createKey(folder.path);
    const store = new SnapshotStore(folder.path);
    const [bad = "", good = ""] = store.ids();
    assert.equal(store.currentId(), bad);
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
    assert.equal(
      JSON.parse(await answer.text()).meta.total,
      DEMO_PROVIDERS.before,
    );
  });

  test("on SIGTERM it finishes running requests and writes the counted usage; when it is killed, it loses at most the last second's", async () => {
    using folder = await demoFolder();
    const key = await createKey(folder.path);
    const store = new SnapshotStore(folder.path);
    const [npi = ""] = new Snapshot(store.share(store.currentId() ?? "none"))
      .npi;
    let remaining: string | null = null;
    {
      await using service = await serve(folder.path);
      // Two requests of which half has arrived when the wish to stop comes, and a connection on which nothing has.
      const running = await dial(service.url);
      running.socket.write(
        `GET /v1/providers/${npi} HTTP/1.1\r\nHost: test\r\nAuthoriz`,
      );
      const readiness = await dial(service.url);
      readiness.socket.write("GET /readyz HTTP/1.1\r\nHo");
      const quiet = await dial(service.url);
      await until("the halves to be read", async () =>
        (
          await Promise.all(
            [running, readiness, quiet].map(({ socket }) =>
              bytesBetween(socket),
            ),
          )
        ).every((bytes) => bytes === 0),
      );

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
      assert.equal(await written(folder.path), 1);
    }
    await using again = await serve(folder.path);
    const ask = () => again.ask("/v1/providers/search?limit=1", key);
    const response = await ask();
    assert.equal(
      Number(response.headers.get("x-ratelimit-remaining")),
      Number(remaining) - 1,
    );
    for (let request = 0; request < 20; request++)
      assert.equal((await ask()).status, 200);
    await until(
      "what was counted to be written",
      async () => (await written(folder.path)) === 22,
    );
    again.program.kill("SIGKILL");
    await again.program.ended();
    assert.equal(await written(folder.path), 22);
  });

  test("refuses in one sentence a host that is not this machine's", async () => {
    using folder = temporaryFolder();
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
