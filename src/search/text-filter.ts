import type { NumberRange } from "../snapshot/dictionary.ts";
import type { Postings } from "../snapshot/postings.ts";

/** How well a text matches; the greatest of several filters decides. */
export const Tier = { exact: 0, wordPrefix: 1, substring: 2 } as const;
export const TIER_COUNT = 3;

/** A text filter of a query, resolved against the dictionaries, so that a document is tested by numbers alone. */
export interface TextFilter {
  /** How many documents the lists of `eachList` hold: at least as many as match. */
  readonly docCount: number;
  /** Calls `add` with lists of documents that together hold all that match, and maybe others. */
  eachList(add: (docs: Uint32Array) => void): void;
  /**
   * Keeps of the first `count` of `docs` those that match, in their order, and raises their `tiers` to this filter's.
   * Returns how many it kept.
   */
  keep(docs: Uint32Array, tiers: Uint8Array, count: number): number;
}

/** A filter by the beginning of a field, whose matches are a range of the field's dictionary. */
export class PrefixFilter implements TextFilter {
  readonly docCount: number;
  readonly #column: Uint32Array;
  readonly #postings: Postings;
  readonly #range: NumberRange;
  readonly #exactEnd: number;

  /** `exact` are the entries of `range` that are the whole value: its first ones. */
  constructor(
    column: Uint32Array,
    postings: Postings,
    range: NumberRange,
    exact: NumberRange,
  ) {
    this.#column = column;
    this.#postings = postings;
    this.#range = range;
    this.#exactEnd = exact.to;
    this.docCount = postings.starts[range.to]! - postings.starts[range.from]!;
  }

  eachList(add: (docs: Uint32Array) => void): void {
    const { starts, items } = this.#postings;
    add(items.subarray(starts[this.#range.from], starts[this.#range.to]));
  }

  keep(docs: Uint32Array, tiers: Uint8Array, count: number): number {
    const column = this.#column;
    const { from, to } = this.#range;
    const exactEnd = this.#exactEnd;
    let kept = 0;
    for (let i = 0; i < count; i++) {
      const number = column[docs[i]!]!;
      if (number < from || number >= to) continue;
      const tier = number < exactEnd ? Tier.exact : Tier.wordPrefix;
      docs[kept] = docs[i]!;
      tiers[kept++] = Math.max(tiers[i]!, tier);
    }
    return kept;
  }
}

/** How many documents the lists of the given numbers hold together. */
export function listedDocs({ starts }: Postings, numbers: Uint32Array): number {
  let count = 0;
  for (const number of numbers) count += starts[number + 1]! - starts[number]!;
  return count;
}
