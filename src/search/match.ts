import { ALL_KINDS } from "../snapshot/kinds.ts";
import { withRoom } from "../snapshot/growable.ts";
import { NumberSet } from "../snapshot/number-set.ts";
import { candidatesOf } from "./candidates.ts";
import { TIER_COUNT } from "./text-filter.ts";
import type { NumberRange } from "../snapshot/dictionary.ts";
import type { Snapshot } from "../snapshot/snapshot.ts";
import type { Plan } from "./plan.ts";

/** Candidates pass through the filters in chunks of this many: one tight loop per filter, in the first-level cache. */
const CHUNK = 2048;

const TIER_BITS = 2;
const TIER_MASK = (1 << TIER_BITS) - 1;

/**
 * The documents that match a plan, in the snapshot's order, each with its tier. One is reused for search after search, so
 * that a search with millions of matches allocates nothing.
 */
export class Matches {
  total = 0;
  /** Per match its document's number, shifted to make room for its tier. */
  #found: Uint32Array = new Uint32Array(CHUNK);

  clear(): void {
    this.total = 0;
  }

  append(docs: Uint32Array, tiers: Uint8Array, count: number): void {
    const found = (this.#found = withRoom(this.#found, this.total + count));
    let at = this.total;
    for (let i = 0; i < count; i++)
      found[at++] = (docs[i]! << TIER_BITS) | tiers[i]!;
    this.total = at;
  }

  /** The documents at `offset` to `offset + limit` - 1 in the order of pages: by tier, then by the snapshot's order. */
  page(offset: number, limit: number): number[] {
    const found = this.#found;
    const page: number[] = [];
    let skip = offset;
    for (let tier = 0; tier < TIER_COUNT && page.length < limit; tier++) {
      for (let i = 0; i < this.total && page.length < limit; i++) {
        if ((found[i]! & TIER_MASK) === tier && skip-- <= 0)
          page.push(found[i]! >>> TIER_BITS);
      }
    }
    return page;
  }
}

/** Finds all documents that match a plan, into `matches`. */
export function findMatches(
  snapshot: Snapshot,
  plan: Plan,
  matches: Matches,
): Matches {
  matches.clear();
  const pipeline = new Pipeline(snapshot, plan, matches);
  const candidates = candidatesOf(snapshot, plan);
  if (candidates.kind === "ranges")
    for (const range of candidates.ranges) pipeline.pushRange(range);
  else pipeline.pushDocs(candidates.docs);
  return matches;
}

class Pipeline {
  readonly #matches: Matches;
  readonly #snapshot: Snapshot;
  readonly #plan: Plan;
  readonly #taxonomies: NumberSet | null;
  readonly #docs = new Uint32Array(CHUNK);
  readonly #tiers = new Uint8Array(CHUNK);
  #range = 0;

  constructor(snapshot: Snapshot, plan: Plan, matches: Matches) {
    this.#matches = matches;
    this.#snapshot = snapshot;
    this.#plan = plan;
    this.#taxonomies =
      plan.taxonomies === null
        ? null
        : NumberSet.of(snapshot.taxonomies.count + 1, plan.taxonomies);
  }

  pushRange({ from, to }: NumberRange): void {
    for (let start = from; start < to; start += CHUNK) {
      const count = Math.min(CHUNK, to - start);
      for (let i = 0; i < count; i++) this.#docs[i] = start + i;
      this.#filter(count);
    }
  }

  pushDocs(docs: Uint32Array): void {
    for (let start = 0; start < docs.length; start += CHUNK) {
      const count = Math.min(CHUNK, docs.length - start);
      this.#docs.set(docs.subarray(start, start + count));
      this.#filter(this.#keepInRanges(count));
    }
  }

  #filter(count: number): void {
    let kept = this.#keepTaxonomies(this.#keepKinds(count));
    this.#tiers.fill(0, 0, kept);
    for (const text of this.#plan.texts)
      kept = text.keep(this.#docs, this.#tiers, kept);
    this.#matches.append(this.#docs, this.#tiers, kept);
  }

  /** Documents and ranges both ascend, also from chunk to chunk. */
  #keepInRanges(count: number): number {
    const docs = this.#docs;
    const { ranges } = this.#plan;
    let kept = 0;
    for (let i = 0; i < count && this.#range < ranges.length; i++) {
      const doc = docs[i]!;
      while (this.#range < ranges.length && ranges[this.#range]!.to <= doc)
        this.#range++;
      const range = ranges[this.#range];
      if (range !== undefined && doc >= range.from) docs[kept++] = doc;
    }
    return kept;
  }

  #keepKinds(count: number): number {
    const { kinds } = this.#plan;
    if (kinds === ALL_KINDS) return count;
    const docs = this.#docs;
    const { column } = this.#snapshot.kinds;
    let kept = 0;
    for (let i = 0; i < count; i++) {
      const doc = docs[i]!;
      if (((kinds >>> column[doc]!) & 1) === 1) docs[kept++] = doc;
    }
    return kept;
  }

  #keepTaxonomies(count: number): number {
    const taxonomies = this.#taxonomies;
    if (taxonomies === null) return count;
    const docs = this.#docs;
    const { taxonomy } = this.#snapshot;
    let kept = 0;
    for (let i = 0; i < count; i++) {
      const doc = docs[i]!;
      if (taxonomies.has(taxonomy[doc]!)) docs[kept++] = doc;
    }
    return kept;
  }
}
