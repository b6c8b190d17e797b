import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { parseArguments } from "../../src/cli/arguments.ts";
import { DATA_DIR, FORCE } from "../../src/cli/settings/settings.ts";
import { SERVICE } from "../../src/settings/service-settings.ts";

const SETTINGS = [DATA_DIR, SERVICE.port, FORCE];

function problemsOf(...args: string[]): readonly string[] {
  return parseArguments(args, SETTINGS).problems;
}

suite("parsing arguments", () => {
  test("reads flags with separate or attached values, switches, and operands in between", () => {
    const { flags, operands, problems } = parseArguments(
      ["a.zip", "--port", "9", "--data-dir=/d", "--force", "b.zip"],
      SETTINGS,
    );
    assert.deepEqual(problems, []);
    assert.deepEqual(Object.fromEntries(flags), {
      port: "9",
      "data-dir": "/d",
      force: "true",
    });
    assert.deepEqual(operands, ["a.zip", "b.zip"]);
  });

  test("a switch can be turned off, which overrides a variable", () => {
    assert.equal(
      parseArguments(["--no-force"], SETTINGS).flags.get("force"),
      "false",
    );
  });

  test("the last of repeated flags wins", () => {
    assert.equal(
      parseArguments(["--port", "1", "--port", "2"], SETTINGS).flags.get(
        "port",
      ),
      "2",
    );
  });

  test("everything after two dashes is an operand", () => {
    assert.deepEqual(parseArguments(["--", "--port"], SETTINGS).operands, [
      "--port",
    ]);
  });

  test("help is -h or --help", () => {
    assert.ok(parseArguments(["--help"], SETTINGS).wantsHelp);
    assert.ok(parseArguments(["a.zip", "-h"], SETTINGS).wantsHelp);
  });

  test("an unknown option is named", () => {
    assert.deepEqual(problemsOf("--prot", "9"), [
      "Unknown option --prot. Did you mean --port?",
    ]);
    assert.deepEqual(problemsOf("--nothing", "9"), [
      "Unknown option --nothing.",
    ]);
    assert.deepEqual(problemsOf("-x"), ["Unknown option -x."]);
    assert.deepEqual(problemsOf("--no-port"), ["Unknown option --no-port."]);
  });

  test("a missing value is a problem, even if another option follows", () => {
    const problem = "--port needs a value: --port PORT.";
    assert.deepEqual(problemsOf("--port"), [problem]);
    assert.deepEqual(problemsOf("--port="), [problem]);
    assert.deepEqual(problemsOf("--port", "--force")[0], problem);
  });

  test("a negative number is a value", () => {
    const { flags, problems } = parseArguments(["--port", "-1"], SETTINGS);
    assert.deepEqual([flags.get("port"), problems], ["-1", []]);
  });

  test("a switch takes no value", () => {
    assert.deepEqual(problemsOf("--force=yes"), ["--force takes no value."]);
  });
});
