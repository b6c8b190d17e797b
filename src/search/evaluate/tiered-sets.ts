import { ones, type BitSet } from "../../snapshot/bytes/bitset.ts";
import { sortedDistinct } from "../../snapshot/bytes/sorted.ts";
import { Tier } from "../filters/text-filter.ts";
import type { QueryPlan } from "../plan/query-plan.ts";

/** The matches of a query plan with text filters, as a set, and the sets that determine their tiers. */
export class TieredSets {
  readonly #matches: Uint32Array;
  /** Per text filter, the documents of its better tier, rarest first. */
  readonly #startingWith: readonly Uint32Array[];
  /** The exact matches, ascending. */
  readonly #exact: Uint32Array;

  constructor(
    matches: BitSet,
    { filters, rules: [rule, ...others] }: QueryPlan,
  ) {
    const exact: number[] = [];
    rule?.eachList((items, from, to) => {
      for (let at = from; at < to; at++) {
        const doc = items[at]!;
        if (matches.has(doc) && others.every((other) => other.has(doc)))
          exact.push(doc);
      }
    });
    this.#matches = matches.bits;
    this.#startingWith = filters
      .toSorted((a, b) => a.bound - b.bound)
      .map((filter) => filter.startingWith().bits);
    this.#exact = sortedDistinct(Uint32Array.from(exact));
  }

  /** The documents at `offset` to `offset + limit` - 1: by tier, then by number. Call it once. */
  page(offset: number, limit: number): number[] {
    const exact = this.#exact;
    const page = Array.from(exact.subarray(offset, offset + limit));
    for (const doc of exact) this.#matches[doc >>> 5]! &= ~(1 << (doc & 31));
    let skip = Math.max(0, offset - exact.length);
    skip = this.#append(page, 0, skip, limit);
    this.#append(page, -1, skip, limit);
    return page;
  }

  /** Adds the documents of each tier to its set, which is empty. Call it once, and instead of `page`. */
  addTo(sets: readonly BitSet[]): void {
    const matches = this.#matches;
    const exact = this.#exact;
    sets[Tier.exact]!.addAll(exact, 0, exact.length);
    for (const doc of exact) matches[doc >>> 5]! &= ~(1 << (doc & 31));
    const starting = sets[Tier.wordPrefix]!.bits;
    const others = sets[Tier.substring]!.bits;
    for (let i = 0; i < matches.length; i++) {
      let starts = matches[i]!;
      for (let k = 0; k < this.#startingWith.length && starts !== 0; k++)
        starts &= this.#startingWith[k]![i]!;
      starting[i] = starts;
      others[i] = matches[i]! ^ starts;
    }
  }

  /**
   * Appends documents to a page until it is full: those in which words start with the texts (`flip` 0), or the rest
   * (`flip` -1), after skipping `skip` of them. Returns how many are still to be skipped.
   */
  #append(page: number[], flip: number, skip: number, limit: number): number {
    const matches = this.#matches;
    const startingWith = this.#startingWith;
    let left = skip;
    for (let i = 0; i < matches.length && page.length < limit; i++) {
      let starts = matches[i]!;
      for (let k = 0; k < startingWith.length && starts !== 0; k++)
        starts &= startingWith[k]![i]!;
      let word = (matches[i]! & flip) ^ starts;
      if (word === 0) continue;
      if (left > 0) {
        const count = ones(word);
        if (count <= left) {
          left -= count;
          continue;
        }
      }
      for (; word !== 0 && page.length < limit; word &= word - 1) {
        if (left > 0) left--;
        else page.push((i << 5) + 31 - Math.clz32(word & -word));
      }
    }
    return left;
  }
}
