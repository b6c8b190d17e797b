import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { Type } from "typebox";
import { dataNotLoaded } from "../pipeline/admission.ts";
import { answerBody } from "../pipeline/answer-body.ts";
import type {
  HttpDependencies,
  PortalDependencies,
  ProviderData,
} from "../app-context.ts";
import {
  countPage,
  explorerGate,
  spentMonth,
} from "../access/explorer-gate.ts";
import { pointsOf, shownWith } from "../pages/explorer-points.ts";
import type { Failure, Refuse } from "../pipeline/failure.ts";
import { JSON_TYPE } from "../pipeline/headers.ts";
import {
  MAX_TEXT_CHARACTERS,
  NoParameters,
} from "../../contract/parameters.ts";
import { queryOf } from "../queries/query-string.ts";
import {
  findRecord,
  notInRegistry,
  npiProblems,
} from "../queries/find-record.ts";
import {
  nearbyAddressReader,
  nearbyReader,
  placeNearby,
} from "../queries/nearby-query.ts";
import type { ReadQuestion } from "../queries/query.ts";
import { searchReader } from "../queries/search-query.ts";
import { parameterFailure, queryReader } from "../queries/read-parameters.ts";
import { hideFromOtherSites } from "../access/same-origin.ts";
import { lookupBody } from "./lookup.ts";

const MOST_TAXONOMIES = 20;
const MOST_ZIPS = 5_000;

const TaxonomiesParameters = Type.Object(
  {
    q: Type.Optional(
      Type.String({
        maxLength: MAX_TEXT_CHARACTERS,
        "x-rule": `a text of at most ${MAX_TEXT_CHARACTERS} characters`,
      }),
    ),
  },
  { additionalProperties: false },
);

/** What a path answers from the data: a body in JSON, or a failure. */
type Answer = (data: ProviderData, request: FastifyRequest) => string | Failure;

/**
 * `/explore/*`: what the portal's explorer shows. It answers as `/v1` does, with the places of what is found, to the
 * service's own pages; without a key, within a burst limit for each client address. Where only those who are signed in may
 * explore, each page counts against a month of their account that is apart from its keys'.
 */
export function addExplore(
  app: FastifyInstance,
  deps: HttpDependencies,
  portal: PortalDependencies,
  refuse: Refuse,
): void {
  hideFromOtherSites(app);
  app.addHook("onRequest", explorerGate(deps, portal, refuse));

  answerAt("/explore/providers/:npi", record());
  answerAt("/explore/search", question(searchReader()));
  answerAt("/explore/nearby", question(nearbyReader()));
  answerAt("/explore/map", map());
  answerAt("/explore/taxonomies", taxonomies(), { counts: false });

  /** Suggestions say nothing of providers and come with every letter that is typed: they do not count. */
  function answerAt(
    path: string,
    answer: Answer,
    { counts = true } = {},
  ): void {
    app.get(path, (request, reply): FastifyReply => {
      const data = deps.data.current();
      if (data === null) return refuse(request, reply, dataNotLoaded());
      const spent = counts ? spentMonth(deps, request) : null;
      if (spent !== null) return refuse(request, reply, spent);
      const found = answer(data, request);
      const isFound = typeof found === "string";
      const uncounted =
        counts && (isFound || found.code === "provider_not_found")
          ? countPage(deps, portal.bursts, request, reply)
          : null;
      if (uncounted !== null) return refuse(request, reply, uncounted);
      return isFound
        ? reply.type(JSON_TYPE).send(found)
        : refuse(request, reply, found);
    });
  }

  function record(): Answer {
    const readQuery = queryReader(NoParameters);
    return (data, request) => {
      const { npi } = Object.assign({ npi: "" }, request.params);
      const { problems } = readQuery(queryOf(request.url));
      const all = [...npiProblems(npi), ...problems];
      if (all.length > 0) return parameterFailure(all);
      const onFault = faultLog(request);
      const found = findRecord(data, npi, data.heldDetails, onFault);
      if ("failure" in found) return found.failure;
      return found.json === null
        ? notInRegistry(npi)
        : shownWith(lookupBody(found.json, data.source), [data.pointOf(npi)]);
    };
  }

  function question(read: ReadQuestion): Answer {
    return (data, request) => {
      const reading = read(request.url);
      if ("failure" in reading) return reading.failure;
      const asked = reading.question.ask(data);
      if ("failure" in asked) return asked.failure;
      const found = asked.find(faultLog(request));
      if ("code" in found) return found;
      const body = answerBody(found.json, found.meta);
      return shownWith(body, pointsOf(found.json, data));
    };
  }

  function faultLog(request: FastifyRequest): (err: unknown) => void {
    return (err) =>
      deps.logger?.error(
        { request_id: request.id, err },
        "the details of a provider cannot be read",
      );
  }
}

/** The ZIPs at which all providers of a nearby query stand. */
function map(): Answer {
  const read = nearbyAddressReader();
  return (data, request) => {
    const reading = read(request.url);
    if ("failure" in reading) return reading.failure;
    const { asked } = reading;
    const placed = placeNearby(asked, data);
    if ("failure" in placed) return placed.failure;
    const found = data.nearbyZips(placed.query, MOST_ZIPS);
    return JSON.stringify({
      data: found.zips.map(({ count, lat, lng, zip }) => [
        zip,
        lat,
        lng,
        count,
      ]),
      meta: {
        count: found.zips.length,
        total: found.total,
        truncated: found.isTruncated,
        radius_miles: asked.radius,
        center: placed.center,
      },
    });
  };
}

/** Taxonomies to choose from, while somebody types. */
function taxonomies(): Answer {
  const readQuery = queryReader(TaxonomiesParameters);
  return (data, request) => {
    const { problems, value } = readQuery(queryOf(request.url));
    if (value === null) return parameterFailure(problems);
    const found = data.suggestTaxonomies(value.q ?? "", MOST_TAXONOMIES);
    return JSON.stringify({ data: found, meta: { count: found.length } });
  };
}
