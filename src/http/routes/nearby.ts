import { NearbyAnswer } from "../../contract/answers.ts";
import { LOCATED_EXAMPLE, NEARBY_EXAMPLE } from "../../contract/examples.ts";
import type { Route } from "./route.ts";
import type { Static } from "typebox";
import type { Directory } from "../../search/directory.ts";
import type { NearbyQuery } from "../../search/query.ts";
import { NearbyParameters } from "../../contract/parameters.ts";
import type { Failure, FailureDetail } from "../pipeline/failure.ts";
import {
  renderPage,
  missingDataFailure,
  type QuickOperation,
  type ResultPage,
} from "../queries/data-operation.ts";
import {
  queryOf,
  parameterFailure,
  queryReader,
  type QueryPairs,
  type QueryReading,
} from "../queries/query-string.ts";

export interface NearbyRequest {
  readonly parameters: Static<typeof NearbyParameters>;
  readonly pairs: QueryPairs;
}
type Parameters = NearbyRequest["parameters"];
type Center = NearbyAnswer["meta"]["center"];

/** A nearby query, and its center for the answer. */
export interface PlacedNearby {
  readonly pairs: QueryPairs;
  readonly center: Center;
  readonly query: NearbyQuery;
}

const readQuery = queryReader(NearbyParameters);

/** The search for providers around a ZIP code or a point. */
export const NEARBY: QuickOperation<NearbyRequest, PlacedNearby, ResultPage> = {
  parse: ({ url }) => placed(readQuery(queryOf(url))),
  pinned: ({ parameters }) => parameters.snapshot,
  key: ({ parameters }) => JSON.stringify(parameters),
  resolve(data, { pairs, parameters }) {
    const center = centerOf(parameters, data);
    if (center === null)
      return parameterFailure([unknownPlace(parameters.zip ?? "")]);
    const failure = missingDataFailure(parameters, data);
    return failure ?? { center, pairs, query: { ...parameters, center } };
  },
  execute(data, { center, pairs, query }) {
    const { limit, location_scope: scope, page, radius } = query;
    let hits;
    try {
      hits = data.nearbyHits(query);
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
    tag: "Providers",
    summary: "Search providers by distance",
    description:
      "Finds providers within a radius of a ZIP code's centroid or of a point, nearest first, then by NPI, or with `sort=name` by name. Send `zip`, or both `lat` and `lng`; with all three, `lat` and `lng` are the center. A provider's position is the centroid of its practice ZIP code, so use distances for discovery, not for routing. Names match as in a search, but do not affect the order. Providers whose ZIP code has no known location are found only by search. `location_scope=any` also searches secondary locations.",
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
    codes: [
      "invalid_parameter",
      "invalid_location",
      "details_not_held",
      "snapshot_gone",
      "snapshot_behind",
      "details_unreadable",
    ],
  },
  handler: ({ from }) => from(NEARBY),
} satisfies Route;

const UNREADABLE: Failure = {
  code: "details_unreadable",
  message:
    "The file with secondary locations cannot be read. Leave out location_scope to search primary locations.",
};

/** What a query string means for a nearby search, or what is wrong with it. */
export function placed<P extends Parameters>({
  given,
  pairs,
  problems,
  value,
}: QueryReading<P>): (NearbyRequest & { readonly parameters: P }) | Failure {
  const allProblems = [...problems, ...placeProblems(given)];
  return value === null || allProblems.length > 0
    ? parameterFailure(allProblems)
    : { parameters: value, pairs };
}

/** Checks for a complete location: both `lat` and `lng`, or a ZIP without either. */
export function placeProblems(given: ReadonlySet<string>): FailureDetail[] {
  const hasLat = given.has("lat");
  if (hasLat !== given.has("lng")) {
    const missing = hasLat ? "lng" : "lat";
    return [
      {
        param: missing,
        code: "invalid_location",
        message: `${missing} is missing. Send lat and lng together.`,
      },
    ];
  }
  if (hasLat || given.has("zip")) return [];
  return [
    {
      param: "zip",
      code: "invalid_location",
      message: "Send zip, or both lat and lng.",
    },
  ];
}

/** The point, if given, else the ZIP's centroid; null if that is unknown. */
function centerOf(parameters: Parameters, data: Directory): Center | null {
  const { zip, lat, lng } = parameters;
  if (lat !== undefined && lng !== undefined) {
    const nearest = data.nearestZip({ lat, lng });
    if (nearest === null)
      throw new Error("The snapshot has no ZIP centroid at all.");
    return { zip: nearest, lat, lng };
  }
  const centroid = zip === undefined ? null : data.centroid(zip);
  return zip === undefined || centroid === null
    ? null
    : { zip, lat: centroid.lat, lng: centroid.lng };
}

function unknownPlace(zip: string): FailureDetail {
  return {
    param: "zip",
    code: "invalid_location",
    message: `The location of ZIP code ${zip} is unknown.`,
  };
}
