import { fold } from "../../text/fold.ts";
import { foldCity } from "../../text/city.ts";
import type { NumberRange } from "../../snapshot/dictionary/dictionary.ts";
import type { Snapshot } from "../../snapshot/snapshot.ts";
import type { SearchQuery } from "../query.ts";

/** The documents that the place filters of a query admit, as ascending ranges that do not touch. */
export function placeRanges(
  snapshot: Snapshot,
  { city, state, zip }: SearchQuery,
): NumberRange[] {
  const { count, places } = snapshot;
  let ranges: NumberRange[] = count === 0 ? [] : [{ from: 0, to: count }];
  if (isGiven(state))
    ranges = intersectRanges(
      ranges,
      nonEmpty(places.docsOfState(state.trim())),
    );
  if (isGiven(city))
    ranges = intersectRanges(ranges, places.docsOfCity(foldCity(city)));
  if (isGiven(zip))
    ranges = intersectRanges(ranges, places.docsOfZip(Number(zip)));
  return ranges;
}

/** Whether a text parameter says anything: a blank one is as an absent one. */
export function isGiven(text: string | undefined): text is string {
  return text !== undefined && fold(text) !== "";
}

/** How many documents ranges hold. */
export function docsIn(ranges: readonly NumberRange[]): number {
  return ranges.reduce((count, { from, to }) => count + to - from, 0);
}

function nonEmpty(range: NumberRange): NumberRange[] {
  return range.from < range.to ? [range] : [];
}

function intersectRanges(
  some: NumberRange[],
  others: NumberRange[],
): NumberRange[] {
  const both: NumberRange[] = [];
  for (let i = 0, j = 0; i < some.length && j < others.length;) {
    const from = Math.max(some[i]!.from, others[j]!.from);
    const to = Math.min(some[i]!.to, others[j]!.to);
    if (from < to) both.push({ from, to });
    if (some[i]!.to < others[j]!.to) i++;
    else j++;
  }
  return both;
}
