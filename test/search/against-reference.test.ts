import type { SearchEntry } from "../../src/contract/provider.ts";
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import * as fc from "fast-check";
import type { Point, SearchQuery } from "../../src/search/query.ts";
import { check, same } from "../support/pure/arbitrary/check.ts";
import { arbitraryHistory } from "../support/pure/arbitrary/arbitrary-history.ts";
import { arbitraryLayout } from "../support/pure/arbitrary/arbitrary-layout.ts";
import {
  arbitraryNearbyAsk,
  nearbyQuery,
} from "../support/pure/arbitrary/arbitrary-nearby.ts";
import {
  arbitraryPoint,
  arbitraryRegistry,
  type Registry,
} from "../support/pure/arbitrary/arbitrary-registry.ts";
import {
  arbitrarySearchAsk,
  type Known,
  searchQuery,
} from "../support/pure/arbitrary/arbitrary-search.ts";
import { LOST_ZIPS } from "../support/pure/arbitrary/colliding-values.ts";
import type { ParsedDirectory } from "../support/pure/engine/parsed-directory.ts";
import { type Engine, startEngine } from "../support/pure/engine/engine.ts";
import { inventedNpi } from "../support/pure/registry/invented-npi.ts";
import { type RawRow, rawValue } from "../support/pure/registry/raw-row.ts";
import {
  FORCE,
  fullFile,
  ReferenceRegistry,
} from "../support/pure/reference/reference-registry.ts";
import {
  sameNearby,
  sameSearch,
} from "../support/pure/arbitrary/same-as-reference.ts";
import { ReferenceDirectory } from "../support/pure/reference/reference-search.ts";
import type { CsvLayout } from "../support/pure/registry/registry-csv.ts";

const NEVER_HELD = [123_456_789, 987_654_321, 299_999_998].map(inventedNpi);

const anyRegistry = arbitraryRegistry({ minRows: 10, maxRows: 400 });
const smallRegistry = arbitraryRegistry({ minRows: 10, maxRows: 60 });

describe("the engine, against the reference search", () => {
  it("answers every search as the reference does", async () => {
    const asks = fc.array(arbitrarySearchAsk(), {
      minLength: 40,
      maxLength: 60,
    });
    await check(
      25,
      fc.tuple(anyRegistry, arbitraryLayout(), asks),
      async ([registry, layout, searches]) => {
        const { reference, known } = referenceOf(registry);
        await using engine = await imported(registry, layout);
        for (const ask of searches) {
          const query = searchQuery(ask, known);
          sameSearch(engine.directory(), reference, query);
        }
      },
      2,
    );
  });

  it("answers every nearby query as the reference does, and knows the same centroids", async () => {
    const asks = fc.array(arbitraryNearbyAsk(), {
      minLength: 30,
      maxLength: 40,
    });
    const points = fc.array(arbitraryPoint(), { minLength: 10, maxLength: 10 });
    await check(
      25,
      fc.tuple(anyRegistry, arbitraryLayout(), asks, points),
      async ([registry, layout, all, anywhere]) => {
        const { reference, known } = referenceOf(registry);
        await using engine = await imported(registry, layout);
        const directory = engine.directory();
        for (const ask of all) {
          sameNearby(directory, reference, nearbyQuery(ask, known));
        }
        for (const zip of [...registry.centroids.keys(), ...LOST_ZIPS]) {
          same(
            { zip, at: directory.nearby.centroid(zip) },
            { zip, at: reference.centroid(zip) },
          );
        }
        for (const point of [...anywhere, ...registry.centroids.values()]) {
          same(
            { point, zip: directory.nearby.nearestZip(point) },
            { point, zip: reference.nearestZip(point) },
          );
        }
      },
      2,
    );
  });

  it("looks up every record as the reference reads it", async () => {
    await check(
      40,
      fc.tuple(anyRegistry, arbitraryLayout()),
      async ([registry, layout]) => {
        await using engine = await imported(registry, layout);
        sameRecords(
          registry.rows,
          engine.directory(),
          referenceOf(registry).reference,
        );
      },
    );
  });

  it("serves every match once over all pages, in the reference's order, with one total", async () => {
    const limit = fc.integer({ min: 1, max: 30 });
    const asks = fc.array(fc.tuple(arbitrarySearchAsk(), limit), {
      minLength: 3,
      maxLength: 3,
    });
    await check(
      25,
      fc.tuple(smallRegistry, arbitraryLayout(), asks),
      async ([registry, layout, searches]) => {
        const { reference, known } = referenceOf(registry);
        await using engine = await imported(registry, layout);
        const queries = searches.map(([ask, pageLimit]) =>
          searchQuery({ ...ask, limit: pageLimit }, known),
        );
        for (const query of [...queries, { limit: 7, page: 1 }]) {
          const whole = reference.search({
            ...query,
            limit: registry.rows.length,
            page: 1,
          });
          const entries = allPages(engine.directory(), query, whole.total);
          same({ query, entries }, { query, entries: whole.entries });
          const records = recordsOf(engine.directory().file(query, "ndjson"));
          same(
            { query, records },
            {
              query,
              records: entries.map(({ npi }) => reference.lookup(npi)),
            },
          );
        }
      },
    );
  });

  it("equals the reference after any sequence of files", async () => {
    await check(
      25,
      fc.tuple(arbitraryHistory(), arbitraryLayout()),
      async ([history, layout]) => {
        const rows = history.steps.flatMap(({ file }) => file.rows);
        const reference = new ReferenceRegistry(history.taxonomy);
        await using engine = await startEngine(history, layout);
        for (const { file, options } of history.steps) {
          assert.equal(
            await engine.import(file, options),
            reference.import(file, options),
          );
          sameRecords(
            rows,
            engine.directory(),
            new ReferenceDirectory(reference.providers(), history.centroids),
          );
        }
      },
      2,
    );
  });
});

