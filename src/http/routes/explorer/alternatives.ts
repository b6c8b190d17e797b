import type { Static } from "typebox";
import { InterpretedFilters } from "../../../contract/interpret.ts";
import {
  ALTERNATIVES_PARAMETERS,
  type AlternativesAnswer,
} from "../../../contract/explorer/suggest.ts";
import type { FilteredOperation } from "../../../contract/filters.ts";
import type {
  AskedOperation,
  OtherParameters,
} from "../../../search/interpret/total-of.ts";
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
import { placeProblems } from "../nearby.ts";

type Parameters = Partial<
  Omit<Static<typeof ALTERNATIVES_PARAMETERS.nearby>, "sort"> &
    Omit<Static<typeof ALTERNATIVES_PARAMETERS.search>, "sort">
>;

interface AlternativesRequest {
  readonly operation: FilteredOperation;
  readonly parameters: Parameters;
}

type Found = OperationResult & AlternativesAnswer;

const READERS = {
  search: queryReader(ALTERNATIVES_PARAMETERS.search),
  nearby: queryReader(ALTERNATIVES_PARAMETERS.nearby),
};

/**
 * What else than a search or a nearby search may be meant: what `interpret` answers of a text that became it. If it
 * finds no one, also which filters it finds providers without.
 */
export const ALTERNATIVES: DataOperation<
  AlternativesRequest,
  AlternativesRequest,
  Found
> = {
  parse({ url }) {
    const query = queryOf(url);
    const asked = parseQuery(query).find(([name]) => name === "operation");
    const operation = asked?.[1] === "nearby" ? "nearby" : "search";
    const { given, problems, value } = READERS[operation](query);
    const places = operation === "nearby" ? placeProblems(given) : [];
    const all = [...problems, ...places];
    if (value === null || all.length > 0) return parameterFailure(all);
    const { sort: _, ...parameters } = value;
    return { operation, parameters };
  },
  pinned: ({ parameters }) => parameters.snapshot,
  key: (request) => JSON.stringify(request),
  resolve: (data, request) =>
    missingDataFailure(request.parameters, data) ?? request,
  execute(data, { operation, parameters }) {
    const { filters, others } = partsOf(parameters);
    const { alternatives, without } = data.interpreter.alternatives(
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

/** The parameters that are no filters. */
const NO_FILTERS = new Set(["limit", "operation", "page", "snapshot"]);

/** The filters that texts become, and the other ones. */
function partsOf({
  name_aliases: aliases,
  specialty_scope: scope,
  ...rest
}: Parameters): Pick<AskedOperation, "filters"> & {
  readonly others: OtherParameters;
} {
  const filters: Record<string, unknown> = {};
  const others: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(rest)) {
    if (NO_FILTERS.has(name)) continue;
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

/** The parameters that an operation takes. */
function taken(
  operation: FilteredOperation,
  parameters: OtherParameters,
): OtherParameters {
  const { properties } = ALTERNATIVES_PARAMETERS[operation];
  return Object.fromEntries(
    Object.entries(parameters).filter(([name]) => name in properties),
  );
}
