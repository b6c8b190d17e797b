import {
  SUGGEST_PARAMETERS,
  type Completion,
} from "../../../contract/explorer/suggest.ts";
import type { FilteredOperation } from "../../../contract/filters.ts";
import { narrowed, type AskedSearch } from "../../../site/narrowed.ts";
import type {
  QuickOperation,
  OperationResult,
} from "../../queries/data-operation.ts";
import { queryReader } from "../../queries/query-string.ts";
import {
  filtersOf,
  shownSearchSteps,
  type ShownSearch,
} from "./shown-search.ts";

type Suggested = OperationResult & { readonly data: readonly Completion[] };

const READERS = {
  search: queryReader(SUGGEST_PARAMETERS.search),
  nearby: queryReader(SUGGEST_PARAMETERS.nearby),
};

/** What a text can become, as a user types it, and what it finds when it is added to the shown search. */
export const SUGGEST: QuickOperation<ShownSearch, ShownSearch, Suggested> = {
  ...shownSearchSteps(READERS, { needsPlace: false }),
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
      filtersOf(values).map(([name, value]) => [name, String(value)]),
    ),
  };
}
