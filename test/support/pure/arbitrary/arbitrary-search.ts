/**
 * Searches that often hit: made from numbers (which shrink), then filled with values of the registry. Most take all
 * their values from one provider, so even a search by every filter finds one.
 */

import {
  filtersOf as filtersTakenBy,
  type FilterName,
  type ScopeName,
} from "../../../../src/contract/filters.ts";
import * as fc from "fast-check";
import type { Provider } from "../../../../src/contract/provider.ts";
import { STATE_CODES } from "../../../../src/contract/states.ts";
import type { FilterValues } from "../../../../src/contract/parameters/filter-schemas.ts";
import type { SearchQuery } from "../../../../src/search/query.ts";
import type { References } from "./arbitrary-registry.ts";
import {
  arbitraryTextAsk,
  askedText,
  onceIn,
  type TextAsk,
} from "./arbitrary-text.ts";
import { someAlias } from "../reference/reference-aliases.ts";
import { someCommonWords } from "../reference/reference-common-specialties.ts";
import { fold } from "../../../../src/text/fold.ts";
import { CENTROIDS, LOST_ZIPS, TAXONOMY_CODES } from "./colliding-values.ts";
import { placeOf } from "../reference/reference-place.ts";

/** The values for queries. */
export interface Known extends References {
  providers: readonly Provider[];
}

/** A search before its registry is known. */
export interface SearchAsk {
  filters: readonly string[];
  /** The provider whose values are used. */
  provider: number;
  /** Takes each value from a different provider, so the filters rarely agree. */
  scattered: boolean;
  texts: Record<
    "name" | "first_name" | "last_name" | "organization" | "city" | "specialty",
    TextAsk
  >;
  lowerCase: boolean;
  /** Decides if the chosen provider has no value for the filter. */
  anyValue: number;
  /** True if results are sorted by name; null if the query doesn't say. */
  byName: boolean | null;
  limit: number;
  page: number;
}

const WELL_FORMED_ZIPS = [...CENTROIDS.map(([zip]) => zip), ...LOST_ZIPS];
const DAYS = ["1900-01-01", "2019-12-31", "2026-11-01", "2079-06-05"];
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
  const filter = fc.constantFrom(...ASKED_FILTERS);
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
      { weight: 4, arbitrary: fc.subarray([...ASKED_FILTERS]) },
    ),
    provider: fc.nat(9_999),
    scattered: onceIn(6),
    texts: fc.record({
      name: anyText,
      first_name: anyText,
      last_name: anyText,
      organization: anyText,
      city: anyText,
      specialty: anyText,
    }),
    lowerCase: fc.boolean(),
    anyValue: fc.nat(9_999),
    byName: fc.constantFrom(null, null, false, true, true),
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

/** How a filter's value is chosen. */
interface AskedFilter {
  /** True if a provider has a value for the filter. */
  has(provider: Provider): boolean;
  /** Sets a query's filter to the provider's value, or to any value if it has none. */
  ask(query: FilterValues, by: SearchAsk, provider: Provider, all: Known): void;
}

