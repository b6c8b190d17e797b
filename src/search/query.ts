import type {
  Address,
  EntityType,
  SearchEntry,
  Status,
  Taxonomy,
} from "../contract/provider.ts";

/** The filters that search and nearby share. An absent or blank text is no filter. */
export interface Filters {
  entityType?: EntityType;
  status?: Status;
  /** A taxonomy code in any case. */
  taxonomy?: string;
  specialty?: string;
  /** `any`: the two filters before match any slot, not the primary one alone. The snapshot must hold it. */
  taxonomyScope?: Scope;
}

export type Scope = "primary" | "any";

/** What a search asks, its shapes already checked: two-letter known state, five-digit ZIP, 1 ≤ limit ≤ 100, page ≥ 1. */
export interface SearchQuery extends Filters {
  name?: string;
  firstName?: string;
  lastName?: string;
  organization?: string;
  /** `any`: the four filters before match other names too. The snapshot must hold it. */
  nameScope?: Scope;
  city?: string;
  state?: string;
  zip?: string;
  limit: number;
  page: number;
}

/** A document that was found, and how. */
export interface Hit {
  readonly doc: number;
  /** Great-circle miles from the centre, unrounded; only of nearby. */
  readonly miles?: number;
  /** Which location lies so far away: the address of a further one; only with a `locationScope` of `any`. */
  readonly matched?: "primary" | Address;
}

/** A page of a search, and how many providers match in all. */
export interface SearchHits {
  readonly hits: readonly Hit[];
  readonly total: number;
}

/** A provider that was looked up, with the details that were asked for as members of its record. */
export interface FoundRecord extends Hit {
  readonly details: Readonly<Record<string, unknown>>;
}

/** A search's page with the entries as objects. */
export interface SearchPage {
  total: number;
  entries: SearchEntry[];
}

/** Latitude and longitude in decimal degrees, WGS 84. */
export interface Point {
  lat: number;
  lng: number;
}

/** What nearby asks, with 0 < radiusMiles ≤ 500; the centre is a point that the caller resolved. */
export interface NearbyQuery extends Filters {
  center: Point;
  radiusMiles: number;
  /** `any`: providers are found at their other locations too. The snapshot must hold it. */
  locationScope?: Scope;
  limit: number;
  page: number;
}

/** Where the providers of a nearby query stand, whatever its page. */
export interface NearbyZips {
  /** The nearest first. */
  zips: ZipCount[];
  /** How many providers match in all. */
  total: number;
  /** Whether there are more ZIPs than these. */
  isTruncated: boolean;
}

/** A ZIP, its centroid, and how many providers stand there. */
export interface ZipCount extends Point {
  zip: string;
  count: number;
}

/** A taxonomy, and how many providers have it as their primary one. */
export interface TaxonomyCount extends Taxonomy {
  count: number;
}
