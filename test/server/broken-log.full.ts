import assert from "node:assert/strict";
import {
  readFileSync,
  openSync,
  closeSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { suite, test } from "node:test";
import { openLog } from "../../src/server/log/log.ts";
import { Output } from "../../src/cli/output/output.ts";
import {
  fullDevice,
  NO_MOUNT,
  smallDisk,
  stalledPipe,
} from "../support/program/broken-outputs.ts";
import { freePort } from "../support/pure/free-port.ts";
import { createKey } from "../support/program/create-key.ts";
import { DEMO_PROVIDERS, demoFolder } from "../support/program/demo-folder.ts";
import {
  ProgramProcess,
  runProgram,
  succeed,
  type Outputs,
} from "../support/program/program.ts";
import { until } from "../support/pure/until.ts";

const PLANS = '{"paid":{"monthlyQuota":1000000,"burstPerSecond":100000}}';

/** Far less than the hour for which a process that hangs would hang, and enough for a busy machine. */
const STOP_MS = 30_000;

/** A service over demo data whose outputs are given, with a key. */
async function serve(dataDir: string, outputs: Outputs) {
  const key = await createKey(dataDir);
  const port = await freePort();
  const metricsPort = await freePort();
  const program = new ProgramProcess(
    ["serve", "--workers", "1", "--data-dir", dataDir],
    {
      PORT: String(port),
      METRICS: `127.0.0.1:${metricsPort}`,
      PORTAL: "off",
      PLANS,
    },
    undefined,
    outputs,
  );
  const ask = (path: string) =>
    fetch(`http://127.0.0.1:${port}${path}`, {
      headers: { authorization: `Bearer ${key}` },
    });
  const isReady = () =>
    ask("/readyz").then(
      ({ ok }) => ok,
      () => false,
    );
  await until("the service to be ready", isReady);
  return {
    program,
    /** Makes this many counted requests. */
    async search(times: number): Promise<void> {
      for (let time = 0; time < times; time++)
        assert.equal((await ask("/v1/providers/search?limit=1")).status, 200);
    },
    async total(): Promise<number> {
      const { meta } = JSON.parse(
        await (await ask("/v1/providers/search?limit=1")).text(),
      );
      return meta.total;
    },
    async metric(name: string): Promise<number> {
      const text = await (
        await fetch(`http://127.0.0.1:${metricsPort}/metrics`)
      ).text();
      const found = new RegExp(`^provider_directory_${name} (\\S+)$`, "m").exec(
        text,
      );
      return Number(found?.[1]);
    },
    [Symbol.asyncDispose]: () => program[Symbol.asyncDispose](),
  };
}

/** What the database has of the key's use. */
async function written(dataDir: string): Promise<number> {
  const listed = await runProgram([
    "keys",
    "list",
    "--json",
    "--data-dir",
    dataDir,
  ]);
  const [key] = JSON.parse(listed.out);
  return key.used_this_month;
}

/** Everything but the log works: use is written, another snapshot is taken up, and the service stops. */
async function assertNothingElseIsLost(outputs: Outputs): Promise<void> {
  using folder = await demoFolder();
  const dataDir = folder.path;
  await using service = await serve(dataDir, outputs);
  await service.search(40);
  await until(
    "what was counted to be written",
    async () => (await written(dataDir)) === 40,
  );
  await succeed(["snapshots", "rollback", "--data-dir", dataDir]);
  let more = 0;
  await until("the other snapshot to be served", async () => {
    more++;
    return (await service.total()) === DEMO_PROVIDERS.before;
  });
  await service.search(5);
  service.program.kill("SIGTERM");
  const late = setTimeout(() => service.program.kill("SIGKILL"), STOP_MS);
  const { code } = await service.program.ended();
  clearTimeout(late);
  assert.equal(code, 0);
  assert.equal(await written(dataDir), 45 + more);
}

suite(
  "a service whose log cannot be written still answers and counts",
  { concurrency: 2 },
  () => {
    test("on a full disk", async () => {
      using full = fullDevice();
      await assertNothingElseIsLost({ out: full.fd });
    });

    test("on a full disk that standard error is on too", async () => {
      using full = fullDevice();
      await assertNothingElseIsLost({
        out: full.fd,
        err: full.fd,
      });
    });

    test("into a pipe whose reader stalls, of both outputs", async () => {
      using pipe = stalledPipe();
      await assertNothingElseIsLost({
        out: pipe.fd,
        err: pipe.fd,
      });
    });

    test("into a pipe whose reader has gone, of both outputs", async () => {
      using pipe = stalledPipe();
      pipe.leave();
      await assertNothingElseIsLost({
        out: pipe.fd,
        err: pipe.fd,
      });
    });
  },
);

test(
  "a full disk under the log is reported on standard error, and waiting lines are written once there is space",
  { skip: NO_MOUNT },
  async () => {
    using folder = await demoFolder();
    using disk = smallDisk("64k");
    const file = join(disk.path, "log");
    const ballast = join(disk.path, "ballast");
    writeFileSync(ballast, Buffer.alloc(56 * 1024));
    const fd = openSync(file, "a");
    await using service = await serve(folder.path, { out: fd });
    closeSync(fd);
    await service.search(60);
    await service.program.printed(
      /Cannot write the log to standard output \(.+\/log\) \(ENOSPC\)\./,
    );
    rmSync(ballast);
    await until(
      "all answers to be in the log",
      () => lines(file).filter(({ msg }) => msg === "answered").length >= 60,
    );
    assert.equal(await service.metric("log_lines_lost_total"), 0);
  },
);

test(
  "lost lines are counted, and the log reports them once writing works again",
  { skip: NO_MOUNT },
  async () => {
    using disk = smallDisk("64k");
    const file = join(disk.path, "log");
    const ballast = join(disk.path, "ballast");
    const fd = openSync(file, "a");
    writeFileSync(ballast, Buffer.alloc(64 * 1024));
    using output = new Output(fd);
    const heard: string[] = [];
    await using log = openLog({
      level: "info",
      node: "a",
      output,
      maxPending: 1_000,
      onFault: (message) => heard.push(message),
    });
    log.logger.info({ number: 1 }, "line");
    await until("the fault to be reported", () => heard.length === 1);
    for (let number = 2; number <= 50; number++)
      log.logger.info({ number }, "line");
    const { lost } = log;
    assert.ok(lost >= 40 && lost < 50, String(lost));
    log.write("of a thread\nof a thread\n".padStart(2_000));
    assert.equal(log.lost, lost + 2);
    rmSync(ballast);
    await until("writing to work again", () =>
      lines(file).some(({ msg }) => msg.startsWith("log lines lost")),
    );
    const [told, ...others] = lines(file).filter((line) => line.level === 40);
    assert.deepEqual(others, []);
    assert.equal(told?.lines, lost + 2);
    const numbers = lines(file).flatMap(({ number }) => number ?? []);
    assert.deepEqual(
      numbers,
      Array.from({ length: 50 - lost }, (_, index) => index + 1),
    );
    assert.match(
      heard[0] ?? "",
      /^Cannot write the log to output \d+ \(.+\/log\) \(ENOSPC\)\. The service keeps running/,
    );
    closeSync(fd);
  },
);

interface Line {
  readonly level: number;
  readonly msg: string;
  readonly lines?: number;
  readonly number?: number;
}

/** The whole lines of a log. */
function lines(file: string): Line[] {
  const text = readFileSync(file, "utf8");
  return text
    .slice(0, text.lastIndexOf("\n") + 1)
    .split("\n")
    .filter((line) => line !== "")
    .map((line): Line => JSON.parse(line));
}
