import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import {
  monthAt,
  monthLabel,
  monthOfLabel,
} from "../../src/accounts/metering/month.ts";

test("a month starts and ends at midnight, UTC", () => {
  const november = monthAt(Date.UTC(2026, 10, 20));
  assert.equal(monthLabel(november.number), "2026-11");
  assert.equal(
    new Date(november.startMs).toISOString(),
    "2026-11-01T00:00:00.000Z",
  );
  assert.equal(
    new Date(november.endMs).toISOString(),
    "2026-12-01T00:00:00.000Z",
  );
  assert.equal(monthAt(november.endMs - 1).number, november.number);
  assert.equal(monthAt(november.endMs).number, november.number + 1);
});

test("December is followed by January, and February has its leap day", () => {
  const december = monthAt(Date.UTC(2027, 11, 31));
  assert.equal(monthLabel(december.number + 1), "2028-01");
  const february = monthAt(Date.UTC(2028, 1, 1));
  assert.equal((february.endMs - february.startMs) / 86_400_000, 29);
});

test("every time is in its month, and labels convert back to months", () => {
  const moments = fc.date({
    min: new Date("1971-01-01"),
    max: new Date("2200-01-01"),
    noInvalidDate: true,
  });
  fc.assert(
    fc.property(moments, (date) => {
      const month = monthAt(date.getTime());
      assert.ok(
        month.startMs <= date.getTime() && date.getTime() < month.endMs,
      );
      assert.equal(monthLabel(month.number), date.toISOString().slice(0, 7));
      assert.equal(monthOfLabel(monthLabel(month.number)), month.number);
    }),
  );
});

test("an invalid label is refused", () => {
  for (const label of ["2026-13", "2026-00", "2026-1", "202611", ""]) {
    assert.throws(() => monthOfLabel(label), /is not a month/);
  }
});
