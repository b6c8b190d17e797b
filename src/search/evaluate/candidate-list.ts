import { withRoom } from "../../snapshot/bytes/growable.ts";
import type { BitSet } from "../../snapshot/bytes/bitset.ts";
import { lowerBound } from "../../snapshot/bytes/sorted.ts";
import { ALL_DOCS } from "../filters/docs-of-entries.ts";
import {
  NO_MATCH,
  Tier,
  TIER_COUNT,
  type TextFilter,
} from "../filters/text-filter.ts";
import { rankedDocs } from "./ranked-docs.ts";
import type { NumberRange } from "../../snapshot/dictionary/dictionary.ts";
import type { ExactRule } from "../filters/exact-name.ts";

const FIRST_ROOM = 1024;

/**
 * The candidates of a search with their tiers, in any order, each once. The list is filled once and then shrinks,
 * filter by filter, each in one tight loop.
 */
export class CandidateList {
  count = 0;
  docs: Uint32Array = new Uint32Array(FIRST_ROOM);
  tiers: Uint8Array = new Uint8Array(FIRST_ROOM);
  /** The documents of one tier. */
  #tier: Uint32Array = new Uint32Array(FIRST_ROOM);
  readonly #docCount: number;
  /** Empty, except while documents are compared. */
  readonly #seen: BitSet;

  constructor(docCount: number, seen: BitSet) {
    this.#docCount = docCount;
    this.#seen = seen;
  }

  clear(): void {
    this.count = 0;
  }

  /** Adds the documents `from` to `to` - 1. */
  addRange(from: number, to: number): void {
    this.#reserve(to - from);
    for (let doc = from; doc < to; doc++) this.docs[this.count++] = doc;
    this.tiers.fill(Tier.wordPrefix, this.count - (to - from), this.count);
  }

  /** Adds those of `items[from, to)` that are in `within`; none of them is in the list. */
  addAll(
    items: Uint32Array,
    from: number,
    to: number,
    tier: number,
    within: NumberRange,
  ): void {
    this.#reserve(to - from);
    const { docs, tiers } = this;
    const low = within.from;
    const span = within.to - low;
    let count = this.count;
    for (let at = from; at < to; at++) {
      const doc = items[at]!;
      if ((doc - low) >>> 0 >= span) continue;
      docs[count] = doc;
      tiers[count++] = tier;
    }
    this.count = count;
  }

  /**
   * Adds all documents of a range that match a filter to an empty list; those that match `rule`, a subset, get the tier
   * `exact`.
   */
  addMatching(
    filter: TextFilter,
    rule: ExactRule | null,
    within: NumberRange,
  ): void {
    if (filter.hasDisjointLists && rule === null) {
      filter.eachList(
        (items, from, to, tier) => this.addAll(items, from, to, tier, within),
        within,
      );
      return;
    }
    try {
      rule?.eachList((items, from, to) =>
        this.#addNew(items, from, to, Tier.exact, within),
      );
      filter.eachList(
        (items, from, to, tier) => this.#addNew(items, from, to, tier, within),
        within,
      );
    } finally {
      this.#seen.forget(this.docs, 0, this.count);
    }
  }

  /** Adds the members of a set; `size` is their number. */
  addSet(set: BitSet, size: number): void {
    const members = set.toArray(size);
    this.addAll(members, 0, size, Tier.wordPrefix, ALL_DOCS);
  }

  // The next two have no branch in their loops: wrong guesses of the processor would cost more than the writes.

  /** Keeps the documents that are in a set. */
  keepMembers({ bits }: BitSet): void {
    const { count, docs, tiers } = this;
    let remaining = 0;
    for (let i = 0; i < count; i++) {
      const doc = docs[i]!;
      docs[remaining] = doc;
      tiers[remaining] = tiers[i]!;
      remaining += (bits[doc >>> 5]! >>> (doc & 31)) & 1;
    }
    this.count = remaining;
  }

  /** Keeps the documents whose value in a column is in a set. */
  keepValues(column: Uint8Array | Uint16Array, { bits }: BitSet): void {
    const { count, docs, tiers } = this;
    let remaining = 0;
    for (let i = 0; i < count; i++) {
      const doc = docs[i]!;
      const value = column[doc]!;
      docs[remaining] = doc;
      tiers[remaining] = tiers[i]!;
      remaining += (bits[value >>> 5]! >>> (value & 31)) & 1;
    }
    this.count = remaining;
  }

  /** Keeps the documents that a filter matches, and applies its tiers. */
  keepMatching(filter: TextFilter): void {
    const { docs, tiers } = this;
    const filterTiers = this.#tiersOf(filter);
    let remaining = 0;
    for (let i = 0; i < this.count; i++) {
      if (filterTiers[i] === NO_MATCH) continue;
      docs[remaining] = docs[i]!;
      tiers[remaining++] = Math.max(tiers[i]!, filterTiers[i]!);
    }
    this.count = remaining;
  }

