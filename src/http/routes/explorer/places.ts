import { MapPlacesAnswer } from "../../../contract/explorer/map.ts";
import type {
  DataOperation,
  OperationResult,
} from "../../queries/data-operation.ts";
import type { Route } from "../route.ts";

/** The cities that the map names. */
const PLACES: DataOperation<object, object, OperationResult> = {
  parse: () => ({}),
  resolve: () => ({}),
  key: () => "places",
  cacheControl: "private, no-cache",
  execute: () => ({}),
  render({ map: { places } }) {
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
  explorerCost: "part",
  answer: MapPlacesAnswer,
  handler: ({ deps, from }) => (deps.portal === null ? null : from(PLACES)),
};
