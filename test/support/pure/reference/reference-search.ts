/**
 * The oracle: a slow, obvious, brute-force reading of the decisions on matching, order, pages and nearby, written from
 * only the texts. The engine is checked against it. Arrays, filter, sort, slice; no index and nothing clever.
 */

import type { SearchPage } from "../engine/parsed-directory.ts";
import type {
  MatchedLocation,
  NearbyEntry,
  Provider,
  SearchEntry,
} from "../../../../src/contract/provider.ts";
import { haversineMiles } from "../../../../src/reference/zip-points.ts";
import {
  MAX_NOTED,
  type ResultNotes,
} from "../../../../src/contract/explorer/notes.ts";
import type { FilterName } from "../../../../src/contract/filters.ts";
import type { FilterValues } from "../../../../src/contract/parameters/filter-schemas.ts";
import type {
  NearbyQuery,
  Point,
  SearchQuery,
} from "../../../../src/search/query.ts";
import { words } from "../../../../src/text/fold.ts";
import {
  type DetailsByNpi,
  type SearchableDetails,
  zipOfLocation,
} from "../registry/searchable-details.ts";
import { shownState, type TaxonomyTable } from "./reference-provider.ts";
import {
  referenceFacets,
  type ReferenceFacets,
  referenceMap,
  type ReferenceMap,
} from "./reference-map.ts";
import { areAliases } from "./reference-aliases.ts";
import { codesInCommon } from "./reference-common-specialties.ts";
import {
  comparePlaced,
  compareText,
  type Place,
  placeOf,
} from "./reference-place.ts";
import { isSameCity, referenceCity, referenceFold } from "./reference-fold.ts";

/** Centroids by five-digit ZIP. */
export type Centroids = ReadonlyMap<string, Point>;

/** How well a text filter matches; smaller is better. */
const EXACT = 0;
const WORD_PREFIX = 1;
const SUBSTRING = 2;
const NO_MATCH = 3;

/** A compared name. A text that is null or folds to nothing is ''. */
interface Name {
  first: string;
  last: string;
  organization: string;
}

/** A compared taxonomy: its code in upper case, its display name folded. */
interface Slot {
  code: string;
  specialty: string;
}

/** A provider with everything that is compared. */
interface Candidate {
  npi: string;
  provider: Provider;
  place: Place;
  name: Name;
  otherNames: readonly Name[];
  primary: Slot;
  otherSlots: readonly Slot[];
  details: SearchableDetails;
}

const NO_DETAILS: SearchableDetails = {
  taxonomies: [],
  otherNames: [],
  locations: [],
};

export class ReferenceDirectory {
  /** In the snapshot's order. */
  readonly #candidates: readonly Candidate[];
  readonly #centroids: Centroids;

