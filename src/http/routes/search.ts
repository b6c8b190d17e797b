import { SearchAnswer } from "../../contract/answers.ts";
import { SEARCH_EXAMPLE } from "../../contract/examples.ts";
import type { Route } from "./route.ts";
import type { SearchQuery } from "../../search/query.ts";
import { SearchParameters } from "../../contract/parameters.ts";
import {
  renderPage,
  lackFailure,
  type DataOperation,
  type FoundPage,
} from "../queries/data-operation.ts";
import {
  queryOf,
  parameterFailure,
  queryReader,
  type QueryPairs,
} from "../queries/query-string.ts";

interface Asked {
  readonly query: SearchQuery;
  readonly pairs: QueryPairs;
}

const readQuery = queryReader(SearchParameters);

/** Providers by name, place and specialty. */
export const SEARCH: DataOperation<Asked, Asked, FoundPage> = {
  parse({ url }) {
    const { pairs, problems, value } = readQuery(queryOf(url));
    return value === null
      ? parameterFailure(problems)
      : { query: value, pairs };
  },
  key: ({ query }) => JSON.stringify(query),
  resolve: (data, asked) => lackFailure(asked.query, data) ?? asked,
  execute(data, { pairs, query }) {
    const { hits, total } = data.searchHits(query);
    const { limit, page } = query;
    const lastPage = Math.max(1, Math.ceil(total / limit));
    return {
      hits,
      meta: { count: hits.length, page, limit, total },
      links: { pairs, page, hasNext: page < lastPage, lastPage },
    };
  },
  render: renderPage,
};

/** `GET /v1/providers/search`: providers by name, place and specialty. */
export const SEARCH_ROUTE = {
  method: "GET",
  path: "/v1/providers/search",
  access: "key",
  counted: "search",
  described: {
    operationId: "searchProviders",
    tag: "Providers",
    summary: "Search providers by name, place and specialty",
    description:
      "All filters given must match; without any, all providers are listed. Texts are compared without regard to case, accents, apostrophes and periods, and hyphens count as spaces. Whole-field matches come first, then matches at the beginning of words, then the rest; inside these, and without a name, the order is state, city, ZIP code, NPI. With `name_scope` and `taxonomy_scope` filters match other names and taxonomies too. `total` is always exact, and every page can be asked for.",
    query: SearchParameters,
    answer: {
      description: "One page of the providers that match.",
      schema: SearchAnswer,
      examples: { "One match": SEARCH_EXAMPLE },
      headers: ["Link"],
    },
    codes: ["invalid_parameter", "details_not_held"],
  },
  handler: ({ answers }) => answers.of("/v1/providers/search", SEARCH),
} satisfies Route;
