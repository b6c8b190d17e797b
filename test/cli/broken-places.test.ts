import assert from "node:assert/strict";
import { mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { basename, join, relative } from "node:path";
import { after, before, suite, test } from "node:test";
import { cases } from "../support/pure/full-run.ts";
import {
  commandLine,
  everyCommand,
  nameOf,
  smallInstallation,
  copyOf,
  type SmallInstallation,
} from "../support/program/every-command.ts";
import {
  PROGRAM_FILE,
  ProgramProcess,
  fails,
  runProgram,
  succeed,
} from "../support/program/program.ts";
import { temporaryFolder } from "../support/pure/temporary-folder.ts";

/** What works on other things than the data folder, or fails for another reason first. */
const ELSEWHERE = ["update", "import", "generate", "accounts migrate", "fleet"];
/** These take the longest to come up, and are tried with some of the files. */
const SERVICES = ["serve", "start", "mcp"];

const SOURCE = temporaryFolder();
let made: SmallInstallation;
before(async () => {
  made = await smallInstallation(SOURCE.path);
});
after(() => SOURCE[Symbol.dispose]());

/** A copy of the installation in which a folder is where a file was. */
function withFolderAt(file: string): SmallInstallation & Disposable {
  const copy = copyOf(made);
  rmSync(join(copy.dataDir, file), { force: true });
  mkdirSync(join(copy.dataDir, file));
  return copy;
}

/** All files of the installation. */
function files(): string[] {
  return readdirSync(made.dataDir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(made.dataDir, join(entry.parentPath, entry.name)));
}

/** What a command may print that failed: sentences, the last of which names the place. */
function assertSentence(
  err: string,
  name: string,
  what: string,
  out = "",
): void {
  assert.doesNotMatch(err, / {4}at |should not happen/, what);
  const last = err.trimEnd().split("\n").at(-1) ?? "";
  assert.match(last, /^provider-directory: .*[.]$/, what);
  assert.ok((last + out).includes(name), `${what}: ${last}`);
}

suite("a folder where a file should be", () => {
  test("is named in one sentence by every command that finds it, with exit code 1", async () => {
    const commands = everyCommand(...ELSEWHERE, ...SERVICES);
    const all = files().flatMap((file, index) =>
      // Shifted by one per file: a fourth of the cases still has all commands.
      [...commands.slice(index), ...commands.slice(0, index)].map(
        (command) => [file, command] as const,
      ),
    );
    for (const [file, command] of cases(all)) {
      using broken = withFolderAt(file);
      const { code, err, out } = await runProgram(commandLine(command, broken));
      const what = `${nameOf(command)} with a folder at ${file}`;
      assert.notEqual(code, 2, `${what}: ${err}`);
      if (code === 1) {
        // Of a snapshot that cannot be read, its id is the name that operators know.
        const id = /^snapshots\/(\d+T\d+Z)\//.exec(file)?.[1];
        assertSentence(err, id ?? basename(file), what, out);
      } else assert.doesNotMatch(err, / {4}at /, what);
    }
  });

  for (const file of [
    "accounts.sqlite",
    join("snapshots", "current"),
    "auth-secret",
  ])
    test(`the service reports in one sentence what is wrong with ${file}`, async () => {
      using broken = withFolderAt(file);
      const stop = new AbortController();
      const serve = everyCommand().find((each) => nameOf(each) === "serve");
      assert.ok(serve !== undefined);
      const { code, err } = await runProgram(commandLine(serve, broken), {
        environment: {
          SIGN_UP: "on",
          LOG_LEVEL: "silent",
          PUBLIC_URL: "http://localhost",
        },
        context: { stop: stop.signal },
      });
      assert.equal(code, 1, err);
      assertSentence(err, basename(file), "serve");
    });

  test("a file in the place of a folder is named too", async () => {
    using folder = temporaryFolder();
    const file = join(folder.path, "file");
    writeFileSync(file, "x");
    for (const command of everyCommand(...ELSEWHERE)) {
      const { code, err } = await runProgram(
        commandLine(command, { ...made, dataDir: file }),
      );
      assert.equal(code, 1, nameOf(command));
      assertSentence(err, file, nameOf(command));
    }
  });
});

test("a data folder that this user cannot create is reported with the settings that choose another", async () => {
  using folder = temporaryFolder();
  const file = join(folder.path, "npidata_pfile_20261116-20261122.csv");
  await succeed(["generate", "--providers", "10", "--out", file]);
  // Not even root may create a folder there.
  for (const parent of ["/sys", "/proc"])
    for (const args of [
      ["demo"],
      ["serve", "--port", "0"],
      ["start", "--port", "0"],
      ["update"],
      ["import", file],
      ["keys", "create", "--email", "ada@clinic.example"],
    ]) {
      const dataDir = `${parent}/provider-directory`;
      const { code, err } = await runProgram([...args, "--data-dir", dataDir]);
      assert.equal(code, 1, err);
      assertSentence(err, dataDir, args[0]!);
      assert.match(
        err,
        /choose another data folder with --data-dir or DATA_DIR/,
      );
    }
});

test("reports too few file descriptors before Node fails", async () => {
  await using program = new ProgramProcess(
    ["-c", `ulimit -n 20; exec "$0" --version`, PROGRAM_FILE],
    {},
    "/bin/sh",
  );
  await fails(
    program.ended(),
    1,
    /^provider-directory: The limit of open files is 20, and 64 are needed at least: raise it \(ulimit -n 1024\)\.\n$/,
  );
});
