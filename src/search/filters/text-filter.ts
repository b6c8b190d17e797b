import type { NumberRange } from "../../snapshot/dictionary/dictionary.ts";
import type { BitSet } from "../../snapshot/bytes/bitset.ts";

/** Facts by name, for people and programs: what `search --explain` prints. */
export interface Facts {
  readonly [name: string]: Fact;
}

export type Fact = string | number | boolean | null | Facts | readonly Fact[];

/** The quality of a match. With several filters, the worst tier counts. */
export const Tier = { exact: 0, wordPrefix: 1, substring: 2 } as const;
export const TIER_COUNT = 3;
/** Instead of a tier: the document does not match. */
export const NO_MATCH = 3;

/** Receives `docs[from, to)`. */
export type TakeDocs = (
  items: Uint32Array,
  from: number,
  to: number,
  tier: number,
) => void;

/** A set that documents must be in, directly or by their number in a column. */
export interface Membership {
  readonly set: BitSet;
  /** Per document, its number in the set; null if it is a set of documents. */
  readonly column: Uint16Array | null;
}

/**
 * A word or prefix that names must match, resolved against the dictionaries. It can list its documents, provide them as
 * a set, or test single documents, so a search can use whatever is least work. Its tiers are `wordPrefix` and
 * `substring`; the rules of `exact-name.ts` decide what is exact. A filter without tiers uses `wordPrefix` for all.
 */
export interface TextFilter {
  /** Identifies the filter among those of its snapshot. */
  readonly key: string;
  /** At most this many documents match: the total length of the lists of `eachList`. */
  readonly bound: number;
  /** The number of members of `matching`, if the snapshot stores it. */
  readonly matchCount?: number | undefined;
  /** True if no document is in two lists. */
  readonly hasDisjointLists: boolean;
  /** The estimated cost of `tiersOf` per document, in nanoseconds. */
  readonly testCost: number;
  /** The estimated cost of making the set of `matching`, in nanoseconds; absent if it is filled from the lists. */
  readonly setCost?: number | undefined;
  /** Finds the same matches by a column, without a set of documents; absent if there is no such column. */
  readonly byColumn?: Membership | undefined;
  /** False if all matches have the tier `wordPrefix`. */
  readonly hasTiers: boolean;
  /** Returns what it was resolved to, for `search --explain`. */
  explain(): Facts;
  /** The kinds that listed documents can have, as bits; absent for any. */
  readonly kinds?: number | undefined;
  /**
   * Passes on lists that together contain all matches, those of the better tier first. With `within`, they may lack
   * documents outside this range.
   */
  eachList(take: TakeDocs, within?: NumberRange): void;
  /** Tests the first `count` documents and writes their tiers, or NO_MATCH, to `tiers`. */
  tiersOf(docs: Uint32Array, count: number, tiers: Uint8Array): void;
  /** True if the set of `matching` exists already. */
  isReady(): boolean;
  /** At most this many documents match with the tier `wordPrefix`; absent if unknown. */
  readonly startBound?: number | undefined;
  /** True if the set of `startingWith` exists already. */
  isBeginningReady(): boolean;
  /** Returns all matches. Read-only, and valid until the next search starts. */
  matching(): BitSet;
  /** Returns the matches of the tier `wordPrefix`. */
  startingWith(): BitSet;
}
