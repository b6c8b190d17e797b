import assert from "node:assert/strict";
import {
  existsSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { suite, test } from "node:test";
import { SnapshotStore } from "../../src/store/store.ts";
import { filesFolder } from "../../src/tables/kept-files.ts";
import { NO_MOUNT, smallDisk } from "../support/program/broken-outputs.ts";
import { ProgramProcess, succeed } from "../support/program/program.ts";
import { temporaryFolder } from "../support/pure/temporary-folder.ts";
import { until } from "../support/pure/until.ts";

const MADE = /the files of the snapshot are made/;

suite("making files next to a service", () => {
  test("what is killed is made by the next start; a stop and a swap end it; two processes make the same", async () => {
    using folder = temporaryFolder();
    const { path } = folder;
    const before = await demo(path, 500);
    const id = await demo(path);
    const parent = join(filesFolder(path, id), "..");
    for (const moment of [0, 1]) {
      await using killed = serve(path);
      await until("unfinished files", () => unfinished(parent) >= moment);
      killed.kill("SIGKILL");
      await killed.ended();
      assert.ok(!existsSync(filesFolder(path, id)));
    }
    await using stopped = serve(path);
    await stopped.printed(/Listening on/);
    await until("unfinished files", () => unfinished(parent) >= 0);
    stopped.kill("SIGTERM");
    assert.equal((await stopped.ended()).code, 0);
    assert.ok(!existsSync(filesFolder(path, id)));
    assert.equal(unfinished(parent), -1);

    await using first = serve(path);
    await first.printed(/Listening on/);
    await until("unfinished files", () => unfinished(parent) >= 0);
    await succeed(["snapshots", "rollback", "--data-dir", path]);
    await first.printed(MADE);
    assert.ok(existsSync(filesFolder(path, before)));
    assert.ok(!existsSync(filesFolder(path, id)));
    assert.equal(unfinished(parent), -1);
    rmSync(filesFolder(path, before), { recursive: true });
    await using second = serve(path);
    await using third = serve(path);
    for (const each of [second, third]) await each.printed(MADE);
  });

  test(
    "on a full disk, the log says so, and nothing is left",
    { skip: NO_MOUNT },
    async () => {
      using disk = smallDisk("128m");
      const path = join(disk.path, "data");
      const ballast = join(disk.path, "ballast");
      const id = await demo(path);
      const parent = join(filesFolder(path, id), "..");
      for (const reason of [
        /ENOSPC/,
        /need up to \S+ GB of disk, and 0\.0 GB/,
      ]) {
        await using program = serve(path);
        // The first time, the disk is full once they are begun.
        if (!existsSync(ballast))
          await until("unfinished files", () => unfinished(parent) >= 0);
        fill(ballast);
        await program.printed(/cannot be made: they are tried again at the/);
        assert.match(program.out + program.err, reason);
        assert.ok(!existsSync(filesFolder(path, id)));
        assert.equal(unfinished(parent), -1);
      }
      rmSync(ballast);
      await using program = serve(path);
      await program.printed(MADE);
    },
  );
});

function serve(path: string): ProgramProcess {
  return new ProgramProcess(["serve", "--workers", "1", "--data-dir", path], {
    PORT: "0",
    PORTAL: "off",
    FILES: "on",
  });
}

/** Makes a demo current, and returns its snapshot's ID. */
async function demo(path: string, providers = 20_000): Promise<string> {
  await succeed(["demo", "--providers", String(providers), "--data-dir", path]);
  return new SnapshotStore(path).currentId() ?? "none";
}

/** Fills a disk to the last byte. */
function fill(path: string): void {
  try {
    for (;;) writeFileSync(path, Buffer.alloc(1 << 20), { flag: "a" });
  } catch {
    // Nothing goes in any more.
  }
}

/** The bytes of unfinished files; -1 without a folder of them. */
function unfinished(parent: string): number {
  let bytes = -1;
  for (const name of readdirSync(parent).filter((each) =>
    each.startsWith(".files-"),
  )) {
    bytes = Math.max(bytes, 0);
    for (const file of readdirSync(join(parent, name)))
      bytes +=
        statSync(join(parent, name, file), { throwIfNoEntry: false })?.size ??
        0;
  }
  return bytes;
}
