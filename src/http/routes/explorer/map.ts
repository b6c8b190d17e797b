import type { Static } from "typebox";
import {
  MapPlacesAnswer,
  type MapAnswer,
  type MapBounds,
  type MapMeta,
} from "../../../contract/explorer/map.ts";
import {
  MapNearbyParameters,
  MapSearchParameters,
} from "../../../contract/parameters.ts";
import type { Directory } from "../../../search/directory.ts";
import type { MapCounts } from "../../../search/map/zip-counts.ts";
import { isFailure } from "../../pipeline/failure.ts";
import {
  parameterSteps,
  type DataOperation,
  type OperationResult,
  type ParametersRequest,
  type QuickOperation,
} from "../../queries/data-operation.ts";
import { queryReader } from "../../queries/query-string.ts";
import { NEARBY, placeProblems, type PlacedNearby } from "../nearby.ts";
import type { Route } from "../route.ts";

type MapSearch = ParametersRequest<Static<typeof MapSearchParameters>>;
type MapNearby = ParametersRequest<Static<typeof MapNearbyParameters>>;
type PlacedMap = PlacedNearby & { readonly bounds: MapBounds | null };

/** The places of all matches of a search, whatever its page. */
export const MAP_SEARCH: QuickOperation<
  MapSearch,
  MapSearch,
  MapAnswer & OperationResult
> = {
  ...parameterSteps(queryReader(MapSearchParameters)),
  execute: (data, { parameters }) =>
    answerOf(
      data,
      data.explore.map.search(parameters),
      boundsOf(parameters.bounds),
    ),
  render,
};

/** The places of all matches of a nearby query, whatever its page. */
export const MAP_NEARBY: QuickOperation<
  MapNearby,
  PlacedMap,
  MapAnswer & OperationResult
> = {
  ...parameterSteps(queryReader(MapNearbyParameters), placeProblems),
  resolve(data, request) {
    const query = NEARBY.resolve(data, request);
    const bounds = boundsOf(request.parameters.bounds);
    return isFailure(query) ? query : { ...query, bounds };
  },
  execute: (data, { bounds, center, query }) =>
    answerOf(data, data.explore.map.nearby(query), bounds, {
      radius_miles: query.radius,
      center,
    }),
  render,
};

function answerOf(
  { explore: { map } }: Directory,
  counts: MapCounts,
  bounds: MapBounds | null,
  circle: Pick<MapMeta, "radius_miles" | "center"> = {},
): MapAnswer {
  const { groupedBy, rows, shown } = map.rows(counts, bounds);
  const { located, total } = counts;
  const facets = bounds === null ? [...counts.facets] : [];
  const meta = { total, located, shown, grouped_by: groupedBy, ...circle };
  return { data: rows, facets, meta };
}

function boundsOf(bounds: readonly number[] | undefined): MapBounds | null {
  if (bounds === undefined) return null;
  const [west = 0, south = 0, east = 0, north = 0] = bounds;
  return [west, south, east, north];
}

function render(_data: Directory, { data, facets, meta }: MapAnswer): string {
  return JSON.stringify({ data, facets, meta });
}

/** The cities that the map names. */
const PLACES: DataOperation<object, object, OperationResult> = {
  parse: () => ({}),
  resolve: () => ({}),
  key: () => "places",
  cacheControl: "private, no-cache",
  execute: () => ({}),
  render({
    explore: {
      map: { places },
    },
  }) {
    const answer: MapPlacesAnswer = {
      data: [...places],
      meta: { count: places.length },
    };
    return JSON.stringify(answer);
  },
};

/**
 * `GET /explore/places`: the cities that the map names. Free, as it reveals no providers. Pages keep it and ask whether
 * it changed.
 */
export const PLACES_ROUTE: Route = {
  method: "GET",
  path: "/explore/places",
  access: "explorer",
  counted: "explorer",
  answer: MapPlacesAnswer,
  handler: ({ deps, from }) => (deps.portal === null ? null : from(PLACES)),
};
