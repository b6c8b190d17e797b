import assert from "node:assert/strict";
import { test } from "node:test";
import { checkNpi } from "../../src/registry/npi.ts";
import {
  NPI_COUNT,
  npiOfIndex,
} from "../../src/registry-generator/npi-sequence.ts";

test("every index has a distinct NPI that starts with 1 and has the right check digit", () => {
  const seen = new Set<number>();
  for (let index = 0; index < 100_000; index++) {
    const npi = npiOfIndex(1, index);
    assert.ok(npi >= 1_000_000_000 && npi < 2_000_000_000);
    if (index < 2000) assert.equal(checkNpi(String(npi)), "ok");
    seen.add(npi);
  }
  assert.equal(seen.size, 100_000);
  assert.equal(checkNpi(String(npiOfIndex(1, NPI_COUNT - 1))), "ok");
});

test("NPIs are spread over the whole range, in no order, and differently for each seed", () => {
  const npis = Array.from({ length: 10_000 }, (_, index) =>
    npiOfIndex(3, index),
  );
  const tenths = Map.groupBy(npis, (npi) => Math.floor(npi / 100_000_000));
  assert.equal(tenths.size, 10);
  for (const { length: count } of tenths.values())
    assert.ok(count > 850 && count < 1150, `${count} of 1000`);
  const rises = npis.filter(
    (npi, index) => index > 0 && npi > (npis[index - 1] ?? 0),
  ).length;
  assert.ok(rises > 4700 && rises < 5300, `${rises} rises`);
  assert.notEqual(npiOfIndex(4, 0), npis[0]);
});
