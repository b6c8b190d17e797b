import assert from "node:assert/strict";
import { after, before, suite, test } from "node:test";
import type { ParsedDirectory } from "../support/service/parsed-directory.ts";
import {
  FULL,
  person,
  SmallRegistry,
} from "../support/registry/small-registry.ts";

/** Names that contain a word several times must count once. Lists are counted if at least 128 documents match. */
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

suite("a word that several names of one document contain", () => {
  let registry: SmallRegistry;
  let directory: ParsedDirectory;

  before(async () => {
    registry = new SmallRegistry();
    await registry.import(FULL, [
      ...PEOPLE.map(([last, first], at) => person(at + 1, { last, first })),
      ...ORGANIZATIONS.map((organization, at) =>
        person(PEOPLE.length + at + 1, { entityType: "2", organization }),
      ),
    ]);
    directory = registry.directory();
  });
  after(() => registry[Symbol.dispose]());

  for (const word of WORDS) {
    const people = PEOPLE.filter((names) => names.join(" ").includes(word));
    const organizations = ORGANIZATIONS.filter((name) => name.includes(word));

    test(`counts each document once: name=${word}`, () => {
      counts({ name: word }, people.length + organizations.length);
    });

    test(`counts each document once: organization=${word}`, () => {
      counts({ organization: word }, organizations.length);
    });
  }

  /** The total, and as many different entries on all pages. */
  function counts(query: object, expected: number): void {
    const limit = 100;
    const npis = new Set<string>();
    for (let page = 1; (page - 1) * limit < expected; page++) {
      const { entries, total } = directory.search({ ...query, limit, page });
      assert.equal(total, expected);
      for (const { npi } of entries) npis.add(npi);
    }
    assert.equal(npis.size, expected);
  }
});
