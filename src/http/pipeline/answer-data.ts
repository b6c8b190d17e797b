import type { FastifyReply, FastifyRequest } from "fastify";
import { DATA_ERRORS } from "../../contract/errors/errors.ts";
import {
  JSON_FORMAT,
  OTHER_FORMATS,
  type Format,
} from "../../search/render/formats.ts";
import type { Caller } from "../access/authorize.ts";
import { quotaUnchecked } from "../access/failures.ts";
import type { AppContext } from "../app-context.ts";
import type { AccountShare } from "../limits/account-share.ts";
import { COMPRESSION_THRESHOLD_BYTES } from "../limits/server-limits.ts";
import {
  dataFor,
  isFailure,
  type DataOperation,
  type DataSteps,
  type OperationResult,
  type StreamedOperation,
  type StreamedResult,
} from "../queries/data-operation.ts";
import { pageLinks } from "../queries/query-string.ts";
import { listsMediaType } from "./accept.ts";
import {
  admitAnyone,
  count,
  MAX_QUOTA_WAIT_MS,
  readiness,
  type Admitted,
} from "./admission.ts";
import { cachedCopy, validatorsBySnapshot } from "./conditional.ts";
import type { Failure, Refuse } from "./failure.ts";
import {
  answerHeaders,
  cacheHeaders,
  setHeaders,
  SNAPSHOT_HEADER,
  visitorHeaders,
  withHeaders,
  type HeaderList,
  type Validators,
} from "./headers.ts";
import { noteAnswer } from "./request-log.ts";
import { writeAnswer } from "./write-answer.ts";
import { WorkInPieces, type Sent } from "./work-in-pieces.ts";

/** The body of an answer, before it is sent. */
interface Body {
  readonly text: string;
  readonly contentType: string;
  readonly headers: HeaderList;
}

/** What the answer to a counted request is made of, in addition to the result. */
interface Ready extends Admitted<Caller | null> {
  readonly format: Format;
  readonly validators: Validators;
}

type SendResult<Result> = (
  request: FastifyRequest,
  reply: FastifyReply,
  ready: Ready,
  result: Result,
) => Sent;

/** How to answer a request once more, and how long that may still wait for the quota; null if it didn't wait yet. */
interface Again {
  readonly untilMs: number | null;
  /** How many answers it counts as. */
  readonly answers: number;
  readonly answer: (untilMs: number) => Sent;
}

/** Answers requests with an API key. */
export class DataAnswers {
  readonly #deps: AppContext;
  readonly #refuse: Refuse;
  readonly #validatorsOf: ReturnType<typeof validatorsBySnapshot>;
  readonly #pieces = new WorkInPieces();

  constructor(deps: AppContext, refuse: Refuse) {
    this.#deps = deps;
    this.#refuse = refuse;
    this.#validatorsOf = validatorsBySnapshot(deps.tagSecret);
  }

