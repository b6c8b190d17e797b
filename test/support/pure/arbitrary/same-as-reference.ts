import type { NearbyQuery, SearchQuery } from "../../../../src/search/query.ts";
import { same } from "./check.ts";
import type { ParsedDirectory } from "../engine/parsed-directory.ts";
import { MAX_FACET_VALUES } from "../../../../src/contract/filters.ts";
import {
  differencesIn,
  shownByReference,
  shownOn,
} from "../reference/reference-map.ts";
import type { ReferenceDirectory } from "../reference/reference-search.ts";

/** Compares a page of a search, its total, its map, and its facets. */
export function sameSearch(
  directory: ParsedDirectory,
  reference: ReferenceDirectory,
  query: SearchQuery,
): void {
  same(
    { query, page: directory.found(query) },
    { query, page: reference.search(query) },
  );
  const { map } = directory.explore;
  const most = query.limit % 9;
  same(
    { query, map: shownOn(map, map.search(query), most) },
    { query, map: shownByReference(reference.searchMap(query), most) },
  );
  const { facets } = map.search(query);
  const expected = reference.searchFacets(query);
  same(
    { query, problems: differencesIn(facets, expected, MAX_FACET_VALUES) },
    { query, problems: [] },
  );
}

/** Compares a page of a nearby search, its total, its map, and its facets. */
export function sameNearby(
  directory: ParsedDirectory,
  reference: ReferenceDirectory,
  query: NearbyQuery,
): void {
  const expected = reference.nearbyMap(query);
  same(
    { query, found: directory.near(query) },
    { query, found: reference.nearby(query) },
  );
  const { map } = directory.explore;
  const most = query.limit % 9;
  same(
    { query, map: shownOn(map, map.nearby(query), most) },
    { query, map: shownByReference(expected, most) },
  );
  const { facets } = map.nearby(query);
  const counted = reference.nearbyFacets(query);
  same(
    { query, problems: differencesIn(facets, counted, MAX_FACET_VALUES) },
    { query, problems: [] },
  );
  const { total } = expected;
  same({ query, total: directory.nearby.total(query) }, { query, total });
}
