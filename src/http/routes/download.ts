import type { ColumnSet } from "../../contract/explorer/column-sets.ts";
import {
  ALL_COLUMNS,
  NEARBY_COLUMNS,
  type ExportColumn,
} from "../../contract/export-columns.ts";
import type { FilterValues } from "../../contract/parameters/filter-schemas.ts";
import {
  NearbyDownloadParameters,
  SearchDownloadParameters,
} from "../../contract/parameters.ts";
import { DOWNLOAD_FORMATS } from "../../contract/row-formats.ts";
import { rowsOfDownload } from "../exports/export-request.ts";
import { rowOperation, type RowSource } from "../exports/row-operation.ts";
import { parserOf, type ParametersRequest } from "../queries/data-operation.ts";
import { queryReader } from "../queries/query-string.ts";
import { NEARBY, placeProblems } from "./nearby.ts";
import type { Route } from "./route.ts";
import { SEARCH } from "./search.ts";

/** The filters that name a file, in this order. */
const NAMING = [
  "specialty",
  "taxonomy",
  "name",
  "first_name",
  "middle_initial",
  "last_name",
  "organization",
  "city",
  "state",
  "zip",
] as const satisfies readonly (keyof FilterValues)[];

const MAX_VALUE_CHARACTERS = 30;
const MAX_CHARACTERS = 80;

interface DownloadParameters extends Pick<
  FilterValues,
  (typeof NAMING)[number]
> {
  readonly columns?: readonly string[];
  readonly column_set?: ColumnSet;
  readonly snapshot?: string;
}

/**
 * `/explore/search.csv`, `/explore/nearby.ndjson` and so on: the whole list of the same query on the path without
 * extension, whatever its page.
 */
export const DOWNLOAD_ROUTES: readonly Route[] = [
  ...downloadRoutes("/explore/search", ALL_COLUMNS, {
    parse: parserOf(queryReader(SearchDownloadParameters)),
    resolve: SEARCH.resolve,
    find: (data, { parameters }, most) => data.search.first(parameters, most),
  }),
  ...downloadRoutes("/explore/nearby", NEARBY_COLUMNS, {
    parse: parserOf(queryReader(NearbyDownloadParameters), placeProblems),
    resolve: NEARBY.resolve,
    find: (data, { query }, most) => data.nearby.first(query, most),
  }),
];

function downloadRoutes<
  Values extends DownloadParameters,
  Query extends object,
>(
  path: string,
  columns: readonly ExportColumn[],
  steps: Pick<
    RowSource<ParametersRequest<Values>, Query>,
    "parse" | "resolve" | "find"
  >,
): Route[] {
  return DOWNLOAD_FORMATS.map(({ name: format }) => {
    const source: RowSource<ParametersRequest<Values>, Query> = {
      ...steps,
      pinned: ({ parameters }) => parameters.snapshot,
      rows: (data, { parameters }) =>
        rowsOfDownload(data, format, columns, parameters),
      name: (_data, { parameters }, first) => downloadName(parameters, first),
    };
    return {
      method: "GET",
      path: `${path}.${format}`,
      access: "download",
      counted: "explorer",
      compress: false,
      handler: ({ deps: { portal }, files, from }) =>
        portal === null ? null : from(rowOperation(files, source)),
    };
  });
}

/**
 * Returns the name of a download, without extension: `providers-cardiology-springfield-il`. It consists of `a` to `z`,
 * digits and hyphens, whatever the filters are.
 *
 * @param first How many rows it has, if that isn't all.
 */
export function downloadName(
  filters: DownloadParameters,
  first: number | null,
): string {
  const values = NAMING.map((name) =>
    lettersOf(filters[name] ?? "", MAX_VALUE_CHARACTERS),
  );
  const part = first === null ? [] : [`first-${first}`];
  const name = ["providers", ...part, ...values].filter(Boolean).join("-");
  return lettersOf(name, MAX_CHARACTERS);
}

function lettersOf(text: string, most: number): string {
  return text
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .slice(0, most)
    .replace(/^-|-$/g, "");
}
