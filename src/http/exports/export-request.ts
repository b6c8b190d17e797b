import type { Static } from "typebox";
import type { DetailPart } from "../../contract/detail-parts.ts";
import { ExportParameters } from "../../contract/parameters.ts";
import type { Directory } from "../../search/directory.ts";
import { ROW_FORMATS } from "../../search/render/row-formats.ts";
import type { Failure } from "../pipeline/failure.ts";
import { missingDataFailure } from "../queries/data-operation.ts";
import {
  parameterFailure,
  queryOf,
  queryReader,
} from "../queries/query-string.ts";
import { detailsNotAvailable, inOrder } from "../routes/lookup.ts";

export interface ExportRequest {
  readonly query: Static<typeof ExportParameters>;
}

const readQuery = queryReader(ExportParameters);

/** Reads an export's query. `instead` is what to use if its format has no details. */
export function parseExport(
  url: string,
  instead = "format=ndjson",
): ExportRequest | Failure {
  const { problems, value } = readQuery(queryOf(url));
  if (value === null) return parameterFailure(problems);
  if (value.include !== undefined && !ROW_FORMATS[value.format].hasDetails)
    return parameterFailure([
      {
        param: "include",
        code: "invalid_parameter",
        message: `include cannot be combined with format=${value.format}, whose columns are fixed. Use ${instead}.`,
      },
    ]);
  return { query: value };
}

/** The parts of details in the rows, or what the data lacks for the request. */
export function partsOfExport(
  { query }: ExportRequest,
  data: Directory,
): readonly DetailPart[] | Failure {
  const missing = missingDataFailure(query, data);
  if (missing !== null) return missing;
  const { detailParts } = data;
  const include = inOrder(query.include ?? []);
  const parts = include === "available" ? detailParts : include;
  return parts.every((part) => detailParts.includes(part))
    ? parts
    : detailsNotAvailable(parts, detailParts);
}
