import assert from "node:assert/strict";
import {
  linkSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { diskUse } from "../../../src/cli/commands/service/status.ts";

test("counts each file of a data folder once, even if two snapshots share it", () => {
  const folder = mkdtempSync(join(tmpdir(), "disk-use-"));
  try {
    for (const dir of ["snapshots/1", "snapshots/2", "downloads"])
      mkdirSync(join(folder, dir), { recursive: true });
    const write = (name: string, bytes: number): void =>
      writeFileSync(join(folder, name), new Uint8Array(bytes));
    write("snapshots/1/providers.snapshot", 10);
    write("snapshots/1/providers.details-1", 100);
    linkSync(
      join(folder, "snapshots/1/providers.details-1"),
      join(folder, "snapshots/2/providers.details-1"),
    );
    write("snapshots/2/providers.snapshot", 20);
    write("downloads/week.zip", 3);
    write("accounts.sqlite", 4);
    const { databases, downloads, snapshots } = diskUse(folder);
    assert.deepEqual([snapshots, downloads, databases], [130, 3, 4]);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
