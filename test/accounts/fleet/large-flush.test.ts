import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { test } from "node:test";
import { Client } from "pg";
import { openAccounts } from "../../../src/accounts/accounts.ts";
import { openDatabase } from "../../../src/accounts/database/open-database.ts";
import { KeyUses } from "../../../src/accounts/metering/key-uses.ts";
import { monthAt } from "../../../src/accounts/metering/month.ts";
import { createUsageBuffer } from "../../../src/accounts/metering/usage-buffer.ts";
import { UsageFlush } from "../../../src/accounts/metering/usage-flusher.ts";
import { UsageTable } from "../../../src/accounts/metering/usage-table.ts";
import { BUILT_IN_PLANS } from "../../../src/accounts/plans.ts";
import {
  START_MS,
  installOnPostgresql,
} from "../../support/service/accounts-installation.ts";
import { cuttingProxy } from "../../support/servers/cutting-proxy.ts";
import { NO_POSTGRESQL } from "../../support/servers/postgresql.ts";

/** More than two batches. */
const ACCOUNTS = 4_500;
const MONTH = monthAt(START_MS).number;
const NEVER_MS = 3_600_000;
const clock = () => START_MS;

for (const { locked, name } of [
  { name: "", locked: [] },
  { name: ", some of which are locked", locked: [7, 2_100, 2_101] },
])
  test(
    `the connection is lost at any moment while many accounts are written${name}: each answer is written once`,
    { skip: NO_POSTGRESQL },
    async () => {
      await using installation = await installOnPostgresql();
      const { place } = installation;
      assert.ok(place.kind === "postgresql");
      await using db = await openDatabase(place);
      await using other = await connect(place.url);
      const written = async (table: "api_usage" | "api_usage_hour") => {
        const { used } = await db
          .selectFrom(table)
          .select(({ fn }) => fn.sum<number | null>("used").as("used"))
          .executeTakeFirstOrThrow();
        return used ?? 0;
      };
      let answers = 0;
      let cutBetween = 0;
      let isCut = true;
      for (let messages = 5; isCut; messages += 2) {
        await using proxy = await cuttingProxy(place.url, messages);
        const accounts = await openThrough(proxy.url);
        if (accounts === null) continue;
        await using opened = accounts;
        const usage = countOnce();
        answers += ACCOUNTS;
        await using flusher = new UsageFlush({
          accounts: opened,
          usage,
          clock,
          intervalMs: NEVER_MS,
          onError: () => undefined,
        });
        await other.query("BEGIN");
        await other.query(
          "UPDATE api_usage SET viewed = viewed WHERE account_id = ANY($1)",
          [locked],
        );
        const isWritten = await flusher.flush().then(
          () => true,
          () => false,
        );
        ({ isCut } = proxy);
        const missing = answers - (await written("api_usage"));
        if (!isWritten && missing > 0 && missing < ACCOUNTS) cutBetween++;
        assert.equal(missing, flusher.unwritten);
        if (isWritten && answers > ACCOUNTS)
          assert.equal(missing, locked.length);
        proxy.mend();
        await other.query("ROLLBACK");
        await flusher.flush();
        assert.equal(flusher.unwritten, 0);
        assert.equal(await written("api_usage"), answers);
        assert.equal(await written("api_usage_hour"), answers);
      }
      assert.ok(cutBetween > 0, "it was lost between two batches");
    },
  );

/** Another program's session. */
async function connect(url: string) {
  const client = new Client(url);
  await client.connect();
  return {
    query: (text: string, values: readonly unknown[] = []) =>
      client.query(text, [...values]),
    [Symbol.asyncDispose]: () => client.end(),
  };
}

/** Accounts by a way that may be cut; null if it is cut before they are open. */
async function openThrough(url: string) {
  try {
    return await openAccounts({
      place: { kind: "postgresql", url },
      clock,
      random: randomBytes,
      actor: "test",
      plans: BUILT_IN_PLANS,
    });
  } catch {
    return null;
  }
}

/** The memory of a process that gave one answer to each of many accounts. */
function countOnce(): SharedArrayBuffer {
  const usage = createUsageBuffer({ accounts: ACCOUNTS, keys: ACCOUNTS });
  const table = new UsageTable(usage);
  const uses = new KeyUses(usage);
  for (let id = 1; id <= ACCOUNTS; id++) {
    table.admit(id);
    table.count(id, MONTH, 1, 1, () => 0);
    uses.note(id, START_MS / 1000);
    uses.count(uses.placeOf(id), "lookup", 1);
  }
  return usage;
}
