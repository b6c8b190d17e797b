import { Compile } from "typebox/schema";
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
import type { Failure, FailureDetail } from "../pipeline/failure.ts";
import type {
  QuickOperation,
  OperationResult,
  RequestTarget,
} from "../queries/data-operation.ts";
import {
  parameterFailure,
  queryOf,
  queryReader,
  type QueryPairs,
} from "../queries/query-string.ts";
import type { Route } from "./route.ts";

interface TaxonomiesRequest {
  readonly parameters: Static<typeof TaxonomiesParameters>;
  readonly pairs: QueryPairs;
}

interface TaxonomyRequest {
  /** Its code, in upper case. */
  readonly taxonomy: string;
  /** The ID of the snapshot that the request insists on. */
  readonly snapshot?: string | undefined;
}

interface FoundTaxonomy extends OperationResult {
  readonly entry: TaxonomyEntry;
}

const readListQuery = queryReader(TaxonomiesParameters);
const readQuery = queryReader(TaxonomyParameters);
const codeCheck = Compile(TaxonomyCodeParameter);

/** The list of taxonomies, or those whose name matches. */
export const TAXONOMIES: QuickOperation<
  TaxonomiesRequest,
  TaxonomiesRequest,
  TaxonomiesAnswer & OperationResult
> = {
  parse({ url }) {
    const { pairs, problems, value } = readListQuery(queryOf(url));
    return value === null
      ? parameterFailure(problems)
      : { parameters: value, pairs };
  },
  pinned: ({ parameters }) => parameters.snapshot,
  key: ({ parameters }) => JSON.stringify(parameters),
  resolve: (_data, request) => request,
  execute(data, { pairs, parameters: { limit, page, q = "" } }) {
    const found = data.taxonomies.matching(q);
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
    parse(target) {
      const code = codeOf(target);
      const { problems, value } = readQuery(queryOf(target.url));
      const allProblems = [...codeProblems(code), ...problems];
      return allProblems.length > 0
        ? parameterFailure(allProblems)
        : { taxonomy: code.toUpperCase(), snapshot: value?.snapshot };
    },
    pinned: ({ snapshot }) => snapshot,
    key: ({ taxonomy }) => taxonomy,
    resolve(data, { taxonomy }) {
      const entry = data.taxonomies.find(taxonomy);
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
    tag: "Providers",
    summary: "List taxonomies",
    description:
      "Lists the taxonomies (specialties) of the loaded NUCC table and of all providers, with the number of active providers that have each: those that most have as their primary one first, then by code. `q` finds them by name or code, as a user types. A count equals the `total` of a search with `taxonomy`, `entity_type` and `status=active`.",
    query: TaxonomiesParameters,
    answer: {
      description: "A page of taxonomies.",
      schema: TaxonomiesAnswer,
      examples: { "One match": TAXONOMIES_EXAMPLE },
      headers: ["Link"],
    },
    codes: ["invalid_parameter", "snapshot_gone"],
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
    tag: "Providers",
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
    codes: ["invalid_parameter", "taxonomy_not_found", "snapshot_gone"],
  },
  handler: ({ from }) => from(TAXONOMY),
} satisfies Route;

export function unknownTaxonomy(code: string): Failure {
  return {
    code: "taxonomy_not_found",
    message: `Neither the loaded NUCC table nor any provider has the taxonomy ${code}.`,
  };
}

function codeOf({ params }: RequestTarget): string {
  return params["code"] ?? "";
}

function codeProblems(code: string): FailureDetail[] {
  if (codeCheck.Check(code)) return [];
  const rule = String(Reflect.get(TaxonomyCodeParameter, "x-rule"));
  const message = `code must be ${rule}.`;
  return [{ param: "code", code: "invalid_parameter", message }];
}
