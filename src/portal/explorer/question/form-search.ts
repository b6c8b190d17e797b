import {
  toKind,
  withChanges,
  DEFAULT_RADIUS_MILES,
  type Changes,
  type ExplorerSearch,
} from "../explorer-search.ts";
import { narrowed } from "../../../site/narrowed.ts";
import { checkNpi, npiAsTyped } from "../../../registry/npi.ts";

/** A city around which to search, whose location must be found first. */
export interface CityCenter {
  readonly city: string;
  readonly state: string;
}

/** Returns the distance of a search in miles; empty for the place itself. */
export function radiusOf(search: ExplorerSearch, changes: Changes): string {
  const present =
    search.kind === "nearby"
      ? (search.parameters.get("radius") ?? DEFAULT_RADIUS_MILES)
      : "";
  return changes["radius"] ?? present;
}

/** Adds to a search what was entered in the form of filters. A distance makes it one by distance, and none by name. */
export function formSearch(
  search: ExplorerSearch,
  changes: Changes,
): ExplorerSearch {
  const kind = radiusOf(search, changes) === "" ? "search" : "nearby";
  // A typed ZIP replaces the point.
  const point = changes["zip"] ? { lat: "", lng: "" } : {};
  const zip = search.parameters.get("zip") ?? "";
  return kind === search.kind
    ? withChanges(search, { ...changes, ...point })
    : toKind(kind, search, { zip, ...changes });
}

/** Returns the city around whose center a search by distance looks: a typed one, or without a ZIP, the one before. */
export function cityCenter(
  search: ExplorerSearch,
  changes: Changes,
): CityCenter | null {
  const next = formSearch(search, changes);
  if (next.kind === "search" || changes["zip"]) return null;
  const isPlaced = ["zip", "lat"].some((name) => next.parameters.has(name));
  const city =
    changes["city"] ?? (isPlaced ? "" : (search.parameters.get("city") ?? ""));
  const state = changes["state"] ?? search.parameters.get("state") ?? "";
  return city.trim() === "" ? null : { city, state };
}

/** Adds to a search what was typed (`narrowed`), with its parameters in the order of an address. */
export function narrowedSearch(
  search: ExplorerSearch,
  typed: ExplorerSearch,
): ExplorerSearch {
  return withChanges(narrowed(search, typed), {});
}

/** Returns the NPI if that is all that was typed; else null. */
export function typedNpi(text: string): string | null {
  const npi = npiAsTyped(text);
  return checkNpi(npi) === "ok" ? npi : null;
}
