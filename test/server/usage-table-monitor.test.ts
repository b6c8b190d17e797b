import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { createUsageBuffer } from "../../src/accounts/metering/usage-buffer.ts";
import { UsageTable } from "../../src/accounts/metering/usage-table.ts";
import { watchOverflows } from "../../src/server/usage-writing.ts";
import { until } from "../support/program/program.ts";

suite("the watch over the table of accounts", () => {
  test("tells once how many accounts found no place, and then only of new ones", async () => {
    const usage = createUsageBuffer({ accounts: 1, keys: 1 });
    const table = new UsageTable(usage);
    const told: number[] = [];
    using _ = watchOverflows({
      usage,
      intervalMs: 5,
      onOverflow: (times) => told.push(times),
    });
    await sleep(50);
    assert.deepEqual(told, []);
    assert.equal(table.admit(1), true);
    assert.equal(table.admit(2), false);
    table.noteOverflow();
    table.noteOverflow();
    await until("the first report", () => told.length > 0);
    await sleep(50);
    assert.deepEqual(told, [2]);
    table.noteOverflow();
    await until("the second report", () => told.length > 1);
    assert.deepEqual(told, [2, 1]);
  });
});
