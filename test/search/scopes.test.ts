import { describe, it } from "node:test";
import * as fc from "fast-check";
import { arbitraryNearbyAsk } from "../support/pure/arbitrary/arbitrary-nearby.ts";
import {
  arbitraryRegistry,
  type Registry,
} from "../support/pure/arbitrary/arbitrary-registry.ts";
import {
  arbitraryDetails,
  arbitraryScopes,
  detailsOf,
  knownWithDetails,
  scopedNearby,
  scopedSearch,
} from "../support/pure/arbitrary/arbitrary-scopes.ts";
import {
  arbitrarySearchAsk,
  type Known,
} from "../support/pure/arbitrary/arbitrary-search.ts";
import { check, same } from "../support/pure/arbitrary/check.ts";
import { type Engine, startEngine } from "../support/pure/engine/engine.ts";
import type { SearchableDetails } from "../support/pure/registry/searchable-details.ts";
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
import { officialLayout } from "../support/pure/registry/registry-csv.ts";

const anyRegistry = arbitraryRegistry({ minRows: 10, maxRows: 300 });

describe("the engine with scopes of any, against the reference search", () => {
  it("answers every search as the reference does", async () => {
    const asks = fc.array(fc.tuple(arbitrarySearchAsk(), arbitraryScopes()), {
      minLength: 60,
      maxLength: 80,
    });
    await check(
      20,
      fc.tuple(anyRegistry, arbitraryDetails(), asks),
      async ([registry, dealt, searches]) => {
        await using widened = await widenedEngine(registry, dealt);
        const { engine, known, reference } = widened;
        const directory = engine.directory();
        for (const ask of searches) {
          const query = scopedSearch(ask, known);
          const page = reference.search(query);
          sameSearch(directory, reference, query);
          const { hits } = directory.search.page(query);
          const { notes } = directory.explore.notesOfPage(
            "search",
            query,
            hits,
          );
          for (const [index, { npi }] of page.entries.entries())
            same(
              { query, npi, isExplained: true },
              {
                query,
                npi,
                isExplained: reference.isExplained(query, npi, notes[index]!),
              },
            );
          const whole = reference.search({ ...query, page: 1, limit: 1e6 });
          const lines = directory.file(query, "ndjson").split("\n");
          same(
            { query, npis: lines.slice(0, -1).map(npiOf) },
            { query, npis: whole.entries.map(({ npi }) => npi) },
          );
        }
      },
      2,
    );
  });

  it("answers every nearby query as the reference does", async () => {
    const asks = fc.array(fc.tuple(arbitraryNearbyAsk(), arbitraryScopes()), {
      minLength: 60,
      maxLength: 80,
    });
    await check(
      20,
      fc.tuple(anyRegistry, arbitraryDetails(), asks),
      async ([registry, dealt, all]) => {
        await using widened = await widenedEngine(registry, dealt);
        const { engine, known, reference } = widened;
        const directory = engine.directory();
        for (const ask of all) {
          sameNearby(directory, reference, scopedNearby(ask, known));
        }
      },
      2,
    );
  });

  it("answers all pages around every ZIP as the reference does", async () => {
    await check(
      20,
      fc.tuple(anyRegistry, arbitraryDetails(), fc.integer({ min: 1, max: 7 })),
      async ([registry, dealt, limit]) => {
        await using widened = await widenedEngine(registry, dealt);
        const { engine, reference } = widened;
        const directory = engine.directory();
        for (const center of registry.centroids.values()) {
          const query = { center, radius: 500, location_scope: "any" } as const;
          const whole = reference.nearby({ ...query, limit: 1e6, page: 1 });
          for (let from = 0; from <= whole.length; from += limit) {
            const page = { ...query, limit, page: from / limit + 1 };
            same(
              { page, found: directory.near(page) },
              { page, found: whole.slice(from, from + limit) },
            );
          }
        }
      },
      2,
    );
  });
});

function npiOf(line: string): string {
  return JSON.parse(line).npi;
}

interface WidenedEngine extends AsyncDisposable {
  engine: Engine;
  reference: ReferenceDirectory;
  known: Known;
}

/** An installation whose providers have details, and the reference for the same registry. */
async function widenedEngine(
  registry: Registry,
  dealt: readonly SearchableDetails[],
): Promise<WidenedEngine> {
  const { centroids, rows, taxonomy } = registry;
  const file = fullFile(rows);
  await using stack = new AsyncDisposableStack();
  const engine = stack.use(await startEngine(registry, officialLayout(), []));
  await engine.import(file, FORCE);
  const held = new ReferenceRegistry(taxonomy);
  held.import(file, FORCE);
  const providers = held.providers();
  const details = detailsOf(providers, dealt);
  await engine.widen(details);
  const owned = stack.move();
  return {
    engine,
    reference: new ReferenceDirectory(providers, centroids, details, taxonomy),
    known: knownWithDetails({ ...registry, providers }, details),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}
