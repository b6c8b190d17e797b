import type { BitSet } from "../../snapshot/bytes/bitset.ts";

/** How well a text matches; the greatest of several filters decides. */
export const Tier = { exact: 0, wordPrefix: 1, substring: 2 } as const;
export const TIER_COUNT = 3;
/** In the place of a tier: the document does not match. */
export const NO_MATCH = 3;

/** Takes the documents at `from` to `to` - 1 of an array. */
export type TakeDocs = (
  items: Uint32Array,
  from: number,
  to: number,
  tier: number,
) => void;

/**
 * A word or a beginning that a name has to match, resolved against the dictionaries. It can name its documents as lists or
 * as a set, or look at one document, so that a search takes what is least work. Tiers here are `wordPrefix` and
 * `substring`; what is exact, the rules of `exact-name.ts` tell. A filter that makes no tiers has `wordPrefix` for all.
 */
export interface TextFilter {
  /** Stands for the filter among those of its snapshot. */
  readonly key: string;
  /** At most so many documents match, counted by the lists of `eachList`. */
  readonly bound: number;
  /** Whether no document is in two lists. */
  readonly hasDisjointLists: boolean;
  /** About how many nanoseconds `tiersOf` takes for a document. */
  readonly testCost: number;
  /** Lists that together hold all documents that match, those of the better tier first. */
  eachList(take: TakeDocs): void;
  /** Looks at the first `count` documents and writes their tiers, or NO_MATCH, into `tiers`. */
  tiersOf(docs: Uint32Array, count: number, tiers: Uint8Array): void;
  /** Whether `matching` is at hand, and need not be made. */
  isReady(): boolean;
  /** Whether `beginning` is. */
  isBeginningReady(): boolean;
  /** All documents that match: not to be changed, and to be read before the next search begins. */
  matching(): BitSet;
  /** Those of them that are of the tier `wordPrefix`. */
  startingWith(): BitSet;
}