function recordsOf(lines: string): unknown[] {
  return lines
    .split("\n")
    .slice(0, -1)
    .map((line): unknown => JSON.parse(line));
}

async function imported(
  registry: Registry,
  layout: CsvLayout,
): Promise<Engine> {
  await using stack = new AsyncDisposableStack();
  const engine = stack.use(await startEngine(registry, layout));
  await engine.import(fullFile(registry.rows), FORCE);
  // Imported: from here on, the caller removes the folder.
  stack.move();
  return engine;
}

function referenceOf(registry: Registry): {
  reference: ReferenceDirectory;
  known: Known;
} {
  const held = new ReferenceRegistry(registry.taxonomy);
  held.import(fullFile(registry.rows), FORCE);
  const providers = held.providers();
  return {
    reference: new ReferenceDirectory(providers, registry.centroids),
    known: { ...registry, providers },
  };
}

/** Compares the records of all NPIs in the rows, of some that are not, and the order of all. */
function sameRecords(
  rows: readonly RawRow[],
  directory: ParsedDirectory,
  reference: ReferenceDirectory,
): void {
  const named = rows
    .map((row) => rawValue(row, "npi"))
    .filter((npi) => /^[0-9]{10}$/.test(npi));
  for (const npi of new Set([...named, ...NEVER_HELD])) {
    same(
      { npi, record: directory.recordOf(npi), at: pointOf(directory, npi) },
      { npi, record: reference.lookup(npi), at: reference.pointOf(npi) },
    );
  }
  for (const sort of ["relevance", "name"] as const) {
    const all = { sort, limit: 100, page: 1 };
    same(directory.found(all), reference.search(all));
  }
}

function pointOf(directory: ParsedDirectory, npi: string): Point | null {
  const record = directory.lookup.find(npi);
  return record && directory.explore.map.pointOf(record);
}

/** The entries of all pages, and of one page past the end. */
function allPages(
  directory: ParsedDirectory,
  query: SearchQuery,
  total: number,
): SearchEntry[] {
  const pages = Array.from(
    { length: Math.ceil(total / query.limit) + 1 },
    (_, index) => directory.found({ ...query, page: index + 1 }),
  );
  for (const page of pages) assert.equal(page.total, total);
  return pages.flatMap(({ entries }) => entries);
}
