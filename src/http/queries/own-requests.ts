import type { Operation } from "../../contract/operation.ts";
import { ERRORS } from "../../contract/errors/errors.ts";
import { UNLIMITED, type Caller } from "../access/caller.ts";
import { answerFromData, type DataSource } from "../answer.ts";
import type { AppContext } from "../app-context.ts";
import { json, type DataCall, type Reply } from "../call.ts";
import { turnsOf } from "../limits/fair-queue.ts";
import { errorBody } from "../pipeline/failure-reply.ts";
import { must, notFound, Refusal, type Failure } from "../pipeline/failure.ts";
import { placeOf, SNAPSHOT_HEADER } from "../pipeline/headers.ts";
import { checkTarget } from "../pipeline/request-check.ts";
import type { WorkInPieces } from "../pipeline/work-in-pieces.ts";
import { batchOperation, BATCH_ROUTE } from "../routes/batch.ts";
import { CHANGES_ROUTE, listingOf } from "../routes/changes.ts";
import { INTERPRET, INTERPRET_ROUTE } from "../routes/interpret.ts";
import { NEARBY, NEARBY_ROUTE } from "../routes/nearby.ts";
import { SEARCH, SEARCH_ROUTE } from "../routes/search.ts";
import { STATUS_ROUTE, statusOf } from "../routes/status.ts";
import { TAXONOMIES, TAXONOMIES_ROUTE } from "../routes/taxonomies.ts";
import type { DataOperation, OperationResult } from "./data-operation.ts";

/** The data that requests of this process to its own API are answered from. */
export interface OwnData extends Pick<
  AppContext,
  "changes" | "data" | "nextUpdate" | "now"
> {
  readonly source: DataSource;
  readonly work: WorkInPieces;
}

/** An answer to such a request. */
export interface OwnAnswer {
  readonly status: number;
  /** The snapshot that it comes from; null if from none. */
  readonly snapshot: string | null;
  /** The body, as JSON. */
  readonly text: string;
}

/** Who sends such a request, and on whose behalf. */
export interface OwnClient extends Pick<DataCall, "id" | "isGone"> {
  /** The service's URL, for links in errors. */
  readonly base: string;
  /** Returns whose request it is, counted as an operation. */
  callerOf(operation: Operation): Caller;
  /** Logs and counts a failure, and returns it. Throws what is none. */
  failureOf(error: unknown): Failure;
}

/** An operation of our API that programs inside this process can call. */
interface OwnOperation {
  /** Null if it is free. */
  readonly counted: Operation | null;
  readonly run: (call: DataCall) => Promise<unknown>;
}

/** The time that requests are processed before the thread does something else, in milliseconds. */
const TURN_MS = 5;

/** Makes our API for programs inside this process: the operations of `/v1` by path, each as over HTTP, in turns. */
export function ownApi(
  data: OwnData,
): (target: string, client: OwnClient) => Promise<OwnAnswer> {
  const { changes, source, work } = data;
  const inTurn = turnsOf(() => TURN_MS);
  const operations = new Map<string, OwnOperation>([
    own(BATCH_ROUTE, batchOperation(work), source),
    own(SEARCH_ROUTE, SEARCH, source),
    own(NEARBY_ROUTE, NEARBY, source),
    own(INTERPRET_ROUTE, INTERPRET, source),
    own(TAXONOMIES_ROUTE, TAXONOMIES, source),
    own(CHANGES_ROUTE, listingOf(changes, data.data.expected), source),
    [
      STATUS_ROUTE.path,
      {
        counted: null,
        run: async (call) => await call.send(json(statusOf(data))),
      },
    ],
  ]);
  return async function answerOwn(target, client) {
    const [path = ""] = target.split("?", 1);
    const operation = operations.get(path);
    let answer: OwnAnswer | null = null;
    try {
      if (operation === undefined) throw new Refusal(notFound());
      must(checkTarget(target));
      const { counted } = operation;
      const caller = counted === null ? UNLIMITED : client.callerOf(counted);
      const call = callOf({ target, path, caller, client }, (reply) => {
        answer = answerOf(reply);
      });
      await new Promise((resolve) => {
        inTurn(() => resolve(operation.run(call)));
      });
      if (answer === null) throw new Error(`${path} sent nothing.`);
      return answer;
    } catch (error) {
      const failure = client.failureOf(error);
      return {
        status: ERRORS[failure.code].status,
        snapshot: null,
        text: errorBody(failure, client.base, client.id),
      };
    }
  };
}

function own<
  Parsed extends object,
  Query extends object,
  Result extends OperationResult,
>(
  { counted, path }: { readonly counted: Operation; readonly path: string },
  operation: DataOperation<Parsed, Query, Result>,
  source: DataSource,
): [string, OwnOperation] {
  const run = (call: DataCall): Promise<null> =>
    answerFromData(call, operation, source);
  return [path, { counted, run }];
}

function callOf(
  {
    caller,
    client,
    path,
    target,
  }: Pick<DataCall, "caller" | "path"> & {
    readonly client: OwnClient;
    readonly target: string;
  },
  take: (reply: Reply) => void,
): DataCall {
  return {
    id: client.id,
    url: target,
    path,
    params: {},
    method: "GET",
    headers: {},
    caller,
    reserved: 0,
    get isGone() {
      return client.isGone;
    },
    response: null,
    send: take,
  };
}

/** Reads a reply at once: its body may change with the next one. */
function answerOf({ body, headers, status }: Reply): OwnAnswer {
  const at = placeOf(headers, SNAPSHOT_HEADER);
  const snapshot = at === -1 ? null : (headers[at + 1] ?? null);
  if (typeof body === "string") return { status, snapshot, text: body };
  if (body !== null && "text" in body)
    return { status, snapshot, text: body.text() };
  throw new Error("A request of this process got no text.");
}
