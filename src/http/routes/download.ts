import type { Static } from "typebox";
import { ALL_COLUMNS, NEARBY_COLUMNS } from "../../contract/export-columns.ts";
import {
  NearbyDownloadParameters,
  SearchDownloadParameters,
} from "../../contract/parameters.ts";
import {
  EXPORT_FORMATS,
  type ExportFormat,
} from "../../contract/row-formats.ts";
import { downloadName } from "../exports/download-name.ts";
import { rowsOfDownload } from "../exports/export-request.ts";
import { rowOperation, type RowSource } from "../exports/row-operation.ts";
import { queryOf, queryReader } from "../queries/query-string.ts";
import {
  NEARBY,
  placed,
  type NearbyRequest,
  type PlacedNearby,
} from "./nearby.ts";
import type { Route } from "./route.ts";
import { SEARCH, searched, type SearchRequest } from "./search.ts";

type SearchDownload = SearchRequest & {
  readonly query: Static<typeof SearchDownloadParameters>;
};
type NearbyDownload = NearbyRequest & {
  readonly parameters: Static<typeof NearbyDownloadParameters>;
};

const readSearch = queryReader(SearchDownloadParameters);
const readNearby = queryReader(NearbyDownloadParameters);

type FormatSource<Parsed extends object, Query extends object> = (
  format: ExportFormat,
) => RowSource<Parsed, Query>;

const searchDownload: FormatSource<SearchDownload, SearchRequest> = (
  format,
) => ({
  pinned: ({ query }) => query.snapshot,
  resolve: SEARCH.resolve,
  parse: ({ url }) => searched(readSearch(queryOf(url))),
  rows: (data, { query }) =>
    rowsOfDownload(data, format, ALL_COLUMNS, query.columns),
  name: (_data, { query }, first) => downloadName(query, first),
  find: (data, { query }, most) => data.firstOfAll(query, most),
});

const nearbyDownload: FormatSource<NearbyDownload, PlacedNearby> = (
  format,
) => ({
  pinned: ({ parameters }) => parameters.snapshot,
  resolve: NEARBY.resolve,
  parse: ({ url }) => placed(readNearby(queryOf(url))),
  rows: (data, { parameters }) =>
    rowsOfDownload(data, format, NEARBY_COLUMNS, parameters.columns),
  name: (_data, { parameters }, first) => downloadName(parameters, first),
  find: (data, { query }, most) => data.firstNearby(query, most),
});

/**
 * `/explore/search.csv`, `/explore/nearby.ndjson` and so on: the whole list of the same query on the path without
 * extension, whatever its page.
 */
export const DOWNLOAD_ROUTES: readonly Route[] = [
  ...downloadRoutes("/explore/search", searchDownload),
  ...downloadRoutes("/explore/nearby", nearbyDownload),
];

function downloadRoutes<Parsed extends object, Query extends object>(
  path: string,
  sourceOf: FormatSource<Parsed, Query>,
): Route[] {
  return EXPORT_FORMATS.map((format) => ({
    method: "GET",
    path: `${path}.${format}`,
    access: "download",
    counted: "explorer",
    compress: false,
    handler: ({ deps: { portal }, files, from }) =>
      portal === null ? null : from(rowOperation(files, sourceOf(format))),
  }));
}