/** All filters except scopes. */
const ASKED: Readonly<Record<Exclude<FilterName, ScopeName>, AskedFilter>> = {
  name: {
    has: ({ name, organization_name: organization }) =>
      name !== null || organization !== null,
    ask(query, { texts }, provider) {
      query.name = askedText(texts.name, namesOf(provider), "words");
    },
  },
  first_name: {
    has: ({ name }) => name?.first != null,
    ask(query, { texts }, { name }) {
      const first = name?.first ?? null;
      query.first_name = askedText(texts.first_name, [first], "start");
    },
  },
  name_aliases: {
    has: ({ name }) => name?.first != null,
    ask(query, _by, { name }) {
      query.name_aliases = "true";
      query.first_name ??= someAlias((name?.first ?? "BOB").toUpperCase());
    },
  },
  middle_initial: {
    has: ({ name }) => initialOf(name?.middle) !== undefined,
    ask(query, by, { name }) {
      query.middle_initial = inAnyCase(by, initialOf(name?.middle) ?? "A");
    },
  },
  last_name: {
    has: ({ name }) => name?.last != null,
    ask(query, { texts }, { name }) {
      const last = name?.last ?? null;
      query.last_name = askedText(texts.last_name, [last], "start");
    },
  },
  organization: {
    has: ({ organization_name: organization }) => organization !== null,
    ask(query, { texts }, { organization_name: organization }) {
      query.organization = askedText(
        texts.organization,
        [organization],
        "words",
      );
    },
  },
  city: {
    has: (provider) => placeOf(provider).city !== "",
    ask(query, { texts }, { practice_address: address }) {
      query.city = askedText(texts.city, [address?.city ?? null], "whole");
    },
  },
  state: {
    has: (provider) => placeOf(provider).state !== null,
    ask(query, by, provider) {
      const { state } = placeOf(provider);
      query.state = inAnyCase(by, state ?? pick(STATE_CODES, by));
    },
  },
  zip: {
    has: (provider) => placeOf(provider).zip !== "",
    ask(query, by, provider) {
      query.zip = placeOf(provider).zip || pick(WELL_FORMED_ZIPS, by);
    },
  },
  country: {
    has: ({ practice_address: address }) => address?.country != null,
    ask(query, by, { practice_address: address }) {
      const country = address?.country ?? "";
      const isCode = /^[A-Z]{2}$/i.test(country);
      query.country = inAnyCase(by, isCode ? country : "CA");
    },
  },
  entity_type: {
    has: ({ entity_type: type }) => type !== null,
    ask(query, by, { entity_type: type }) {
      query.entity_type = type ?? pick(["individual", "organization"], by);
    },
  },
  status: {
    has: () => true,
    ask(query, _by, { status }) {
      query.status = status;
    },
  },
  last_updated_since: {
    has: ({ last_updated: day }) => day !== null,
    ask(query, by, { last_updated: day }) {
      query.last_updated_since = day ?? pick(DAYS, by);
    },
  },
  taxonomy: {
    has: ({ primary_taxonomy: taxonomy }) => isTaxonomyCode(taxonomy?.code),
    ask(query, by, { primary_taxonomy: taxonomy }) {
      const own = taxonomy?.code;
      query.taxonomy = inAnyCase(
        by,
        isTaxonomyCode(own) ? own : pick(WELL_FORMED_CODES, by),
      );
    },
  },
  specialty: {
    has: ({ primary_taxonomy: taxonomy }) => taxonomy?.description != null,
    ask(query, { texts }, { primary_taxonomy: taxonomy }, all) {
      const offered =
        taxonomy?.description == null
          ? [...all.taxonomy.values()]
          : [taxonomy.description];
      query.specialty = askedText(texts.specialty, offered, "words");
    },
  },
  specialty_scope: {
    has: ({ primary_taxonomy: taxonomy }) =>
      someCommonWords(taxonomy?.code ?? "", 0) !== undefined,
    ask(query, by, { primary_taxonomy: taxonomy }) {
      query.specialty_scope = by.anyValue % 5 === 0 ? "display" : "common";
      const words =
        someCommonWords(taxonomy?.code ?? "", by.anyValue) ?? "EYE DOCTOR";
      query.specialty ??= inAnyCase(by, words);
    },
  },
};

/** The filters that searches use. */
const ASKED_FILTERS: readonly string[] = Object.keys(ASKED);
const BY_NAME: Readonly<Record<string, AskedFilter>> = ASKED;
const OF_NEARBY: ReadonlySet<string> = new Set(filtersTakenBy("nearby"));

/** The search for an ask. */
export function searchQuery(ask: SearchAsk, known: Known): SearchQuery {
  const { byName, limit, page } = ask;
  const query = { ...filtersOf(ask, known, () => true), limit, page };
  return byName === null
    ? query
    : { ...query, sort: byName ? "name" : "relevance" };
}

/** The filters of an ask that nearby also has. */
export function sharedFilters(ask: SearchAsk, known: Known): FilterValues {
  return filtersOf(ask, known, (name) => OF_NEARBY.has(name));
}

/**
 * The filters to use, with values of one provider, as far as it has them, because others would exclude it; in a
 * scattered ask all filters, each with another provider's value.
 */
function filtersOf(
  ask: SearchAsk,
  known: Known,
  isTaken: (name: string) => boolean,
): FilterValues {
  const { providers } = known;
  const query: FilterValues = {};
  for (const name of ask.filters) {
    const further = ask.scattered ? ASKED_FILTERS.indexOf(name) : 0;
    const provider = providers[(ask.provider + further) % providers.length];
    const filter = BY_NAME[name];
    if (provider === undefined || filter === undefined) continue;
    if (isTaken(name) && (ask.scattered || filter.has(provider)))
      filter.ask(query, ask, provider, known);
  }
  return query;
}

/** The names by which a provider is found; whole names twice, because they rank differently. */
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

/** The letter from A to Z with which a middle name starts. */
function initialOf(middle: string | null | undefined): string | undefined {
  return /^[A-Z]/.exec(fold(middle ?? ""))?.[0];
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
