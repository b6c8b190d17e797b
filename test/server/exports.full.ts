import assert from "node:assert/strict";
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { suite, test } from "node:test";
import { createKey } from "../support/program/create-key.ts";
import { ProgramProcess, succeed } from "../support/program/program.ts";
import { temporaryFolder } from "../support/pure/temporary-folder.ts";
import { until } from "../support/pure/until.ts";

const PROVIDERS = "20000";
/** More than the buffers of a connection take. */
const EXPORT = "/v1/providers/export?include=all";
const READERS = 200;
/** As in `server-limits.ts`. */
const MAX_EXPORTS = 16;
/** Each has one export, so none may displace another's. */
const ACCOUNTS = MAX_EXPORTS;
const MAX_EXPORT_BYTES = 5_000_000;
/** Prints what each worker thread holds on its heap and outside of it, in bytes. */
const REPORT = `data:text/javascript,${encodeURIComponent(`
  import { isMainThread } from "node:worker_threads";
  const report = () => {
    const { heapUsed, external } = process.memoryUsage();
    process._rawDebug("memory " + (heapUsed + external));
  };
  if (!isMainThread) setInterval(report, 20).unref();
`)}`;

suite("exports of a service", () => {
  test("200 slow readers take the memory of the exports that may run; when the service stops, they are cut, and a reader that reads gets the whole", async () => {
    using folder = temporaryFolder();
    const dataDir = ["--data-dir", folder.path];
    await succeed(["demo", "--providers", PROVIDERS, ...dataDir]);
    const keys: string[] = [];
    for (let account = 0; account < ACCOUNTS; account++)
      keys.push(
        await createKey(folder.path, {
          email: `reader${account}@clinic.example`,
        }),
      );
    await using program = new ProgramProcess(
      ["serve", "--port", "0", "--workers", "1", ...dataDir],
      { NODE_OPTIONS: `--import ${REPORT}` },
    );
    const [, port = ""] = await program.printed(
      /Listening on http:\S+:(\d+) [^]*Serving snapshot/,
    );
    const [key = ""] = keys;
    await restOf(ask(Number(port), key));
    const before = await mostMemory(program);

    const clients: Socket[] = [];
    for (let reader = 0; reader < READERS; reader++) {
      const client = ask(Number(port), keys[reader % ACCOUNTS] ?? "");
      await once(client, "readable");
      clients.push(client);
    }
    const statuses = clients.map((client) =>
      Number(/^HTTP\/1\.1 (\d+)/.exec(String(client.read()))?.[1]),
    );
    const running = clients.filter((_, index) => statuses[index] === 200);
    assert.equal(running.length, MAX_EXPORTS);
    assert.equal(
      statuses.filter((status) => status === 503).length,
      READERS - MAX_EXPORTS,
    );
    const meanwhile = await mostMemory(program);
    assert.ok(
      meanwhile - before < MAX_EXPORTS * MAX_EXPORT_BYTES,
      `${before} bytes before, ${meanwhile} meanwhile`,
    );

    const [first, ...rest] = running;
    first?.destroy();
    let reads = clients[0];
    await until("a free slot", async () => {
      reads = ask(Number(port), key);
      await once(reads, "readable");
      return String(reads.read(12)) === "HTTP/1.1 200";
    });
    assert.ok(reads !== undefined);
    program.kill("SIGTERM");
    assert.ok((await restOf(reads)).endsWith("\r\n0\r\n\r\n"));
    const { code } = await program.ended();
    assert.equal(code, 0);
    for (const client of rest)
      await assert.rejects(restOf(client), { code: "ECONNRESET" });
    for (const client of clients) client.destroy();
  });
});

/** Starts an export over a connection that reads nothing by itself. */
function ask(port: number, key: string): Socket {
  const client = connect(port, "127.0.0.1");
  client.on("error", () => undefined);
  client.write(
    `GET ${EXPORT} HTTP/1.1\r\nHost: directory.example\r\nConnection: close\r\nAuthorization: Bearer ${key}\r\n\r\n`,
  );
  return client;
}

async function restOf(client: Socket): Promise<string> {
  let last = "";
  for await (const piece of client) last = (last + String(piece)).slice(-100);
  return last;
}

/** The most memory that a program's worker thread holds while it reports some times. */
async function mostMemory(program: ProgramProcess): Promise<number> {
  const from = program.err.length;
  const reports = () => [
    ...program.err.slice(from).matchAll(/^memory (\d+)$/gm),
  ];
  await until("the memory to be reported", () => reports().length >= 50);
  return Math.max(...reports().map(([, bytes]) => Number(bytes)));
}
