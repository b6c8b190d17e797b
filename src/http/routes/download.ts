import { EXPORT_FORMATS } from "../../contract/parameters.ts";
import type { Download } from "../exports/answer-download.ts";
import { NEARBY, type NearbyRequest, type PlacedNearby } from "./nearby.ts";
import type { Route } from "./route.ts";
import { SEARCH, type SearchRequest } from "./search.ts";

const SEARCH_DOWNLOAD: Download<SearchRequest, SearchRequest> = {
  ...SEARCH,
  filters: ({ query }) => query,
  find: (data, { query }, most) => data.firstOfAll(query, most),
};

const NEARBY_DOWNLOAD: Download<NearbyRequest, PlacedNearby> = {
  ...NEARBY,
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
