import type { NumberRange } from "../../snapshot/dictionary/dictionary.ts";
import type { ExactRule } from "../filters/exact-name.ts";
import type { TextFilter } from "../filters/text-filter.ts";

/** A query, resolved against a snapshot: every filter in numbers. A document matches when it passes all of them. */
export interface QueryPlan {
  /** The documents admitted by place, ascending. */
  ranges: readonly NumberRange[];
  /** The kinds admitted, as bits. */
  kinds: number;
  /** The primary taxonomies admitted, ascending; null for any and none. */
  taxonomies: Uint32Array | null;
  /** Those of names, and then those that make no tiers. */
  filters: readonly TextFilter[];
  /** Per text parameter its rule; a document that all of them have matches exactly. */
  rules: readonly ExactRule[];
}

/** What a search found. */
export interface Matches {
  total: number;
  /**
   * The documents at `offset` to `offset + limit` - 1, which may lie past the end, in the order of pages. To be called
   * before another search begins.
   */
  page(offset: number, limit: number): number[];
}

/** How many documents ranges hold. */
export function docsIn(ranges: readonly NumberRange[]): number {
  return ranges.reduce((count, { from, to }) => count + to - from, 0);
}
