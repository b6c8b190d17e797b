import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { ImportLock } from "../../../src/importing/import-lock.ts";
import { readUpdateStatus } from "../../../src/update/update-status.ts";
import {
  ProgramProcess,
  fails,
  runProgram,
  succeeded,
} from "../../support/program/program.ts";
import { until } from "../../support/pure/until.ts";
import { silence } from "../../update/file-server.ts";
import { FULL, Installation, UpdateSource, WEEK_1 } from "./update-source.ts";

const PAGE = "/nppes/NPI_Files.html";
const EACH_SECOND = "* * * * * *";
const EACH_YEAR = "0 0 1 1 *";

/** The service as a separate process, once it listens. */
async function serve(
  here: Installation,
  source: UpdateSource,
  schedule: string,
) {
  const program = new ProgramProcess(
    [
      "serve",
      "--port=0",
      "--workers=1",
      `--data-dir=${here.dataDir}`,
      `--update=${schedule}`,
      "--update-zone=America/New_York",
      ...source.args(),
    ],
    { PORTAL: "off" },
  );
  const [, url = ""] = await program.printed(/Listening on (http:\S+) with/);
  return {
    program,
    isReady: async () => (await fetch(`${url}/readyz`)).status === 200,
    [Symbol.asyncDispose]: () => program[Symbol.asyncDispose](),
  };
}

suite("serve --update", () => {
  test("updates at once if there is no data, then on schedule, and logs each update", async () => {
    await using source = await UpdateSource.start([FULL]);
    using here = new Installation();
    await using service = await serve(here, source, EACH_YEAR);
    await until("the data to be served", () => service.isReady());
    await service.program.printed(/"outcome":"done"/);
    const status = readUpdateStatus(here.dataDir);
    assert.equal(status?.lastOutcome, "done");
    assert.equal(
      status.lastMessage,
      "Current data: NPPES (CMS), full file 2026-11-08.",
    );
    assert.equal(status.schedule, EACH_YEAR);
    assert.equal(status.zone, "America/New_York");
    assert.match(status.nextAt ?? "", /^20\d\d-01-01T05:00:00\.000Z$/);
    assert.ok((status.lastFinishedAt ?? "") > (status.lastStartedAt ?? "z"));
    for (const line of service.program.out.trimEnd().split("\n"))
      assert.doesNotThrow(() => JSON.parse(line), line);
    assert.match(service.program.out, /"job":"update","msg":"npidata_pfile_/);

    service.program.kill("SIGTERM");
    await succeeded(service.program.ended());
    assert.equal(readUpdateStatus(here.dataDir)?.nextAt, null);

    source.link([FULL, WEEK_1]);
    await using later = await serve(here, source, EACH_SECOND);
    await later.program.printed(/"source":"NPPES.*updates to 2026-11-15"/);
    await later.program.printed(/Up to date: the data goes through 2026-11/);
  });

  test("records why an update failed, and keeps serving", async () => {
    await using source = await UpdateSource.start([FULL]);
    using here = new Installation();
    await here.import(FULL);
    using lock = ImportLock.take(here.dataDir);
    assert.ok(lock !== null);
    await using service = await serve(here, source, EACH_SECOND);
    await service.program.printed(/"outcome":"failed"/);
    const status = readUpdateStatus(here.dataDir);
    assert.equal(status?.lastOutcome, "failed");
    assert.match(
      status.lastMessage ?? "",
      /^Another import or update is running/,
    );
    assert.ok(await service.isReady());
  });

  test("runs one update at a time, and ends it with the service", async () => {
    await using source = await UpdateSource.start([FULL]);
    using here = new Installation();
    await here.import(FULL);
    source.server.faults.set(PAGE, [silence]);
    await using service = await serve(here, source, EACH_SECOND);
    await service.program.printed(/previous update still running/);
    await until("the update to ask", () => source.asked(PAGE) > 0);
    assert.equal(source.asked(PAGE), 1);
    service.program.kill("SIGTERM");
    await succeeded(service.program.ended());
    const status = readUpdateStatus(here.dataDir);
    assert.equal(status?.lastOutcome, "stopped");
    using lock = ImportLock.take(here.dataDir);
    assert.ok(lock !== null, "the process is gone");
  });

  test("refuses an invalid schedule or time zone before it starts", async () => {
    for (const [name, value, sentence] of [
      [
        "--update",
        "every day",
        /--update must be a cron expression with a next run/,
      ],
      [
        "--update",
        "0 0 31 2 *",
        /--update must be a cron expression with a next run/,
      ],
      ["--update-zone", "Mars/Base", /--update-zone must be a time zone/],
      ["--source", "ftp://x.example/", /--source must be the http or https/],
    ] as const) {
      await fails(runProgram(["serve", name, value]), 2, sentence);
    }
  });
});
