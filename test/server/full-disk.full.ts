import assert from "node:assert/strict";
import { cpSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { suite, test } from "node:test";
import { NO_MOUNT, smallDisk } from "../support/program/broken-outputs.ts";
import { createKey } from "../support/program/create-key.ts";
import { demoFolder } from "../support/program/demo-folder.ts";
import {
  ProgramProcess,
  runProgram,
  succeeded,
} from "../support/program/program.ts";
import { until } from "../support/pure/until.ts";

const ADA = "ada@clinic.example";
const FULL = /: the disk of \S+ is full\. Free some space on it\.\n$/;

/** A data folder with two snapshots and a key, on a disk that is full; `free` makes room again. */
async function fullInstallation() {
  await using owned = new AsyncDisposableStack();
  const disk = owned.use(smallDisk("32m"));
  const dataDir = join(disk.path, "data");
  const run = (...args: string[]) =>
    runProgram([...args, "--data-dir", dataDir]);
  using demo = await demoFolder();
  cpSync(demo.path, dataDir, { recursive: true });
  const key = await createKey(dataDir, { email: ADA });
  const ballast = join(disk.path, "ballast");
  fill(ballast);
  const running = owned.move();
  return {
    dataDir,
    run,
    key,
    free: () => rmSync(ballast),
    readOnly: () => disk.readOnly(),
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  };
}

/** Fills a disk to the last byte. */
function fill(path: string): void {
  for (const bytes of [1 << 20, 1 << 12]) {
    try {
      for (;;) writeFileSync(path, Buffer.alloc(bytes), { flag: "a" });
    } catch {
      // Nothing goes in any more.
    }
  }
}

suite("a full data disk", { skip: NO_MOUNT, concurrency: 2 }, () => {
  test("the service starts and answers, keeps usage in memory and says so, and writes it once there is space", async () => {
    await using installation = await fullInstallation();
    const { dataDir, free, key, run } = installation;
    await using program = new ProgramProcess(
      ["serve", "--workers", "1", "--data-dir", dataDir],
      { PORT: "0", PORTAL: "off" },
    );
    const [, url = ""] = await program.printed(/Listening on (http:\S+)/);
    const ask = async (path: string) => {
      const answer = await fetch(`${url}${path}`, {
        headers: { authorization: `Bearer ${key}` },
      });
      return { status: answer.status, body: await answer.text() };
    };
    const warning = async () => {
      const { body, status } = await ask("/readyz");
      assert.ok(status === 200 || status === 503, body);
      return status === 200 ? JSON.parse(body).data.warning : undefined;
    };
    await until(
      "data to be served",
      async () => (await warning()) !== undefined,
    );
    for (let time = 0; time < 5; time++)
      assert.equal((await ask("/v1/providers/search?limit=1")).status, 200);
    await until("a warning", async () => (await warning()) !== null);
    assert.match(String(await warning()), /cannot be written/);
    await program.printed(/cannot write usage to the accounts database/);
    assert.match(program.out, /the disk of \S+ is full/);

    free();
    await until("what is used to be written", async () => {
      const listed = await run("keys", "list", "--json");
      assert.equal(listed.code, 0, listed.err);
      return JSON.parse(listed.out)[0].used_this_month === 5;
    });
    await until(
      "the end of the warning",
      async () => (await warning()) === null,
    );
    // Keys that were made since are seen.
    const made = await run("keys", "create", "--email", "eve@clinic.example");
    assert.equal(made.code, 0, made.err);
    await until("the new key to work", async () => {
      const answer = await fetch(`${url}/v1/providers/search?limit=1`, {
        headers: { authorization: `Bearer ${made.out.trim()}` },
      });
      return answer.status === 200;
    });
    program.kill("SIGTERM");
    await succeeded(program.ended());
  });

  test("lists still work, and so does a rollback", async () => {
    await using installation = await fullInstallation();
    const { key, run } = installation;
    const keys = await run("keys", "list");
    assert.equal(keys.code, 0, keys.err);
    assert.ok(keys.out.includes(key.slice(0, 12)));
    for (const args of [
      ["accounts", "list"],
      ["accounts", "show", ADA],
      ["accounts", "audit"],
      ["snapshots", "list"],
      ["snapshots", "verify"],
      ["status"],
    ]) {
      const { code, err } = await run(...args);
      assert.equal(code, 0, `${args.join(" ")}: ${err}`);
    }
    const rolledBack = await run("snapshots", "rollback");
    assert.equal(rolledBack.code, 0, rolledBack.err);
    assert.match(rolledBack.out, /^Rolled back to \S+ \(40 providers\)/);
    assert.match((await run("snapshots", "list")).out, /^\* +\S+ +40 /m);
  });

  test("what fails says in one sentence which disk is full, and loses nothing", async () => {
    await using installation = await fullInstallation();
    const { dataDir, free, run } = installation;
    for (const args of [
      ["keys", "create", "--email", "eve@clinic.example"],
      ["keys", "create", "--email", ADA],
      ["accounts", "suspend", ADA],
      ["accounts", "set-plan", ADA, "paid"],
      ["accounts", "delete", ADA],
    ]) {
      const { code, err, out } = await run(...args);
      assert.equal(code, 1, args.join(" "));
      assert.match(err, FULL, args.join(" "));
      assert.equal(err.split("\n").length, 2, err);
      assert.equal(out, "");
    }
    const imported = await run("demo", "--providers", "70");
    assert.equal(imported.code, 1);
    assert.match(
      imported.err,
      /The disk is full \(\S+\)\. Free some space and try again\. The served data has not changed\.\n$/,
    );
    assert.ok(imported.err.includes(dataDir), imported.err);
    free();
    assert.match((await run("snapshots", "list")).out, /^\* +\S+ +50 /m);
    const listed = JSON.parse((await run("accounts", "list", "--json")).out);
    assert.equal(listed.length, 1);
    await succeeded(run("demo", "--providers", "70"));
  });

  test("a read-only disk is not reported as a full one", async () => {
    await using installation = await fullInstallation();
    const { free, readOnly, run } = installation;
    free();
    readOnly();
    await succeeded(run("keys", "list"));
    await succeeded(run("status"));
    const created = await run("keys", "create", "--email", ADA);
    assert.equal(created.code, 1);
    assert.match(created.err, /the disk of \S+ is read-only\. Make it/);
    for (const args of [
      ["snapshots", "rollback"],
      ["demo", "--providers", "70"],
    ]) {
      const { code, err } = await run(...args);
      assert.equal(code, 1);
      assert.match(err, /^provider-directory: [^\n]*is read-only[^\n]*\.\n$/);
    }
  });
});
