import type { BitSet } from "../../snapshot/bytes/bitset.ts";
import type { NumberRange } from "../../snapshot/dictionary/dictionary.ts";
import type { ExactRule } from "../filters/exact-name.ts";
import type { TextFilter } from "../filters/text-filter.ts";

/** A query resolved against a snapshot: all filters as numbers. A document matches if it passes all of them. */
export interface QueryPlan {
  /** The documents admitted by place, ascending; none if filters exclude each other. */
  ranges: readonly NumberRange[];
  /** The kinds admitted, as bits. */
  kinds: number;
  /** The primary taxonomies admitted, ascending; null for any or none. */
  taxonomies: Uint32Array | null;
  /** Filters on names first, then filters without tiers. */
  filters: readonly TextFilter[];
  /** One rule per text parameter. A document that meets all of them is an exact match. */
  rules: readonly ExactRule[];
}

/** The matches of a search. */
export interface Matches {
  total: number;
  /** How many candidates were listed, before the filters that were left; absent without a list. */
  listed?: number;
  /**
   * The documents at `offset` to `offset + limit` - 1 in page order; the range may be past the end. Call it before
   * another search starts.
   */
  page(offset: number, limit: number): number[];
}

/** Matches that are in memory, not only counted. */
export interface GatheredMatches extends Matches {
  /** All of them as a set, if they were found in one. It is valid until the next search starts or `page` is called. */
  readonly set?: BitSet;
  /** Adds the documents of each tier to its set. Call it before another search starts, and instead of `page`. */
  addTo(tiers: readonly BitSet[]): void;
}

/** The number of documents in ranges. */
export function docsIn(ranges: readonly NumberRange[]): number {
  return ranges.reduce((count, { from, to }) => count + to - from, 0);
}
