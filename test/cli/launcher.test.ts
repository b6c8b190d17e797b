import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  realpathSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { basename, join, relative } from "node:path";
import { suite, test } from "node:test";
import { PROGRAM_FILE } from "../support/program/program.ts";
import { temporaryFolder } from "../support/pure/temporary-folder.ts";

function launch(
  file: string,
  { cwd = process.cwd(), path = process.env["PATH"] ?? "", env = {} } = {},
) {
  const { status, stderr, stdout } = spawnSync(file, ["--version"], {
    cwd,
    env: { ...env, PATH: path },
    encoding: "utf8",
  });
  return { status, stderr, stdout };
}

/** A copy of the launcher without what npm installs, and a folder on its `PATH` for a Node. */
function bareCopy(folder: string): { file: string; path: string } {
  for (const name of ["bin", "path"]) mkdirSync(join(folder, name));
  const file = join(folder, "bin", "provider-directory");
  for (const from of [PROGRAM_FILE, join(PROGRAM_FILE, "..", "node")])
    copyFileSync(from, join(folder, "bin", basename(from)));
  return { file, path: `${join(folder, "path")}:/usr/bin:/bin` };
}

/** A Node that prints its version if asked, and otherwise its compile cache and its arguments. */
function pretendNode(folder: string, major: number): void {
  const file = join(folder, "path", "node");
  writeFileSync(
    file,
    `#!/bin/sh\nif [ "$1" = -p ]; then echo ${major}; else echo "$NODE_COMPILE_CACHE"; echo "$@"; fi\n`,
  );
  chmodSync(file, 0o755);
}

suite("bin/provider-directory", () => {
  test("names itself in help as it was typed: by its path, or by its name if that is on PATH", () => {
    const folder = join(PROGRAM_FILE, "..");
    const path = process.env["PATH"] ?? "";
    for (const [typed, cwd, shown] of [
      ["bin/provider-directory", join(folder, ".."), "bin/provider-directory"],
      ["./provider-directory", folder, "./provider-directory"],
      [PROGRAM_FILE, "/", "PROGRAM"],
      ["provider-directory", "/", "provider-directory"],
    ] as const) {
      const { status, stderr, stdout } = spawnSync("sh", ["-c", typed], {
        cwd,
        env: {
          PATH: typed === "provider-directory" ? `${folder}:${path}` : path,
        },
        encoding: "utf8",
      });
      assert.equal(status, 0, stderr);
      const name = shown === "PROGRAM" ? relative("/", PROGRAM_FILE) : shown;
      assert.equal(/^Usage: (\S+) COMMAND/.exec(stdout)?.[1], name, stdout);
    }
  });

  test("runs from any folder and through links, absolute and relative, to files and folders", () => {
    using folder = temporaryFolder();
    const direct = launch(PROGRAM_FILE, { cwd: folder.path });
    assert.equal(direct.status, 0, direct.stderr);
    assert.match(direct.stdout, /^provider-directory \d/);
    assert.equal(direct.stderr, "");

    symlinkSync(PROGRAM_FILE, join(folder.path, "absolute"));
    mkdirSync(join(folder.path, "with space"));
    symlinkSync("../absolute", join(folder.path, "with space", "relative"));
    symlinkSync(join(PROGRAM_FILE, ".."), join(folder.path, "folder"));
    for (const link of [
      "absolute",
      "with space/relative",
      "folder/provider-directory",
    ]) {
      assert.deepEqual(
        launch(join(folder.path, link), { cwd: folder.path }),
        direct,
        link,
      );
    }
  });

  test("uses the machine's Node if npm installed none", () => {
    using folder = temporaryFolder();
    const { file, path } = bareCopy(folder.path);
    pretendNode(folder.path, 24);
    const { status, stdout } = launch(file, { path });
    assert.equal(status, 0);
    assert.match(stdout, /\/src\/cli\/main\.ts --version\n$/);
  });

  test("keeps compiled modules in node_modules/.cache, or in NODE_COMPILE_CACHE if set", () => {
    using folder = temporaryFolder();
    const { file, path } = bareCopy(folder.path);
    pretendNode(folder.path, 24);
    const kept = ".cache/provider-directory";
    for (const [env, expected] of [
      [{}, join(realpathSync(folder.path), "node_modules", kept)],
      [{ NODE_COMPILE_CACHE: "/var/cache/x" }, "/var/cache/x"],
    ] as const) {
      const { stdout } = launch(file, { path, env });
      assert.equal(stdout.split("\n")[0], expected);
    }
  });

  test("says what to do if the machine's Node is too old", () => {
    using folder = temporaryFolder();
    const { file, path } = bareCopy(folder.path);
    pretendNode(folder.path, 20);
    const { status, stderr, stdout } = launch(file, { path });
    assert.deepEqual([status, stdout], [1, ""]);
    assert.match(
      stderr,
      /^provider-directory: There is no Node here that can run it: run npm ci in .*, or install Node 24 or newer\.\n$/,
    );
  });
});
