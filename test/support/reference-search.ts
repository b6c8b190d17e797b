/**
 * The oracle: a slow, obvious, brute-force reading of the decisions on matching, order, pages and nearby, written from
 * the texts alone. The engine is checked against it. Arrays, filter, sort, slice; no index and nothing clever.
 */

import type { Provider } from "../../src/registry/provider.ts";
import { haversineMiles } from "../../src/search/haversine.ts";
import type {
  Filters,
  NearbyEntry,
  NearbyQuery,
  Point,
  SearchEntry,
  SearchPage,
  SearchQuery,
} from "../../src/search/query.ts";
import { foldCity } from "../../src/text/city.ts";
import { fold, words } from "../../src/text/fold.ts";
import {
  comparePlaced,
  compareText,
  type Place,
  placeOf,
} from "./reference-place.ts";

/** Centroids by five-digit ZIP. */
export type Centroids = ReadonlyMap<string, Point>;

/** How well a text filter is met; the smaller, the better. */
const EXACT = 0;
const WORD_PREFIX = 1;
const SUBSTRING = 2;
const NO_MATCH = 3;

/** A provider with what is compared of it. A text that is null or folds to nothing is ''. */
interface Candidate {
  npi: string;
  provider: Provider;
  place: Place;
  first: string;
  last: string;
  organization: string;
  specialty: string;
}

export class ReferenceDirectory {
  /** In the snapshot's own order. */
  readonly #candidates: readonly Candidate[];
  readonly #centroids: Centroids;

  /** `providers` hold each NPI once. */
  constructor(providers: Iterable<Provider>, centroids: Centroids) {
    this.#candidates = Array.from(providers, candidate).sort(comparePlaced);
    this.#centroids = centroids;
  }

  lookup(npi: string): Provider | null {
    return this.#candidates.find((each) => each.npi === npi)?.provider ?? null;
  }

  search(query: SearchQuery): SearchPage {
    const matches = this.#candidates
      .filter((each) => isMet(query, each) && isPlacedAsAsked(query, each))
      .map((each) => ({ each, tier: tier(query, each) }))
      .filter((match) => match.tier !== NO_MATCH)
      .sort((a, b) => a.tier - b.tier);
    return {
      total: matches.length,
      entries: page(matches, query).map((match) => entry(match.each)),
    };
  }

  nearby(query: NearbyQuery): NearbyEntry[] {
    const found = this.#candidates
      .filter((each) => isMet(query, each))
      .flatMap((each) => {
        const point = this.#pointOf(each);
        return point === null
          ? []
          : [{ each, miles: miles(query.center, point) }];
      })
      .filter((match) => match.miles <= query.radiusMiles)
      .sort((a, b) => a.miles - b.miles || compareText(a.each.npi, b.each.npi));
    return page(found, query).map(({ each, miles: far }) =>
      nearbyEntry(each, far),
    );
  }

  centroid(zip: string): Point | null {
    return this.#centroids.get(zip) ?? null;
  }

  /** The ZIP with the nearest centroid, the smallest of several; null without any. */
  nearestZip(point: Point): string | null {
    const byDistance = Array.from(this.#centroids, ([zip, at]) => ({
      zip,
      miles: miles(point, at),
    }));
    return (
      byDistance.sort(
        (a, b) => a.miles - b.miles || compareText(a.zip, b.zip),
      )[0]?.zip ?? null
    );
  }

  #pointOf({ place }: Candidate): Point | null {
    return place.isMilitary ? null : this.centroid(place.zip);
  }
}

function candidate(provider: Provider): Candidate {
  return {
    npi: provider.npi,
    provider,
    place: placeOf(provider),
    first: fold(provider.name?.first ?? ""),
    last: fold(provider.name?.last ?? ""),
    organization: fold(provider.organization_name ?? ""),
    specialty: fold(provider.primary_taxonomy?.description ?? ""),
  };
}

/** The filters that search and nearby share. */
function isMet(filters: Filters, { provider, specialty }: Candidate): boolean {
  const code = filters.taxonomy?.trim().toUpperCase() ?? "";
  return (
    (filters.entityType === undefined ||
      provider.entity_type === filters.entityType) &&
    (filters.status === undefined || provider.status === filters.status) &&
    (code === "" || provider.primary_taxonomy?.code.toUpperCase() === code) &&
    words(fold(filters.specialty ?? "")).every((word) =>
      specialty.includes(word),
    )
  );
}

function isPlacedAsAsked(query: SearchQuery, { place }: Candidate): boolean {
  const city = foldCity(query.city ?? "");
  const state = query.state?.trim().toUpperCase() ?? "";
  const zip = query.zip?.trim() ?? "";
  return (
    (city === "" || place.city === city) &&
    (state === "" || place.state === state) &&
    (zip === "" || place.zip === zip)
  );
}

/** The worst tier of the text filters given; EXACT without any. */
function tier(
  query: SearchQuery,
  { first, last, organization }: Candidate,
): number {
  return Math.max(
    tierOfWords(
      query.name,
      [first, last, organization],
      [`${first} ${last}`, `${last} ${first}`],
    ),
    tierOfStart(query.firstName, first),
    tierOfStart(query.lastName, last),
    tierOfWords(query.organization, [organization], []),
  );
}

/** `name` and `organization`: each word is a substring of some field. `joined`: further wholes that count as exact. */
function tierOfWords(
  value: string | undefined,
  fields: readonly string[],
  joined: readonly string[],
): number {
  const asked = fold(value ?? "");
  if (asked === "") return EXACT;
  const each = words(asked);
  if (!each.every((word) => fields.some((field) => field.includes(word))))
    return NO_MATCH;
  if (fields.includes(asked) || joined.includes(asked)) return EXACT;
  return each.every((word) => fields.some((field) => beginsWordOf(field, word)))
    ? WORD_PREFIX
    : SUBSTRING;
}

/** `first_name` and `last_name`: the whole field starts with the value. */
function tierOfStart(value: string | undefined, field: string): number {
  const asked = fold(value ?? "");
  if (asked === "" || asked === field) return EXACT;
  return field.startsWith(asked) ? WORD_PREFIX : NO_MATCH;
}

function beginsWordOf(field: string, word: string): boolean {
  return words(field).some((each) => each.startsWith(word));
}

function miles(from: Point, to: Point): number {
  return haversineMiles(from.lat, from.lng, to.lat, to.lng);
}

function page<T>(
  items: readonly T[],
  { limit, page: number }: { limit: number; page: number },
): T[] {
  return items.slice((number - 1) * limit, number * limit);
}

function entry({ provider }: Candidate): SearchEntry {
  return {
    npi: provider.npi,
    entity_type: provider.entity_type,
    name: provider.name,
    organization_name: provider.organization_name,
    status: provider.status,
    primary_taxonomy: provider.primary_taxonomy,
    city: provider.practice_address?.city ?? null,
    state: provider.practice_address?.state ?? null,
  };
}

function nearbyEntry(each: Candidate, far: number): NearbyEntry {
  return { ...entry(each), distance_miles: Math.round(far * 100) / 100 };
}
