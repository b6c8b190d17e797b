import type { Static } from "typebox";
import { DETAIL_PARTS, type DetailPart } from "../../contract/detail-parts.ts";
import {
  COLUMN_SETS,
  type ColumnSet,
} from "../../contract/explorer/column-sets.ts";
import {
  ALL_COLUMNS,
  COLUMNS_OF_SET,
  INSTEAD_OF_MAILING,
  MAILING_ZIP,
} from "../../contract/export-columns.ts";
import { ExportParameters } from "../../contract/parameters.ts";
import {
  rowFormatOf,
  titlesOf,
  type DownloadFormat,
} from "../../contract/row-formats.ts";
import type { Directory } from "../../search/directory.ts";
import { rowFormat } from "../../search/render/row-formats.ts";
import { oneOf } from "../../text/lists.ts";
import { isFailure, type Failure } from "../pipeline/failure.ts";
import { parserOf, type ParametersRequest } from "../queries/data-operation.ts";
import {
  invalid,
  parameterFailure,
  queryReader,
} from "../queries/query-string.ts";
import { inOrder, partsOf } from "../routes/lookup.ts";
import type { RowsShown } from "./row-operation.ts";

/** Shows spreadsheets that a file is UTF-8. */
const BYTE_ORDER_MARK = "\uFEFF";

type Parameters = Static<typeof ExportParameters>;
export type ExportRequest = ParametersRequest<Parameters>;

const TABLES = oneOf(titlesOf(true));
const COLUMNS_FAILURE = parameterFailure([
  invalid(
    "columns",
    `columns chooses the columns of ${TABLES}. Leave it out, or use ${TABLES}.`,
  ),
]);
const TWICE_FAILURE = parameterFailure([
  invalid(
    "column_set",
    "column_set cannot be combined with columns. Send one of them.",
  ),
]);

const parse = parserOf(queryReader(ExportParameters));

/** Reads an export's query. `instead` is what to use if its format has no details. */
export function parseExport(
  target: { readonly url: string },
  instead = "format=ndjson",
): ExportRequest | Failure {
  const request = parse(target);
  if (isFailure(request)) return request;
  const { columns, format, include } = request.parameters;
  const { hasColumns } = rowFormatOf(format);
  if (include !== undefined && hasColumns) {
    const message = `include cannot be combined with format=${format}. Choose columns with columns, or use ${instead}.`;
    return parameterFailure([invalid("include", message)]);
  }
  return columns !== undefined && !hasColumns ? COLUMNS_FAILURE : request;
}

/** True if the rows need details. */
export function needsDetails({ columns, include }: Parameters): boolean {
  return include !== undefined || partsOfColumns(columns).length > 0;
}

/** Returns the rows of an export; a failure if the data lacks what they need. */
export function rowsOfExport(
  data: Directory,
  { columns, format, include }: Parameters,
): RowsShown | Failure {
  const parts =
    include === undefined
      ? partsOf(data, partsOfColumns(columns), "columns")
      : partsOf(data, inOrder(include));
  if (isFailure(parts)) return parts;
  const chosen = columns === undefined ? undefined : columnsOf(columns);
  return { format: rowFormat(format, chosen), parts };
}

/** The columns that a download asks for: their names, or the name of a set. */
interface DownloadColumns {
  readonly columns?: readonly string[];
  readonly column_set?: ColumnSet;
}

/**
 * Returns the rows of a download whose list has the columns `all`, or what the data lacks for those that the request
 * names. If it names none, a table has those of a set, without what the list or the data lacks.
 */
export function rowsOfDownload(
  data: Directory,
  format: DownloadFormat,
  all: typeof ALL_COLUMNS,
  { column_set: set, columns: asked }: DownloadColumns,
): RowsShown | Failure {
  if (!rowFormatOf(format).hasColumns)
    return asked === undefined && set === undefined
      ? { format: rowFormat(format), parts: [] }
      : COLUMNS_FAILURE;
  if (asked !== undefined && set !== undefined) return TWICE_FAILURE;
  const names = asked ?? columnsOfSet(data, set);
  const wanted = partsOfColumns(names);
  const parts =
    asked === undefined
      ? wanted.filter((part) => data.detailParts.includes(part))
      : partsOf(data, wanted, "columns");
  if (isFailure(parts)) return parts;
  const columns = columnsOf(names, [...all, MAILING_ZIP]).filter(
    (column) => !("part" in column) || parts.includes(column.part),
  );
  return { format: rowFormat(format, columns, BYTE_ORDER_MARK), parts };
}

/** Returns the names of a set's columns. Without mailing addresses in the data, a mailing list has practice addresses. */
function columnsOfSet(
  { detailParts }: Directory,
  set: ColumnSet = COLUMN_SETS[0].name,
): readonly string[] {
  const names = COLUMNS_OF_SET[set];
  return set !== "mail" || detailParts.includes(MAILING_ZIP.part)
    ? names
    : names.map((name) => INSTEAD_OF_MAILING[name] ?? name);
}

function columnsOf(names: readonly string[] = [], all = ALL_COLUMNS) {
  return names.flatMap((asked) => all.filter(({ name }) => name === asked));
}

function partsOfColumns(names?: readonly string[]): readonly DetailPart[] {
  const parts = new Set(
    columnsOf(names, [...ALL_COLUMNS, MAILING_ZIP]).flatMap((column) =>
      "part" in column ? [column.part] : [],
    ),
  );
  return DETAIL_PARTS.filter((part) => parts.has(part));
}