  /** Keeps the documents of ranges, which must ascend and not touch. */
  keepRanges(ranges: readonly NumberRange[]): void {
    const { docs, tiers } = this;
    const starts = Uint32Array.from(ranges, ({ from }) => from);
    const ends = Uint32Array.from(ranges, ({ to }) => to);
    let remaining = 0;
    for (let i = 0; i < this.count; i++) {
      const doc = docs[i]!;
      const range = lowerBound(ends, doc + 1);
      if (range === ends.length || doc < starts[range]!) continue;
      docs[remaining] = doc;
      tiers[remaining++] = tiers[i]!;
    }
    this.count = remaining;
  }

  /** Applies the tiers of a filter that all documents match. */
  raiseTiers(filter: TextFilter): void {
    const { tiers } = this;
    const filterTiers = this.#tiersOf(filter);
    for (let i = 0; i < this.count; i++)
      tiers[i] = Math.max(tiers[i]!, filterTiers[i]!);
  }

  /** Sets the tier of documents outside a set to `substring`. */
  demoteOthers({ bits }: BitSet): void {
    const { docs, tiers } = this;
    for (let i = 0; i < this.count; i++) {
      const doc = docs[i]!;
      if (((bits[doc >>> 5]! >>> (doc & 31)) & 1) === 0)
        tiers[i] = Tier.substring;
    }
  }

  /** Gives the documents that match all rules the tier `exact`. */
  promoteExact(rules: readonly ExactRule[]): void {
    if (rules.length === 0 || rules.some(({ bound }) => bound === 0)) return;
    const [rule, ...others] = rules.toSorted((a, b) => a.bound - b.bound);
    if (rule === undefined) return;
    if (rule.bound > this.count) this.#promoteEach(rules);
    else this.#promoteListed(rule, others);
  }

  #promoteEach(rules: readonly ExactRule[]): void {
    const { docs, tiers } = this;
    for (let i = 0; i < this.count; i++) {
      const doc = docs[i]!;
      if (rules.every((rule) => rule.has(doc))) tiers[i] = Tier.exact;
    }
  }

  #promoteListed(rule: ExactRule, others: readonly ExactRule[]): void {
    const { docs, tiers } = this;
    const seen = this.#seen;
    try {
      rule.eachList((items, from, to) => seen.addAll(items, from, to));
      for (let i = 0; i < this.count; i++) {
        const doc = docs[i]!;
        if (seen.has(doc) && others.every((other) => other.has(doc)))
          tiers[i] = Tier.exact;
      }
    } finally {
      rule.eachList((items, from, to) => seen.forget(items, from, to));
    }
  }

  /** Adds the documents of each tier to its set. */
  addTo(sets: readonly BitSet[]): void {
    const { docs, tiers } = this;
    for (let i = 0; i < this.count; i++) sets[tiers[i]!]!.add(docs[i]!);
  }

  /** Returns the documents at `offset` to `offset + limit` - 1 in page order: by tier, then by number. */
  page(offset: number, limit: number): number[] {
    const totals = new Uint32Array(TIER_COUNT);
    for (let i = 0; i < this.count; i++) totals[this.tiers[i]!]!++;
    const page: number[] = [];
    let skip = offset;
    for (let tier = 0; tier < TIER_COUNT && page.length < limit; tier++) {
      if (skip < totals[tier]!) {
        const left = limit - page.length;
        page.push(...this.#pageOf(tier, totals[tier]!, skip, left));
        skip = 0;
      } else skip -= totals[tier]!;
    }
    return page;
  }

  /** Returns a page of the documents of one tier, `total` in all. */
  #pageOf(
    tier: number,
    total: number,
    offset: number,
    limit: number,
  ): number[] {
    const { count, docs, tiers } = this;
    this.#tier = withRoom(this.#tier, total);
    const ofTier = this.#tier;
    let at = 0;
    for (let i = 0; i < count; i++)
      if (tiers[i] === tier) ofTier[at++] = docs[i]!;
    return rankedDocs(ofTier.subarray(0, at), this.#docCount, offset, limit);
  }

  #addNew(
    items: Uint32Array,
    from: number,
    to: number,
    tier: number,
    within: NumberRange,
  ): void {
    this.#reserve(to - from);
    const { docs, tiers } = this;
    const low = within.from;
    const span = within.to - low;
    const seen = this.#seen.bits;
    let count = this.count;
    for (let at = from; at < to; at++) {
      const doc = items[at]!;
      if ((doc - low) >>> 0 >= span) continue;
      const bit = 1 << (doc & 31);
      const word = seen[doc >>> 5]!;
      if ((word & bit) !== 0) continue;
      seen[doc >>> 5] = word | bit;
      docs[count] = doc;
      tiers[count++] = tier;
    }
    this.count = count;
  }

  #tiersOf(filter: TextFilter): Uint8Array {
    const filterTiers = new Uint8Array(this.count);
    filter.tiersOf(this.docs, this.count, filterTiers);
    return filterTiers;
  }

  #reserve(more: number): void {
    this.docs = withRoom(this.docs, this.count + more);
    this.tiers = withRoom(this.tiers, this.count + more);
  }
}
