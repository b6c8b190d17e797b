import type { TextFilter } from "../filters/text-filter.ts";

/** Estimated costs in nanoseconds. Only their ratios matter. */

/** Reading a document of a filter's lists that is in none of the plan's ranges. */
export const READ_DOC = 4;
/** Adding a document to a list and finding it there for a page. */
export const LISTED_DOC = 15;
/** Adding a document to a set. */
export const ADDED_DOC = 3;
/** Looking up the taxonomy of a member of a set. */
export const TAXONOMY_LOOK_UP = 4;
/** Looking up a document in a set. */
const SET_LOOK_UP = 5;

/** One pass over a set of all documents: clearing, counting or intersecting it. */
export function setPassCost(docCount: number): number {
  return docCount / 32;
}

/** Getting the set of a filter's matches. */
export function setCost(filter: TextFilter, pass: number): number {
  if (filter.isReady()) return 0;
  return filter.setCost ?? pass + filter.bound * ADDED_DOC;
}

/** Filtering `count` documents of a list, by testing each or with the filter's set. */
export function testOrSetCost(
  filter: TextFilter,
  count: number,
  pass: number,
): number {
  return Math.min(testCost(filter, count), setTestCost(filter, count, pass));
}

/** Whether using the filter's set costs less than testing each of `count` documents. */
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

/** Listing `count` documents of a set and testing each for its tier. */
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

/** Getting the set of a filter's better tier, which has some of the matches. */
function prefixSetCost(filter: TextFilter, pass: number): number {
  return filter.isBeginningReady() ? 0 : pass + (filter.bound * ADDED_DOC) / 4;
}

/** Whether using the set of a filter's better tier costs less than testing each of `count` documents. */
export function isPrefixSetCheaper(
  filter: TextFilter,
  count: number,
  pass: number,
): boolean {
  return (
    prefixSetCost(filter, pass) + count * SET_LOOK_UP < testCost(filter, count)
  );
}

/** Getting the sets of the better tiers, which have some of the matches. */
export function prefixSetsCost(
  filters: readonly TextFilter[],
  pass: number,
): number {
  return filters.reduce(
    (sum, filter) => sum + pass + prefixSetCost(filter, pass),
    0,
  );
}
