import type { Static } from "typebox";
import {
  SUGGEST_PARAMETERS,
  type Completion,
} from "../../../contract/explorer/suggest.ts";
import type { FilteredOperation } from "../../../contract/filters.ts";
import { narrowed, type AskedSearch } from "../../../site/narrowed.ts";
import {
  missingDataFailure,
  type DataOperation,
  type OperationResult,
} from "../../queries/data-operation.ts";
import {
  parameterFailure,
  parseQuery,
  queryOf,
  queryReader,
} from "../../queries/query-string.ts";

type Parameters = Partial<
  Omit<Static<typeof SUGGEST_PARAMETERS.nearby>, "sort"> &
    Omit<Static<typeof SUGGEST_PARAMETERS.search>, "sort">
>;

interface SuggestRequest {
  readonly operation: FilteredOperation;
  readonly parameters: Parameters;
}

type Suggested = OperationResult & { readonly data: readonly Completion[] };

const READERS = {
  search: queryReader(SUGGEST_PARAMETERS.search),
  nearby: queryReader(SUGGEST_PARAMETERS.nearby),
};
/** The parameters that are no part of the search to which a text is added. */
const NO_FILTERS = new Set(["limit", "operation", "page", "q", "snapshot"]);

/** What a text can become, as a user types it, and what it finds when it is added to a search. */
export const SUGGEST: DataOperation<SuggestRequest, SuggestRequest, Suggested> =
  {
    parse({ url }) {
      const query = queryOf(url);
      const asked = parseQuery(query).find(([name]) => name === "operation");
      const operation = asked?.[1] === "nearby" ? "nearby" : "search";
      const { problems, value } = READERS[operation](query);
      if (value === null) return parameterFailure(problems);
      const { sort: _, ...parameters } = value;
      return { operation, parameters };
    },
    pinned: ({ parameters }) => parameters.snapshot,
    key: (request) => JSON.stringify(request),
    resolve: (data, request) =>
      missingDataFailure(request.parameters, data) ?? request,
    execute(data, { operation, parameters }) {
      const kept = searchOf(operation, parameters);
      return {
        data: data.suggester.suggest(parameters.q ?? "", (completion) => {
          const typed = searchOf(completion.operation, completion.filters);
          const { kind, parameters: all } = narrowed(kept, typed);
          return kind === "search" ? Object.fromEntries(all) : null;
        }),
      };
    },
    render: (_data, { data }) => JSON.stringify({ data }),
  };

function searchOf(kind: FilteredOperation, values: object): AskedSearch {
  return {
    kind,
    parameters: new Map(
      Object.entries(values)
        .filter(([name]) => !NO_FILTERS.has(name))
        .map(([name, value]) => [name, String(value)]),
    ),
  };
}
