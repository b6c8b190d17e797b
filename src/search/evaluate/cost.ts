import type { TextFilter } from "../filters/text-filter.ts";

/** What work costs, in nanoseconds, about: only their proportions matter. */

/** Putting a document into a list and finding it there for a page. */
export const LISTED_DOC = 15;
/** Adding a document to a set. */
export const ADDED_DOC = 3;
/** Looking at the taxonomy of a member of a set. */
export const TAXONOMY_LOOK_UP = 4;
/** Looking a document up in a set. */
const SET_LOOK_UP = 5;

/** One pass over a set of all documents: to clear it, to count it, or to intersect it with another. */
export function setPassCost(docCount: number): number {
  return docCount / 32;
}

/** To have the set of a filter's matches. */
export function setCost(filter: TextFilter, pass: number): number {
  return filter.isReady() ? 0 : pass + filter.bound * ADDED_DOC;
}

/** To keep of `count` documents in a list those that a filter matches, by looking at each or by the filter's set. */
export function testOrSetCost(
  filter: TextFilter,
  count: number,
  pass: number,
): number {
  return Math.min(testCost(filter, count), setTestCost(filter, count, pass));
}

/** Whether the filter's set is less work than looking at each of `count` documents. */
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

/** To list `count` documents of a set and to find their tiers by looking at each. */
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

/** To have the set of a filter's better tier, which holds some part of the matches. */
function prefixSetCost(filter: TextFilter, pass: number): number {
  return filter.isBeginningReady() ? 0 : pass + (filter.bound * ADDED_DOC) / 4;
}

/** Whether the set of a filter's better tier is less work than looking at each of `count` documents. */
export function isPrefixSetCheaper(
  filter: TextFilter,
  count: number,
  pass: number,
): boolean {
  return (
    prefixSetCost(filter, pass) + count * SET_LOOK_UP < testCost(filter, count)
  );
}

/** To have the sets of the better tier, which hold some part of the matches. */
export function prefixSetsCost(
  filters: readonly TextFilter[],
  pass: number,
): number {
  return filters.reduce(
    (sum, filter) => sum + pass + prefixSetCost(filter, pass),
    0,
  );
}