  /** `providers` has each NPI once. The taxonomy table names slots that only the details have. */
  constructor(
    providers: Iterable<Provider>,
    centroids: Centroids,
    details: DetailsByNpi = new Map(),
    taxonomy: TaxonomyTable = new Map(),
  ) {
    this.#candidates = Array.from(providers, (provider) =>
      candidate(provider, details.get(provider.npi) ?? NO_DETAILS, taxonomy),
    ).sort(comparePlaced);
    this.#centroids = centroids;
  }

  lookup(npi: string): Provider | null {
    return this.#candidates.find((each) => each.npi === npi)?.provider ?? null;
  }

  search(query: SearchQuery): SearchPage {
    const matches = this.#candidates
      .map((each) => ({ each, tier: tier(query, each) }))
      .filter((match) => match.tier !== NO_MATCH)
      .sort((a, b) =>
        query.sort === "name" ? compareNames(a.each, b.each) : a.tier - b.tier,
      );
    return {
      total: matches.length,
      entries: page(matches, query).map((match) => entry(match.each)),
    };
  }

  nearby(query: NearbyQuery): NearbyEntry[] {
    return page(this.#around(query), query).map(
      ({ each, miles: far, matched }) => {
        const entryOf = nearbyEntry(each, far);
        if (query.location_scope === "any") entryOf.matched_location = matched;
        return entryOf;
      },
    );
  }

  searchMap(query: SearchQuery): ReferenceMap {
    const zips = this.#candidates
      .filter((each) => tier(query, each) !== NO_MATCH)
      .map(({ place }) => (place.isMilitary ? null : place.zip));
    return referenceMap(zips, this.#centroids);
  }

  nearbyMap(query: NearbyQuery): ReferenceMap {
    const zips = this.#around(query).map(({ zip }) => zip);
    return referenceMap(zips, this.#centroids);
  }

  searchFacets(query: SearchQuery): ReferenceFacets {
    const matches = this.#candidates.filter(
      (each) => tier(query, each) !== NO_MATCH,
    );
    return referenceFacets(matches, "search", query.taxonomy_scope === "any");
  }

  nearbyFacets(query: NearbyQuery): ReferenceFacets {
    const matches = this.#around(query).map(({ each }) => each);
    return referenceFacets(matches, "nearby", query.taxonomy_scope === "any");
  }

  pointOf(npi: string): Point | null {
    const place = this.#candidates.find((each) => each.npi === npi)?.place;
    return place === undefined || place.isMilitary
      ? null
      : this.centroid(place.zip);
  }

  /**
   * True if the notes on a result explain why it matches as it does: with only these other names and specialties it has
   * the same tier, all of them are its own, and there are none if the record itself matches exactly.
   */
  isExplained(
    query: FilterValues,
    npi: string,
    { other_names: names, other_specialties: specialties }: ResultNotes,
  ): boolean {
    const each = this.#candidates.find((one) => one.npi === npi);
    if (each === undefined) return false;
    const otherNames = names.map((name) => ({
      first: referenceFold(name.first ?? ""),
      last: referenceFold(name.last ?? ""),
      organization: referenceFold(name.organization_name ?? ""),
    }));
    const otherSlots = specialties.map(({ code, description }) => ({
      code: code.toUpperCase(),
      specialty: referenceFold(description ?? ""),
    }));
    const isOwn =
      otherNames.every((name) => includesEqual(each.otherNames, name)) &&
      otherSlots.every((slot) => includesEqual(each.otherSlots, slot));
    const isNeeded =
      (otherNames.length === 0 ||
        tier(query, { ...each, otherNames: [] }) !== EXACT) &&
      (otherSlots.length === 0 || !hasSlot(query, { ...each, otherSlots: [] }));
    // More names or specialties than notes have room for.
    const isFull = Math.max(otherNames.length, otherSlots.length) === MAX_NOTED;
    return (
      isOwn &&
      isNeeded &&
      (isFull ||
        tier(query, { ...each, otherNames, otherSlots }) === tier(query, each))
    );
  }

  /** All results of a nearby query, in order. */
  #around(query: NearbyQuery) {
    return this.#candidates
      .filter((each) => tier(query, each) !== NO_MATCH)
      .flatMap((each) => {
        const nearest = this.#nearest(query, each);
        return nearest === null ? [] : [{ each, ...nearest }];
      })
      .filter((match) => match.miles <= query.radius)
      .sort((a, b) =>
        query.sort === "name"
          ? compareNames(a.each, b.each)
          : a.miles - b.miles || compareText(a.each.npi, b.each.npi),
      );
  }

  centroid(zip: string): Point | null {
    return this.#centroids.get(zip) ?? null;
  }

  /** The ZIP with the nearest centroid, the smallest among equals; null if there is none. */
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

  /** The nearest of the requested locations; among equals the primary one, then the first. */
  #nearest(
    { center, location_scope }: NearbyQuery,
    { details, place, provider: { practice_address: primary } }: Candidate,
  ): { miles: number; zip: string; matched: MatchedLocation } | null {
    const others = location_scope === "any" ? details.locations : [];
    const located = [
      ...(place.isMilitary || primary === null
        ? []
        : [{ kind: "primary" as const, address: primary, zip: place.zip }]),
      ...others.map((address) => ({
        kind: "secondary" as const,
        address: {
          ...address,
          state: shownState(address.state, address.country),
        },
        zip: zipOfLocation(address),
      })),
    ].flatMap(({ address, kind, zip }) => {
      const point = this.centroid(zip);
      return point === null
        ? []
        : [{ miles: miles(center, point), zip, matched: { kind, address } }];
    });
    return located.sort((a, b) => a.miles - b.miles)[0] ?? null;
  }
}

