import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { describe, it } from "node:test";
import { fileURLToPath } from "node:url";
import { readTaxonomyFile } from "../../src/reference/taxonomy-table.ts";
import { commonCodesOf } from "../../src/search/aliases/common-specialties.ts";
import { fold } from "../../src/text/fold.ts";
import { buildDirectory } from "../support/pure/engine/built-directory.ts";
import {
  FORCE,
  fullFile,
  ReferenceRegistry,
} from "../support/pure/reference/reference-registry.ts";
import { ReferenceDirectory } from "../support/pure/reference/reference-search.ts";
import { inventedNpi } from "../support/pure/registry/invented-npi.ts";
import { rawRow } from "../support/pure/registry/raw-row.ts";

const NUCC_FILE = fileURLToPath(
  new URL(
    "../../../shared/data/taxonomy/nucc_taxonomy_251.csv",
    import.meta.url,
  ),
);
const [header = "", ...lines] = readFileSync(
  new URL("../../src/search/aliases/common-specialties.csv", import.meta.url),
  "utf8",
)
  .trim()
  .split("\n");
const rows = lines.flatMap((line) => {
  const [texts = "", codes = "", ...more] = line.split(",");
  return texts
    .split("; ")
    .map((words) => ({ words, codes: codes.split(" "), more }));
});

describe("the table of everyday words", () => {
  it("has folded words and codes, each once", () => {
    assert.equal(header, "words,codes,kind");
    const all = rows.map(({ words }) => words);
    assert.equal(new Set(all).size, all.length);
    for (const { codes, more, words } of rows) {
      assert.equal(words.toUpperCase(), fold(words));
      assert.ok(
        more.every((kind) => /^(?:wrong|short|spanish|topic)$/.test(kind)),
      );
      assert.equal(new Set(codes).size, codes.length, words);
      for (const code of codes) assert.match(code, /^[0-9A-Z]{10}$/);
    }
  });

  it("has only codes of NUCC", (t) => {
    if (!existsSync(NUCC_FILE))
      return t.skip("NUCC's table is not there (../shared)");
    const known = new Map(readTaxonomyFile(NUCC_FILE).entries());
    const unknown = rows.flatMap(({ codes }) =>
      codes.filter((code) => !known.has(code)),
    );
    assert.deepEqual(unknown, []);
  });

  it("gives each text its codes, and a plural those of its singular", () => {
    for (const { codes, more, words } of rows) {
      const isTopic = more.includes("topic");
      // Of a topic with the usual words, the table can have the whole text.
      const text = isTopic ? `${words} expert` : words;
      assert.deepEqual([...(commonCodesOf(fold(text)) ?? [])], codes, text);
    }
    const kidneys = [...(commonCodesOf("KIDNEY DOCTOR") ?? [])];
    assert.deepEqual(kidneys, ["207RN0300X"]);
    for (const [plural, singular] of [
      ["KIDNEY DOCTORS", "KIDNEY DOCTOR"],
      ["GPS", "GP"],
      ["SLEEP STUDIES", "SLEEP STUDY"],
      ["HEALTH DEPARTMENTS", "HEALTH DEPARTMENT"],
      ["HEALTH COACHES", "HEALTH COACH"],
    ] as const)
      assert.deepEqual(commonCodesOf(plural), commonCodesOf(singular), plural);
    const plurals = rows
      .filter(({ more }) => more.length === 0)
      .map(({ words }) => `${words.toUpperCase()}S`);
    for (const plural of plurals.filter((each) => each.endsWith("ISTS")))
      assert.deepEqual(
        commonCodesOf(plural),
        commonCodesOf(plural.slice(0, -1)),
        plural,
      );
  });

  it("has topics only before a word for a doctor or a place", () => {
    const migraines = commonCodesOf("MIGRAINE DOCTOR");
    assert.ok(migraines !== null);
    for (const text of ["MIGRAINE SPECIALISTS", "MIGRAINE CLINIC"])
      assert.deepEqual(commonCodesOf(text), migraines, text);
    for (const text of ["MIGRAINE", "MIGRAINES", "MIGRAINE NURSE"])
      assert.equal(commonCodesOf(text), null, text);
  });

  it("has nothing for other texts", () => {
    for (const text of ["", "S", "ES", "KIDNEY", "KIDNEY PERSON", "NURSE X"])
      assert.equal(commonCodesOf(text), null, text);
  });
});

/** Taxonomies, with the number of providers that have each. */
const NURSES = [
  ["163W00000X", "Registered Nurse", 3],
  ["363L00000X", "Nurse Practitioner", 5],
  ["363LF0000X", "Family Nurse Practitioner", 2],
  ["314000000X", "Skilled Nursing Facility", 7],
  ["122300000X", "Dentist", 11],
] as const;

describe("everyday words in the box", () => {
  it("find those of the table and those whose display name has the words, as many as the reference", async () => {
    const codes = NURSES.flatMap(([code, , count]) =>
      Array.from({ length: count }, () => code),
    );
    const file = codes.map((code, index) =>
      rawRow(
        {
          npi: inventedNpi(240_000_000 + index),
          entityType: "1",
          first: "PAT",
          last: "EXAMPLE",
        },
        [{ code, primary: "Y" }],
      ),
    );
    const taxonomyNames = new Map(NURSES.map(([code, name]) => [code, name]));
    using directory = await buildDirectory({
      id: "20261116T031500000Z",
      createdAt: "2026-11-16T03:15:00.000Z",
      rows: file,
      taxonomyNames,
      centroids: new Map(),
    });
    const registry = new ReferenceRegistry(taxonomyNames);
    registry.import(fullFile(file), FORCE);
    const reference = new ReferenceDirectory(registry.providers(), new Map());
    for (const [typed, expected] of [
      ["nurse", 10],
      ["nurses", 10],
      ["nurse practitioner", 7],
      ["dentists", 11],
    ] as const) {
      const { filters, total } = directory.explore.interpreter.interpret(typed);
      assert.deepEqual(filters, {
        specialty: typed,
        specialty_scope: "common",
      });
      const query = { ...filters, page: 1, limit: 100 };
      const found = reference.search(query);
      assert.equal(total, expected, typed);
      assert.equal(found.total, expected, typed);
      assert.deepEqual(directory.found(query), found, typed);
    }
  });
});
