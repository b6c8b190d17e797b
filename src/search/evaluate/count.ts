import { ALL_KINDS } from "../../snapshot/postings/kinds.ts";
import { firstNotBefore, lowerBound } from "../../snapshot/bytes/sorted.ts";
import { docsIn, type Matches, type QueryPlan } from "../plan/query-plan.ts";
import { PrefixFilter } from "../filters/prefix-filter.ts";
import { PrimaryTaxonomies } from "../filters/taxonomy-filters.ts";
import { Tier } from "../filters/text-filter.ts";
import { rankedDocs } from "./ranked-docs.ts";
import type { NumberRange } from "../../snapshot/dictionary/dictionary.ts";
import type { Snapshot } from "../../snapshot/snapshot.ts";

/** Finding a slice's edges in a list costs about as much as testing this many documents. */
const EDGE_COST = 40;

/** Matches whose total and pages follow from the edges of ranges and lists, at any depth. */
export interface Counted {
  readonly evaluator: "ranges" | "taxonomies" | "prefix";
  readonly matches: Matches;
}

/**
 * Counts the matches of query plans by place and kind, by place and taxonomy, or by a prefix of one field. Null for all
 * others, and if that is not less work.
 */
export function countPlan(snapshot: Snapshot, plan: QueryPlan): Counted | null {
  const { filters, kinds, ranges } = plan;
  const [filter] = filters;
  if (filter === undefined)
    return { evaluator: "ranges", matches: countRanges(snapshot, plan) };
  if (kinds !== ALL_KINDS || filters.length > 1) return null;
  if (filter instanceof PrimaryTaxonomies) {
    const edges = filter.numbers.length * ranges.length * EDGE_COST;
    if (docsIn(ranges) < edges) return null;
    const matches = countSlices(snapshot, ranges, filter.numbers);
    return { evaluator: "taxonomies", matches };
  }
  return filter instanceof PrefixFilter && docsIn(ranges) === snapshot.count
    ? { evaluator: "prefix", matches: countPrefix(snapshot, filter) }
    : null;
}

/** Counts the documents with a prefix in a field. They follow each other in the field's lists. */
function countPrefix(
  { count }: Snapshot,
  { bound, exact, others }: PrefixFilter,
): Matches {
  return {
    total: bound,
    page: (offset, limit) => {
      const page = rankedDocs(exact, count, offset, limit);
      const skip = Math.max(0, offset - exact.length);
      return page.concat(rankedDocs(others, count, skip, limit - page.length));
    },
    addTo: (tiers) => {
      tiers[Tier.exact]!.addAll(exact, 0, exact.length);
      tiers[Tier.wordPrefix]!.addAll(others, 0, others.length);
    },
  };
}

function countRanges({ kinds }: Snapshot, plan: QueryPlan): Matches {
  const counts = plan.ranges.map(({ from, to }) =>
    kinds.count(from, to, plan.kinds),
  );
  return {
    total: counts.reduce((sum, count) => sum + count, 0),
    page: (offset, limit) => {
      const page: number[] = [];
      let skip = offset;
      plan.ranges.forEach(({ from, to }, index) => {
        const count = counts[index]!;
        let left = Math.min(count - skip, limit - page.length);
        if (left > 0) {
          for (
            let doc = kinds.select(from, skip, plan.kinds);
            left > 0 && doc < to;
            doc++
          ) {
            if (doc % 32 === 0 && kinds.isEmpty(doc / 32, plan.kinds)) {
              doc += 31;
              continue;
            }
            if (((plan.kinds >>> kinds.column[doc]!) & 1) === 0) continue;
            page.push(doc);
            left--;
          }
        }
        skip = Math.max(0, skip - count);
      });
      return page;
    },
    addTo: (tiers) => {
      const matches = tiers[Tier.wordPrefix]!;
      for (const { from, to } of plan.ranges) matches.addRange(from, to);
      kinds.restrict(matches, plan.kinds);
    },
  };
}

/** The documents of one taxonomy in one range: a slice of the taxonomy's list. */
interface Slice {
  from: number;
  to: number;
}

function countSlices(
  { count, taxonomyDocs }: Snapshot,
  ranges: readonly NumberRange[],
  taxonomies: Uint32Array,
): Matches {
  const { items, starts } = taxonomyDocs;
  const slices: Slice[] = [];
  let total = 0;
  for (const number of taxonomies) {
    const end = starts[number + 1]!;
    let from = starts[number]!;
    for (const range of ranges) {
      from = lowerBound(items, range.from, from, end);
      const to = lowerBound(items, range.to, from, end);
      if (from < to) slices.push({ from, to });
      total += to - from;
      from = to;
    }
  }
  return {
    total,
    page: (offset, limit) =>
      offset < total ? mergePage(items, slices, count, offset, limit) : [],
    addTo: (tiers) => {
      for (const { from, to } of slices)
        tiers[Tier.wordPrefix]!.addAll(items, from, to);
    },
  };
}

/** Returns a page of the slices' documents, ascending. No document is in two slices. */
function mergePage(
  items: Uint32Array,
  slices: Slice[],
  docCount: number,
  offset: number,
  limit: number,
): number[] {
  const first = docAt(items, slices, docCount, offset);
  const heads = slices
    .map(({ from, to }) => ({ at: lowerBound(items, first, from, to), to }))
    .filter(({ at, to }) => at < to);
  const page: number[] = [];
  while (page.length < limit && heads.length > 0) {
    let least = 0;
    for (let i = 1; i < heads.length; i++) {
      if (items[heads[i]!.at]! < items[heads[least]!.at]!) least = i;
    }
    const head = heads[least]!;
    page.push(items[head.at++]!);
    if (head.at === head.to) heads.splice(least, 1);
  }
  return page;
}

/** Finds the document of the slices that has exactly `offset` of their documents before it. */
function docAt(
  items: Uint32Array,
  slices: Slice[],
  docCount: number,
  offset: number,
): number {
  return firstNotBefore(docCount, (doc) => {
    let before = 0;
    for (const { from, to } of slices)
      before += lowerBound(items, doc + 1, from, to) - from;
    return before <= offset;
  });
}
