import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { describe, it } from "node:test";
import { fileURLToPath } from "node:url";
import * as fc from "fast-check";
import { DETAIL_PARTS } from "../../src/contract/detail-parts.ts";
import { arbitraryHistory } from "../support/pure/arbitrary/arbitrary-history.ts";
import { arbitraryLayout } from "../support/pure/arbitrary/arbitrary-layout.ts";
import { arbitraryRegistry } from "../support/pure/arbitrary/arbitrary-registry.ts";
import { check, same } from "../support/pure/arbitrary/check.ts";
import { readTaxonomyFile } from "../../src/reference/taxonomy-table.ts";
import { csvRows } from "../support/pure/reference/csv-records.ts";
import { fullTest } from "../support/pure/full-run.ts";
import { unzippedRows } from "../support/pure/registry/unzipped-rows.ts";
import { SmallRegistry } from "../support/pure/registry/small-registry.ts";
import {
  FORCE,
  fullFile,
  ReferenceRegistry,
} from "../support/pure/reference/reference-registry.ts";
import {
  matchingTaxonomies,
  referenceTaxonomies,
} from "../support/pure/reference/reference-taxonomies.ts";
import { startEngine, type Engine } from "../support/pure/engine/engine.ts";
import type { ParsedDirectory } from "../support/pure/engine/parsed-directory.ts";

const REAL = new URL("../../../shared/data/", import.meta.url);
const REAL_WEEKS = ["010124_010724", "010824_011424", "011524_012124"].map(
  (days) =>
    fileURLToPath(
      new URL(`registry/NPPES_Data_Dissemination_${days}_Weekly.zip`, REAL),
    ),
);
const NUCC_FILE = fileURLToPath(
  new URL("taxonomy/nucc_taxonomy_251.csv", REAL),
);

const WITHOUT_SLOTS = ["identity"] as const;
const TEXTS = [
  "",
  "med",
  "MED fam",
  "101y",
  "Physician/A",
  "ménière",
  "edicine",
  "199Y00000X",
];

describe("the list of taxonomies, against a count of all providers", () => {
  it("has every code and count after any sequence of files, with and without all slots", async () => {
    await check(
      15,
      fc.tuple(arbitraryHistory(), arbitraryLayout(), fc.boolean()),
      async ([history, layout, hasSlots]) => {
        const reference = new ReferenceRegistry(history.taxonomy);
        await using engine = await startEngine(
          history,
          layout,
          hasSlots ? DETAIL_PARTS : WITHOUT_SLOTS,
        );
        for (const { file, options } of history.steps) {
          await engine.import(file, options);
          reference.import(file, options);
          sameTaxonomies(engine, reference, history.taxonomy, hasSlots);
        }
      },
      2,
    );
  });

  it("has every code and count of a large file, each the total of a search", async () => {
    const registry = arbitraryRegistry({ minRows: 100, maxRows: 400 });
    await check(
      20,
      fc.tuple(registry, arbitraryLayout()),
      async ([{ centroids, rows, taxonomy }, layout]) => {
        const file = fullFile(rows);
        const reference = new ReferenceRegistry(taxonomy);
        reference.import(file, FORCE);
        await using engine = await startEngine({ centroids, taxonomy }, layout);
        await engine.import(file, FORCE);
        sameTaxonomies(engine, reference, taxonomy, true);
        sameAsSearches(engine.directory());
      },
    );
  });

  fullTest(
    "has every code and count of the registry's own weeks, as their rows are merged",
    async (t) => {
      if (![...REAL_WEEKS, NUCC_FILE].every((path) => existsSync(path)))
        return t.skip("the registry's weeks are not there (../shared)");
      const nucc = csvRows(readFileSync(NUCC_FILE, "utf8"));
      const names = new Map(
        nucc.map((row) => [
          row["Code"] ?? "",
          row["Display Name"]?.trim() ?? "",
        ]),
      );
      const taxonomy = {
        table: readTaxonomyFile(NUCC_FILE),
        source: "NUCC's",
      };
      using registry = new SmallRegistry();
      const reference = new ReferenceRegistry(names);
      for (const [index, path] of REAL_WEEKS.entries()) {
        const outcome = await registry.importPath(path, { taxonomy });
        assert.equal(outcome.status, "imported");
        const rows = await unzippedRows(path);
        const day = `2024-01-0${index + 1}`;
        reference.import({ kind: "weekly", from: day, to: day, rows }, FORCE);
        using directory = registry.directory();
        const found = directory.lookup.taxonomies.matching("");
        const nothing = {
          grouping: null,
          classification: null,
          specialization: null,
        };
        const ungrouped = found.map((entry) =>
          Object.assign({}, entry, nothing),
        );
        assert.deepEqual(
          ungrouped,
          referenceTaxonomies(reference.providers(), reference.codes(), names),
        );
        for (const row of nucc) {
          const entry = directory.lookup.taxonomies.find(row["Code"] ?? "");
          assert.equal(entry?.grouping, row["Grouping"] || null);
          assert.equal(entry.classification, row["Classification"] || null);
          assert.equal(entry.specialization, row["Specialization"] || null);
        }
        sameAsSearches(directory);
      }
    },
  );
});

function sameTaxonomies(
  engine: Engine,
  reference: ReferenceRegistry,
  table: ReadonlyMap<string, string>,
  hasSlots: boolean,
): void {
  const { taxonomies } = engine.directory().lookup;
  const all = referenceTaxonomies(
    reference.providers(),
    hasSlots ? reference.codes() : null,
    table,
  );
  for (const q of TEXTS)
    same(
      { q, found: taxonomies.matching(q) },
      { q, found: matchingTaxonomies(all, q) },
    );
  for (const entry of all) {
    same(taxonomies.find(entry.code), entry);
    same(taxonomies.find(entry.code.toLowerCase()), entry);
  }
  same(taxonomies.find("0000000000"), null);
}

/** Each count is the total of the search for it. */
function sameAsSearches(directory: ParsedDirectory): void {
  for (const {
    active_providers: counts,
    code,
  } of directory.lookup.taxonomies.matching(""))
    for (const taxonomy_scope of ["primary", "any"] as const) {
      const total = (entity_type: "individual" | "organization"): number =>
        directory.found({
          taxonomy: code,
          taxonomy_scope,
          entity_type,
          status: "active",
          limit: 1,
          page: 1,
        }).total;
      same(
        { code, taxonomy_scope, counts: counts[taxonomy_scope] },
        {
          code,
          taxonomy_scope,
          counts: {
            individuals: total("individual"),
            organizations: total("organization"),
          },
        },
      );
    }
}
