import type { Directory } from "../search/directory.ts";
import type { DataHolder } from "./app-context.ts";
import type { Call, DataCall, Reply } from "./call.ts";
import { queuedTooLong } from "./limits/account-share.ts";
import { cachedCopy, type ValidatorsOf } from "./pipeline/conditional.ts";
import {
  isCounted,
  isFailure,
  must,
  Refusal,
  withHeader,
  type Failure,
} from "./pipeline/failure.ts";
import {
  cacheHeaders,
  JSON_TYPE,
  SNAPSHOT_HEADER,
  withHeaders,
  type HeaderList,
} from "./pipeline/headers.ts";
import { checkRequest } from "./pipeline/request-check.ts";
import {
  dataNotLoaded,
  snapshotBehind,
  snapshotGone,
  type DataOperation,
  type OperationResult,
} from "./queries/data-operation.ts";
import { pageLinks } from "./queries/query-string.ts";

const NO_HEADERS: HeaderList = [];

/** Makes the response to an error: a `Refusal` has its failure; anything else is logged, and an internal error. */
export type ReplyTo = (error: unknown, call: Call) => Reply;

/**
 * Answers a request of HTTP, whatever its route: check, admit, handle, send. `call.match` was found on arrival, for the
 * queue. Awaits only promises, so most requests are handled without a pause. Rejects if something fails
 * once the response has begun.
 */
export async function answer(call: Call, replyTo: ReplyTo): Promise<void> {
  call.receivedMs = performance.now();
  try {
    must(checkRequest(call.request));
    if (call.isLate) throw new Refusal(queuedTooLong());
    const { admit, handle, readBody } = call.match.route;
    const refused = admit(call);
    must(refused instanceof Promise ? await refused : refused);
    if (readBody !== null) call.body = must(await readBody(call));
    const handled = handle(call);
    const reply = handled instanceof Promise ? await handled : handled;
    if (reply !== null) await call.send(reply);
  } catch (error) {
    // Then the client gets no whole response, whatever is sent.
    if (call.response.headersSent) throw error;
    if (!call.isGone) await call.send(replyTo(error, call));
  }
}

/** The data that requests are answered from. */
export interface DataSource {
  readonly data: DataHolder;
  readonly validatorsOf: ValidatorsOf;
  /** The public URL, for links; "" if it isn't known. */
  readonly root: string;
}

/**
 * Answers a request from the data, of HTTP or a command: parse, pin, reserve, execute, render, send. A client that has
 * a current copy gets 304, free if an entity tag proves it. Quota is reserved before the work, and given back if
 * nothing is sent. Work that takes long yields in `execute`; the data is kept until it is done. Resolves to null once
 * it is sent.
 */
export async function answerFromData<
  Parsed extends object,
  Query extends object,
  Result extends OperationResult,
>(
  call: DataCall,
  operation: DataOperation<Parsed, Query, Result>,
  { data: holder, root, validatorsOf }: DataSource,
): Promise<null> {
  const { caller } = call;
  const parsed = must(operation.parse(call));
  const data = must(dataFor(holder, operation.pinned?.(parsed)));
  must(caller.spent());
  const query = operation.resolve(data, parsed);
  if (isFailure(query) && !isCounted(query)) throw new Refusal(query);
  const key = isFailure(query) ? undefined : operation.key?.(parsed, data);
  const validators = key === undefined ? null : validatorsOf(data, key);
  const cache =
    validators === null ? [] : cacheHeaders(validators, operation.cacheControl);
  const copy =
    validators === null ? "none" : cachedCopy(call.headers, validators);
  const responses = copy === "proven" ? 0 : countOf(operation, parsed, copy);
  const reserving = reserve(call, responses);
  if (reserving instanceof Promise) await held(data, reserving);
  try {
    if (isFailure(query))
      throw new Refusal(withHeader(query, SNAPSHOT_HEADER, data.id));
    if (copy !== "none") {
      void call.send({ status: 304, headers: cache, body: null });
      return null;
    }
    const executed = operation.execute(data, query, call);
    const result = must(
      executed instanceof Promise ? await held(data, executed) : executed,
    );
    stopIfGone(call);
    const { contentType = JSON_TYPE, headers = NO_HEADERS, links } = result;
    withHeaders(cache, headers).push("content-type", contentType);
    if (links !== undefined)
      cache.push("link", pageLinks(root + call.path, links));
    const body = operation.render(data, result);
    const sending = call.send({ status: 200, headers: cache, body });
    if (sending instanceof Promise) await sending;
    return null;
  } catch (error) {
    const isSent = error instanceof Refusal && isCounted(error.failure);
    if (!isSent && call.reserved > 0) caller.giveBack(call.reserved);
    throw error;
  }
}

/** Counts the responses to reserve before the work: those of the result, or one for a 304 that reveals something. */
function countOf<Parsed>(
  {
    responses = () => 1,
  }: Pick<DataOperation<Parsed, never, never>, "responses">,
  parsed: Parsed,
  copy: "claimed" | "none",
): number {
  return responses(parsed) ?? (copy === "claimed" ? 1 : 0);
}

/** Finds the data that a request is answered from: the current one, or the snapshot that it insists on. */
function dataFor(
  { current, expected, previous }: DataHolder,
  pinned: string | undefined,
): Directory | Failure {
  if (current === null) return dataNotLoaded();
  if (pinned === undefined || pinned === current.id) return current;
  if (pinned === previous?.id) return previous;
  return expected.includes(pinned, current.id)
    ? snapshotBehind(pinned)
    : snapshotGone(pinned, current.id);
}

/** Keeps data open until some work on it is done. */
async function held<Result>(
  data: Directory,
  work: Promise<Result>,
): Promise<Result> {
  using _pin = data.pin(() => undefined);
  return await work;
}

/**
 * Takes as many responses of what a caller has left, all or none, waiting if they must be prepaid. Throws a `Refusal`
 * if too few are left.
 */
export function reserve(
  call: DataCall,
  responses: number,
): void | Promise<void> {
  if (responses === 0) return;
  const refused = call.caller.reserve(responses);
  if (refused instanceof Promise) return awaitQuota(call, responses, refused);
  must(refused);
  call.reserved = responses;
}

async function awaitQuota(
  call: DataCall,
  responses: number,
  refused: Promise<Failure | null>,
): Promise<void> {
  must(await refused);
  // Nothing is counted for a client that is gone.
  if (call.isGone) call.caller.giveBack(responses);
  stopIfGone(call);
  call.reserved = responses;
}

/** Throws if no one waits for the response any more. It gets none, and nothing is logged. */
export function stopIfGone({ isGone }: DataCall): void {
  if (isGone) throw new Error("The client has gone.");
}