function candidate(
  provider: Provider,
  details: SearchableDetails,
  taxonomy: TaxonomyTable,
): Candidate {
  const own = provider.primary_taxonomy;
  return {
    npi: provider.npi,
    provider,
    place: placeOf(provider),
    name: {
      first: referenceFold(provider.name?.first ?? ""),
      last: referenceFold(provider.name?.last ?? ""),
      organization: referenceFold(provider.organization_name ?? ""),
    },
    otherNames: details.otherNames.map(({ first, last, organization }) => ({
      first: referenceFold(first ?? ""),
      last: referenceFold(last ?? ""),
      organization: referenceFold(organization ?? ""),
    })),
    primary: {
      code: own?.code.toUpperCase() ?? "",
      specialty: referenceFold(own?.description ?? ""),
    },
    otherSlots: details.taxonomies.map((code) => ({
      code: code.toUpperCase(),
      specialty: referenceFold(taxonomy.get(code.toUpperCase()) ?? ""),
    })),
    details,
  };
}

/**
 * How each filter is read: how well a provider matches a query; EXACT if the query does not use the filter, or if the
 * filter does not rank and matches.
 */
export const READINGS: Readonly<
  Record<FilterName, (query: FilterValues, provider: Candidate) => number>
> = {
  name(query, each) {
    const names = namesOf(query, each);
    return tierOfWords(
      query.name,
      names.flatMap(({ first, last, organization }) => [
        first,
        last,
        organization,
      ]),
      names.flatMap(({ first, last }) => [
        `${first} ${last}`,
        `${last} ${first}`,
      ]),
    );
  },
  first_name(query, each) {
    const fields = personNamesOf(query, each).map(({ first }) => first);
    const asIs = tierOfStart(query.first_name, fields);
    const asked = referenceFold(query.first_name ?? "");
    return asIs === NO_MATCH &&
      query.name_aliases === "true" &&
      fields.some((field) => areAliases(asked, field))
      ? WORD_PREFIX
      : asIs;
  },
  // Widens `first_name`.
  name_aliases: () => EXACT,
  // Of the record, also where `name_scope` adds other names.
  middle_initial: ({ middle_initial: initial = "" }, { provider }) =>
    tierIf(
      initial.trim() === "" ||
        (provider.entity_type === "individual" &&
          referenceFold(provider.name?.middle ?? "").startsWith(
            initial.toUpperCase(),
          )),
    ),
  last_name: (query, each) =>
    tierOfStart(
      query.last_name,
      personNamesOf(query, each).map(({ last }) => last),
    ),
  organization: (query, each) =>
    tierOfWords(
      query.organization,
      each.provider.entity_type === "organization"
        ? namesOf(query, each).map(({ organization }) => organization)
        : [],
      [],
    ),
  // A scope decides which names, slots and locations the other readings use.
  name_scope: () => EXACT,
  taxonomy_scope: () => EXACT,
  location_scope: () => EXACT,
  city: ({ city = "" }, { place }) =>
    tierIf(
      referenceCity(city) === "" || isSameCity(place.city, referenceCity(city)),
    ),
  country: ({ country = "" }, { provider }) =>
    tierIf(
      country.trim() === "" ||
        provider.practice_address?.country?.toUpperCase() ===
          country.toUpperCase(),
    ),
  state: ({ state = "" }, { place }) =>
    tierIf(state.trim() === "" || place.state === state.trim().toUpperCase()),
  zip: ({ zip = "" }, { place }) =>
    tierIf(zip.trim() === "" || place.zip === zip.trim()),
  // One slot must match both.
  taxonomy: (query, each) => tierIf(hasSlot(query, each)),
  specialty: (query, each) => tierIf(hasSlot(query, each)),
  // Widens `specialty`.
  specialty_scope: () => EXACT,
  entity_type: ({ entity_type: type }, { provider }) =>
    tierIf(type === undefined || provider.entity_type === type),
  status: ({ status }, { provider }) =>
    tierIf(status === undefined || provider.status === status),
  last_updated_since: ({ last_updated_since: since }, { provider }) =>
    tierIf(
      since === undefined ||
        (provider.last_updated !== null && provider.last_updated >= since),
    ),
};

