import type { Static } from "typebox";
import { ALL_COLUMNS, NEARBY_COLUMNS } from "../../contract/export-columns.ts";
import {
  EXPORT_FORMATS,
  NearbyDownloadParameters,
  SearchDownloadParameters,
} from "../../contract/parameters.ts";
import type { Download } from "../exports/answer-download.ts";
import { rowsOfDownload } from "../exports/export-request.ts";
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

const SEARCH_DOWNLOAD: Download<SearchDownload, SearchRequest> = {
  ...SEARCH,
  parse: ({ url }) => searched(readSearch(queryOf(url))),
  rows: (data, { query }, format) =>
    rowsOfDownload(data, format, ALL_COLUMNS, query.columns),
  filters: ({ query }) => query,
  find: (data, { query }, most) => data.firstOfAll(query, most),
};

const NEARBY_DOWNLOAD: Download<NearbyDownload, PlacedNearby> = {
  ...NEARBY,
  parse: ({ url }) => placed(readNearby(queryOf(url))),
  rows: (data, { parameters }, format) =>
    rowsOfDownload(data, format, NEARBY_COLUMNS, parameters.columns),
  filters: ({ parameters }) => parameters,
  find: (data, { query }, most) => data.firstNearby(query, most),
};

/**
 * `/explore/search.csv`, `/explore/nearby.ndjson` and so on: the whole list of the same query on the path without
 * extension, whatever its page.
 */
export const DOWNLOAD_ROUTES: readonly Route[] = [
  ...downloadRoutes("/explore/search", SEARCH_DOWNLOAD),
  ...downloadRoutes("/explore/nearby", NEARBY_DOWNLOAD),
];

function downloadRoutes<Parsed extends object, Query extends object>(
  path: string,
  download: Download<Parsed, Query>,
): Route[] {
  return EXPORT_FORMATS.map((format) => ({
    method: "GET",
    path: `${path}.${format}`,
    access: "explorer",
    counted: "explorer",
    compress: false,
    handler: ({ deps: { portal }, downloads }) =>
      portal === null ? null : downloads.of(portal, download, format),
  }));
}
