import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { describe, it } from "node:test";
import { fileURLToPath } from "node:url";
import { readTaxonomyFile } from "../../src/reference/taxonomy-table.ts";
import { commonCodesOf } from "../../src/search/aliases/common-specialties.ts";
import { fold } from "../../src/text/fold.ts";

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
