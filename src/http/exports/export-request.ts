import type { Static } from "typebox";
import { DETAIL_PARTS, type DetailPart } from "../../contract/detail-parts.ts";
import { ALL_COLUMNS, PEOPLE_COLUMNS } from "../../contract/export-columns.ts";
import { ExportParameters } from "../../contract/parameters.ts";
import {
  rowFormatOf,
  titlesOf,
  type ExportFormat,
} from "../../contract/row-formats.ts";
import type { Directory } from "../../search/directory.ts";
import { rowFormat, type RowFormat } from "../../search/render/row-formats.ts";
import { oneOf } from "../../text/lists.ts";
import type { Failure } from "../pipeline/failure.ts";
import { missingDataFailure } from "../queries/data-operation.ts";
import {
  parameterFailure,
  queryOf,
  queryReader,
} from "../queries/query-string.ts";
import { detailsNotAvailable, inOrder } from "../routes/lookup.ts";
import type { RowsShown } from "./export-files.ts";

/** Shows spreadsheets that a file is UTF-8. */
const BYTE_ORDER_MARK = "\uFEFF";

export interface ExportRequest {
  readonly query: Static<typeof ExportParameters>;
}

const TABLES = oneOf(titlesOf(true));
const COLUMNS_FAILURE = parameterFailure([
  {
    param: "columns",
    code: "invalid_parameter",
    message: `columns chooses the columns of ${TABLES}. Leave it out, or use ${TABLES}.`,
  },
]);

const readQuery = queryReader(ExportParameters);

/** Reads an export's query. `instead` is what to use if its format has no details. */
export function parseExport(
  url: string,
  instead = "format=ndjson",
): ExportRequest | Failure {
  const { problems, value } = readQuery(queryOf(url));
  if (value === null) return parameterFailure(problems);
  const { hasColumns } = rowFormatOf(value.format);
  if (value.include !== undefined && hasColumns)
    return parameterFailure([
      {
        param: "include",
        code: "invalid_parameter",
        message: `include cannot be combined with format=${value.format}. Choose columns with columns, or use ${instead}.`,
      },
    ]);
  if (value.columns !== undefined && !hasColumns) return COLUMNS_FAILURE;
  return { query: value };
}

/** The format of the rows. */
export function formatOfExport({ query }: ExportRequest): RowFormat {
  const { columns, format } = query;
  return columns === undefined
    ? rowFormat(format)
    : rowFormat(format, columnsOf(columns));
}

/** True if the rows need details. */
export function needsDetails({ query }: ExportRequest): boolean {
  return (
    query.include !== undefined || partsOfColumns(query.columns).length > 0
  );
}

/**
 * The rows of a download whose list has the columns `all`, or what the data lacks for those that the request names. If
 * it names none, a table has those for people, without what the list or the data lacks.
 */
export function rowsOfDownload(
  data: Directory,
  format: ExportFormat,
  all: typeof ALL_COLUMNS,
  asked?: readonly string[],
): RowsShown | Failure {
  if (!rowFormatOf(format).hasColumns)
    return asked === undefined
      ? { format: rowFormat(format), parts: [] }
      : COLUMNS_FAILURE;
  const { detailParts } = data;
  const names = asked ?? PEOPLE_COLUMNS;
  const parts = partsOfColumns(names);
  const missing = parts.filter((part) => !detailParts.includes(part));
  if (asked !== undefined && missing.length > 0)
    return detailsNotAvailable(parts, detailParts, "columns");
  const columns = columnsOf(names, all).filter(
    (column) => !("part" in column && missing.includes(column.part)),
  );
  return {
    format: rowFormat(format, columns, BYTE_ORDER_MARK),
    parts: parts.filter((part) => !missing.includes(part)),
  };
}

function columnsOf(names: readonly string[] = [], all = ALL_COLUMNS) {
  return names.flatMap((asked) => all.filter(({ name }) => name === asked));
}

function partsOfColumns(names?: readonly string[]): readonly DetailPart[] {
  const parts = new Set(
    columnsOf(names).flatMap((column) =>
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
  const include = inOrder(query.include ?? partsOfColumns(query.columns));
  const parts = include === "available" ? detailParts : include;
  return parts.every((part) => detailParts.includes(part))
    ? parts
    : detailsNotAvailable(
        parts,
        detailParts,
        query.include === undefined ? "columns" : "include",
      );
}
