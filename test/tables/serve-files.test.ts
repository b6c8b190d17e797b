import assert from "node:assert/strict";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { suite, test } from "node:test";
import { startService } from "../../src/server/service.ts";
import type { ServiceSettings } from "../../src/settings/service-settings.ts";
import { SnapshotStore } from "../../src/store/store.ts";
import { filesFolder, KeptFiles } from "../../src/tables/kept-files.ts";
import { serviceOptions } from "../support/app/service-options.ts";
import { createKey } from "../support/program/create-key.ts";
import { demoFolder } from "../support/program/demo-folder.ts";
import { succeed } from "../support/program/program.ts";
import { temporaryFolder } from "../support/pure/temporary-folder.ts";
import { until } from "../support/pure/until.ts";

/** Starts the service on a data folder; `ask` takes a new connection, so that any worker answers. */
async function start(dataDir: string, settings: Partial<ServiceSettings>) {
  const started = await startService(serviceOptions(dataDir, settings));
  assert.ok(started.outcome === "started");
  const { service } = started;
  const key = await createKey(dataDir);
  return {
    ask: (path: string, headers: Record<string, string> = {}, method = "GET") =>
      fetch(`http://127.0.0.1:${service.port}/v1/${path}`, {
        method,
        headers: {
          connection: "close",
          authorization: `Bearer ${key}`,
          ...headers,
        },
      }),
    [Symbol.asyncDispose]: () => service[Symbol.asyncDispose](),
  };
}

suite("a service with files", () => {
  test("makes those of each snapshot that it serves; a file counts once, whichever worker gives it", async () => {
    using folder = await demoFolder();
    const store = new SnapshotStore(folder.path);
    const current = store.currentId() ?? "";
    const before = store.previousId() ?? "";
    // Of a program that was killed.
    const left = join(store.dirOf(before), `.files-${2 ** 22 + 1}`);
    mkdirSync(left);
    await using running = await start(folder.path, { files: "on", workers: 2 });
    const { ask } = running;
    const isMade = async () => (await ask("files")).status === 200;
    await until("the files to be made", isMade);
    assert.ok(!existsSync(left));
    const used = () => usedOf(folder.path);
    await until("the lists to be counted", async () => (await used()) > 0);
    const path = `files/${current}/providers.parquet`;
    const lists = await used();
    const statuses = await Promise.all(
      Array.from({ length: 40 }, async (_, index) => {
        await new Promise((resolve) => setTimeout(resolve, 20 * index));
        const range = `bytes=${index}-${index}`;
        const method = index % 3 === 0 ? "HEAD" : "GET";
        return (await ask(path, { range }, method)).status;
      }),
    );
    assert.deepEqual(
      statuses,
      statuses.map((_, index) => (index % 3 === 0 ? 200 : 206)),
    );
    assert.equal((await ask("providers/search?limit=1")).status, 200);
    await until("all to be counted", async () => (await used()) >= lists + 2);
    assert.equal(await used(), lists + 2);

    const data = ["--data-dir", folder.path];
    await succeed(["snapshots", "rollback", ...data]);
    await until("those of the other snapshot", async () => {
      const answer = await ask(`files/${before}/manifest.json`);
      return answer.status === 200;
    });
    assert.equal((await ask(path)).status, 200);
    for (const command of ["list", "verify", "inspect"])
      await succeed(["snapshots", command, ...data]);
    store.makeCurrent(before, Date.now());
    store.prune(1, Date.now());
    assert.deepEqual(
      readdirSync(join(folder.path, "snapshots")).filter(
        (name) => name === current,
      ),
      [],
    );
    await until(
      "the snapshot to be gone",
      async () => (await ask(path)).status === 412,
    );
  });

  test("makes them again when one is removed while it runs", async () => {
    using folder = await demoFolder();
    const id = new SnapshotStore(folder.path).currentId() ?? "";
    await using running = await start(folder.path, { files: "on", workers: 1 });
    const { ask } = running;
    const path = join(filesFolder(folder.path, id), "providers.parquet");
    const isServed = async () =>
      (await ask(`files/${id}/providers.parquet`)).status === 200;
    await until("the file", isServed);
    const manifest = await (await ask("files")).text();
    rmSync(path);
    await until("the file again", () => existsSync(path));
    assert.ok(await isServed());
    assert.equal(await (await ask("files")).text(), manifest);
  });

  test("reads no list that is damaged, names another place, or lacks a file", async () => {
    using folder = temporaryFolder();
    const id = "20261116T031500000Z";
    const files = filesFolder(folder.path, id);
    mkdirSync(files, { recursive: true });
    writeFileSync(join(folder.path, "secret"), "12345");
    writeFileSync(join(files, "a.parquet"), "12345");
    const file = { name: "a.parquet", bytes: 5, sha256: "0".repeat(64) };
    const read = (list: unknown) => {
      rmSync(join(files, "manifest.json"), { force: true });
      writeFileSync(join(files, "manifest.json"), JSON.stringify(list));
      return new KeptFiles(folder.path).manifestOf(id);
    };
    assert.ok(read({ data: [file], meta: {} }) !== null);
    for (const list of [null, {}, 5, { data: 5 }, { data: [null] }])
      assert.equal(read(list), null, JSON.stringify(list));
    for (const damage of [
      { name: "../../../secret" },
      { name: ".." },
      { name: "b.parquet" },
      { bytes: 4 },
      { bytes: "5" },
      { sha256: "0\r\nx: y" },
      { sha256: 5 },
    ])
      assert.equal(
        read({ data: [{ ...file, ...damage }], meta: {} }),
        null,
        JSON.stringify(damage),
      );
  });

  test("makes none where they are off", async () => {
    using folder = await demoFolder();
    const id = new SnapshotStore(folder.path).currentId() ?? "";
    await using running = await start(folder.path, {});
    const { ask } = running;
    await until(
      "the data",
      async () => (await ask("providers/search?limit=1")).status === 200,
    );
    assert.equal((await ask("files")).status, 404);
    assert.equal((await ask(`files/${id}/manifest.json`)).status, 404);
    assert.ok(!existsSync(filesFolder(folder.path, id)));
  });
});

/** The requests that the only account has used this month, as written down. */
async function usedOf(dataDir: string): Promise<number> {
  const out = await succeed(["keys", "list", "--json", "--data-dir", dataDir]);
  return JSON.parse(out)[0].used_this_month;
}
