/** Further slots, names and locations of providers, and queries for them. */

import * as fc from "fast-check";
import type { Address } from "../../../../src/contract/details.ts";
import type { Provider } from "../../../../src/contract/provider.ts";
import type { NearbyQuery, SearchQuery } from "../../../../src/search/query.ts";
import { nearbyQuery, type NearbyAsk } from "./arbitrary-nearby.ts";
import { searchQuery, type Known, type SearchAsk } from "./arbitrary-search.ts";
import {
  CITIES,
  COMMON_FIRST_NAMES,
  COMMON_LAST_NAMES,
  COUNTRIES,
  FIRST_NAMES,
  LAST_NAMES,
  ORGANIZATIONS,
  POSTAL_CODES,
  STATES,
  TAXONOMY_CODES,
} from "./colliding-values.ts";
import type {
  DetailsByNpi,
  SearchableDetails,
  SearchableName,
} from "../registry/searchable-details.ts";

/** The scopes of a query. */
export interface ScopesAsk {
  name_scope?: "primary" | "any";
  taxonomy_scope?: "primary" | "any";
  location_scope?: "primary" | "any";
}

/** Details to be dealt out to the providers in turn. */
export function arbitraryDetails(): fc.Arbitrary<SearchableDetails[]> {
  const person = fc.record({
    organization: fc.constant(null),
    last: oneOf([...COMMON_LAST_NAMES, ...LAST_NAMES]),
    first: oneOf([...COMMON_FIRST_NAMES, ...FIRST_NAMES]),
  });
  const organization = fc.record({
    organization: oneOf(ORGANIZATIONS),
    last: fc.constant(null),
    first: fc.constant(null),
  });
  const location: fc.Arbitrary<Address> = fc
    .record({
      address_1: oneOf(["1 MAIN ST", 'THE "ANNEX"']),
      address_2: oneOf(["STE 2"]),
      city: oneOf(CITIES),
      state: oneOf(STATES),
      postal_code: oneOf(POSTAL_CODES),
      country: oneOf([...COUNTRIES, "US", "US", "US"]),
    })
    .map(plain);
  const code = fc
    .tuple(fc.constantFrom(...TAXONOMY_CODES), fc.nat(5))
    .map(([text, lower]) => (lower === 0 ? text.toLowerCase() : text))
    .map((text) => text.trim())
    .filter((text) => text !== "");
  const details = fc.record({
    taxonomies: fc.array(code, { maxLength: 4 }),
    otherNames: fc.array(fc.oneof(person, organization), { maxLength: 3 }),
    locations: fc.array(location, { maxLength: 3 }),
  });
  return fc.array(details, { minLength: 1, maxLength: 60, size: "max" });
}

export function arbitraryScopes(): fc.Arbitrary<ScopesAsk> {
  const scope = fc.constantFrom("any" as const, "any" as const, "primary");
  return fc
    .record(
      { name_scope: scope, taxonomy_scope: scope, location_scope: scope },
      { requiredKeys: [] },
    )
    .map((scopes) => scopes);
}

/** The search for an ask, with scopes. */
export function scopedSearch(
  [ask, { name_scope, taxonomy_scope }]: readonly [SearchAsk, ScopesAsk],
  known: Known,
): SearchQuery {
  return {
    ...searchQuery(ask, known),
    ...(name_scope && { name_scope }),
    ...(taxonomy_scope && { taxonomy_scope }),
  };
}

/** The nearby query for an ask, with scopes. */
export function scopedNearby(
  [ask, scopes]: readonly [NearbyAsk, ScopesAsk],
  known: Known,
): NearbyQuery {
  return { ...nearbyQuery(ask, known), ...scopes };
}

/**
 * Two in three providers get details. Their own taxonomy is always included, because there are no others without it.
 */
export function detailsOf(
  providers: readonly Provider[],
  dealt: readonly SearchableDetails[],
): DetailsByNpi {
  return new Map(
    providers.flatMap(
      (
        { npi, primary_taxonomy: own },
        index,
      ): [string, SearchableDetails][] => {
        const details = dealt[index % dealt.length];
        if (index % 3 === 0 || details === undefined) return [];
        const taxonomies =
          own === null ? [] : [own.code, ...details.taxonomies];
        return [[npi, { ...details, taxonomies }]];
      },
    ),
  );
}

/** The values for queries: includes the providers as their other names and slots would have them. */
export function knownWithDetails(known: Known, details: DetailsByNpi): Known {
  const { centroids, taxonomy } = known;
  const providers: Provider[] = [];
  for (const provider of known.providers) {
    providers.push(provider);
    const further = details.get(provider.npi);
    if (further === undefined) continue;
    for (const name of further.otherNames)
      providers.push(renamed(provider, name));
    for (const code of further.taxonomies) {
      const description = taxonomy.get(code.toUpperCase()) ?? null;
      providers.push({ ...provider, primary_taxonomy: { code, description } });
    }
  }
  return { centroids, taxonomy, providers };
}

function renamed(
  provider: Provider,
  { first, last, organization }: SearchableName,
): Provider {
  const person = {
    first: first ?? provider.name?.first ?? null,
    middle: null,
    last: last ?? provider.name?.last ?? null,
    credential: null,
  };
  return {
    ...provider,
    name: organization === null ? person : null,
    organization_name: organization,
  };
}

/** A value as it is shown, or null. */
function oneOf(pool: readonly string[]): fc.Arbitrary<string | null> {
  const shown = pool
    .map((value) => value.trim())
    .filter((value) => !/^[-_=*$#. ]*$/.test(value));
  return fc.oneof(
    { weight: 8, arbitrary: fc.constantFrom(...shown) },
    fc.constant(null),
  );
}

/** With the usual prototype, so it equals what is read. */
function plain({
  address_1,
  address_2,
  city,
  country,
  postal_code,
  state,
}: Address): Address {
  return { address_1, address_2, city, state, postal_code, country };
}
