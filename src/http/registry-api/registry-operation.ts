import {
  registryError,
  type RegistryError,
} from "../../contract/npi-registry/errors.ts";
import type { DetailPart } from "../../contract/detail-parts.ts";
import type { Directory } from "../../search/directory.ts";
import type { Hit } from "../../search/query.ts";
import type { RegistryQuery } from "../../search/registry-api/registry-query.ts";
import type { Failure } from "../pipeline/failure.ts";
import { exposing } from "../pipeline/headers.ts";
import type {
  DataOperation,
  OperationResult,
} from "../queries/data-operation.ts";
import { queryOf } from "../queries/query-string.ts";
import { readable } from "../routes/lookup.ts";
import type { WorkInPieces } from "../pipeline/work-in-pieces.ts";
import { parseRegistryRequest, type RegistryParsing } from "./parse-request.ts";

interface RegistrySearch {
  readonly parsing: RegistryParsing;
  /** Null if the request has errors. */
  readonly query: RegistryQuery | null;
  readonly errors: readonly RegistryError[];
}

interface RegistryResult extends OperationResult {
  readonly errors: readonly RegistryError[];
  readonly records: readonly string[];
  readonly isPretty: boolean;
}

const INDENT = 4;
/** How far a record is indented in an answer. */
const RECORD_MARGIN = `\n${" ".repeat(2 * INDENT)}`;

/**
 * A request to the registry's own API. Its errors are answers like any other, with status 200. They count nothing,
 * unless the data was needed to find them.
 */
export function registryOperation(
  maxSkip: number,
  work: WorkInPieces,
): DataOperation<RegistryParsing, RegistrySearch, RegistryResult> {
  return {
    parse: ({ url }) => parseRegistryRequest(queryOf(url), maxSkip),
    key: (parsing) => JSON.stringify(parsing),
    responses: ({ request }) => (request === null ? 0 : 1),
    resolve(data, parsing) {
      const { query, errors } = resolved(data, parsing);
      const failure = query === null ? null : missingData(data, query);
      return failure ?? { parsing, query, errors };
    },
    async execute(data, { errors, parsing: { isPretty }, query }, call) {
      const records: string[] = [];
      if (query === null) return { errors, records, isPretty };
      const { hits, total } = readable(() => data.searchRegistry(query));
      await work.doAll(call, recordsOf(data, hits, isPretty, records));
      return {
        errors,
        records,
        isPretty,
        headers: ["x-total-count", String(total), ...exposing("X-Total-Count")],
      };
    },
    render: (_data, result) => bodyOf(result),
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

/** The query to the data, or the errors of the request. */
function resolved(
  data: Directory,
  { errors, request }: RegistryParsing,
): { query: RegistryQuery | null; errors: readonly RegistryError[] } {
  if (request === null) return { query: null, errors };
  const { query, taxonomy } = request;
  if (taxonomy === undefined) return { query, errors };
  const taxonomies = data.registry.taxonomies.codesOf(taxonomy);
  return taxonomies.length === 0
    ? { query: null, errors: [registryError("14", "taxonomy_description")] }
    : { query: { ...query, taxonomies }, errors };
}

/** The failure of a request that is about nothing but data that this installation does not store, else null. */
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
