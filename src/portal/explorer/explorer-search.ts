import { filtersOf, type FilteredOperation } from "../../contract/filters.ts";
import type { SampleRequest } from "../api/request-samples.ts";

/** `search`: by name and place. `nearby`: by distance, which the API asks by itself. */
export type SearchKind = FilteredOperation;

/** What the explorer shows, as its address has it: the API's own parameters, those that say something. */
export interface ExplorerSearch {
  readonly kind: SearchKind;
  readonly parameters: ReadonlyMap<string, string>;
}

/** New values of parameters; an empty one takes the parameter away. */
export type Changes = Readonly<Record<string, string>>;

const PARAMETERS: Readonly<Record<SearchKind, readonly string[]>> = {
  search: [...filtersOf("search"), "limit", "page"],
  nearby: [
    "zip",
    "lat",
    "lng",
    "radius",
    ...filtersOf("nearby"),
    "limit",
    "page",
  ],
};
/** What both kinds have, so that it stays when one changes to the other. */
const SHARED: ReadonlySet<string> = new Set(
  PARAMETERS.nearby.filter(
    (name) => name !== "zip" && PARAMETERS.search.some((each) => each === name),
  ),
);

const API_PATHS: Readonly<Record<SearchKind, string>> = {
  search: "/v1/providers/search",
  nearby: "/v1/providers/nearby",
};

/** As the API takes it where none is given. */
export const DEFAULT_RADIUS_MILES = "25";

/** Reads an address: a radius or a point makes it one by distance. What the API does not know is left out. */
export function parseSearch(query: URLSearchParams): ExplorerSearch {
  const isNearby = ["radius", "lat", "lng"].some((name) => query.has(name));
  return makeSearch(isNearby ? "nearby" : "search", [...query]);
}

/** Whether there is something to ask: a distance needs a place to count from. */
export function isComplete({ kind, parameters }: ExplorerSearch): boolean {
  return (
    kind === "search" ||
    ["zip", "lat", "lng"].some((name) => parameters.has(name))
  );
}

/** The same search with some parameters changed, from its first page on. */
export function withChanges(
  search: ExplorerSearch,
  changes: Changes,
): ExplorerSearch {
  return makeSearch(search.kind, [
    ...[...search.parameters].filter(
      ([name]) => name !== "page" && !Object.hasOwn(changes, name),
    ),
    ...Object.entries(changes),
  ]);
}

/** A search of a kind with the filters that both kinds have, and some more. */
export function toKind(
  kind: SearchKind,
  { parameters }: ExplorerSearch,
  changes: Changes = {},
): ExplorerSearch {
  const shared = [...parameters].filter(([name]) => SHARED.has(name));
  return withChanges(makeSearch(kind, shared), changes);
}

/** The explorer's address that asks it. */
export function searchHref({ kind, parameters }: ExplorerSearch): string {
  const pairs = [...parameters];
  // Says by itself that it goes by distance.
  if (kind === "nearby" && !parameters.has("radius"))
    pairs.push(["radius", DEFAULT_RADIUS_MILES]);
  return pairs.length === 0 ? "/" : `/?${new URLSearchParams(pairs)}`;
}

/** Where the page asks it. */
export function listPath({ kind, parameters }: ExplorerSearch): string {
  const query = new URLSearchParams([...parameters]);
  return `/explore/${kind}${query.size === 0 ? "" : `?${query}`}`;
}

/** Where the page asks for the places of all that match; they do not depend on the page of the list. */
export function mapPath(search: ExplorerSearch): string {
  const { parameters } = withChanges(search, { limit: "" });
  return `/explore/map?${new URLSearchParams([...parameters])}`;
}

/** The request that programs make for the same. */
export function sampleRequest({
  kind,
  parameters,
}: ExplorerSearch): SampleRequest {
  return { path: API_PATHS[kind], query: [...parameters] };
}

function makeSearch(
  kind: SearchKind,
  pairs: readonly (readonly [string, string])[],
): ExplorerSearch {
  const given = new Map(
    pairs.map(([name, value]) => [name, value.trim()] as const).reverse(),
  );
  const parameters = new Map<string, string>();
  for (const name of PARAMETERS[kind]) {
    const value = given.get(name) ?? "";
    if (value !== "") parameters.set(name, value);
  }
  return { kind, parameters };
}

let address: string | null = null;

/** Remembers where the reader searched, as long as the page is open. */
export function rememberSearch(searched: string): void {
  address = searched;
}

/** Where the reader searched last; null for one who came from elsewhere. */
export function lastSearch(): string | null {
  return address;
}