  /** Makes the handler of an operation's route. */
  of<
    Parsed extends object,
    Query extends object,
    Result extends OperationResult,
  >(path: string, operation: DataOperation<Parsed, Query, Result>) {
    const linkPath = `${this.#deps.settings.publicUrl ?? ""}${path}`;
    const send: SendResult<Result> = (request, reply, ready, found) => {
      const { data, format } = ready;
      const { headers = [], links } = found;
      return this.#send(request, reply, ready, {
        text: operation.render(data, found, {}, format),
        contentType: format.contentType,
        headers:
          links === undefined ? headers : ["link", pageLinks(linkPath, links)],
      });
    };
    return (request: FastifyRequest, reply: FastifyReply) =>
      this.#answer(request, reply, operation, send);
  }

  /** The same for an operation whose answer is a stream. */
  ofStream<Parsed extends object, Query extends object>(
    operation: StreamedOperation<Parsed, Query>,
  ) {
    const send: SendResult<StreamedResult> = (request, reply, ready, found) => {
      const { caller, validators } = ready;
      const headers = this.#headersNow(request, caller, validators);
      return found.send(request, reply, headers).then(() => undefined);
    };
    return (request: FastifyRequest, reply: FastifyReply) =>
      this.#answer(request, reply, operation, send);
  }

  /**
   * Parses, admits and resolves a request. If the client has a current copy, answers 304, free if an entity tag proves
   * it. Otherwise executes, counts and sends.
   */
  #answer<
    Parsed extends object,
    Query extends object,
    Result extends OperationResult | StreamedResult,
  >(
    request: FastifyRequest,
    reply: FastifyReply,
    operation: DataSteps<Parsed, Query, Result>,
    send: SendResult<Result>,
    untilMs: number | null = null,
  ): Sent {
    const parsed = operation.parse(request);
    if (isFailure(parsed)) return this.#refuse(request, reply, parsed);
    const pinned = operation.pinned?.(parsed);
    const answers = operation.answers?.(parsed) ?? 1;
    const admitted = admitAnyone(this.#deps, request, pinned);
    if (isFailure(admitted)) return this.#refuse(request, reply, admitted);
    const { caller, data } = admitted;
    const query = operation.resolve(data, parsed);
    let share: AccountShare | null = null;
    const startAgain = (until: number | null) => {
      share?.[Symbol.dispose]();
      return this.#answer(request, reply, operation, send, until);
    };
    const again: Again = { untilMs, answers, answer: startAgain };
    if (isFailure(query))
      return this.#fail(request, reply, admitted, query, again);

    const format = formatOf(request.headers.accept);
    const key = operation.key(parsed, data);
    const validators = this.#validatorsOf(
      data,
      format === JSON_FORMAT ? key : `${format.mediaType} ${key}`,
    );
    const copy = cachedCopy(request.headers, validators);
    if (copy === "proven")
      return this.#sendUnchanged(request, reply, caller, validators);
    const ready = readiness(this.#deps, caller, answers);
    // The data may be replaced during the wait, so nothing of it is read before.
    if (ready === "pending")
      return this.#afterWait(request, reply, caller, again);
    if (ready !== null) return this.#refuse(request, reply, ready);
    const finish = (): Sent => {
      const found = copy === "claimed" ? null : operation.execute(data, query);
      if (found !== null && isFailure(found))
        return this.#fail(request, reply, admitted, found, again);
      const isStream = found !== null && "answers" in found;
      const takes = isStream ? found.answers : answers;
      const uncounted = count(this.#deps, caller, takes);
      if (uncounted !== null && isStream) found[Symbol.dispose]();
      if (uncounted === "pending")
        return this.#afterWait(request, reply, caller, {
          ...again,
          answers: takes,
        });
      if (uncounted !== null) return this.#refuse(request, reply, uncounted);
      if (found === null)
        return this.#sendUnchanged(request, reply, caller, validators);
      return send(request, reply, { caller, data, format, validators }, found);
    };
    const pieces =
      copy === "claimed" ? undefined : operation.pieces?.(data, query);
    if (pieces === undefined) return finish();
    share = this.#pieces.shareOf(caller?.account ?? null);
    return this.#pieces.doAll(reply, pieces, share, (failure) => {
      if (failure !== null) return this.#refuse(request, reply, failure);
      return dataFor(this.#deps.data, pinned) === data
        ? finish()
        : startAgain(untilMs);
    });
  }

  /** Sends a failure from the data. Only an unknown NPI or taxonomy is counted. */
  #fail(
    request: FastifyRequest,
    reply: FastifyReply,
    { caller, data }: Admitted<Caller | null>,
    failure: Failure,
    again: Again,
  ): Sent {
    if (!isCounted(failure)) {
      logCause(this.#deps, request, failure);
      return this.#refuse(request, reply, failure);
    }
    const uncounted = count(this.#deps, caller, 1);
    if (uncounted === "pending")
      return this.#afterWait(request, reply, caller, again);
    if (uncounted === null) reply.header(SNAPSHOT_HEADER, data.id);
    return this.#refuse(request, reply, uncounted ?? failure);
  }

  /** Waits until the account's quota is known to have something left or not, and answers the request from the start. */
  async #afterWait(
    request: FastifyRequest,
    reply: FastifyReply,
    caller: Caller | null,
    { answer, answers, untilMs }: Again,
  ): Promise<FastifyReply | undefined> {
    if (caller === null) throw new Error("A visitor has no quota to wait for.");
    const { account, nowMs } = caller;
    const startMs = performance.now();
    if (startMs > (untilMs ?? Infinity))
      return this.#refuse(request, reply, quotaUnchecked());
    await this.#deps.gate.awaitQuota(account, nowMs, answers);
    // Nothing is counted for a client that is gone.
    if (reply.raw.destroyed) return void reply.hijack();
    return answer(untilMs ?? startMs + MAX_QUOTA_WAIT_MS);
  }

  #sendUnchanged(
    request: FastifyRequest,
    reply: FastifyReply,
    caller: Caller | null,
    validators: Validators,
  ): undefined {
    const headers = this.#headersNow(request, caller, validators);
    this.#writeDirectly(request, reply, 304, "", headers);
  }

  #send(
    request: FastifyRequest,
    reply: FastifyReply,
    { caller, validators }: Ready,
    { contentType, headers, text }: Body,
  ): FastifyReply | undefined {
    const bytes = Buffer.byteLength(text);
    const mayCompress = request.headers["accept-encoding"] !== undefined;
    if (mayCompress && bytes >= COMPRESSION_THRESHOLD_BYTES) {
      setHeaders(reply, cacheHeaders(validators));
      setHeaders(reply, headers);
      return reply.type(contentType).send(text);
    }
    const all = withHeaders(
      this.#headersNow(request, caller, validators),
      headers,
    );
    all.push("content-type", contentType, "content-length", String(bytes));
    this.#writeDirectly(request, reply, 200, text, all);
    return undefined;
  }

  /** Includes the limits after this answer. */
  #headersNow(
    request: FastifyRequest,
    caller: Caller | null,
    validators: Validators,
  ): string[] {
    if (caller === null)
      return visitorHeaders(request.id, request.visitor ?? [], validators);
    const quota = this.#deps.gate.quota(caller.account, caller.nowMs);
    return answerHeaders(request.id, caller, quota, validators);
  }

  /**
   * Writes an answer without Fastify's `send`, for a fifth more lookups per second: its table of headers is slow with
   * as many as ours. `headers` contains everything that Fastify's hooks would add, and the log line is written here.
   */
  #writeDirectly(
    request: FastifyRequest,
    reply: FastifyReply,
    status: 200 | 304,
    body: string,
    headers: string[],
  ): void {
    reply.hijack();
    if (status === 200 && request.method !== "HEAD")
      writeAnswer(reply.raw, headers, body);
    else reply.raw.writeHead(status, headers).end();
    noteAnswer(this.#deps, request, status);
  }
}

/** Whether a failure comes from the data and counts like a result. */
export function isCounted({ code }: Failure): boolean {
  return DATA_ERRORS.has(code);
}

/** Logs the cause of a failure that was not the client's fault. */
export function logCause(
  { logger }: AppContext,
  { id }: FastifyRequest,
  { cause }: Failure,
): void {
  if (cause !== undefined)
    logger?.error({ request_id: id, err: cause.err }, cause.message);
}

/** The format that a client accepts explicitly, else JSON. */
export function formatOf(accept: string | undefined): Format {
  const named = OTHER_FORMATS.find(({ mediaType }) =>
    listsMediaType(accept, mediaType),
  );
  return named ?? JSON_FORMAT;
}
