import { BitSet } from "../../snapshot/bytes/bitset.ts";
import { withRoom } from "../../snapshot/bytes/growable.ts";
import { sortedDistinct } from "../../snapshot/bytes/sorted.ts";
import {
  ADDED_DOC,
  betterTierCost,
  PROBED_DOCS,
  setPassCost,
  testsCost,
} from "./cost.ts";
import { Tier, type TextFilter } from "../filters/text-filter.ts";
import { CHUNK, type Workspace } from "./workspace.ts";
import type { QueryPlan } from "../plan/query-plan.ts";

/** Sets are intersected in blocks of this many words. */
const BLOCK_WORDS = 1024;
/** Documents of the better tier that are at most this many are listed rather than looked for. */
const FEW_STARTING = 16_384;
const FIRST_PROBED = 64;
/** Up to this many are sorted. */
const FEW_SORTED = 4096;

/**
 * The matches of a query plan with text filters, as a set. Their tiers are found as far as a page needs them: a page's
 * documents of the better tier are mostly among the first matches.
 */
export class TieredSets {
  readonly #matches: BitSet;
  readonly #total: number;
  /** Rarest first. */
  readonly #filters: readonly TextFilter[];
  /** The exact matches, ascending. */
  readonly #exact: Uint32Array;
  readonly #workspace: Workspace;
  readonly #docs = new Uint32Array(CHUNK);
  readonly #tiers = new Uint8Array(CHUNK);
  readonly #block = new BitSet(32 * BLOCK_WORDS);

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
    this.#filters = filters.toSorted((a, b) => a.bound - b.bound);
    this.#exact = sortedDistinct(Uint32Array.from(exact));
    this.#workspace = workspace;
  }

  /** The documents at `offset` to `offset + limit` - 1: by tier, then by number. Call it once. */
  page(offset: number, limit: number): number[] {
    const exact = this.#exact;
    const page = Array.from(exact.subarray(offset, offset + limit));
    if (page.length === limit || offset + page.length >= this.#total)
      return page;
    this.#removeExact();
    let skip = Math.max(0, offset - exact.length);
    const first = this.#firstStarting(skip + limit - page.length);
    if (first !== null) return page.concat(first.slice(skip));
    const listed = this.#listStarting();
    if (listed !== null) {
      page.push(...listed.subarray(skip, skip + limit - page.length));
      skip = Math.max(0, skip - listed.length);
      const { bits } = this.#matches;
      for (const doc of listed) bits[doc >>> 5]! &= ~(1 << (doc & 31));
      const { docCount } = this.#workspace;
      const left = limit - page.length;
      return page.concat(this.#matches.slice(0, docCount, skip, left));
    }
    const startingWith = this.#filters.map((filter) => filter.startingWith());
    skip = this.#append(page, startingWith, "starting", skip, limit);
    this.#append(page, startingWith, "rest", skip, limit);
    return page;
  }

  /** Adds the documents of each tier to its set, which is empty. Call it once, and instead of `page`. */
  addTo(sets: readonly BitSet[]): void {
    const exact = this.#exact;
    sets[Tier.exact]!.addAll(exact, 0, exact.length);
    this.#removeExact();
    const starting = sets[Tier.wordPrefix]!;
    const others = sets[Tier.substring]!;
    const listed = this.#listStarting();
    if (listed !== null) starting.addAll(listed, 0, listed.length);
    else {
      starting.copy(this.#matches);
      for (const filter of this.#filters)
        starting.intersect(filter.startingWith());
    }
    others.copy(this.#matches);
    others.subtract(starting);
  }

  #removeExact(): void {
    const { bits } = this.#matches;
    for (const doc of this.#exact) bits[doc >>> 5]! &= ~(1 << (doc & 31));
  }

  /** The first `count` documents of the better tier, if they are among the first matches; otherwise null. */
  #firstStarting(count: number): number[] | null {
    const filters = this.#filters;
    if (
      filters.every((filter) => filter.isBeginningReady()) ||
      filters.some(
        ({ startLists }) => startLists && startLists.bound <= FEW_STARTING,
      )
    )
      return null;
    const found: number[] = [];
    let probed = 0;
    this.#eachChunk(FIRST_PROBED, (listed) => {
      const starting = this.#keepStarting(listed, filters);
      for (let i = 0; i < starting; i++) found.push(this.#docs[i]!);
      probed += listed;
      return found.length < count && probed < PROBED_DOCS;
    });
    return found.length < count ? null : found.slice(0, count);
  }

  /** The matches of the better tier, ascending, if listing them is less work than making sets; otherwise null. */
  #listStarting(): Uint32Array | null {
    const filters = this.#filters;
    const total = this.#total;
    const pass = setPassCost(this.#workspace.docCount);
    const [rarest] = filters
      .filter(({ startLists }) => startLists !== undefined)
      .sort((a, b) => a.startLists!.bound - b.startLists!.bound);
    const others = filters.filter((filter) => filter !== rarest);
    const bound = rarest?.startLists?.bound ?? Infinity;
    const listing =
      bound * ADDED_DOC + testsCost(others, Math.min(bound, total));
    const testing = testsCost(filters, total);
    const sets = filters.reduce(
      (sum, filter) => sum + betterTierCost(filter, pass),
      pass,
    );
    if (sets <= Math.min(listing, testing)) return null;
    let found: Uint32Array = new Uint32Array(0);
    let count = 0;
    const keep = (listed: number, tested: readonly TextFilter[]): void => {
      const kept = this.#keepStarting(listed, tested);
      found = withRoom(found, count + kept);
      found.set(this.#docs.subarray(0, kept), count);
      count += kept;
    };
    if (testing <= listing || rarest?.startLists === undefined) {
      this.#eachChunk(CHUNK, (listed) => {
        keep(listed, filters);
        return true;
      });
      return found.subarray(0, count);
    }
    let listed = 0;
    rarest.startLists.eachList((items, from, to) => {
      for (let at = from; at < to; at++) {
        const doc = items[at]!;
        if (!this.#matches.has(doc)) continue;
        this.#docs[listed++] = doc;
        if (listed < CHUNK) continue;
        keep(listed, others);
        listed = 0;
      }
    });
    keep(listed, others);
    if (count <= FEW_SORTED) return sortedDistinct(found.subarray(0, count));
    const starting = this.#workspace.scratch();
    starting.clear();
    starting.addAll(found, 0, count);
    return starting.toArray(count);
  }

  /** Passes on the matches in chunks, of about `size` at first and twice as many each time, while `take` returns true. */
  #eachChunk(size: number, take: (listed: number) => boolean): void {
    const { bits } = this.#matches;
    const docs = this.#docs;
    let most = size;
    let listed = 0;
    for (let i = 0; i < bits.length; i++) {
      for (let rest = bits[i]!; rest !== 0; rest &= rest - 1)
        docs[listed++] = (i << 5) + 31 - Math.clz32(rest & -rest);
      if (listed <= most - 32) continue;
      if (!take(listed)) return;
      most = Math.min(CHUNK, 2 * most);
      listed = 0;
    }
    take(listed);
  }

  /** Keeps those of the first `listed` documents of the chunk that some filters match in the better tier. */
  #keepStarting(listed: number, filters: readonly TextFilter[]): number {
    const docs = this.#docs;
    const tiers = this.#tiers;
    let count = listed;
    for (const filter of filters) {
      const starting = filter.isBeginningReady() ? filter.startingWith() : null;
      if (starting === null) filter.tiersOf(docs, count, tiers);
      let kept = 0;
      for (let i = 0; i < count; i++) {
        const doc = docs[i]!;
        if (
          starting === null ? tiers[i] === Tier.wordPrefix : starting.has(doc)
        )
          docs[kept++] = doc;
      }
      count = kept;
    }
    return count;
  }

  /**
   * Appends documents to a page until it is full: those in all sets of `startingWith`, or the rest, after skipping
   * `skip` of them. Returns how many are still to be skipped.
   */
  #append(
    page: number[],
    startingWith: readonly BitSet[],
    tier: "starting" | "rest",
    skip: number,
    limit: number,
  ): number {
    const { bits } = this.#matches;
    const block = this.#block;
    const words = block.bits;
    let left = skip;
    // Most pages end in one of the first blocks.
    for (
      let base = 0;
      base < bits.length && page.length < limit;
      base += BLOCK_WORDS
    ) {
      const matches = bits.subarray(base, base + BLOCK_WORDS);
      words.set(matches);
      for (const set of startingWith) {
        const others = set.bits.subarray(base, base + BLOCK_WORDS);
        for (let i = 0; i < others.length; i++) words[i]! &= others[i]!;
      }
      if (tier === "rest")
        for (let i = 0; i < matches.length; i++) words[i]! ^= matches[i]!;
      const size = 32 * matches.length;
      if (left > 0) {
        const count = block.count(0, size);
        if (count <= left) {
          left -= count;
          continue;
        }
      }
      const found = block.slice(0, size, left, limit - page.length);
      for (const doc of found) page.push(32 * base + doc);
      left = 0;
    }
    return left;
  }
}
