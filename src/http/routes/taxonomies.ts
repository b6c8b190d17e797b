import type { Static } from "typebox";
import {
  TaxonomiesAnswer,
  TaxonomyAnswer,
  type TaxonomyEntry,
} from "../../contract/answers.ts";
import {
  TAXONOMIES_EXAMPLE,
  TAXONOMY_EXAMPLE,
} from "../../contract/examples.ts";
import {
  TaxonomiesParameters,
  TaxonomyCodeParameter,
  TaxonomyParameters,
} from "../../contract/parameters.ts";
import type { Failure } from "../pipeline/failure.ts";
import {
  parameterSteps,
  type OperationResult,
  type ParametersRequest,
  type QuickOperation,
} from "../queries/data-operation.ts";
import {
  invalid,
  parameterFailure,
  queryOf,
  queryReader,
  ruleOf,
} from "../queries/query-string.ts";
import type { Route } from "./route.ts";

type TaxonomiesRequest = ParametersRequest<Static<typeof TaxonomiesParameters>>;

interface TaxonomyRequest extends Static<typeof TaxonomyParameters> {
  /** Its code, in upper case. */
  readonly taxonomy: string;
}

interface FoundTaxonomy extends OperationResult {
  readonly entry: TaxonomyEntry;
}

const readQuery = queryReader(TaxonomyParameters);
const CODE = ruleOf("code", TaxonomyCodeParameter);

/** The list of taxonomies, or those whose name matches. */
export const TAXONOMIES: QuickOperation<
  TaxonomiesRequest,
  TaxonomiesRequest,
  TaxonomiesAnswer & OperationResult
> = {
  ...parameterSteps(queryReader(TaxonomiesParameters)),
  execute(data, { pairs, parameters: { limit, page, q = "" } }) {
    const found = data.lookup.taxonomies.matching(q);
    const from = (page - 1) * limit;
    const entries = found.slice(from, from + limit);
    const total = found.length;
    const lastPage = Math.max(1, Math.ceil(total / limit));
    return {
      data: entries,
      meta: { count: entries.length, page, limit, total },
      links: { pairs, page, hasNext: page < lastPage, lastPage },
    };
  },
  render: (_data, { data: entries, meta }) =>
    JSON.stringify({ data: entries, meta }),
};

/** One taxonomy by its code. */
const TAXONOMY: QuickOperation<TaxonomyRequest, FoundTaxonomy, FoundTaxonomy> =
  {
    parse({ params: { code = "" }, url }) {
      const { problems, value } = readQuery(queryOf(url));
      if (value !== null && CODE.accepts(code))
        return { ...value, taxonomy: code.toUpperCase() };
      const ofCode = CODE.accepts(code) ? [] : [invalid("code", CODE.message)];
      return parameterFailure([...ofCode, ...problems]);
    },
    pinned: ({ snapshot }) => snapshot,
    key: ({ taxonomy }) => taxonomy,
    resolve(data, { taxonomy }) {
      const entry = data.lookup.taxonomies.find(taxonomy);
      return entry === null ? unknownTaxonomy(taxonomy) : { entry };
    },
    execute: (_data, found) => found,
    render: ({ source }, { entry }) =>
      JSON.stringify({ data: entry, meta: { source } }),
  };

/** `GET /v1/taxonomies` */
export const TAXONOMIES_ROUTE = {
  method: "GET",
  path: "/v1/taxonomies",
  access: "key",
  counted: "taxonomies",
  described: {
    operationId: "listTaxonomies",
    summary: "List taxonomies",
    description:
      "Lists the taxonomies (specialties) of the loaded NUCC table and of all providers, with the number of active providers that have each: those that most have as their primary one first, then by code. `q` finds them by name or code, as a user types. A count of `primary` equals the `total` of a search with `taxonomy`, `entity_type` and `status=active`; for `any`, also with `taxonomy_scope=any`. Codes that differ only in case are one taxonomy, in upper case.",
    query: TaxonomiesParameters,
    answer: {
      description: "A page of taxonomies.",
      schema: TaxonomiesAnswer,
      examples: { "One match": TAXONOMIES_EXAMPLE },
      headers: ["Link"],
    },
  },
  handler: ({ from }) => from(TAXONOMIES),
} satisfies Route;

/** `GET /v1/taxonomies/{code}` */
export const TAXONOMY_ROUTE = {
  method: "GET",
  path: "/v1/taxonomies/:code",
  access: "key",
  counted: "taxonomies",
  described: {
    operationId: "getTaxonomy",
    summary: "Look up a taxonomy by code",
    description:
      "Returns one taxonomy, with the number of active providers that have it.",
    pathParameters: { code: TaxonomyCodeParameter },
    query: TaxonomyParameters,
    answer: {
      description: "The taxonomy.",
      schema: TaxonomyAnswer,
      examples: { "A specialty": TAXONOMY_EXAMPLE },
    },
    codes: ["taxonomy_not_found"],
  },
  handler: ({ from }) => from(TAXONOMY),
} satisfies Route;

export function unknownTaxonomy(code: string): Failure {
  return {
    code: "taxonomy_not_found",
    message: `Neither the loaded NUCC table nor any provider has the taxonomy ${code}.`,
  };
}
