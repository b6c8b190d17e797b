import assert from "node:assert/strict";
import { after, before, suite, test } from "node:test";
import { outputDelivered } from "../../src/cli/output/output-delivered.ts";
import { Output } from "../../src/cli/output/output.ts";
import { fullDevice, stalledPipe } from "../support/program/broken-outputs.ts";
import {
  commandLine,
  everyCommand,
  nameOf,
  smallInstallation,
  copyOf,
  type SmallInstallation,
} from "../support/program/every-command.ts";
import {
  ProgramProcess,
  argv,
  fails,
  runProgram,
} from "../support/program/program.ts";
import { temporaryFolder } from "../support/pure/temporary-folder.ts";

/** These go on until they are stopped; test/server/broken-log.full.ts has what they do. */
const SERVICES = ["serve", "start", "mcp"];
/** These fail before they have anything to say: there is no file, and no page. */
const FAILING = ["import", "update", "accounts migrate", "fleet"];

const FULL =
  /^provider-directory: Cannot write to (?:standard output|output \d+) \(\/dev\/full\): the disk is full\. Free some space, or redirect it elsewhere\.( The new key was withdrawn[^\n]*\.)?$/;

const SOURCE = temporaryFolder();
let made: SmallInstallation;
before(async () => {
  made = await smallInstallation(SOURCE.path);
});
after(() => SOURCE[Symbol.dispose]());

/** Runs the program in this process, with a real file or pipe as its standard output. */
async function runInto(fd: number, args: readonly string[]) {
  using output = new Output(fd);
  const stop = new AbortController().signal;
  return await runProgram(args, {
    context: {
      out: (line) => output.write(`${line}\n`),
      output,
      delivered: () => outputDelivered(output, stop),
    },
  });
}

suite("an output that cannot be written", () => {
  for (const command of everyCommand(...SERVICES, ...FAILING)) {
    test(`${nameOf(command)} reports a full disk and exits with 1`, async () => {
      using installation = copyOf(made);
      using full = fullDevice();
      const { code, err } = await runInto(
        full.fd,
        commandLine(command, installation),
      );
      const last = err.trimEnd().split("\n").at(-1) ?? "";
      assert.match(last, FULL);
      assert.equal(code, 1, err);
      assert.doesNotMatch(err, / {4}at /);
    });
  }

  test("help and the version fail too", async () => {
    using full = fullDevice();
    for (const args of [["--help"], ["--version"], ["serve", "--help"]])
      assert.equal((await runInto(full.fd, args)).code, 1, args.join(" "));
  });

  for (const name of ["keys create", "keys rotate"])
    for (const kind of ["full", "left"])
      test(`${name} takes its key back if the output ${kind === "full" ? "is full" : "has no reader"}`, async () => {
        using installation = copyOf(made);
        const run = (...args: string[]) =>
          runProgram([...args, "--data-dir", installation.dataDir]);
        const keysBefore = await run("keys", "list", "--json");
        using pipe = stalledPipe();
        pipe.leave();
        using full = fullDevice();
        const command = everyCommand().find((each) => nameOf(each) === name);
        assert.ok(command !== undefined);
        await fails(
          runInto(
            kind === "full" ? full.fd : pipe.fd,
            commandLine(command, installation),
          ),
          1,
          /The new key was withdrawn/,
        );
        const keysAfter = await run("keys", "list", "--json");
        assert.deepEqual(JSON.parse(keysAfter.out), JSON.parse(keysBefore.out));
        assert.match((await run("accounts", "audit")).out, /key_taken_back/);
      });

  test("a reader that stops early is not a fault", async () => {
    using installation = copyOf(made);
    const { dataDir } = installation;
    using pipe = stalledPipe();
    pipe.leave();
    await using program = new ProgramProcess(
      ["keys", "list", "--data-dir", dataDir],
      {},
      undefined,
      { out: pipe.fd },
    );
    const { code, err } = await program.ended();
    assert.equal(err, "");
    assert.equal(code, 0);
  });

  test("the error names a process's output by its path", async () => {
    using installation = copyOf(made);
    const { dataDir } = installation;
    using full = fullDevice();
    await using program = new ProgramProcess(
      argv`keys create --email eve@clinic.example --data-dir ${dataDir}`,
      {},
      undefined,
      { out: full.fd },
    );
    const { code, err } = await program.ended();
    assert.match(err.trimEnd().split("\n").at(-1) ?? "", FULL);
    assert.equal(code, 1);
    await using silent = new ProgramProcess(
      ["keys", "list", "--data-dir", dataDir],
      {},
      undefined,
      { out: full.fd, err: full.fd },
    );
    assert.equal((await silent.ended()).code, 1);
  });
});
