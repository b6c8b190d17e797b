import assert from "node:assert/strict";
import { after, before, suite, test } from "node:test";
import type { ParsedDirectory } from "../support/service/parsed-directory.ts";
import {
  FULL,
  person,
  SmallRegistry,
} from "../support/registry/small-registry.ts";

/** Names that contain a word several times must count once. */
const MANY = 1_000;
const PEOPLE: readonly (readonly [last: string, first: string])[] = [
  ...Array.from({ length: MANY }, () => ["ANDERSON", "PAT"] as const),
  ["ANDERSON", "ANDERSON"],
  ["SANDERSON", "ANDERSON"],
  ["ANDERSON-LEE", "SANDERSON"],
  ["ANDERS", "ANDERSON"],
  ["LEE", "ANDERSON"],
];
const ORGANIZATIONS = [
  ...Array.from({ length: MANY }, () => "ANDERSON CLINIC"),
  "ANDERSON ANDERSON",
  "ANDERSON ANDERSONS SANDERSON",
  "ANDERSON AND ANDERS",
];
const WORDS = ["ANDE", "NDER", "ANDERS", "ANDERSON", "NDERSON"];
const WEEK = "npidata_pfile_20261109-20261115.csv";

/** A registry's names, in order of NPI. */
type Names = readonly (readonly string[])[];

const BEFORE: Names = [
  ...PEOPLE,
  ...ORGANIZATIONS.map((organization) => [organization]),
];
/** What a week makes of some of them. */
const CHANGED = new Map<number, readonly string[]>([
  [0, ["ANDERSON", "ANDERS"]],
  [1, ["LEE", "PAT"]],
  [MANY, ["ANDERSON", "PAT"]],
  [MANY + 3, ["ANDERS", "LEE"]],
  [PEOPLE.length, ["ANDERSON CLINIC OF ANDERSONS"]],
  [BEFORE.length - 3, ["ANDERSON CLINIC"]],
  [BEFORE.length, ["SANDERS", "ANDERS"]],
]);
const AFTER: Names = Array.from(
  { length: BEFORE.length + 1 },
  (_, at) => CHANGED.get(at) ?? BEFORE[at]!,
);

suite("a word that several names of one document contain", () => {
  let registry: SmallRegistry;
  before(async () => {
    registry = new SmallRegistry();
    await registry.import(FULL, BEFORE.map(row));
  });
  after(() => registry[Symbol.dispose]());

  test("counts each document once after a full import", () => {
    using directory = registry.directory();
    for (const word of WORDS) counts(directory, BEFORE, word);
  });

  test("counts each document once after a week", async () => {
    const rows = Array.from(CHANGED, ([at, names]) => row(names, at));
    await registry.import(WEEK, rows);
    using directory = registry.directory();
    for (const word of WORDS) counts(directory, AFTER, word);
  });
});

function row(names: readonly string[], at: number) {
  const [last = "", first] = names;
  return first === undefined
    ? person(at + 1, { entityType: "2", organization: last })
    : person(at + 1, { last, first });
}

/** Compares what `name` and `organization` find with a reading of all names. */
function counts(directory: ParsedDirectory, all: Names, word: string): void {
  const having = all.filter((names) => names.join(" ").includes(word));
  const organizations = having.filter(({ length }) => length === 1);
  finds(directory, { name: word }, having.length);
  finds(directory, { organization: word }, organizations.length);
}

/** Checks the total, and that all pages have as many different providers. */
function finds(
  directory: ParsedDirectory,
  query: object,
  expected: number,
): void {
  const limit = 100;
  const npis = new Set<string>();
  for (let page = 1; (page - 1) * limit < expected; page++) {
    const { entries, total } = directory.found({ ...query, limit, page });
    assert.equal(total, expected);
    for (const { npi } of entries) npis.add(npi);
  }
  assert.equal(npis.size, expected);
}
