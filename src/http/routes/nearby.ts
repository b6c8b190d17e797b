import type { FastifyInstance, FastifyReply } from "fastify";
import type { Static } from "typebox";
import type { NearbyQuery, Point } from "../../search/query.ts";
import { admit } from "../admission.ts";
import { answerBody } from "../answer-body.ts";
import { questionOf } from "../conditional.ts";
import type { AnswerFromData } from "../data-answer.ts";
import type { HttpDependencies, ProviderData } from "../deps.ts";
import type { Failure, FailureDetail, Refuse } from "../failure.ts";
import { pageLinks } from "../page-links.ts";
import { NearbyParameters } from "../parameters.ts";
import { queryOf } from "../query-string.ts";
import { parameterFailure, queryReader } from "../read-parameters.ts";
import type { NearbyAnswer } from "../record-schemas.ts";
import { scopeFailure } from "../scopes.ts";

const PATH = "/v1/providers/nearby";

/** `GET /v1/providers/nearby`: providers by distance from a ZIP code or a point. */
export function addNearby(
  app: FastifyInstance,
  deps: HttpDependencies,
  refuse: Refuse,
  answerFromData: AnswerFromData,
): void {
  const readQuery = queryReader(NearbyParameters);
  const linkPath = `${deps.publicUrl ?? ""}${PATH}`;
  app.get(PATH, (request, reply) => {
    const {
      value: asked,
      problems,
      given,
      pairs,
    } = readQuery(queryOf(request.url));
    const allProblems = [...problems, ...placeProblems(given)];
    if (asked === null || allProblems.length > 0)
      return refuse(request, reply, parameterFailure(allProblems));

    const admission = admit(deps, request);
    if (admission.status === "refused")
      return refuse(request, reply, admission.failure);
    const { data } = admission;

    const center = centerOf(asked, data);
    if (center === null)
      return refuse(
        request,
        reply,
        parameterFailure([unknownPlace(asked.zip ?? "")]),
      );
    const lacking = scopeFailure(asked, data.heldDetails);
    if (lacking !== null) return refuse(request, reply, lacking);
    const question = questionOf(asked);
    const answer = (): FastifyReply | undefined =>
      answerFromData(request, reply, admission, question, () => {
        const { count, json } = data.nearbyJson(nearbyQuery(asked, center));
        const { page, limit, radius } = asked;
        const meta = { count, page, limit, radius_miles: radius, center };
        // No total is counted here, so a full page is taken to have a next one; that may turn out to be empty.
        const place = { page, hasNext: count === limit, lastPage: page };
        return {
          body: answerBody(json, meta),
          headers: ["link", pageLinks(linkPath, pairs, place)],
        };
      });
    if (asked.location_scope !== "any") return answer();
    try {
      return answer();
    } catch (err) {
      deps.logger?.error(
        { request_id: request.id, err },
        "the locations of providers cannot be read",
      );
      return refuse(request, reply, UNREADABLE);
    }
  });
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
