import {
  isComplete,
  toKind,
  withChanges,
  type ExplorerSearch,
} from "../explorer-search.ts";

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
const WHERE = ["city", "state", "zip", "lat", "lng", "radius"];

/**
 * A search with what was typed in addition: a new name, specialty, place, or type replaces the one before, and
 * everything else stays. A state stays with a new city, a city with a new state, and a distance with a new center. While
 * the search is by distance, a ZIP moves its center. What is wanted near a place that is missing is searched near that
 * of the search.
 */
export function narrowedSearch(
  search: ExplorerSearch,
  typed: ExplorerSearch,
): ExplorerSearch {
  const given = typed.parameters;
  const isGiven = (names: readonly string[]) =>
    names.some((name) => given.has(name));
  const replaced = [WHO, WHAT].filter(isGiven).flat();
  if (!isComplete(typed))
    return changed(
      search.kind === "nearby" ? search : toKind("nearby", search),
      replaced,
      typed,
    );
  if (!isGiven(WHERE)) return changed(search, replaced, typed);
  const onlyPlace = WHERE.filter((name) => given.has(name)).join();
  if (
    search.kind === "nearby" &&
    typed.kind === "search" &&
    onlyPlace === "zip"
  )
    return changed(search, [...replaced, "lat", "lng"], typed);
  const kept =
    search.kind === typed.kind && search.kind === "nearby"
      ? "radius"
      : onlyPlace === "city" && !search.parameters.has("city")
        ? "state"
        : onlyPlace === "state"
          ? "city"
          : null;
  return changed(
    typed.kind === search.kind ? search : toKind(typed.kind, search),
    [...replaced, ...WHERE.filter((name) => name !== kept)],
    typed,
  );
}

function changed(
  search: ExplorerSearch,
  replaced: readonly string[],
  { parameters }: ExplorerSearch,
): ExplorerSearch {
  return withChanges(search, {
    ...Object.fromEntries(replaced.map((name) => [name, ""])),
    ...Object.fromEntries(parameters),
  });
}
