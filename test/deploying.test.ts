import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import {
  chmodSync,
  chownSync,
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { userInfo } from "node:os";
import { dirname, join } from "node:path";
import { suite, test } from "node:test";
import { fileURLToPath } from "node:url";
import { fullTest } from "./support/pure/full-run.ts";
import { PROGRAM_FILE, ProgramProcess } from "./support/program/program.ts";
import { temporaryFolder } from "./support/pure/temporary-folder.ts";

const PROJECT = fileURLToPath(new URL("..", import.meta.url));
const UNITS = join(PROJECT, "deploy/systemd");
const UNIT = readFileSync(join(UNITS, "provider-directory.service"), "utf8");
const UNIT_FILES = readdirSync(UNITS);
/** For `skip`: that there is no systemd here, or false. */
const NO_SYSTEMD =
  spawnSync("systemd-analyze", ["--version"]).status === 0
    ? false
    : "systemd is not installed here";
/** By systemd's rating in tenths: a unit that restricts nothing has 96, and ours need files and the network. */
const MAX_EXPOSURE = 20;
const IS_ROOT = userInfo().uid === 0;
/** The number of the user nobody. */
const NOBODY = 65_534;

/** True if any user may go into a folder. */
function isReachable(folder: string): boolean {
  if ((statSync(folder).mode & 0o001) === 0) return false;
  return dirname(folder) === folder || isReachable(dirname(folder));
}

/**
 * What runs a program without root's rights: as another user, or, where that one cannot reach the packages, as a root
 * who may do nothing special.
 */
const WITHOUT_RIGHTS = !IS_ROOT
  ? []
  : isReachable(join(PROJECT, "node_modules"))
    ? [
        "setpriv",
        `--reuid=${NOBODY}`,
        `--regid=${NOBODY}`,
        "--clear-groups",
        "--no-new-privs",
      ]
    : ["setpriv", "--bounding-set=-all", "--inh-caps=-all", "--no-new-privs"];

/**
 * A checkout as root makes it at /opt, which the service's user can read and nothing else, and the folders that systemd
 * makes for that user.
 */
function installation() {
  const folder = temporaryFolder();
  const checkout = join(folder.path, "checkout");
  for (const name of [
    "bin",
    "dist",
    "docs",
    "src",
    "package.json",
    "package-lock.json",
    "tsconfig.json",
  ])
    cpSync(join(PROJECT, name), join(checkout, name), { recursive: true });
  symlinkSync(join(PROJECT, "node_modules"), join(checkout, "node_modules"));
  chmodSync(folder.path, 0o755);
  const [state, cache] = ["state", "cache"].map((name) => {
    const path = join(folder.path, name);
    mkdirSync(path);
    if (IS_ROOT && WITHOUT_RIGHTS.includes(`--reuid=${NOBODY}`))
      chownSync(path, NOBODY, NOBODY);
    return path;
  });
  setMode("a-w,a+rX");
  return {
    checkout,
    state: state ?? "",
    cache: cache ?? "",
    [Symbol.dispose]() {
      setMode("u+w");
      folder[Symbol.dispose]();
    },
  };

  function setMode(mode: string): void {
    const done = spawnSync("chmod", ["-R", mode, checkout]);
    assert.equal(done.status, 0, String(done.stderr));
  }
}

suite("docs/deploying.md", () => {
  test(
    "systemd finds nothing wrong with the units",
    { skip: NO_SYSTEMD },
    () => {
      using folder = temporaryFolder();
      const program = "/opt/provider-directory/bin/provider-directory";
      assert.ok(UNIT.includes(`ExecStart=${program} serve\n`));
      const files = UNIT_FILES.map((name) => {
        const text = readFileSync(join(UNITS, name), "utf8");
        const file = join(folder.path, name);
        writeFileSync(file, text.replace(program, PROGRAM_FILE));
        return file;
      });
      assert.equal(files.length, 3);
      const { status, stderr } = spawnSync(
        "systemd-analyze",
        ["verify", "--man=no", ...files],
        { encoding: "utf8" },
      );
      assert.equal(status, 0, stderr);
      assert.equal(stderr, "");
    },
  );

  test(
    "the units' programs may only serve and import",
    { skip: NO_SYSTEMD },
    () => {
      for (const name of UNIT_FILES.filter((file) =>
        file.endsWith(".service"),
      )) {
        const { status, stdout } = spawnSync(
          "systemd-analyze",
          [
            "security",
            "--offline=true",
            `--threshold=${MAX_EXPOSURE}`,
            join(UNITS, name),
          ],
          { encoding: "utf8" },
        );
        assert.equal(status, 0, stdout);
      }
    },
  );

  fullTest(
    "a service whose user may only read the checkout shows the portal that npm ci built",
    async () => {
      using place = installation();
      const program = join(place.checkout, "bin", "provider-directory");
      const [file = program, ...args] =
        WITHOUT_RIGHTS.length === 0 ? [] : [...WITHOUT_RIGHTS, program];
      await using running = new ProgramProcess(
        [...args, "serve"],
        {
          DATA_DIR: place.state,
          NODE_COMPILE_CACHE: place.cache,
          PORT: "0",
          WORKERS: "1",
        },
        file,
      );
      const [, url = ""] = await running.printed(
        /Listening on (http:\S+) with/,
      );
      const page = await fetch(url);
      assert.equal(page.status, 200, running.err);
      const [asset = ""] = /\/assets\/[^"]+\.js/.exec(await page.text()) ?? [];
      assert.equal((await fetch(`${url}${asset}`)).status, 200);
    },
  );
});
