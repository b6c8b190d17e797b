import assert from "node:assert/strict";
import { test } from "node:test";
import { ImportLock } from "../../src/importing/import-lock.ts";
import { writeCursor } from "../../src/contract/cursor.ts";
import { startService } from "../../src/server/service.ts";
import { createKey } from "../support/program/create-key.ts";
import { errorOf } from "../support/pure/http-error.ts";
import { until } from "../support/pure/until.ts";
import { people, person } from "../support/pure/registry/small-registry.ts";
import { serviceOptions } from "../support/app/service-options.ts";
import { FleetFolders, NO_ENVIRONMENT } from "./fleet-folders.ts";

/** Never published. */
const UNKNOWN = "20991231T000000000Z";

/** A node that follows the store, and a client of it. */
async function startNode(fleet: FleetFolders) {
  const store = fleet.node();
  const key = await createKey(store.dataDir);
  const started = await startService({
    ...serviceOptions(store.dataDir, {
      snapshotStore: { url: fleet.fileUrl, environment: NO_ENVIRONMENT },
    }),
    store,
  });
  assert.ok(started.outcome === "started");
  const { service } = started;
  const ask = (path: string) =>
    fetch(`http://127.0.0.1:${service.port}${path}`, {
      headers: { authorization: `Bearer ${key}` },
    });
  return {
    store,
    ask,
    served: async () =>
      (await ask("/v1/providers/search?state=IL")).headers.get("snapshot"),
    [Symbol.asyncDispose]: () => service[Symbol.asyncDispose](),
  };
}

const pinned = (id: string) => `/v1/providers/search?state=IL&snapshot=${id}`;
const from = (snapshot: string, behind: number | "all") =>
  `/v1/changes?cursor=${writeCursor({ snapshot, behind })}`;

test("what another node serves already, and this one can't yet, is 503; what is gone stays gone", async () => {
  using fleet = new FleetFolders();
  const first = await fleet.import(people(100));
  await fleet.publish();
  await using node = await startNode(fleet);
  const { ask, served, store } = node;
  await until("the first", async () => (await served()) === first);

  // Never published: it only led to the next one.
  const between = await fleet.import([person(1), person(2)]);
  const second = await fleet.import([person(3)]);
  const ahead = [
    pinned(second),
    from(second, "all"),
    from(second, 1),
    from(between, 1),
  ];
  const gone = [
    [pinned(UNKNOWN), 412],
    [from(UNKNOWN, "all"), 410],
    [from("20200101T000000000Z", "all"), 410],
  ] as const;
  {
    using lock = ImportLock.take(store.dataDir);
    assert.ok(lock !== null);
    await fleet.publish();
    for (const path of ahead)
      await until(`503 for ${path}`, async () => {
        const answer = await ask(path);
        const { code, message } = errorOf(await answer.text());
        if (answer.status !== 503) return false;
        assert.equal(code, "snapshot_behind");
        assert.match(message, /^This node does not serve snapshot \S+ yet\./);
        assert.equal(answer.headers.get("retry-after"), "2");
        return true;
      });
    for (const [path, status] of gone)
      assert.equal((await ask(path)).status, status, path);
    assert.equal((await ask(pinned(first))).status, 200);
  }
  await until("the second", async () => (await served()) === second);
  for (const path of [...ahead, pinned(first)])
    assert.equal((await ask(path)).status, 200, path);
  for (const [path, status] of gone)
    assert.equal((await ask(path)).status, status, path);

  // After a rollback, the second is no longer to be expected.
  await fleet.rollBack();
  await fleet.publish();
  const third = fleet.importer.currentId();
  await until("the rollback", async () => (await served()) === third);
  assert.equal((await ask(pinned(second))).status, 412);
  assert.equal((await ask(from(second, "all"))).status, 410);
});
