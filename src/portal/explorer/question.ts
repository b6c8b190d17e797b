import { filtersOf, type FilteredOperation } from "../../contract/filters.ts";
import type { SampleRequest } from "../api/request-samples.ts";

/** `search`: by name and place. `nearby`: by distance, which the API asks by itself. */
export type QuestionKind = FilteredOperation;

/** What the explorer shows, as its address has it: the API's own parameters, those that say something. */
export interface Question {
  readonly kind: QuestionKind;
  readonly parameters: ReadonlyMap<string, string>;
}

/** New values of parameters; an empty one takes the parameter away. */
export type Changes = Readonly<Record<string, string>>;

const PARAMETERS: Readonly<Record<QuestionKind, readonly string[]>> = {
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

const API_PATHS: Readonly<Record<QuestionKind, string>> = {
  search: "/v1/providers/search",
  nearby: "/v1/providers/nearby",
};

/** As the API takes it where none is given. */
export const DEFAULT_RADIUS_MILES = "25";

/** Reads an address: a radius or a point makes it one by distance. What the API does not know is left out. */
export function questionAt(query: URLSearchParams): Question {
  const isNearby = ["radius", "lat", "lng"].some((name) => query.has(name));
  return questionOf(isNearby ? "nearby" : "search", [...query]);
}

/** Whether there is something to ask: a distance needs a place to count from. */
export function isComplete({ kind, parameters }: Question): boolean {
  return (
    kind === "search" ||
    ["zip", "lat", "lng"].some((name) => parameters.has(name))
  );
}

/** The same question with some parameters changed, from its first page on. */
export function changed(question: Question, changes: Changes): Question {
  return questionOf(question.kind, [
    ...[...question.parameters].filter(
      ([name]) => name !== "page" && !Object.hasOwn(changes, name),
    ),
    ...Object.entries(changes),
  ]);
}

/** A question of a kind with the filters that both kinds have, and some more. */
export function asKind(
  kind: QuestionKind,
  { parameters }: Question,
  changes: Changes = {},
): Question {
  const shared = [...parameters].filter(([name]) => SHARED.has(name));
  return changed(questionOf(kind, shared), changes);
}

/** The explorer's address that asks it. */
export function addressOf({ kind, parameters }: Question): string {
  const pairs = [...parameters];
  // Says by itself that it goes by distance.
  if (kind === "nearby" && !parameters.has("radius"))
    pairs.push(["radius", DEFAULT_RADIUS_MILES]);
  return pairs.length === 0 ? "/" : `/?${new URLSearchParams(pairs)}`;
}

/** Where the page asks it. */
export function explorePath({ kind, parameters }: Question): string {
  const query = new URLSearchParams([...parameters]);
  return `/explore/${kind}${query.size === 0 ? "" : `?${query}`}`;
}

/** Where the page asks for the places of all that match; they do not depend on the page of the list. */
export function mapPath(question: Question): string {
  const { parameters } = changed(question, { limit: "" });
  return `/explore/map?${new URLSearchParams([...parameters])}`;
}

/** The request that programs make for the same. */
export function requestOf({ kind, parameters }: Question): SampleRequest {
  return { path: API_PATHS[kind], query: [...parameters] };
}

function questionOf(
  kind: QuestionKind,
  pairs: readonly (readonly [string, string])[],
): Question {
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
export function keepSearch(searched: string): void {
  address = searched;
}

/** Where the reader searched last; null for one who came from elsewhere. */
export function lastSearch(): string | null {
  return address;
}
