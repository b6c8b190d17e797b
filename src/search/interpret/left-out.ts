import type { LeftOut } from "../../contract/explorer/suggest.ts";
import {
  isFilter,
  isScope,
  MAX_LEFT_OUT,
  NEARBY_PLACE,
  withComparison,
} from "../../contract/filters.ts";
import {
  totalOf,
  without,
  type AskedOperation,
  type Operations,
  type OtherParameters,
} from "./total-of.ts";

/** The searches that are tried, of one filter less and of several less. */
const MAX_TRIED = 8;

/**
 * The order in which filters are left out: what users do without most easily comes first, and whom they look for last.
 */
const ORDER: readonly (readonly string[])[] = [
  ["middle_initial"],
  ["last_updated_since"],
  ["status"],
  ["entity_type"],
  NEARBY_PLACE,
  ["zip"],
  ["city"],
  ["city", "state"],
  ["state"],
  ["specialty"],
  ["taxonomy"],
  ["first_name"],
  ["organization"],
  ["name"],
  ["last_name"],
];

/**
 * Finds the parameters without which an operation finds providers: one filter each, or if none is enough, as many as it
 * takes from the start of the order. At most 16 searches.
 */
export function leftOut(
  operations: Operations,
  asked: AskedOperation,
  others: OtherParameters,
): LeftOut[] {
  const single = candidates(asked, others);
  const several = single.map((_, index) => [
    ...new Set(single.slice(0, index + 1).flat()),
  ]);
  const results = foundWithout(single, MAX_LEFT_OUT);
  return results.length > 0 ? results : foundWithout(several.slice(1), 1);

  function foundWithout(tries: readonly string[][], most: number): LeftOut[] {
    const all: LeftOut[] = [];
    for (const parameters of tries.slice(0, MAX_TRIED)) {
      const total = totalWithout(operations, asked, others, parameters);
      if (total > 0) all.push({ parameters, total });
      if (all.length === most) break;
    }
    return all;
  }
}

/** Counts providers without some parameters; 0 if they leave nothing to search for: that finds everyone. */
function totalWithout(
  operations: Operations,
  asked: AskedOperation,
  others: OtherParameters,
  parameters: readonly string[],
): number {
  const filters = without(asked.filters, parameters);
  const remaining = without(others, parameters);
  if (![...Object.keys(filters), ...Object.keys(remaining)].some(narrows))
    return 0;
  const operation = parameters.includes("radius") ? "search" : asked.operation;
  return totalOf(operations, { operation, filters }, remaining);
}

/** Lists the parameters that can be left out, each time together. */
function candidates(
  { filters, operation }: AskedOperation,
  others: OtherParameters,
): string[][] {
  const given = new Set([...Object.keys(filters), ...Object.keys(others)]);
  const isNearby = operation === "nearby";
  return ORDER.flatMap((names) => {
    const isPlace = names === NEARBY_PLACE;
    // The ZIP of a nearby search is its center.
    if (isPlace ? !isNearby : isNearby && names.includes("zip")) return [];
    if (!isPlace && !names.every((name) => given.has(name))) return [];
    return [names.flatMap(withComparison).filter((name) => given.has(name))];
  });
}

/** True if a parameter makes a search find fewer providers. */
function narrows(name: string): boolean {
  if (name === "name_aliases" || name === "specialty_scope") return false;
  return isFilter(name) ? !isScope(name) : name === "lat";
}
