/**
 * Searches that often hit: made from numbers (which shrink), then filled with values of the registry at hand. Most take
 * all their values from one provider, so that also a search by every filter at once finds somebody.
 */

import * as fc from "fast-check";
import type { Provider } from "../../../src/contract/provider.ts";
import { STATE_CODES } from "../../../src/contract/states.ts";
import type { Filters, SearchQuery } from "../../../src/search/query.ts";
import type { References } from "./arbitrary-registry.ts";
import {
  arbitraryTextAsk,
  askedText,
  onceIn,
  type TextAsk,
} from "./arbitrary-text.ts";
import { CENTROIDS, LOST_ZIPS, TAXONOMY_CODES } from "./colliding-values.ts";
import { placeOf } from "../reference/reference-place.ts";

/** What queries take their values from. */
export interface Known extends References {
  providers: readonly Provider[];
}

const FILTERS = [
  "name",
  "firstName",
  "lastName",
  "organization",
  "city",
  "state",
  "zip",
  "entityType",
  "status",
  "taxonomy",
  "specialty",
] as const;
type Filter = (typeof FILTERS)[number];

/** A search before it knows its registry. */
export interface SearchAsk {
  filters: readonly Filter[];
  /** The provider that the values are taken from. */
  provider: number;
  /** Takes each value from a provider of its own, so that the filters rarely agree. */
  scattered: boolean;
  texts: Record<
    "name" | "firstName" | "lastName" | "organization" | "city" | "specialty",
    TextAsk
  >;
  lowerCase: boolean;
  /** Decides where the provider at hand has no value that can be asked for. */
  anyValue: number;
  limit: number;
  page: number;
}

const WELL_FORMED_ZIPS = [...CENTROIDS.map(([zip]) => zip), ...LOST_ZIPS];
const WELL_FORMED_CODES = TAXONOMY_CODES.filter(isTaxonomyCode);
const FAR_PAGES = [
  400,
  100_000,
  42_949_673,
  2 ** 31,
  2 ** 32 + 1,
  Number.MAX_SAFE_INTEGER,
];

export function arbitrarySearchAsk(): fc.Arbitrary<SearchAsk> {
  const anyText = arbitraryTextAsk();
  const filter = fc.constantFrom(...FILTERS);
  return fc.record({
    filters: fc.oneof(
      {
        weight: 5,
        arbitrary: fc.uniqueArray(filter, { minLength: 1, maxLength: 1 }),
      },
      {
        weight: 6,
        arbitrary: fc.uniqueArray(filter, {
          minLength: 2,
          maxLength: 4,
          size: "max",
        }),
      },
      { weight: 4, arbitrary: fc.subarray(Array.from(FILTERS)) },
    ),
    provider: fc.nat(9_999),
    scattered: onceIn(6),
    texts: fc.record({
      name: anyText,
      firstName: anyText,
      lastName: anyText,
      organization: anyText,
      city: anyText,
      specialty: anyText,
    }),
    lowerCase: fc.boolean(),
    anyValue: fc.nat(9_999),
    limit: fc.oneof(
      fc.constantFrom(1, 2, 3, 25, 99, 100),
      fc.integer({ min: 1, max: 100 }),
    ),
    page: fc.oneof(
      { weight: 6, arbitrary: fc.constant(1) },
      { weight: 3, arbitrary: fc.integer({ min: 2, max: 6 }) },
      { weight: 1, arbitrary: fc.constantFrom(...FAR_PAGES) },
    ),
  });
}

