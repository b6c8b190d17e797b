import type { Static } from "typebox";
import type { NearbyQuery, Point } from "../../search/query.ts";
import type { ProviderData } from "../app-context.ts";
import type { Failure, FailureDetail } from "../pipeline/failure.ts";
import { pageLinks, queryOf, type QueryPairs } from "./query-string.ts";
import { NearbyParameters } from "../../contract/parameters.ts";
import { parameterFailure, queryReader } from "./read-parameters.ts";
import type { NearbyAnswer } from "../../contract/answers.ts";
import { scopeFailure } from "./scopes.ts";
import type { Find, ReadQuestion } from "./query.ts";

/** Makes the reader of questions for providers by distance. */
export function nearbyReader(): ReadQuestion {
  const read = nearbyAddressReader();
  return function readNearby(target) {
    const reading = read(target);
    if ("failure" in reading) return reading;
    const { asked, pairs } = reading;
    return {
      question: {
        text: JSON.stringify(asked),
        ask(data) {
          const placed = placeNearby(asked, data);
          return "failure" in placed
            ? placed
            : { find: finder(asked, pairs, placed, data) };
        },
      },
    };
  };
}

/** Makes the reader of what a request target asks for; whether its place is known depends on the data. */
export function nearbyAddressReader(): (
  target: string,
) => { failure: Failure } | { asked: Asked; pairs: QueryPairs } {
  const readQuery = queryReader(NearbyParameters);
  return function readAddress(target) {
    const { value, problems, given, pairs } = readQuery(queryOf(target));
    const allProblems = [...problems, ...placeProblems(given)];
    return value === null || allProblems.length > 0
      ? { failure: parameterFailure(allProblems) }
      : { asked: value, pairs };
  };
}

/** The query that is asked of these data, or what they lack for it. */
export function placeNearby(
  asked: Asked,
  data: ProviderData,
): { failure: Failure } | PlacedNearby {
  const center = centerOf(asked, data);
  if (center === null)
    return { failure: parameterFailure([unknownPlace(asked.zip ?? "")]) };
  const failure = scopeFailure(asked, data.heldDetails);
  return failure === null
    ? { center, query: nearbyQuery(asked, center) }
    : { failure };
}

/** A nearby query, and its centre as answers show it. */
export interface PlacedNearby {
  readonly center: Center;
  readonly query: NearbyQuery;
}

function finder(
  asked: Asked,
  pairs: QueryPairs,
  { center, query }: PlacedNearby,
  data: ProviderData,
): Find {
  return asked.location_scope === "any" ? findLocated : find;

  function findLocated(onFault: (error: unknown) => void) {
    try {
      return find();
    } catch (error) {
      onFault(error);
      return UNREADABLE;
    }
  }

  function find() {
    const { count, json } = data.nearbyJson(query);
    const { page, limit, radius } = asked;
    // No total is counted here, so a full page is taken to have a next one; that may turn out to be empty.
    const place = { page, hasNext: count === limit, lastPage: page };
    return {
      json,
      meta: { count, page, limit, radius_miles: radius, center },
      links: (path: string) => pageLinks(path, pairs, place),
    };
  }
}

const UNREADABLE: Failure = {
  code: "details_unreadable",
  message:
    "The file that holds secondary locations cannot be read. Without location_scope the question is answered.",
};

type Asked = Static<typeof NearbyParameters>;
type Center = NearbyAnswer["meta"]["center"];

/** A place must be given whole: the pair, or a ZIP and no half of a pair. */
function placeProblems(given: ReadonlySet<string>): FailureDetail[] {
  const hasLat = given.has("lat");
  if (hasLat !== given.has("lng")) {
    const [missing, present] = hasLat ? ["lng", "lat"] : ["lat", "lng"];
    return [
      {
        param: missing,
        code: "invalid_location",
        message: `${present} needs ${missing} beside it.`,
      },
    ];
  }
  if (hasLat || given.has("zip")) return [];
  return [
    {
      param: "zip",
      code: "invalid_location",
      message: "Give a zip, or both lat and lng.",
    },
  ];
}

/** The pair where one is given, else the ZIP's centroid; null when that is not known. */
function centerOf(asked: Asked, data: ProviderData): Center | null {
  const { zip, lat, lng } = asked;
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
    message: `The place of the ZIP code ${zip} is not known.`,
  };
}

function nearbyQuery(asked: Asked, center: Point): NearbyQuery {
  const { lat, lng } = center;
  const query: NearbyQuery = {
    center: { lat, lng },
    radiusMiles: asked.radius,
    limit: asked.limit,
    page: asked.page,
  };
  if (asked.entity_type !== undefined) query.entityType = asked.entity_type;
  if (asked.status !== undefined) query.status = asked.status;
  if (asked.taxonomy !== undefined) query.taxonomy = asked.taxonomy;
  if (asked.specialty !== undefined) query.specialty = asked.specialty;
  if (asked.taxonomy_scope !== undefined)
    query.taxonomyScope = asked.taxonomy_scope;
  if (asked.location_scope !== undefined)
    query.locationScope = asked.location_scope;
  return query;
}
