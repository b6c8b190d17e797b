import { MAX_INTERSECTED, type BitSet } from "../../snapshot/bytes/bitset.ts";
import { sortedDistinct } from "../../snapshot/bytes/sorted.ts";
import { PROBED_DOCS } from "./cost.ts";
import { Tier, type TextFilter } from "../filters/text-filter.ts";
import { CHUNK, type Workspace } from "./workspace.ts";
import type { QueryPlan } from "../plan/query-plan.ts";

/** If at most this many documents can be of the better tier, the first matches are not tested for it. */
const FEW_STARTING = 16_384;
/** Documents that are tested first; then twice as many each time. */
const FIRST_PROBED = 64;

/**
 * The matches of a query plan with text filters, as a set. Their tiers are found as far as a page needs them: a page's
 * documents of the better tier are mostly among the first matches.
 */
export class TieredSets {
  readonly #matches: BitSet;
  readonly #total: number;
  /** Those with tiers, the rarest first. */
  readonly #filters: readonly TextFilter[];
  /** The exact matches, ascending. */
  readonly #exact: Uint32Array;
  readonly #workspace: Workspace;
  readonly #docs = new Uint32Array(CHUNK);
  readonly #tiers = new Uint8Array(CHUNK);

  /** `total` is the number of matches, which must not change, other than by this object. */
  constructor(
    matches: BitSet,
    total: number,
    { filters, rules: [rule, ...others] }: QueryPlan,
    workspace: Workspace,
  ) {
    const exact: number[] = [];
    rule?.eachList((items, from, to) => {
      for (let at = from; at < to; at++) {
        const doc = items[at]!;
        if (matches.has(doc) && others.every((other) => other.has(doc)))
          exact.push(doc);
      }
    });
    this.#matches = matches;
    this.#total = total;
    this.#filters = filters
      .filter(({ hasTiers }) => hasTiers)
      .toSorted((a, b) => a.bound - b.bound);
    this.#exact = sortedDistinct(Uint32Array.from(exact));
    this.#workspace = workspace;
  }

  /** Returns the documents at `offset` to `offset + limit` - 1: by tier, then by number. Call it once. */
  page(offset: number, limit: number): number[] {
    const exact = this.#exact;
    const page = Array.from(exact.subarray(offset, offset + limit));
    if (page.length === limit || offset + page.length >= this.#total)
      return page;
    this.#removeExact();
    const skip = Math.max(0, offset - exact.length);
    const left = limit - page.length;
    const first = this.#firstStarting(skip + left);
    if (first !== null) return page.concat(first.slice(skip));
    const { docCount } = this.#workspace;
    const { count, set } = this.#starting();
    const starting = set.slice(0, docCount, skip, left);
    if (starting.length === left) return page.concat(starting);
    this.#matches.subtract(set);
    return page.concat(
      starting,
      this.#matches.slice(
        0,
        docCount,
        Math.max(0, skip - count),
        left - starting.length,
      ),
    );
  }

  /** Adds the documents of each tier to its set, which is empty. Call it once, and instead of `page`. */
  addTo(sets: readonly BitSet[]): void {
    const exact = this.#exact;
    sets[Tier.exact]!.addAll(exact, 0, exact.length);
    this.#removeExact();
    const { set } = this.#starting();
    sets[Tier.wordPrefix]!.copy(set);
    const others = sets[Tier.substring]!;
    others.copy(this.#matches);
    others.subtract(set);
  }

  #removeExact(): void {
    const exact = this.#exact;
    this.#matches.removeAll(exact, 0, exact.length);
  }

  /** Returns the first `count` documents of the better tier, if they are among the first matches; otherwise null. */
  #firstStarting(count: number): number[] | null {
    if (
      this.#filters.some(
        ({ startBound = Infinity }) => startBound <= FEW_STARTING,
      )
    )
      return null;
    const { bits } = this.#matches;
    const docs = this.#docs;
    const starters: number[] = [];
    let most = FIRST_PROBED;
    for (let word = 0, tested = 0; tested < PROBED_DOCS;) {
      let listed = 0;
      for (; word < bits.length && listed <= most - 32; word++)
        for (let left = bits[word]!; left !== 0; left &= left - 1)
          docs[listed++] = (word << 5) + 31 - Math.clz32(left & -left);
      const starting = this.#keepStarting(listed);
      for (let i = 0; i < starting; i++) starters.push(docs[i]!);
      if (starters.length >= count) return starters.slice(0, count);
      if (word === bits.length) return null;
      tested += listed;
      most = Math.min(CHUNK, 2 * most);
    }
    return null;
  }

  /** Finds the matches of the better tier. */
  #starting(): { readonly set: BitSet; readonly count: number } {
    const set = this.#workspace.scratch();
    const sets = this.#filters.map((filter) => filter.startingWith());
    const most = MAX_INTERSECTED - 1;
    let count = set.assignCommon([this.#matches, ...sets.slice(0, most)]);
    for (let at = most; at < sets.length; at += most)
      count = set.assignCommon([set, ...sets.slice(at, at + most)]);
    return { set, count };
  }

  /** Keeps those of the first `listed` documents of the chunk that all filters match in the better tier. */
  #keepStarting(listed: number): number {
    const docs = this.#docs;
    const tiers = this.#tiers;
    let count = listed;
    for (const filter of this.#filters) {
      const starting = filter.isBeginningReady() ? filter.startingWith() : null;
      if (starting === null) filter.tiersOf(docs, count, tiers);
      let remaining = 0;
      for (let i = 0; i < count; i++) {
        const doc = docs[i]!;
        if (
          starting === null ? tiers[i] === Tier.wordPrefix : starting.has(doc)
        )
          docs[remaining++] = doc;
      }
      count = remaining;
    }
    return count;
  }
}
