import type { Static } from "typebox";
import type {
  NearbyParameters,
  SearchParameters,
} from "../contract/parameters.ts";
import type { Address, Taxonomy } from "../contract/provider.ts";

/** What a search asks: the parameters of the API, checked. A text that is absent or blank is no filter. */
export type SearchQuery = Static<typeof SearchParameters>;

/** What nearby asks: the parameters of the API, checked, around a point that the caller resolved. */
export interface NearbyQuery extends Omit<
  Static<typeof NearbyParameters>,
  "zip" | "lat" | "lng"
> {
  readonly center: Point;
}

/** A document that was found, and how. */
export interface Hit {
  readonly doc: number;
  /** Great-circle miles from the centre, unrounded; only of nearby. */
  readonly miles?: number;
  /** Which location lies so far away: the address of a further one; only with a `location_scope` of `any`. */
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

/** Latitude and longitude in decimal degrees, WGS 84. */
export interface Point {
  lat: number;
  lng: number;
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
