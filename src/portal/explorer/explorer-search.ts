import type { ColumnSet } from "../../contract/explorer/column-sets.ts";
import {
  filtersOf,
  SORTS,
  type FilteredOperation,
} from "../../contract/filters.ts";
import type { Interpretation } from "../../contract/interpret.ts";
import type { DownloadFormat } from "../../contract/row-formats.ts";
import { NO_STATE, stateNumber } from "../../contract/states.ts";
import { placeText } from "../../site/provider-name.ts";
import { typedCase } from "../../text/natural-case.ts";
import type { SampleRequest } from "../api/request-samples.ts";
import { narrowed } from "../../site/narrowed.ts";
import { checkNpi, npiAsTyped } from "../../registry/npi.ts";

/**
 * The search that the explorer shows and its address contains: the API's own parameters, without empty ones and the
 * usual order.
 */
export interface ExplorerSearch {
  /** `search`: by name and location. `nearby`: by distance. */
  readonly kind: FilteredOperation;
  readonly parameters: ReadonlyMap<string, string>;
}

/** New values of parameters; an empty value removes the parameter. */
export type Changes = Readonly<Record<string, string>>;

const PARAMETERS: Readonly<Record<FilteredOperation, readonly string[]>> = {
  search: [...filtersOf("search"), "sort", "limit", "page"],
  nearby: [
    "zip",
    // The center as a user typed it, such as Chicago, IL. Not a parameter of the API.
    "place",
    "lat",
    "lng",
    "radius",
    ...filtersOf("nearby"),
    "sort",
    "limit",
    "page",
  ],
};
/** Parameters of both kinds, kept when the user switches between them. A ZIP means different things in each. */
const SHARED: ReadonlySet<string> = new Set(
  PARAMETERS.nearby.filter(
    (name) => name !== "zip" && PARAMETERS.search.some((each) => each === name),
  ),
);

const API_PATHS: Readonly<Record<FilteredOperation, string>> = {
  search: "/v1/providers/search",
  nearby: "/v1/providers/nearby",
};

/** The API's default. */
export const DEFAULT_RADIUS_MILES = "25";

/** Reads an address. A radius or a point makes it a search by distance; unknown parameters are dropped. */
export function parseSearch(query: URLSearchParams): ExplorerSearch {
  const isNearby = ["radius", "lat", "lng"].some((name) => query.has(name));
  return makeSearch(isNearby ? "nearby" : "search", [...query]);
}

/** Reads the filters of a text or a suggestion as a search, or as the NPI of a lookup; null if there are none. */
export function readingOf({
  filters,
  operation,
  understood = [],
}: Pick<Interpretation, "filters" | "operation"> &
  Partial<Pick<Interpretation, "understood">>):
  ExplorerSearch | { readonly kind: "lookup"; readonly npi: string } | null {
  if (operation === null) return null;
  const { npi = "" } = filters;
  if (operation === "lookup") return { kind: "lookup", npi };
  const pairs = Object.entries(filters).map(
    ([name, value]) => [name, String(value)] as const,
  );
  return makeSearch(operation, [...pairs, ["place", typedCenter(understood)]]);
}

/** Writes the city around which a text searches, as users typed it: `Chicago, IL`. Empty for a ZIP. */
function typedCenter(understood: Interpretation["understood"]): string {
  const typed = understood
    .filter(({ filter }) => filter === "zip")
    .map(({ text }) => text)
    .join(", ");
  if (/^[\d\s-]*$/.test(typed)) return "";
  const [, city = typed, state = ""] =
    /^(.+?)[\s,]+(\p{L}\p{L})$/u.exec(typed) ?? [];
  return stateNumber(state.toUpperCase()) === NO_STATE
    ? typedCase(typed, "city")
    : placeText(typedCase(city, "city"), state.toUpperCase());
}

/** True if nothing is asked, not even for all providers: the first screen. */
export function isBlank({ kind, parameters }: ExplorerSearch): boolean {
  return kind === "search" && parameters.size === 0;
}

/** True if the search can be sent: one by distance needs a center. */
export function isComplete({ kind, parameters }: ExplorerSearch): boolean {
  return (
    kind === "search" ||
    ["zip", "lat", "lng"].some((name) => parameters.has(name))
  );
}

/** Changes some parameters of a search, and goes back to its first page. Another center has another name. */
export function withChanges(
  search: ExplorerSearch,
  changes: Changes,
): ExplorerSearch {
  const isMoved = ["zip", "lat"].some((name) => Object.hasOwn(changes, name));
  return makeSearch(search.kind, [
    ...[...search.parameters].filter(
      ([name]) =>
        name !== "page" &&
        !(isMoved && name === "place") &&
        !Object.hasOwn(changes, name),
    ),
    ...Object.entries(changes),
  ]);
}

