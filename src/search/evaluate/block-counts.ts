import {
  blocksFor,
  countBlocks,
  NGRAM_BLOCK,
  type FrequentNgram,
} from "../../snapshot/ngrams/frequent-ngrams.ts";
import { ALL_KINDS } from "../../snapshot/postings/kinds.ts";
import { Tier, TIER_COUNT } from "../filters/text-filter.ts";
import { WordFilter } from "../filters/word-filter.ts";
import type { NumberRange } from "../../snapshot/dictionary/dictionary.ts";
import type { BitSet } from "../../snapshot/bytes/bitset.ts";
import type { Snapshot } from "../../snapshot/snapshot.ts";
import type { ExactRule } from "../filters/exact-name.ts";
import type { Matches, QueryPlan } from "../plan/query-plan.ts";
import type { Workspace } from "./workspace.ts";

/** Documents examined together when a page is filled. */
const LOOK = 256;
/**
 * Up to this many blocks are examined whole for a page. For more, building the set of the word's documents is less
 * work.
 */
const MAX_WHOLE_BLOCKS = 8;
/** Ranges with fewer documents are examined one by one. */
const MIN_RANGE = 4 * NGRAM_BLOCK;

/**
 * A search for one frequent n-gram in names, with no filter other than a place that is one range. The total and pages
 * come from the stored counts per block, and only the documents of a few blocks are examined. Null for other query
 * plans.
 */
export function countWord(
  snapshot: Snapshot,
  { filters, kinds, ranges, rules, taxonomies }: QueryPlan,
  workspace: Workspace,
): Matches | null {
  const [filter] = filters;
  const [range] = ranges;
  const [rule] = rules;
  if (filters.length !== 1 || ranges.length !== 1) return null;
  if (kinds !== ALL_KINDS || taxonomies !== null) return null;
  if (!(filter instanceof WordFilter) || filter.scope !== "any") return null;
  if (rule === undefined || range === undefined || filter.ngram === null)
    return null;
  if (range.to - range.from < MIN_RANGE) return null;
  const word = new WordBlockCounts(filter, filter.ngram, rule, workspace);
  return word.inRange(range);
}

/** The documents of a word by tier, counted per block. */
class WordBlockCounts {
  readonly #filter: WordFilter;
  readonly #rule: ExactRule;
  /** The documents with the word, if stored as a set. */
  readonly #members: BitSet | null;
  /** The documents in which a word starts with it, if stored as a set. */
  readonly #startingWith: BitSet | null;
  /** The exact matches, if any. */
  readonly #exact: BitSet;
  /** Per tier, the number of documents of each block in that tier or a better one. */
  readonly #counts: readonly Uint16Array[];
  /** The last documents examined, and their tiers. */
  readonly #docs = new Uint32Array(NGRAM_BLOCK);
  readonly #tiers = new Uint8Array(NGRAM_BLOCK);

  constructor(
    filter: WordFilter,
    ngram: FrequentNgram,
    rule: ExactRule,
    workspace: Workspace,
  ) {
    const { docCount } = workspace;
    this.#filter = filter;
    this.#rule = rule;
    this.#members = ngram.docs;
    const { prefixNgram } = filter;
    this.#exact = workspace.scratch();
    this.#startingWith =
      prefixNgram === null ? filter.startingWith() : prefixNgram.docs;
    this.#counts = [
      countExact(rule, this.#exact, docCount),
      prefixNgram?.counts ?? countBlocks(filter.startingWith(), docCount),
      ngram.counts,
    ];
  }

