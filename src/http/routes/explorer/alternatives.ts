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
import type {
  QuickOperation,
  OperationResult,
} from "../../queries/data-operation.ts";
import { queryReader } from "../../queries/query-string.ts";
import {
  filtersOf,
  shownSearchSteps,
  type ShownParameters,
  type ShownSearch,
} from "./shown-search.ts";

type Found = OperationResult & AlternativesAnswer;

const READERS = {
  search: queryReader(ALTERNATIVES_PARAMETERS.search),
  nearby: queryReader(ALTERNATIVES_PARAMETERS.nearby),
};

/**
 * What else the text that became the shown search may mean, as `interpret` answers it. If the search finds no one, also
 * the filters without which it finds providers.
 */
export const ALTERNATIVES: QuickOperation<ShownSearch, ShownSearch, Found> = {
  ...shownSearchSteps(READERS, { needsPlace: true }),
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

/** The filters that texts become, and the other ones. */
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
