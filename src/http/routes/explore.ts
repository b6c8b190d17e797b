import type { FastifyReply } from "fastify";
import type { Point } from "../../search/query.ts";
import { JSON_FORMAT } from "../../search/render/formats.ts";
import { countPage, spentMonth } from "../access/explorer-gate.ts";
import type { DataHolder } from "../app-context.ts";
import { isCounted, logCause } from "../pipeline/answer-data.ts";
import type { Failure } from "../pipeline/failure.ts";
import { JSON_TYPE } from "../pipeline/headers.ts";
import {
  dataFor,
  dataNotLoaded,
  isFailure,
  type RequestTarget,
  type DataOperation,
  type OperationResult,
} from "../queries/data-operation.ts";
import { INTERPRET } from "./interpret.ts";
import { LOOKUP_WITH_DETAILS } from "./lookup.ts";
import { MAP_NEARBY, MAP_SEARCH } from "./explorer/map.ts";
import { PLACES_ROUTE } from "./explorer/places.ts";
import { NEARBY } from "./nearby.ts";
import type { Route } from "./route.ts";
import { SEARCH } from "./search.ts";
import { TAXONOMIES } from "./taxonomies.ts";

/** Runs all steps of an operation except rendering. */
function run<
  Parsed extends object,
  Query extends object,
  Result extends OperationResult,
>(
  operation: DataOperation<Parsed, Query, Result>,
  holder: DataHolder,
  target: RequestTarget,
): Result | Failure {
  const parsed = operation.parse(target);
  if (isFailure(parsed)) return parsed;
  const data = dataFor(holder, operation.pinned?.(parsed));
  if (isFailure(data)) return data;
  const query = operation.resolve(data, parsed);
  return isFailure(query) ? query : operation.execute(data, query);
}

function pairOf(point: Point | null): [number, number] | null {
  return point && [point.lat, point.lng];
}

/**
 * `/explore/*`: the data of the portal's explorer. Answers are those of `/v1`, plus the location of each result.
 * Requests need no key but must come from this service's pages and stay within a burst limit per client address. If the
 * explorer is only for signed-in users, each page counts against a monthly limit of their account, separate from its
 * keys' quota.
 */
export const EXPLORER_ROUTES: readonly Route[] = [
  explorerRoute("/explore/providers/:npi", LOOKUP_WITH_DETAILS),
  explorerRoute("/explore/search", SEARCH),
  explorerRoute("/explore/nearby", NEARBY),
  explorerRoute("/explore/map/search", MAP_SEARCH),
  explorerRoute("/explore/map/nearby", MAP_NEARBY),
  PLACES_ROUTE,
  explorerRoute("/explore/interpret", INTERPRET),
  // Free: they reveal no providers, and every keystroke sends one.
  explorerRoute("/explore/taxonomies", TAXONOMIES, { counts: false }),
];

function explorerRoute<
  Parsed extends object,
  Query extends object,
  Result extends OperationResult,
>(
  path: string,
  operation: DataOperation<Parsed, Query, Result>,
  { counts = true } = {},
): Route {
  return {
    method: "GET",
    path,
    access: "explorer",
    counted: "explorer",
    handler({ deps, refuse }) {
      const { portal } = deps;
      if (portal === null) return null;
      return (request, reply): FastifyReply => {
        const data = deps.data.current;
        if (data === null) return refuse(request, reply, dataNotLoaded());
        const spent = counts ? spentMonth(deps, request) : null;
        if (spent !== null) return refuse(request, reply, spent);
        const found = run(
          operation,
          { ...deps.data, current: data, previous: null },
          request,
        );
        if (isFailure(found)) logCause(deps, request, found);
        const uncounted =
          counts && (!isFailure(found) || isCounted(found))
            ? countPage(deps, portal.ipRateLimiter, request, reply)
            : null;
        if (uncounted !== null) return refuse(request, reply, uncounted);
        if (isFailure(found)) return refuse(request, reply, found);
        const points = found.hits?.map((hit) => pairOf(data.pointOf(hit)));
        const members = points === undefined ? {} : { points };
        return reply
          .type(JSON_TYPE)
          .send(operation.render(data, found, members, JSON_FORMAT));
      };
    },
  };
}