/** Removes some parameters of a search. Without its place, one by distance becomes a plain one. */
export function withoutParameters(
  search: ExplorerSearch,
  names: readonly string[],
): ExplorerSearch {
  if (names.includes("radius")) return toKind("search", search);
  return withChanges(
    search,
    Object.fromEntries(names.map((name) => [name, ""])),
  );
}

/** Makes a search of another kind, with the filters that both kinds have and some changes. */
export function toKind(
  kind: FilteredOperation,
  { parameters }: ExplorerSearch,
  changes: Changes = {},
): ExplorerSearch {
  const shared = [...parameters].filter(([name]) => SHARED.has(name));
  return withChanges(makeSearch(kind, shared), changes);
}

/** Returns the explorer's address for this search. */
export function searchHref({ kind, parameters }: ExplorerSearch): string {
  // The radius marks the address as a search by distance.
  const marked =
    kind === "nearby"
      ? makeSearch(kind, [...parameters, ["radius", DEFAULT_RADIUS_MILES]])
          .parameters
      : parameters;
  return marked.size === 0 ? "/" : `/?${new URLSearchParams([...marked])}`;
}

/** Returns the explorer's address for a page of this search. Of all providers, even the first page has its number. */
export function pageHref(search: ExplorerSearch, page: number): string {
  const first = withChanges(search, {});
  return page > 1 || isBlank(first)
    ? searchHref(withChanges(search, { page: String(page) }))
    : searchHref(first);
}

/** The address of the list of all providers: by name, because by location it starts with military post offices. */
export const ALL_HREF = "/?sort=name";

/** Returns the path of the list. */
export function listPath(search: ExplorerSearch): string {
  return `/explore/${search.kind}${queryOf(search)}`;
}

/** Returns the path of what a text can become, with what each finds when it is added to this search. */
export function suggestPath(typed: string, search: ExplorerSearch): string {
  const query = new URLSearchParams({ q: typed });
  if (!isBlank(search)) {
    query.set("operation", search.kind);
    const { parameters } = withChanges(search, { limit: "", place: "" });
    for (const [name, value] of parameters) query.set(name, value);
  }
  return `/explore/suggest?${query}`;
}

/** Returns the path of what else this search may mean. */
export function alternativesPath(search: ExplorerSearch): string {
  const { kind, parameters } = withChanges(search, {
    limit: "",
    place: "",
    sort: "",
  });
  const query = new URLSearchParams([["operation", kind], ...parameters]);
  return `/explore/alternatives?${query}`;
}

/** Returns the path of the whole list as a file, whatever its page. A table has the columns of a set. */
export function downloadPath(
  search: ExplorerSearch,
  format: DownloadFormat,
  set: ColumnSet | null,
): string {
  const all = withChanges(search, { limit: "" });
  const columns = set === null ? [] : [["column_set", set] as const];
  return `/explore/${search.kind}.${format}${queryOf(all, columns)}`;
}

/** Returns the path of the ZIPs of all results, whatever the page of the list. */
export function mapPath(search: ExplorerSearch, bounds?: string): string {
  const all = withChanges(search, { limit: "", sort: "" });
  const area = bounds === undefined ? [] : [["bounds", bounds] as const];
  return `/explore/map/${search.kind}${queryOf(all, area)}`;
}

/** Makes the API request that returns the same. */
export function sampleRequest(search: ExplorerSearch): SampleRequest {
  return { path: API_PATHS[search.kind], query: apiParameters(search) };
}

/** Returns the parameters of a search that the API knows. */
function apiParameters({ parameters }: ExplorerSearch) {
  return [...parameters].filter(([name]) => name !== "place");
}

/** Writes the query of a request, with more parameters; empty if there are none. */
function queryOf(
  search: ExplorerSearch,
  more: readonly (readonly [string, string])[] = [],
): string {
  const query = [...apiParameters(search), ...more];
  return query.length === 0
    ? ""
    : `?${new URLSearchParams(query.map(([...pair]) => pair))}`;
}

function makeSearch(
  kind: FilteredOperation,
  pairs: readonly (readonly [string, string])[],
): ExplorerSearch {
  const given = new Map(
    pairs.map(([name, value]) => [name, value.trim()] as const).reverse(),
  );
  const parameters = new Map<string, string>();
  for (const name of PARAMETERS[kind]) {
    const value = given.get(name) ?? "";
    const isUsual = name === "sort" && value === SORTS[kind][0];
    if (value !== "" && !isUsual) parameters.set(name, value);
  }
  return { kind, parameters };
}

let address: string | null = null;

/** Remembers the last search until the tab is closed or reloaded; null forgets it. */
export function rememberSearch(searched: string | null): void {
  address = searched;
}

/** Returns the address of the last search; null if there was none in this tab. */
export function lastSearch(): string | null {
  return address;
}

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
