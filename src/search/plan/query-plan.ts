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
  /** Filters on names first, then filters without tiers. */
  filters: readonly TextFilter[];
  /** One rule per text parameter. A document that meets all of them is an exact match. */
  rules: readonly ExactRule[];
  /** True if tiers order the matches. Otherwise they have any tiers, and no one reads these. */
  isRanked: boolean;
}

/** Returns the same plan, for matches that no tiers order. */
export function unranked(plan: QueryPlan): QueryPlan {
  return { ...plan, rules: [], isRanked: false };
}

/** The matches of a search, valid until another search starts. Call only one of `page` and `addTo`, once. */
export interface Matches {
  readonly total: number;
  /** The number of candidates that were listed, before the filters that were left; absent without a list. */
  readonly listed?: number;
  /** All of them as a set, if they were found in one. It is valid until `page` is called. */
  readonly set?: BitSet;
  /** Returns the documents at `offset` to `offset + limit` - 1 in page order; the range may be past the end. */
  page(offset: number, limit: number): number[];
  /** Adds the documents of each tier to its set, which is empty; without ranks, all may go to any of them. */
  addTo(tiers: readonly BitSet[]): void;
}

/** Counts the documents in ranges. */
export function docsIn(ranges: readonly NumberRange[]): number {
  return ranges.reduce((count, { from, to }) => count + to - from, 0);
}
