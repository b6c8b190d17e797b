import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { createUsageBuffer } from "../../src/accounts/metering/usage-buffer.ts";
import { UsageTable } from "../../src/accounts/metering/usage-table.ts";
import { watchOverflows } from "../../src/server/usage-writer.ts";

suite("the watch over the table of accounts", () => {
  test("reports once how many times an account found no room, then only new times", (t) => {
    t.mock.timers.enable({ apis: ["setInterval"] });
    const usage = createUsageBuffer({ accounts: 1, keys: 1 });
    const table = new UsageTable(usage);
    const reported: number[] = [];
    using _ = watchOverflows({
      usage,
      intervalMs: 1_000,
      onOverflow: (times) => reported.push(times),
    });
    t.mock.timers.tick(10_000);
    assert.deepEqual(reported, []);
    assert.equal(table.admit(1), true);
    assert.equal(table.admit(2), false);
    table.noteOverflow();
    table.noteOverflow();
    t.mock.timers.tick(10_000);
    assert.deepEqual(reported, [2]);
    table.noteOverflow();
    t.mock.timers.tick(1_000);
    assert.deepEqual(reported, [2, 1]);
  });
});
