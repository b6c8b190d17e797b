import assert from "node:assert/strict";
import { existsSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { makeFolder } from "../../src/files/make-folder.ts";
import { temporaryFolder } from "../support/pure/temporary-folder.ts";

test("a folder is created with those that it lies in, once, and through links", () => {
  using folder = temporaryFolder();
  const path = join(folder.path, "a", "b", "c");
  makeFolder(path);
  makeFolder(path);
  symlinkSync(join(folder.path, "a"), join(folder.path, "link"));
  makeFolder(join(folder.path, "link", "d"));
  assert.ok(existsSync(path));
  assert.ok(existsSync(join(folder.path, "a", "d")));
});

test("a folder that cannot be created is named in the error", () => {
  using folder = temporaryFolder();
  const file = join(folder.path, "file");
  writeFileSync(file, "x");
  assert.throws(() => makeFolder(join(file, "a", "b")), {
    code: "EEXIST",
    path: file,
  });
  assert.throws(() => makeFolder("/proc/provider-directory/a"), {
    code: "ENOTSUP",
    path: "/proc/provider-directory",
    message: "no folder can be created in /proc",
  });
});