/** The search that an ask stands for. */
export function searchQuery(ask: SearchAsk, known: Known): SearchQuery {
  const query: SearchQuery = {
    ...filtersOf(ask, known),
    limit: ask.limit,
    page: ask.page,
  };
  const { texts } = ask;
  for (const [filter, provider] of filtersWithValues(ask, known)) {
    const [city, state] = [
      provider.practice_address?.city,
      placeOf(provider).state,
    ];
    const { first, last } = provider.name ?? { first: null, last: null };
    if (filter === "name")
      query.name = askedText(texts.name, namesOf(provider), "words");
    if (filter === "firstName")
      query.firstName = askedText(texts.firstName, [first], "start");
    if (filter === "lastName")
      query.lastName = askedText(texts.lastName, [last], "start");
    if (filter === "organization")
      query.organization = askedText(
        texts.organization,
        [provider.organization_name],
        "words",
      );
    if (filter === "city")
      query.city = askedText(texts.city, [city ?? null], "whole");
    if (filter === "state")
      query.state = inAnyCase(ask, state ?? pick(STATE_CODES, ask));
    if (filter === "zip")
      query.zip = placeOf(provider).zip || pick(WELL_FORMED_ZIPS, ask);
  }
  return query;
}

/** The filters of an ask that nearby has too. */
export function filtersOf(ask: SearchAsk, known: Known): Filters {
  const filters: Filters = {};
  for (const [filter, provider] of filtersWithValues(ask, known)) {
    const {
      entity_type: entityType,
      status,
      primary_taxonomy: taxonomy,
    } = provider;
    if (filter === "entityType")
      filters.entityType =
        entityType ?? pick(["individual", "organization"], ask);
    if (filter === "status") filters.status = status;
    if (filter === "taxonomy") {
      const own = taxonomy?.code;
      filters.taxonomy = inAnyCase(
        ask,
        isTaxonomyCode(own) ? own : pick(WELL_FORMED_CODES, ask),
      );
    }
    if (filter === "specialty") {
      const offered =
        taxonomy?.description == null
          ? [...known.taxonomy.values()]
          : [taxonomy.description];
      filters.specialty = askedText(ask.texts.specialty, offered, "words");
    }
  }
  return filters;
}

/**
 * The filters to ask by, each with the provider that it takes its value from: of one provider those that it has a value
 * for, for all others would only say no; in a scattered ask all, each from another provider.
 */
function filtersWithValues(
  ask: SearchAsk,
  { providers }: Known,
): [Filter, Provider][] {
  return ask.filters.flatMap((filter): [Filter, Provider][] => {
    const further = ask.scattered ? FILTERS.indexOf(filter) : 0;
    const provider = providers[(ask.provider + further) % providers.length];
    if (provider === undefined) return [];
    return ask.scattered || hasValue(provider, filter)
      ? [[filter, provider]]
      : [];
  });
}

function hasValue(provider: Provider, filter: Filter): boolean {
  const {
    name,
    organization_name: organization,
    primary_taxonomy: taxonomy,
  } = provider;
  const { state, city, zip } = placeOf(provider);
  const has: Record<Filter, boolean> = {
    name: name !== null || organization !== null,
    firstName: name?.first != null,
    lastName: name?.last != null,
    organization: organization !== null,
    city: city !== "",
    state: state !== null,
    zip: zip !== "",
    entityType: provider.entity_type !== null,
    status: true,
    taxonomy: isTaxonomyCode(taxonomy?.code),
    specialty: taxonomy?.description != null,
  };
  return has[filter];
}

/** The names that a provider is found by; whole names twice, because they rank in ways of their own. */
function namesOf({
  name,
  organization_name: organization,
}: Provider): (string | null)[] {
  if (name === null) return [organization];
  const { first, last } = name;
  const whole = [
    `${first ?? ""} ${last ?? ""}`,
    `${last ?? ""} ${first ?? ""}`,
  ];
  return [first, last, ...whole, ...whole];
}

function isTaxonomyCode(code: string | undefined): code is string {
  return code !== undefined && /^[0-9A-Za-z]{10}$/.test(code);
}

function inAnyCase(ask: SearchAsk, code: string): string {
  return ask.lowerCase ? code.toLowerCase() : code.toUpperCase();
}

function pick<T>(values: readonly T[], { anyValue }: SearchAsk): T {
  const value = values[anyValue % values.length];
  if (value === undefined) throw new Error("nothing to pick from");
  return value;
}
