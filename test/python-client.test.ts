import assert from "node:assert/strict";
import { execFile, spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { test } from "node:test";
import { promisify } from "node:util";
import { PROGRAM_FILE, ProgramProcess } from "./support/program/program.ts";
import { temporaryFolder } from "./support/pure/temporary-folder.ts";

const CLIENT = fileURLToPath(new URL("../clients/python", import.meta.url));
const NO_PYTHON =
  spawnSync("python3", ["--version"]).status === 0
    ? false
    : "python3 is not here";

test(
  "the Python client's manual and its tests hold against the service",
  { skip: NO_PYTHON },
  async () => {
    using folder = temporaryFolder();
    await using demo = new ProgramProcess(["start"], {
      DATA_DIR: folder.path,
      PORT: "0",
      WORKERS: "1",
      PROVIDERS: "500",
      FILES: "on",
    });
    await demo.printed(/Press Ctrl-C to stop/);
    const [, url = ""] = /Listening on (http:\S+)/.exec(demo.out) ?? [];
    const [key = ""] = /pd_live_\w{36}/.exec(demo.out) ?? [];
    const { PATH } = process.env;
    const { stderr } = await promisify(execFile)(
      "python3",
      ["-m", "unittest", "test_provider_directory"],
      {
        cwd: CLIENT,
        env: {
          PATH,
          PYTHONDONTWRITEBYTECODE: "1",
          PROVIDER_DIRECTORY_URL: url,
          PROVIDER_DIRECTORY_KEY: key,
          ROLL_BACK: `${PROGRAM_FILE} snapshots rollback --data-dir ${folder.path}`,
        },
      },
    );
    assert.match(stderr, /^Ran \d+ tests[^]*^OK$/m);
  },
);
