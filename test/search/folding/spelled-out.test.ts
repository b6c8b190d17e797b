import assert from "node:assert/strict";
import { suite, test } from "node:test";
import type { FilterValues } from "../../../src/contract/parameters/filter-schemas.ts";
import { SECTIONS } from "../../../src/snapshot/container/descriptors.ts";
import { Dictionary } from "../../../src/snapshot/dictionary/dictionary.ts";
import { taxonomyTable } from "../../../src/reference/taxonomy-table.ts";
import {
  fixtureOf,
  unpackInstallation,
} from "../../fixtures/make-installation.ts";
import {
  FULL,
  npiOf,
  person,
  SmallRegistry,
} from "../../support/pure/registry/small-registry.ts";
import { importZip } from "../../support/pure/registry/registry-zip.ts";
import type { ParsedDirectory } from "../../support/pure/engine/parsed-directory.ts";

const now = () => Date.UTC(2027, 0, 15);
const ALL = { limit: 100, page: 1 };

function organization(number: number, name: string) {
  return person(number, { entityType: "2", organization: name });
}

/** The numbers of the providers that a search finds. */
function found(directory: ParsedDirectory, query: FilterValues): number[] {
  return directory
    .found({ ...ALL, ...query })
    .entries.map(({ npi }) => Number(npi.slice(0, 9)) - 100_000_000)
    .sort((a, b) => a - b);
}

const LETTERS = {
  Ø: "O",
  ø: "o",
  Ł: "L",
  ł: "l",
  Đ: "D",
  đ: "d",
  Æ: "AE",
  æ: "ae",
  Œ: "OE",
  œ: "oe",
  ẞ: "SS",
  ß: "ss",
  Þ: "TH",
  þ: "th",
  Ǿ: "O",
  "æ\u0301": "ae",
};

suite("& and letters that Unicode does not decompose", () => {
  test("& is the word AND in every name, as published and as asked", async () => {
    using registry = new SmallRegistry();
    const rows = [
      organization(1, "SMITH & JONES CLINIC"),
      organization(2, "SMITH AND JONES CLINIC"),
      organization(3, "A&B CARE"),
      person(4, { last: "SMITH & JONES", first: "PAT & SAM" }),
      { ...person(5), "Provider Other Last Name": "ROE & DOE" },
      { ...organization(6, "SIX"), "Provider Other Organization Name": "U&V" },
    ];
    const full = { rows, otherNames: [], locations: [] };
    await importZip(registry, "20050523-20261108", full);
    using directory = registry.directory();
    for (const name of ["smith & jones", "SMITH AND JONES", "smith&jones"]) {
      assert.deepEqual(found(directory, { name }), [1, 2, 4], name);
      assert.deepEqual(found(directory, { organization: name }), [1, 2]);
      assert.deepEqual(found(directory, { last_name: name }), [4]);
    }
    for (const text of ["A & B care", "A and B Care", "A&B CARE"]) {
      assert.deepEqual(found(directory, { organization: text }), [3], text);
      const { total } = directory.search.registryPage({
        organizationName: { text, isPrefix: false },
        skip: 0,
        limit: 10,
      });
      assert.equal(total, 1);
    }
    assert.deepEqual(found(directory, { first_name: "pat and s" }), [4]);
    const name_scope = "any";
    assert.deepEqual(found(directory, { name: "roe and", name_scope }), [5]);
    assert.deepEqual(found(directory, { name: "u and v", name_scope }), [6]);
    assert.deepEqual(found(directory, { name: "u & v", name_scope }), [6]);
    for (const typed of ["smith & jones clinic", "smith and jones clinic"])
      assert.equal(
        directory.explore.interpreter.interpret(typed).total,
        2,
        typed,
      );
  });

  test("& is the word AND in specialties", async () => {
    using registry = new SmallRegistry();
    const table = taxonomyTable(
      new Map([["207Q00000X", "Obstetrics & Gynecology Physician"]]),
    );
    await registry.import(FULL, [person(1)], {
      taxonomy: { table, source: "a test" },
    });
    using directory = registry.directory();
    for (const specialty of ["obstetrics and gyn", "obstetrics & gyn"])
      assert.deepEqual(found(directory, { specialty }), [1], specialty);
  });

  test("the letters are those of their accents' kind, in both cases and directions", async () => {
    using registry = new SmallRegistry();
    const all = Object.entries(LETTERS);
    await registry.import(
      FULL,
      all.flatMap(([letter, basic], index) => [
        person(index * 2, { last: `X${index}${letter}Y` }),
        person(index * 2 + 1, { last: `X${index}${basic}Y` }),
      ]),
    );
    using directory = registry.directory();
    all.forEach(([letter, basic], index) => {
      for (const asked of [letter, basic, letter.normalize("NFD")])
        assert.deepEqual(
          found(directory, { last_name: `x${index}${asked}y` }),
          [index * 2, index * 2 + 1],
          asked,
        );
    });
  });
});

