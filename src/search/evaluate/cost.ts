import type { TextFilter } from "../filters/text-filter.ts";
import type { QueryPlan } from "../plan/query-plan.ts";

/** Estimated costs in nanoseconds. Only their ratios matter. */

/** Reading a document of a filter's lists that is in none of the plan's ranges. */
export const READ_DOC = 4;
/** Adding a document to a list and finding it there for a page. */
export const LISTED_DOC = 15;
/** Adding a document to a set. */
export const ADDED_DOC = 3;
/** Looking up the taxonomy of a document. */
export const TAXONOMY_LOOK_UP = 15;
/** Looking up a document in a set. */
export const SET_LOOK_UP = 5;

/** Of the first members of a set, at most this many are tested for their tiers before sets of tiers are made. */
export const PROBED_DOCS = 2048;

/** Estimates one pass over a set of all documents: clearing, counting or intersecting it. */
export function setPassCost(docCount: number): number {
  return docCount / 32;
}

/** Estimates getting the set of a filter's matches. */
export function setCost(filter: TextFilter, pass: number): number {
  if (filter.isReady()) return 0;
  return filter.setCost ?? pass + filter.bound * ADDED_DOC;
}

/** Estimates filtering `count` documents of a list, by testing each or with the filter's set. */
export function testOrSetCost(
  filter: TextFilter,
  count: number,
  pass: number,
): number {
  return Math.min(testCost(filter, count), setTestCost(filter, count, pass));
}

/** True if using the filter's set costs less than testing each of `count` documents. */
export function isSetCheaper(
  filter: TextFilter,
  count: number,
  pass: number,
): boolean {
  return setTestCost(filter, count, pass) < testCost(filter, count);
}

function testCost(filter: TextFilter, count: number): number {
  return count * filter.testCost;
}

function setTestCost(filter: TextFilter, count: number, pass: number): number {
  return setCost(filter, pass) + count * SET_LOOK_UP;
}

/** Estimates listing `count` documents of a set and testing each for its tier. */
export function listCost(
  filters: readonly TextFilter[],
  count: number,
  pass: number,
): number {
  return filters.reduce(
    (sum, filter) => sum + testOrSetCost(filter, count, pass),
    pass + count * LISTED_DOC,
  );
}

/** Estimates getting the set of a filter's better tier, which has some of the matches. */
export function betterTierCost(filter: TextFilter, pass: number): number {
  if (filter.isBeginningReady()) return 0;
  return pass + (filter.startBound ?? filter.bound / 4) * ADDED_DOC;
}

/** Estimates testing `count` documents for the better tier of filters that they match. */
export function testsCost(
  filters: readonly TextFilter[],
  count: number,
): number {
  return filters.reduce(
    (sum, filter) =>
      sum + count * (filter.isBeginningReady() ? SET_LOOK_UP : filter.testCost),
    0,
  );
}

/** True if using the set of a filter's better tier costs less than testing each of `count` documents. */
export function isPrefixSetCheaper(
  filter: TextFilter,
  count: number,
  pass: number,
): boolean {
  return (
    betterTierCost(filter, pass) + count * SET_LOOK_UP < testCost(filter, count)
  );
}

/**
 * Estimates finding the tiers of `count` members of a set, as far as a page needs them: those of the first ones, or at
 * worst the sets of the better tiers.
 */
export function tiersCost(
  { filters, isRanked }: Pick<QueryPlan, "filters" | "isRanked">,
  count: number,
  pass: number,
): number {
  if (!isRanked) return 0;
  const tiered = filters.filter(({ hasTiers }) => hasTiers);
  return Math.min(
    testsCost(tiered, Math.min(count, PROBED_DOCS)),
    tiered.reduce((sum, filter) => sum + betterTierCost(filter, pass), 0),
  );
}
