import assert from "node:assert/strict";
import { truncateSync } from "node:fs";
import { suite, test } from "node:test";
import { startService } from "../../src/server/service.ts";
import { extendedPath } from "../../src/snapshot/container/shared-file.ts";
import { Snapshot } from "../../src/snapshot/snapshot.ts";
import { SnapshotStore } from "../../src/store/store.ts";
import { errorOf } from "../support/pure/http-error.ts";
import { createKey } from "../support/program/create-key.ts";
import { loadedNames } from "../support/pure/engine/loaded-names.ts";
import { serviceOptions } from "../support/app/service-options.ts";
import { runProgram } from "../support/program/program.ts";
import { temporaryFolder } from "../support/pure/temporary-folder.ts";
import { until } from "../support/pure/until.ts";

/** A data folder with a demo, a key, and the service over it. */
async function start() {
  await using owned = new AsyncDisposableStack();
  const folder = owned.use(temporaryFolder());
  const run = async (...words: string[]) => {
    const outcome = await runProgram([...words, "--data-dir", folder.path]);
    assert.equal(outcome.code, 0, outcome.err);
    return outcome.out;
  };
  const demo = (details: string) =>
    run("demo", "--providers", "50", "--force", "--details", details);
  await demo("all");
  const key = await createKey(folder.path);
  const store = new SnapshotStore(folder.path);
  const started = await startService(serviceOptions(folder.path));
  assert.ok(started.outcome === "started");
  const { service } = started;
  owned.use(service);
  const { npi } = new Snapshot(store.share(store.currentId() ?? "none"));
  const running = owned.move();
  return {
    demo,
    store,
    loaded: () =>
      service.snapshot === null ? [] : loadedNames(service.snapshot.file),
    /** The answer to a look-up of a provider with a query, or to a search. */
    ask: async (query: string, of = String(npi[0])) => {
      const url = `http://127.0.0.1:${service.port}/v1/providers/${of}${query}`;
      const answer = await fetch(url, {
        headers: { authorization: `Bearer ${key}` },
      });
      return {
        status: answer.status,
        snapshot: answer.headers.get("snapshot"),
        body: await answer.text(),
      };
    },
    served: (id: string | null) =>
      until("the snapshot to be served", () => service.snapshot?.id === id),
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  };
}

suite("the service and details", () => {
  test("serves them, and those of the next snapshot", async () => {
    await using installation = await start();
    const { ask, demo, served, store } = installation;
    await served(store.currentId());
    const { body, status } = await ask("?include=identity,taxonomies");
    assert.equal(status, 200);
    const { data } = JSON.parse(body);
    assert.ok(Array.isArray(data.taxonomies));
    assert.ok("sex" in data.identity);

    await demo("taxonomies");
    await served(store.currentId());
    await until("the new details", async () => {
      const answer = await ask("?include=identity");
      return (
        answer.status === 400 &&
        errorOf(answer.body).code === "details_not_held"
      );
    });
    assert.equal((await ask("?include=taxonomies")).status, 200);
  });

  test("keeps answering without details if their file is damaged", async () => {
    await using installation = await start();
    const { ask, demo, served, store } = installation;
    // Switching to another snapshot makes the service open that one's file, which is truncated first.
    await demo("none");
    await served(store.currentId());
    const [newest = "", older = ""] = store.ids();
    assert.equal(store.currentId(), newest);
    truncateSync(store.detailsPathOf(older), 1_000);
    store.makeCurrent(older, Date.now());
    await served(older);
    await until("the failure", async () => {
      const answer = await ask("?include=identity");
      return (
        answer.status === 500 &&
        errorOf(answer.body).code === "details_unreadable"
      );
    });
    assert.equal((await ask("")).status, 200);
  });
});

suite("the service and what it reads from disk on first use", () => {
  const ANY_NAME = "?name=a&name_scope=any";

  test("reads what was used of the snapshot before, before it serves the next one", async () => {
    await using installation = await start();
    const { ask, demo, loaded, served, store } = installation;
    await served(store.currentId());
    assert.ok(!loaded().includes("name.owners"));
    assert.equal((await ask(ANY_NAME, "search")).status, 200);
    const used = loaded();
    assert.ok(used.includes("name.owners"), used.join(" "));
    await demo("all");
    await served(store.currentId());
    assert.deepEqual(loaded(), used);
  });

  test("answers what needs a part that cannot be read with 500, and everything else", async () => {
    await using installation = await start();
    const { ask, demo, served, store } = installation;
    await demo("all");
    const id = store.currentId();
    // It is checked before it is served, so only then can it be cut unnoticed.
    await served(id);
    await until(
      "the snapshot to be served by the worker",
      async () => (await ask("")).snapshot === id,
    );
    truncateSync(extendedPath(store.pathOf(id ?? "none")), 10_000);
    const { body, status } = await ask(ANY_NAME, "search");
    assert.equal(status, 500);
    assert.equal(errorOf(body).code, "internal_error");
    assert.equal((await ask("?name=a", "search")).status, 200);
    assert.equal((await ask("")).status, 200);
  });
});
