import type { Static } from "typebox";
import type { SUGGEST_PARAMETERS } from "../../../contract/explorer/suggest.ts";
import type { FilteredOperation } from "../../../contract/filters.ts";
import {
  missingDataFailure,
  type DataOperation,
  type OperationResult,
} from "../../queries/data-operation.ts";
import {
  parameterFailure,
  parseQuery,
  queryOf,
  type QueryReading,
} from "../../queries/query-string.ts";
import { placeProblems } from "../nearby.ts";

export type ShownParameters = Partial<
  Omit<Static<typeof SUGGEST_PARAMETERS.nearby>, "sort"> &
    Omit<Static<typeof SUGGEST_PARAMETERS.search>, "sort">
>;

/** The search or nearby search that the explorer shows; its order doesn't matter here. */
export interface ShownSearch {
  readonly operation: FilteredOperation;
  readonly parameters: ShownParameters;
}

type Reader = (
  query: string,
) => QueryReading<ShownParameters & { readonly sort?: string }>;

/** Parameters that aren't filters. */
const OTHER_PARAMETERS: ReadonlySet<string> = new Set([
  "limit",
  "operation",
  "page",
  "q",
  "snapshot",
]);

/** The filters of a search, with their values. */
export function filtersOf(parameters: object): [string, unknown][] {
  return Object.entries(parameters).filter(
    ([name]) => !OTHER_PARAMETERS.has(name),
  );
}

/** The steps of an operation on the shown search. `needsPlace` refuses a nearby search without a place. */
export function shownSearchSteps(
  readers: Readonly<Record<FilteredOperation, Reader>>,
  { needsPlace }: { readonly needsPlace: boolean },
): Pick<
  DataOperation<ShownSearch, ShownSearch, OperationResult>,
  "key" | "parse" | "pinned" | "resolve"
> {
  return {
    parse({ url }) {
      const query = queryOf(url);
      const asked = parseQuery(query).find(([name]) => name === "operation");
      const operation = asked?.[1] === "nearby" ? "nearby" : "search";
      const { given, problems, value } = readers[operation](query);
      const places =
        needsPlace && operation === "nearby" ? placeProblems(given) : [];
      const all = [...problems, ...places];
      if (value === null || all.length > 0) return parameterFailure(all);
      const { sort: _, ...parameters } = value;
      return { operation, parameters };
    },
    pinned: ({ parameters }) => parameters.snapshot,
    key: (request) => JSON.stringify(request),
    resolve: (data, request) =>
      missingDataFailure(request.parameters, data) ?? request,
  };
}