  inRange(range: NumberRange): Matches {
    const first = Math.floor(range.from / NGRAM_BLOCK);
    const last = Math.ceil(range.to / NGRAM_BLOCK);
    const counts = this.#counts.map((all) => all.slice(first, last));
    for (const block of new Set([first, last - 1]))
      this.#recount(counts, first, block, range);
    const totals = counts.map((blocks) =>
      blocks.reduce((sum, count) => sum + count, 0),
    );
    return {
      total: totals.at(-1)!,
      page: (offset, limit) => {
        const page: number[] = [];
        let skip = offset;
        for (let tier = 0; tier < TIER_COUNT && page.length < limit; tier++) {
          const better = tier === 0 ? 0 : totals[tier - 1]!;
          const own = totals[tier]! - better;
          if (skip >= own) {
            skip -= own;
            continue;
          }
          if (tier === Tier.exact)
            page.push(...this.#exact.slice(range.from, range.to, skip, limit));
          else this.#append(page, counts, tier, range, skip, limit);
          skip = 0;
        }
        return page;
      },
    };
  }

  /** Counts the documents of a block that is only partly in the range. */
  #recount(
    counts: readonly Uint16Array[],
    first: number,
    block: number,
    range: NumberRange,
  ): void {
    const { from, to } = within(range, block);
    if (to - from === NGRAM_BLOCK) return;
    for (const blocks of counts) blocks[block - first] = 0;
    const found = this.#look(from, to, this.#members);
    for (let i = 0; i < found; i++) {
      for (let tier = this.#tiers[i]!; tier < TIER_COUNT; tier++)
        counts[tier]![block - first]!++;
    }
  }

  /** Appends documents of a tier to a page until it is full, after skipping `skip` of them. */
  #append(
    page: number[],
    counts: readonly Uint16Array[],
    tier: number,
    range: NumberRange,
    skip: number,
    limit: number,
  ): void {
    const first = Math.floor(range.from / NGRAM_BLOCK);
    const own = counts[tier]!;
    const better = counts[tier - 1];
    // Few documents have a word that starts with an n-gram that is counted but not stored as a set; examining all would
    // take long.
    let members =
      tier === Tier.substring
        ? this.#members
        : (this.#startingWith ?? this.#members);
    let whole = 0;
    let left = skip;
    for (let i = 0; i < own.length && page.length < limit; i++) {
      const count = own[i]! - (better?.[i] ?? 0);
      if (count <= Math.max(0, left)) {
        left -= count;
        continue;
      }
      if (members === null && whole++ === MAX_WHOLE_BLOCKS)
        members =
          tier === Tier.substring
            ? this.#filter.matching()
            : this.#filter.startingWith();
      const { from, to } = within(range, first + i);
      for (let doc = from; doc < to && page.length < limit; doc += LOOK) {
        const found = this.#look(doc, Math.min(to, doc + LOOK), members);
        for (let at = 0; at < found && page.length < limit; at++) {
          if (this.#tiers[at] === tier && left-- <= 0)
            page.push(this.#docs[at]!);
        }
      }
    }
  }

  /** Finds the tiers of the documents `from` to `to` - 1 that are in a set. Returns how many were examined. */
  #look(from: number, to: number, members: BitSet | null): number {
    const docs = this.#docs;
    const tiers = this.#tiers;
    let count = 0;
    for (let doc = from; doc < to; doc++)
      if (members?.has(doc) !== false) docs[count++] = doc;
    this.#filter.tiersOf(docs, count, tiers);
    for (let i = 0; i < count; i++) {
      if (tiers[i] === Tier.wordPrefix && this.#rule.has(docs[i]!))
        tiers[i] = Tier.exact;
    }
    return count;
  }
}

/** The number of exact matches per block. If there are any, `exact` becomes their set. */
function countExact(
  rule: ExactRule,
  exact: BitSet,
  docCount: number,
): Uint16Array {
  const counts = new Uint16Array(blocksFor(docCount));
  if (rule.isEmpty) return counts;
  exact.clear();
  rule.eachList((items, from, to) => {
    for (let at = from; at < to; at++) {
      const doc = items[at]!;
      if (exact.has(doc)) continue;
      exact.add(doc);
      counts[Math.floor(doc / NGRAM_BLOCK)]!++;
    }
  });
  return counts;
}

/** The part of a range that is in a block. */
function within({ from, to }: NumberRange, block: number): NumberRange {
  return {
    from: Math.max(from, block * NGRAM_BLOCK),
    to: Math.min(to, (block + 1) * NGRAM_BLOCK),
  };
}
