import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { FILTER_NAMES } from "../../src/contract/filters.ts";
import {
  NearbyParameters,
  SearchParameters,
} from "../../src/contract/parameters.ts";
import { arbitraryNearbyAsk } from "../support/pure/arbitrary/arbitrary-nearby.ts";
import { arbitraryRegistry } from "../support/pure/arbitrary/arbitrary-registry.ts";
import {
  arbitraryScopes,
  scopedNearby,
  scopedSearch,
} from "../support/pure/arbitrary/arbitrary-scopes.ts";
import {
  arbitrarySearchAsk,
  type Known,
} from "../support/pure/arbitrary/arbitrary-search.ts";
import {
  FORCE,
  fullFile,
  ReferenceRegistry,
} from "../support/pure/reference/reference-registry.ts";
import { READINGS } from "../support/pure/reference/reference-search.ts";

const SAMPLED = { seed: 1, numRuns: 500 };

test("the reference reads every filter, and no other", () => {
  assert.deepEqual(Object.keys(READINGS).sort(), [...FILTER_NAMES].sort());
});

test("random queries use every parameter of searches and nearby", () => {
  const [registry] = fc.sample(
    arbitraryRegistry({ minRows: 100, maxRows: 200 }),
    { ...SAMPLED, numRuns: 1 },
  );
  const held = new ReferenceRegistry(registry!.taxonomy);
  held.import(fullFile(registry!.rows), FORCE);
  const known: Known = { ...registry!, providers: held.providers() };
  const searches = fc
    .sample(fc.tuple(arbitrarySearchAsk(), arbitraryScopes()), SAMPLED)
    .map((ask) => scopedSearch(ask, known));
  const nearby = fc
    .sample(fc.tuple(arbitraryNearbyAsk(), arbitraryScopes()), SAMPLED)
    .map((ask) => scopedNearby(ask, known));
  // A snapshot says which data are searched, and a ZIP only chooses a center.
  assert.deepEqual(
    namesIn(searches),
    namesOf(SearchParameters.properties, ["snapshot"]),
  );
  assert.deepEqual(
    namesIn(nearby.flatMap(({ center, ...query }) => [query, center])),
    namesOf(NearbyParameters.properties, ["snapshot", "zip"]),
  );
});

/** The parameters of a contract's table, without some. */
function namesOf(properties: object, without: readonly string[]): Set<string> {
  return new Set(
    Object.keys(properties).filter((name) => !without.includes(name)),
  );
}

/** The parameters that queries have. */
function namesIn(queries: readonly object[]): Set<string> {
  return new Set(queries.flatMap((query) => Object.keys(query)));
}