suite("a snapshot of 1.0.0", () => {
  const WEEK = "npidata_pfile_20261214-20261220.csv";
  const NEXT_FULL = "20050523-20270110";
  const ROWS = [
    organization(40, "ØSTER & SONS"),
    organization(41, "OSTER AND SONS"),
    person(42, { last: "ŁUCZAK", city: "SAULT STE. MARIE" }),
  ];

  test("keeps its folding until the next full file: what it has is found, and verifies", async () => {
    using registry = new SmallRegistry();
    unpackInstallation(fixtureOf(2), registry.store.dataDir);
    const numbers = (): number[] => {
      const snapshot = registry.snapshot();
      const { areas } = snapshot.extended.addresses!;
      const { names, officials, slots } = snapshot.extended;
      return [
        snapshot,
        snapshot.cities,
        snapshot.organizationWords,
        names!,
        officials!.lastNames,
        slots!.taxonomies,
        areas.cities,
      ].map(({ folding }) => folding.number);
    };
    assert.deepEqual(new Set(numbers()), new Set([0]));
    const { status } = await registry.import(WEEK, ROWS, { now });
    assert.equal(status, "imported");
    assert.deepEqual(new Set(numbers()), new Set([0]));
    assert.deepEqual(registry.faults(), []);
    {
      using directory = registry.directory();
      assert.equal(directory.recordOf(npiOf(4))?.name?.last, "CHANGED");
      assert.deepEqual(found(directory, { last_name: "chan" }), [4]);
      for (const name of ["øster & sons", "ØSTER SONS"])
        assert.deepEqual(found(directory, { name }), [40], name);
      assert.deepEqual(found(directory, { last_name: "łucz" }), [42]);
      assert.deepEqual(found(directory, { city: "Sault Ste Marie" }), [42]);
      assert.deepEqual(found(directory, { city: "SaultSte Marie" }), [42]);
    }
    const next = { rows: ROWS, otherNames: [], locations: [] };
    await importZip(registry, NEXT_FULL, next, { now, force: true });
    assert.deepEqual(new Set(numbers()), new Set([1]));
    assert.deepEqual(registry.faults(), []);
    using directory = registry.directory();
    for (const name of ["øster & sons", "oster and sons"])
      assert.deepEqual(found(directory, { name }), [40, 41], name);
    assert.deepEqual(found(directory, { last_name: "lucz" }), [42]);
    assert.deepEqual(found(directory, { city: "Sault Sainte Marie" }), [42]);
  });

  test("is read, and one with an unknown folding is refused with a sentence", async () => {
    using registry = new SmallRegistry();
    await registry.import(FULL, ROWS);
    const { sections } = registry.snapshot();
    const offsets = sections.get(SECTIONS.lastNames.offsets).slice();
    const bytes = sections.get(SECTIONS.lastNames.bytes);
    offsets[0] = 2;
    assert.throws(
      () => new Dictionary({ bytes, offsets }),
      /a rule that this version does not know; install/,
    );
  });
});
