import type { FastifyReply, FastifyRequest } from "fastify";
import type { TSchema } from "typebox";
import type { Directory } from "../../../search/directory.ts";
import type { Hit, Point } from "../../../search/query.ts";
import { JSON_FORMAT } from "../../../search/render/formats.ts";
import type { Members } from "../../../search/render/renderer.ts";
import type { ExplorerCost } from "../../access/explorer-bursts.ts";
import { countPage, spentMonth } from "../../access/explorer-gate.ts";
import type { AppContext, DataHolder } from "../../app-context.ts";
import { inTurns } from "../../limits/fair-queue.ts";
import { isCounted, logCause } from "../../pipeline/answer-data.ts";
import type { Failure } from "../../pipeline/failure.ts";
import { JSON_TYPE } from "../../pipeline/headers.ts";
import {
  dataFor,
  dataNotLoaded,
  isFailure,
  type RequestTarget,
  type DataOperation,
  type OperationResult,
} from "../../queries/data-operation.ts";
import type { Route } from "../route.ts";

/** What the answers of a route of the explorer are, and how they are counted. */
interface Options<Query> {
  /** By default, each is a page. */
  readonly cost?: ExplorerCost;
  /** The schema of a success. Tests check each answer against it. */
  readonly answer?: TSchema;
  /** Further members of an answer with hits. */
  readonly membersOf?: (
    data: Directory,
    query: Query,
    hits: readonly Hit[],
    deps: AppContext,
  ) => Members;
  /** Whether answers take so long that lists must not wait behind many of them. */
  readonly isLong?: boolean;
}

/** Long answers take turns, one each, between the turns of all other requests. */
const inTurnOfLong = inTurns<() => void>(
  (work) => work(),
  () => 0,
);

/** Makes a route of the explorer for an operation. */
export function explorerRoute<
  Parsed extends object,
  Query extends object,
  Result extends OperationResult,
>(
  path: string,
  operation: DataOperation<Parsed, Query, Result>,
  {
    answer,
    cost = "page",
    isLong = false,
    membersOf = () => ({}),
  }: Options<Query> = {},
): Route {
  return {
    method: "GET",
    path,
    access: "explorer",
    counted: "explorer",
    explorerCost: cost,
    ...(answer === undefined ? {} : { answer }),
    handler({ deps, refuse }) {
      const { portal } = deps;
      if (portal === null) return null;
      const send = (request: FastifyRequest, reply: FastifyReply) => {
        const data = deps.data.current;
        if (data === null) return refuse(request, reply, dataNotLoaded());
        const spent = cost === "keystroke" ? null : spentMonth(deps, request);
        if (spent !== null) return refuse(request, reply, spent);
        const found = run(
          operation,
          { ...deps.data, current: data, previous: null },
          request,
        );
        if (isFailure(found)) logCause(deps, request, found);
        const isPage =
          cost === "page" && (!isFailure(found) || isCounted(found));
        const uncounted = isPage
          ? countPage(deps, portal, request, reply)
          : null;
        if (uncounted !== null) return refuse(request, reply, uncounted);
        if (isFailure(found)) return refuse(request, reply, found);
        const { query, result } = found;
        const { hits } = result;
        const members =
          hits === undefined
            ? {}
            : {
                points: hits.map((hit) => pairOf(data.map.pointOf(hit))),
                ...membersOf(data, query, hits, deps),
              };
        return reply
          .type(JSON_TYPE)
          .send(operation.render(data, result, members, JSON_FORMAT));
      };
      return isLong
        ? (request, reply) => inTurn(reply, () => send(request, reply))
        : send;
    },
  };
}

/** Sends an answer in the turn of a long one, unless the client has gone. */
function inTurn(
  reply: FastifyReply,
  send: () => FastifyReply,
): Promise<FastifyReply | undefined> {
  const { promise, reject, resolve } = Promise.withResolvers<
    FastifyReply | undefined
  >();
  inTurnOfLong(() => {
    try {
      resolve(reply.raw.destroyed ? void reply.hijack() : send());
    } catch (error) {
      reject(error);
    }
  });
  return promise;
}

/** Runs all steps of an operation except rendering. */
function run<
  Parsed extends object,
  Query extends object,
  Result extends OperationResult,
>(
  operation: DataOperation<Parsed, Query, Result>,
  holder: DataHolder,
  target: RequestTarget,
): { readonly query: Query; readonly result: Result } | Failure {
  const parsed = operation.parse(target);
  if (isFailure(parsed)) return parsed;
  const data = dataFor(holder, operation.pinned?.(parsed));
  if (isFailure(data)) return data;
  const query = operation.resolve(data, parsed);
  if (isFailure(query)) return query;
  const result = operation.execute(data, query);
  return isFailure(result) ? result : { query, result };
}

function pairOf(point: Point | null): [number, number] | null {
  return point && [point.lat, point.lng];
}
