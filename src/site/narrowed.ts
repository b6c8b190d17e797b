import {
  filtersOf,
  NEARBY_PLACE,
  type FilteredOperation,
} from "../contract/filters.ts";

/** A search, as the explorer's address has it: an operation with its parameters, without empty ones. */
export interface AskedSearch {
  readonly kind: FilteredOperation;
  readonly parameters: ReadonlyMap<string, string>;
}

/** Parameters that mean one thing: what is typed of it replaces all that was asked of it. */
const WHO = [
  "name",
  "first_name",
  "name_aliases",
  "middle_initial",
  "last_name",
  "organization",
];
const WHAT = ["specialty", "specialty_scope", "taxonomy"];
const WHERE = ["city", "state", "place", ...NEARBY_PLACE];

/**
 * Adds to a search what was typed: a new name, specialty, place, or type replaces the one before, and everything else
 * stays. A state stays with a new city, a city with a new state, and a distance with a new center. While the search is
 * by distance, a ZIP moves its center. What is wanted near a place that is missing is searched near that of the search.
 */
export function narrowed(search: AskedSearch, typed: AskedSearch): AskedSearch {
  const isGiven = (names: readonly string[]) =>
    names.some((name) => typed.parameters.has(name));
  const replaced = [WHO, WHAT].filter(isGiven).flat();
  if (typed.kind === "nearby" && !isGiven(["zip", "lat", "lng"]))
    return changed("nearby", search, replaced, typed);
  if (!isGiven(WHERE)) return changed(search.kind, search, replaced, typed);
  const onlyPlace = WHERE.filter((name) => typed.parameters.has(name)).join();
  if (
    search.kind === "nearby" &&
    typed.kind === "search" &&
    onlyPlace === "zip"
  )
    return changed(
      "nearby",
      search,
      [...replaced, "lat", "lng", "place"],
      typed,
    );
  const kept =
    search.kind === typed.kind && search.kind === "nearby"
      ? "radius"
      : onlyPlace === "city" && !search.parameters.has("city")
        ? "state"
        : onlyPlace === "state"
          ? "city"
          : null;
  const where = WHERE.filter((name) => name !== kept);
  return changed(typed.kind, search, [...replaced, ...where], typed);
}

/** Makes a search of a kind with the parameters that it takes of another one, without some, and with those typed. */
function changed(
  kind: FilteredOperation,
  search: AskedSearch,
  removed: readonly string[],
  typed: AskedSearch,
): AskedSearch {
  const taken = new Set<string>(["limit", ...filtersOf(kind)]);
  // A ZIP means different things in each kind.
  taken.delete("zip");
  const stays = (name: string): boolean =>
    name !== "page" &&
    !removed.includes(name) &&
    (kind === search.kind || taken.has(name));
  return {
    kind,
    parameters: new Map([
      ...[...search.parameters].filter(([name]) => stays(name)),
      ...typed.parameters,
    ]),
  };
}
