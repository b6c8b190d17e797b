import assert from "node:assert/strict";
import { test } from "node:test";
import { verifySnapshot } from "../../src/snapshot/verify/verify.ts";
import {
  FULL,
  person,
  SmallRegistry,
} from "../support/pure/registry/small-registry.ts";
import type { Dictionary } from "../../src/snapshot/dictionary/dictionary.ts";
import type { Snapshot } from "../../src/snapshot/snapshot.ts";

const WEEK = "npidata_pfile_20261109-20261115.csv";
const NAMES = ["Smith", "SMITH", "Smíth.", "", "!!!", "A & B", "Z", "SMI", "É"];
const PROVIDERS = 400;

/** A provider with some of the names, another one for each seed. */
function named(number: number, seed: number) {
  const pick = (step: number): string =>
    NAMES[(number * step + seed) % NAMES.length]!;
  return number % 3 === 0
    ? person(number, {
        entityType: "2",
        last: "",
        first: "",
        organization: pick(7),
      })
    : person(number, { last: pick(5), first: pick(2), city: pick(4) });
}

test("documents are ordered as comparing all names orders them, after a full import and after a week", async () => {
  using registry = new SmallRegistry();
  const all = Array.from({ length: PROVIDERS }, (_, number) =>
    named(number, 0),
  );
  await registry.import(FULL, all);
  isOrdered(registry.snapshot());
  const changed = Array.from({ length: PROVIDERS / 4 }, (_, at) =>
    named(at * 5, 1),
  );
  await registry.import(WEEK, changed);
  isOrdered(registry.snapshot());
});

function isOrdered(snapshot: Snapshot): void {
  assert.deepEqual(verifySnapshot(snapshot), []);
  const { count, firstName, firstNames, lastNames, name, npi, organizations } =
    snapshot;
  const keys = Array.from({ length: count }, (_, doc) => {
    const number = name[doc]!;
    const first = firstName[doc]!;
    return {
      doc,
      name:
        number === 0
          ? null
          : number <= lastNames.count
            ? folded(lastNames, number)
            : folded(organizations, number - lastNames.count),
      first: first === 0 ? Buffer.alloc(0) : folded(firstNames, first),
    };
  });
  keys.sort(
    (a, b) =>
      Number(a.name === null) - Number(b.name === null) ||
      (a.name === null || b.name === null
        ? 0
        : Buffer.compare(a.name, b.name)) ||
      Buffer.compare(a.first, b.first) ||
      npi[a.doc]! - npi[b.doc]!,
  );
  assert.deepEqual(
    Array.from(snapshot.nameOrder ?? []),
    keys.map(({ doc }) => doc),
  );
}

function folded(names: Dictionary, entry: number): Buffer {
  return Buffer.from(
    names.bytes.subarray(names.offsets[entry], names.foldedEnd(entry)),
  );
}
