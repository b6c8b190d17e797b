import { SearchAnswer } from "../../contract/answers.ts";
import { SEARCH_EXAMPLE } from "../../contract/examples.ts";
import type { Route } from "./route.ts";
import type { SearchQuery } from "../../search/query.ts";
import { SearchParameters } from "../../contract/parameters.ts";
import {
  parameterSteps,
  renderPage,
  type ParametersRequest,
  type QuickOperation,
  type ResultPage,
} from "../queries/data-operation.ts";
import { queryReader } from "../queries/query-string.ts";

export type SearchRequest = ParametersRequest<SearchQuery>;

/** The search for providers by name, location and specialty. */
export const SEARCH: QuickOperation<SearchRequest, SearchRequest, ResultPage> =
  {
    ...parameterSteps(queryReader(SearchParameters)),
    execute(data, { pairs, parameters }) {
      const { hits, total } = data.search.page(parameters);
      const { limit, page } = parameters;
      const lastPage = Math.max(1, Math.ceil(total / limit));
      return {
        hits,
        meta: { count: hits.length, page, limit, total },
        links: { pairs, page, hasNext: page < lastPage, lastPage },
      };
    },
    render: renderPage,
  };

/** `GET /v1/providers/search` */
export const SEARCH_ROUTE = {
  method: "GET",
  path: "/v1/providers/search",
  access: "key",
  counted: "search",
  described: {
    operationId: "searchProviders",
    summary: "Search providers by name, place and specialty",
    description:
      "Finds providers that match all filters; without filters, lists all providers. Matching ignores case, accents, apostrophes and periods, and treats hyphens as spaces. With a name filter, matches of a whole field come first, then matches at the start of words, then the rest. Within these, and without a name filter, the order is state, city, ZIP code, NPI. `sort=name` sorts by name instead. `name_scope` and `taxonomy_scope` extend the filters to other names and taxonomies. `total` is always exact, and you can request any page.",
    query: SearchParameters,
    answer: {
      description: "A page of matching providers.",
      schema: SearchAnswer,
      examples: { "One match": SEARCH_EXAMPLE },
      headers: ["Link"],
    },
    codes: ["details_not_held"],
  },
  handler: ({ from }) => from(SEARCH),
} satisfies Route;
