import type { DetailPart } from "../../contract/detail-parts.ts";
import {
  RegistryAnswer,
  registryError,
  type RegistryError,
} from "../../contract/npi-registry/answer.ts";
import { RegistryParameters } from "../../contract/npi-registry/parameters.ts";
import type { Directory } from "../../search/directory.ts";
import type { Hit } from "../../search/query.ts";
import type { RegistryQuery } from "../../search/registry-api/registry-query.ts";
import type { Failure } from "../pipeline/failure.ts";
import { exposing } from "../pipeline/headers.ts";
import type { WorkInPieces } from "../pipeline/work-in-pieces.ts";
import type {
  DataOperation,
  OperationResult,
} from "../queries/data-operation.ts";
import { queryOf } from "../queries/query-string.ts";
import {
  parseRegistryRequest,
  type RegistryParsing,
} from "../registry-api/parse-request.ts";
import { readable } from "./lookup.ts";
import type { Route, RouteDescription } from "./route.ts";

interface RegistrySearch {
  /** Null if the request has errors. */
  readonly query: RegistryQuery | null;
  readonly errors: readonly RegistryError[];
  readonly isPretty: boolean;
}

interface RegistryResult extends OperationResult {
  readonly errors: readonly RegistryError[];
  readonly records: readonly string[];
  readonly isPretty: boolean;
}

const INDENT = 4;
/** The indentation of a record in a response. */
const RECORD_MARGIN = `\n${" ".repeat(2 * INDENT)}`;

/**
 * Makes the operation of a request to the registry's own API. Its errors are answers like any other, with status 200.
 * They count nothing, unless the data was needed to find them.
 */
export function registryOperation(
  maxSkip: number,
  work: WorkInPieces,
): DataOperation<RegistryParsing, RegistrySearch, RegistryResult> {
  return {
    parse: ({ url }) => parseRegistryRequest(queryOf(url), maxSkip),
    key: (parsing) => JSON.stringify(parsing),
    responses: ({ request }) => (request === null ? 0 : 1),
    resolve(data, { errors, isPretty, request }) {
      if (request === null) return { query: null, errors, isPretty };
      const { query, taxonomy } = request;
      const taxonomies = taxonomy && data.registry.taxonomies.codesOf(taxonomy);
      if (taxonomies?.length === 0) {
        const unknown = registryError("14", "taxonomy_description");
        return { query: null, errors: [unknown], isPretty };
      }
      const resolved = { ...query, taxonomies };
      return (
        missingData(data, resolved) ?? { query: resolved, errors, isPretty }
      );
    },
    async execute(data, { errors, isPretty, query }, call) {
      const records: string[] = [];
      if (query === null) return { errors, records, isPretty };
      const { hits, total } = readable(() => data.search.registryPage(query));
      await work.doAll(call, recordsOf(data, hits, isPretty, records));
      const headers = [
        "x-total-count",
        String(total),
        ...exposing("X-Total-Count"),
      ];
      return { errors, records, isPretty, headers };
    },
    render: (_data, result) => bodyOf(result),
  };
}

const DESCRIBED: RouteDescription = {
  operationId: "searchNpiRegistry",
  summary: "Search as in the registry's own API",
  description:
    "Takes the parameters of NPI Registry API v2.1 and returns its responses: to use this service, programs that call the registry's own need only another base URL. An invalid request gets status 200 with `Errors`. Unlike elsewhere in this API, unknown parameters are ignored, and if a parameter is repeated, the first one counts. `/api` is the same.",
  query: RegistryParameters,
  answer: {
    description: "The providers that match, or the registry's errors.",
    schema: RegistryAnswer,
    headers: ["X-Total-Count"],
  },
  codes: ["details_not_held", "details_unreadable", "too_many_at_once"],
};

/** `GET /api/` and `GET /api`: the registry's own API (docs/npi-registry-api.md). */
export const REGISTRY_API_ROUTES: readonly Route[] = [
  { ...registryRoute("/api/"), described: DESCRIBED },
  { ...registryRoute("/api"), answer: RegistryAnswer },
];

function registryRoute(path: string): Route {
  return {
    method: "GET",
    path,
    access: "registry_api",
    counted: "registry_api",
    handler({ deps: { settings }, from, work }) {
      const { maxSkip, mode } = settings.registryApi;
      return mode === "off" ? null : from(registryOperation(maxSkip, work));
    },
  };
}

/** Renders the records of a result, and yields how many characters each has. */
function* recordsOf(
  { registry }: Directory,
  hits: readonly Hit[],
  isPretty: boolean,
  records: string[],
): Iterator<number, void> {
  for (const { doc } of hits) {
    const record = jsonOf(
      readable(() => registry.of(doc)),
      isPretty,
    );
    records.push(record);
    yield record.length;
  }
}

/** Returns the failure of a request that is about nothing but data that this installation does not store, else null. */
function missingData(data: Directory, query: RegistryQuery): Failure | null {
  const wanted = new Set<DetailPart>();
  if (query.names?.purpose === "official") wanted.add("identity");
  if (query.place?.purpose === "mailing") wanted.add("mailing_address");
  if (query.place?.purpose === "secondary") wanted.add("locations");
  const missing = data.registry
    .missingFor(query)
    .filter((part) => wanted.has(part));
  if (missing.length === 0) return null;
  return {
    code: "details_not_held",
    message: `This installation does not store ${missing.join(" and ")}, which name_purpose or address_purpose searches. Its operator can add this data: import the registry's full zip with --details all.`,
  };
}

function bodyOf({ errors, isPretty, records }: RegistryResult): string {
  if (errors.length > 0) return jsonOf({ Errors: errors }, isPretty);
  if (!isPretty)
    return `{"result_count":${records.length},"results":[${records.join(",")}]}`;
  const results =
    records.length === 0
      ? "[]"
      : `[${records
          .map(
            (record) => RECORD_MARGIN + record.replaceAll("\n", RECORD_MARGIN),
          )
          .join(",")}\n${" ".repeat(INDENT)}]`;
  return `{\n    "result_count": ${records.length},\n    "results": ${results}\n}`;
}

function jsonOf(value: object, isPretty: boolean): string {
  return JSON.stringify(value, null, isPretty ? INDENT : 0);
}
