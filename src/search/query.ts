import type { Static } from "typebox";
import type {
  NearbyParameters,
  SearchParameters,
} from "../contract/parameters.ts";
import type { Address } from "../contract/details.ts";
import type { MatchedDocs } from "./evaluate/matched-docs.ts";

/** A search: the API's parameters, validated. An absent or blank text is no filter. */
export type SearchQuery = Static<typeof SearchParameters>;

/** All of a search, whatever its page. */
export type WholeSearch = Omit<SearchQuery, "limit" | "page" | "snapshot">;

/** A nearby search: the API's parameters, validated, around a point that the caller resolved. */
export interface NearbyQuery extends Omit<
  Static<typeof NearbyParameters>,
  "zip" | "lat" | "lng"
> {
  readonly center: Point;
}

/** A document that was found, and how. */
export interface Hit {
  readonly doc: number;
  /** Great-circle miles from the center, unrounded; only for nearby. */
  readonly miles?: number;
  /** The location at that distance: the address if it is not the primary one; only if `location_scope` is `any`. */
  readonly matched?: "primary" | Address;
}

/** A page of a search, and the total number of matches. */
export interface SearchHits {
  readonly hits: readonly Hit[];
  readonly total: number;
}

/** The length of a list of documents, and its first ones. */
export interface FirstDocs {
  readonly total: number;
  /** Finds the first ones, which may take much longer than their number. */
  readonly first: () => MatchedDocs;
}

/** A provider that was looked up. */
export interface FoundRecord extends Hit {
  /** The requested details, as `writeDetails` writes them. */
  readonly details?: Uint8Array;
}

/** Latitude and longitude in decimal degrees, WGS 84. */
export interface Point {
  lat: number;
  lng: number;
}
