import type { Static } from "typebox";
import { DETAIL_PARTS, type DetailPart } from "../../contract/detail-parts.ts";
import { ALL_COLUMNS } from "../../contract/export-columns.ts";
import { ExportParameters } from "../../contract/parameters.ts";
import type { Directory } from "../../search/directory.ts";
import {
  csvFormat,
  ROW_FORMATS,
  type RowFormat,
} from "../../search/render/row-formats.ts";
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
  if (value.columns !== undefined && value.format !== "csv")
    return parameterFailure([
      {
        param: "columns",
        code: "invalid_parameter",
        message: `columns cannot be combined with format=${value.format}. Use format=csv, or choose details with include.`,
      },
    ]);
  return { query: value };
}

/** The format of the rows. */
export function formatOfExport({ query }: ExportRequest): RowFormat {
  return query.columns === undefined
    ? ROW_FORMATS[query.format]
    : csvFormat(columnsOf(query));
}

/** Whether the rows need details. */
export function needsDetails({ query }: ExportRequest): boolean {
  return query.include !== undefined || partsOfColumns(query).length > 0;
}

function columnsOf({ columns = [] }: ExportRequest["query"]) {
  return columns.flatMap((asked) =>
    ALL_COLUMNS.filter(({ name }) => name === asked),
  );
}

function partsOfColumns(query: ExportRequest["query"]): readonly DetailPart[] {
  const parts = new Set(
    columnsOf(query).flatMap((column) =>
      "part" in column ? [column.part] : [],
    ),
  );
  return DETAIL_PARTS.filter((part) => parts.has(part));
}

/** The parts of details in the rows, or what the data lacks for the request. */
export function partsOfExport(
  { query }: ExportRequest,
  data: Directory,
): readonly DetailPart[] | Failure {
  const missing = missingDataFailure(query, data);
  if (missing !== null) return missing;
  const { detailParts } = data;
  const include = inOrder(query.include ?? partsOfColumns(query));
  const parts = include === "available" ? detailParts : include;
  return parts.every((part) => detailParts.includes(part))
    ? parts
    : detailsNotAvailable(
        parts,
        detailParts,
        query.include === undefined ? "columns" : "include",
      );
}
