import assert from "node:assert/strict";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { suite, test } from "node:test";
import { ACCOUNTS_FILE } from "../../src/accounts/database/database.ts";
import { startService } from "../../src/server/service.ts";
import { createKey } from "../support/program/create-key.ts";
import { demoFolder } from "../support/program/demo-folder.ts";
import { until } from "../support/pure/until.ts";
import { serviceOptions } from "../support/app/service-options.ts";

const SEARCH = "/v1/providers/search?limit=1";

/** A data folder with invented providers, and a key for them. */
async function installed() {
  const folder = await demoFolder();
  const file = join(folder.path, ACCOUNTS_FILE);
  const key = await createKey(folder.path);
  return {
    folder,
    file,
    key,
    [Symbol.dispose]: () => folder[Symbol.dispose](),
  };
}

async function startOver(dataDir: string, workers = 1) {
  const started = await startService(serviceOptions(dataDir, { workers }));
  assert.ok(started.outcome === "started");
  const { service } = started;
  const ask = (path: string, headers: Readonly<Record<string, string>> = {}) =>
    fetch(`http://127.0.0.1:${service.port}${path}`, {
      headers: { connection: "close", ...headers },
    });
  await until("all workers to be ready", async () => {
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => ask("/readyz")),
    );
    return answers.every(({ status }) => status === 200);
  });
  return { ask, [Symbol.asyncDispose]: () => service[Symbol.asyncDispose]() };
}

suite("entity tags of the service", () => {
  test("are the same on every worker of every machine over one database, even after a restart", async () => {
    using place = await installed();
    const authorization = `Bearer ${place.key}`;
    const tags = new Set<string | null>();
    {
      await using one = await startOver(place.folder.path, 2);
      await using other = await startOver(place.folder.path);
      for (const { ask } of [one, one, one, other, other])
        tags.add((await ask(SEARCH, { authorization })).headers.get("etag"));
    }
    assert.equal(tags.size, 1);
    const [tag] = tags;
    await using again = await startOver(place.folder.path);
    const held = await again.ask(SEARCH, {
      authorization,
      "if-none-match": String(tag),
    });
    assert.equal(held.status, 304);
  });

  test("do not stop the service if the database cannot store their secret", async () => {
    using place = await installed();
    {
      using connection = new DatabaseSync(place.file);
      connection.exec(`DELETE FROM api_installation;
        CREATE TRIGGER full BEFORE INSERT ON api_installation
        BEGIN SELECT RAISE(FAIL, 'database or disk is full'); END`);
    }
    await using running = await startOver(place.folder.path);
    const { headers, status } = await running.ask(SEARCH, {
      authorization: `Bearer ${place.key}`,
    });
    assert.equal(status, 200);
    assert.match(headers.get("etag") ?? "", /^W\/"[\w-]{16}"$/);
  });
});
