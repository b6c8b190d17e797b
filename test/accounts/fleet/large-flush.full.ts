import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { test } from "node:test";
import { openDatabase } from "../../../src/accounts/database/open-database.ts";
import {
  createGateMemory,
  type GateMemory,
} from "../../../src/accounts/metering/gate-memory.ts";
import { KeyUses } from "../../../src/accounts/metering/key-uses.ts";
import { UsageFlush } from "../../../src/accounts/metering/usage-flusher.ts";
import { START_MS } from "../../support/app/accounts-installation.ts";
import { installOnPostgresql } from "../../support/postgresql/on-both.ts";
import { cuttingProxy } from "../../support/app/servers/cutting-proxy.ts";
import { NO_POSTGRESQL } from "../../support/postgresql/postgresql.ts";

/** More than two batches. */
const KEYS = 4_500;
const clock = () => START_MS;

test(
  "the connection is lost at any moment while the uses of many keys are written: each answer is written once",
  { skip: NO_POSTGRESQL },
  async () => {
    await using installation = await installOnPostgresql();
    const { place } = installation;
    assert.ok(place.kind === "postgresql");
    await using db = await openDatabase(place);
    const written = async () => {
      const { used } = await db
        .selectFrom("api_usage_hour")
        .select(({ fn }) => fn.sum<number | null>("used").as("used"))
        .executeTakeFirstOrThrow();
      return used ?? 0;
    };
    let answers = 0;
    let cutBetween = 0;
    let isCut = true;
    for (let messages = 5; isCut; messages++) {
      await using proxy = await cuttingProxy(place.url, messages);
      const through = await openThrough(proxy.url);
      if (through === null) continue;
      await using opened = through;
      answers += KEYS;
      await using flusher = new UsageFlush({
        db: opened,
        process: randomUUID(),
        memory: countOnce(),
        clock,
        fault: () => Promise.resolve(null),
        purge: () => Promise.resolve(true),
        onError: () => undefined,
      });
      const isWritten = await flusher.flush().then(
        () => true,
        () => false,
      );
      ({ isCut } = proxy);
      const missing = answers - (await written());
      if (isWritten) assert.equal(missing, 0);
      else if (missing > 0 && missing < KEYS) cutBetween++;
      assert.ok(missing <= flusher.state.unwritten);
      proxy.mend();
      await flusher.flush();
      assert.equal(flusher.state.unwritten, 0);
      assert.equal(await written(), answers);
    }
    assert.ok(cutBetween > 0, "it was lost between two batches");
  },
);

/** The database by a way that may be cut; null if it is cut before it is open. */
function openThrough(url: string) {
  return openDatabase({ kind: "postgresql", url }).catch(() => null);
}

/** The memory of a process that gave one answer to each of many keys. */
function countOnce(): GateMemory {
  const memory = createGateMemory({ accounts: 1, keys: KEYS });
  const uses = new KeyUses(memory);
  for (let id = 1; id <= KEYS; id++) {
    uses.note(id, START_MS / 1000);
    uses.count(uses.placeOf(id), "lookup", 1);
  }
  return memory;
}
