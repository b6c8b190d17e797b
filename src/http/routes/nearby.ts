import { NearbyAnswer } from "../../contract/answers.ts";
import { LOCATED_EXAMPLE, NEARBY_EXAMPLE } from "../../contract/examples.ts";
import type { Route } from "./route.ts";
import type { Static } from "typebox";
import type { Directory } from "../../search/directory.ts";
import type { NearbyQuery } from "../../search/query.ts";
import { NearbyParameters } from "../../contract/parameters.ts";
import type { Failure, FailureDetail } from "../pipeline/failure.ts";
import {
  missingDataFailure,
  parameterSteps,
  renderPage,
  type ParametersRequest,
  type QuickOperation,
  type ResultPage,
} from "../queries/data-operation.ts";
import {
  invalid,
  parameterFailure,
  queryReader,
  type QueryPairs,
} from "../queries/query-string.ts";

type Parameters = Static<typeof NearbyParameters>;
export type NearbyRequest = ParametersRequest<Parameters>;
type Center = NearbyAnswer["meta"]["center"];

/** A nearby query, and its center for the answer. */
export interface PlacedNearby {
  readonly pairs: QueryPairs;
  readonly center: Center;
  readonly query: NearbyQuery;
}

/** The search for providers around a ZIP code or a point. */
export const NEARBY: QuickOperation<NearbyRequest, PlacedNearby, ResultPage> = {
  ...parameterSteps(queryReader(NearbyParameters), placeProblems),
  resolve(data, { pairs, parameters }) {
    const center = centerOf(parameters, data);
    if (center === null) {
      const message = `The location of ZIP code ${parameters.zip} is unknown.`;
      return parameterFailure(wrongPlace("zip", message));
    }
    const failure = missingDataFailure(parameters, data);
    return failure ?? { center, pairs, query: { ...parameters, center } };
  },
  execute(data, { center, pairs, query }) {
    const { limit, location_scope: scope, page, radius } = query;
    let hits;
    try {
      hits = data.nearby.page(query);
    } catch (err) {
      if (scope !== "any") throw err;
      const message = "cannot read the secondary locations of providers";
      return { ...UNREADABLE, cause: { err, message } };
    }
    const count = hits.length;
    return {
      hits,
      meta: { count, page, limit, radius_miles: radius, center },
      // There is no total, so a full page claims a next one, even if that turns out to be empty.
      links: { pairs, page, hasNext: count === limit, lastPage: page },
    };
  },
  render: renderPage,
};

/** `GET /v1/providers/nearby` */
export const NEARBY_ROUTE = {
  method: "GET",
  path: "/v1/providers/nearby",
  access: "key",
  counted: "nearby",
  described: {
    operationId: "searchNearby",
    summary: "Search providers by distance",
    description:
      "Finds providers within a radius of a ZIP code's centroid or of a point, nearest first, then by NPI, or with `sort=name` by name. Send `zip`, or both `lat` and `lng`; with all three, `lat` and `lng` are the center. A provider's position is the centroid of its practice ZIP code, so use distances for discovery, not for routing. Names match as in a search, but do not affect the order. Providers whose ZIP code has no known location are found only by search. `location_scope=any` also searches secondary locations. There is no total: `Link` has a `next` page if this page is full, even if the next one is empty.",
    query: NearbyParameters,
    answer: {
      description: "A page of providers in the requested order.",
      schema: NearbyAnswer,
      examples: {
        "One provider": NEARBY_EXAMPLE,
        "One provider, with location_scope=any": LOCATED_EXAMPLE,
      },
      headers: ["Link"],
    },
    codes: ["invalid_location", "details_not_held", "details_unreadable"],
  },
  handler: ({ from }) => from(NEARBY),
} satisfies Route;

const UNREADABLE: Failure = {
  code: "details_unreadable",
  message:
    "The file with secondary locations cannot be read. Leave out location_scope to search primary locations.",
};

/** Checks for a complete location: both `lat` and `lng`, or a ZIP without either. */
export function placeProblems(given: ReadonlySet<string>): FailureDetail[] {
  const hasLat = given.has("lat");
  if (hasLat !== given.has("lng")) {
    const missing = hasLat ? "lng" : "lat";
    return wrongPlace(
      missing,
      `${missing} is missing. Send lat and lng together.`,
    );
  }
  return hasLat || given.has("zip")
    ? []
    : wrongPlace("zip", "Send zip, or both lat and lng.");
}

/** Returns the point, if given, else the ZIP's centroid; null if that is unknown. */
function centerOf(parameters: Parameters, data: Directory): Center | null {
  const { zip, lat, lng } = parameters;
  if (lat !== undefined && lng !== undefined) {
    const nearest = data.nearby.nearestZip({ lat, lng });
    if (nearest === null)
      throw new Error("The snapshot has no ZIP centroid at all.");
    return { zip: nearest, lat, lng };
  }
  const centroid = zip === undefined ? null : data.nearby.centroid(zip);
  return zip === undefined || centroid === null
    ? null
    : { zip, lat: centroid.lat, lng: centroid.lng };
}

function wrongPlace(param: string, message: string): FailureDetail[] {
  return [invalid(param, message, "invalid_location")];
}