/** By the name shown, those without one last; then by first name, those without one first; then by NPI. */
function compareNames(a: Candidate, b: Candidate): number {
  const shown = [a, b].map(
    ({ provider: { name, organization_name: organization } }) =>
      name?.last ?? organization,
  );
  const [one = null, other = null] = shown;
  return (
    Number(one === null) - Number(other === null) ||
    compareText(referenceFold(one ?? ""), referenceFold(other ?? "")) ||
    compareText(a.name.first, b.name.first) ||
    compareText(a.npi, b.npi)
  );
}

/** The worst tier of the filters of a query. */
function tier(query: FilterValues, each: Candidate): number {
  return Math.max(
    ...Object.values(READINGS).map((reading) => reading(query, each)),
  );
}

function includesEqual<T>(list: readonly T[], one: T): boolean {
  const text = JSON.stringify(one);
  return list.some((each) => JSON.stringify(each) === text);
}

function tierIf(isMet: boolean): number {
  return isMet ? EXACT : NO_MATCH;
}

function namesOf(
  query: FilterValues,
  { name, otherNames }: Candidate,
): readonly Name[] {
  return query.name_scope === "any" ? [name, ...otherNames] : [name];
}

function personNamesOf(query: FilterValues, each: Candidate): readonly Name[] {
  const isPerson =
    each.provider.entity_type === "individual" || query.name_scope !== "any";
  return isPerson ? namesOf(query, each) : [];
}

function hasSlot(
  query: FilterValues,
  { otherSlots, primary }: Candidate,
): boolean {
  const slots =
    query.taxonomy_scope === "any" ? [primary, ...otherSlots] : [primary];
  const asked = query.taxonomy?.trim().toUpperCase() ?? "";
  const text = referenceFold(query.specialty ?? "");
  const common =
    query.specialty_scope === "common" ? codesInCommon(text) : null;
  return slots.some(
    ({ code, specialty }) =>
      (asked === "" || code === asked) &&
      (common === null
        ? words(text).every((word) => specialty.includes(word))
        : common.includes(code) || hasInFull(specialty, text)),
  );
}

/** True if a display name has all words of a text next to each other, as they are or without the ending of a plural. */
function hasInFull(name: string, text: string): boolean {
  return [/$/, /S$/, /ES$/]
    .map((ending) => text.replace(ending, ""))
    .concat(text.replace(/IES$/, "Y"))
    .some((form) => ` ${name} `.includes(` ${form} `));
}

/** `name` and `organization`: each word is a substring of some field. `joined`: further wholes that count as exact. */
function tierOfWords(
  value: string | undefined,
  fields: readonly string[],
  joined: readonly string[],
): number {
  const asked = referenceFold(value ?? "");
  if (asked === "") return EXACT;
  const each = words(asked);
  if (!each.every((word) => fields.some((field) => field.includes(word))))
    return NO_MATCH;
  if (fields.includes(asked) || joined.includes(asked)) return EXACT;
  return each.every((word) => fields.some((field) => beginsWordOf(field, word)))
    ? WORD_PREFIX
    : SUBSTRING;
}

/** `first_name` and `last_name`: one of the whole fields starts with the value. */
function tierOfStart(
  value: string | undefined,
  fields: readonly string[],
): number {
  const asked = referenceFold(value ?? "");
  if (asked === "" || fields.includes(asked)) return EXACT;
  return fields.some((field) => field.startsWith(asked))
    ? WORD_PREFIX
    : NO_MATCH;
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
