import type { Static } from "typebox";
import {
  ALTERNATIVES_PARAMETERS,
  SUGGEST_PARAMETERS,
  type AlternativesAnswer,
  type Completion,
} from "../../../contract/explorer/suggest.ts";
import type { FilteredOperation } from "../../../contract/filters.ts";
import { InterpretedFilters } from "../../../contract/interpret.ts";
import type {
  AskedOperation,
  OtherParameters,
} from "../../../search/interpret/total-of.ts";
import { narrowed, type AskedSearch } from "../../../site/narrowed.ts";
import {
  missingDataFailure,
  type OperationResult,
  type QuickOperation,
} from "../../queries/data-operation.ts";
import {
  parameterFailure,
  parseQuery,
  queryOf,
  queryReader,
  type QueryReading,
} from "../../queries/query-string.ts";
import { placeProblems } from "../nearby.ts";

type ShownParameters = Partial<
  Omit<Static<typeof SUGGEST_PARAMETERS.nearby>, "sort"> &
    Omit<Static<typeof SUGGEST_PARAMETERS.search>, "sort">
>;

/** The search or nearby search that the explorer shows; its order doesn't matter here. */
interface ShownSearch {
  readonly operation: FilteredOperation;
  readonly parameters: ShownParameters;
}

type ShownOperation<Answer> = QuickOperation<
  ShownSearch,
  ShownSearch,
  OperationResult & Answer
>;

type Reader = (query: string) => QueryReading<ShownParameters>;

/** Parameters that aren't filters. */
const OTHER_PARAMETERS: ReadonlySet<string> = new Set([
  "limit",
  "operation",
  "page",
  "q",
  "snapshot",
  "sort",
]);

/** Makes the first steps of an operation on the shown search. `problemsOfPlace` finds what a nearby search lacks. */
function shownSearchSteps(
  readers: Readonly<Record<FilteredOperation, Reader>>,
  problemsOfPlace: typeof placeProblems = () => [],
): Pick<ShownOperation<object>, "parse" | "pinned" | "resolve"> {
  return {
    parse({ url }) {
      const query = queryOf(url);
      const asked = parseQuery(query).find(([name]) => name === "operation");
      const operation = asked?.[1] === "nearby" ? "nearby" : "search";
      const { given, problems, value } = readers[operation](query);
      const places = operation === "nearby" ? problemsOfPlace(given) : [];
      const all = [...problems, ...places];
      if (value === null || all.length > 0) return parameterFailure(all);
      return { operation, parameters: value };
    },
    pinned: ({ parameters }) => parameters.snapshot,
    resolve: (data, request) =>
      missingDataFailure(request.parameters, data) ?? request,
  };
}

/** The completions of a text, as a user types it, with what they find when they are added to the shown search. */
export const SUGGEST: ShownOperation<{ readonly data: readonly Completion[] }> =
  {
    ...shownSearchSteps({
      search: queryReader(SUGGEST_PARAMETERS.search),
      nearby: queryReader(SUGGEST_PARAMETERS.nearby),
    }),
    execute(data, { operation, parameters }) {
      const kept = searchOf(operation, parameters);
      return {
        data: data.explore.suggester.suggest(
          parameters.q ?? "",
          (completion) => {
            const typed = searchOf(completion.operation, completion.filters);
            const { kind, parameters: all } = narrowed(kept, typed);
            return kind === "search" ? Object.fromEntries(all) : null;
          },
        ),
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

/**
 * The other meanings of the text that became the shown search, as `interpret` gives them. If the search finds no one,
 * also the filters without which it finds providers.
 */
export const ALTERNATIVES: ShownOperation<AlternativesAnswer> = {
  ...shownSearchSteps(
    {
      search: queryReader(ALTERNATIVES_PARAMETERS.search),
      nearby: queryReader(ALTERNATIVES_PARAMETERS.nearby),
    },
    placeProblems,
  ),
  execute(data, { operation, parameters }) {
    const { filters, others } = partsOf(parameters);
    const { alternatives, without } = data.explore.interpreter.alternatives(
      { operation, filters },
      others,
    );
    return {
      without,
      data: alternatives.flatMap((each) =>
        each.operation === "lookup"
          ? []
          : {
              operation: each.operation,
              filters: { ...taken(each.operation, others), ...each.filters },
              total: each.total,
            },
      ),
    };
  },
  render: (_data, { data, without }) => JSON.stringify({ data, without }),
};

/** Splits parameters into the filters that texts become, and the other ones. */
function partsOf({
  name_aliases: aliases,
  specialty_scope: scope,
  ...rest
}: ShownParameters): Pick<AskedOperation, "filters"> & {
  readonly others: OtherParameters;
} {
  const filters: Record<string, unknown> = {};
  const others: Record<string, unknown> = {};
  for (const [name, value] of filtersOf(rest)) {
    const isInterpreted = name in InterpretedFilters.properties;
    (isInterpreted ? filters : others)[name] = value;
  }
  return {
    filters: {
      ...filters,
      // Their other values are the defaults.
      ...(aliases === "true" ? { name_aliases: aliases } : {}),
      ...(scope === "common" ? { specialty_scope: scope } : {}),
    },
    others,
  };
}

/** Picks the parameters that an operation takes. */
function taken(
  operation: FilteredOperation,
  parameters: OtherParameters,
): OtherParameters {
  const { properties } = ALTERNATIVES_PARAMETERS[operation];
  return Object.fromEntries(
    Object.entries(parameters).filter(([name]) => name in properties),
  );
}

/** Picks the filters of a search, with their values. */
function filtersOf(parameters: object): [string, unknown][] {
  return Object.entries(parameters).filter(
    ([name]) => !OTHER_PARAMETERS.has(name),
  );
}
