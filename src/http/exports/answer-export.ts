import type { FastifyReply, FastifyRequest } from "fastify";
import type { Directory } from "../../search/directory.ts";
import type { FoundDocs } from "../../search/evaluate/found-docs.ts";
import { ROW_FORMATS } from "../../search/render/row-formats.ts";
import type { Caller } from "../access/authorize.ts";
import { quotaUnchecked } from "../access/failures.ts";
import { AccountShares } from "../limits/account-share.ts";
import {
  MAX_ACCOUNT_EXPORTS,
  MAX_EXPORTS,
  STALLED_MS,
} from "../limits/server-limits.ts";
import type { TakeTurn } from "../limits/fair-queue.ts";
import { listsMediaType, weightOf } from "../pipeline/accept.ts";
import { admit, count } from "../pipeline/admission.ts";
import { logCause, MAX_QUOTA_WAIT_MS } from "../pipeline/answer-data.ts";
import { cachedCopy, validatorsBySnapshot } from "../pipeline/conditional.ts";
import type { Failure } from "../pipeline/failure.ts";
import { answerHeaders, type Validators } from "../pipeline/headers.ts";
import { noteAnswer } from "../pipeline/request-log.ts";
import { isFailure } from "../queries/data-operation.ts";
import type { RouteContext } from "../routes/route.ts";
import {
  parseExport,
  partsOfExport,
  type ExportRequest,
} from "./export-request.ts";
import { sendRows, type Cut } from "./send-rows.ts";
import { Slices } from "./slices.ts";

/** Rows that count as one answer. */
export const ROWS_PER_ANSWER = 100;

/** Headers that only exports have, which scripts may read too. */
const EXPOSED = "Content-Disposition, X-Total-Count";

/** Answers exports: counts them before the first byte, then streams the rows. */
export class ExportAnswers {
  readonly #context: Pick<RouteContext, "deps" | "refuse">;
  readonly #slices: Slices;
  readonly #shares = new AccountShares({
    all: MAX_EXPORTS,
    account: MAX_ACCOUNT_EXPORTS,
  });
  readonly #validatorsOf: ReturnType<typeof validatorsBySnapshot>;

  constructor(
    context: Pick<RouteContext, "deps" | "refuse">,
    takeTurn: TakeTurn,
  ) {
    this.#context = context;
    this.#slices = new Slices(takeTurn);
    this.#validatorsOf = validatorsBySnapshot(context.deps.tagSecret);
  }

  async answer(
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<FastifyReply | undefined> {
    const failure = await this.#answer(request, reply);
    if (failure === null) return undefined;
    logCause(this.#context.deps, request, failure);
    return this.#context.refuse(request, reply, failure);
  }

  /** Returns why the request is refused, or null once the answer has begun. */
  async #answer(
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<Failure | null> {
    const { deps } = this.#context;
    const asked = parseExport(request.url);
    if (isFailure(asked)) return asked;
    const admitted = admit(deps, request, asked.query.snapshot);
    if (isFailure(admitted)) return admitted;
    const { caller, data } = admitted;
    const parts = partsOfExport(asked, data);
    if (isFailure(parts)) return parts;
    const validators = this.#validatorsOf(data, asked.key);
    const copy = cachedCopy(request.headers, validators);
    if (copy !== "none") {
      const uncounted =
        copy === "claimed" ? await this.#count(reply, caller, 1) : null;
      if (uncounted !== null) return uncounted;
      const headers = this.#headers(request, caller, validators);
      this.#sendHead(request, reply, 304, headers);
      return null;
    }
    using owned = new DisposableStack();
    const excess = owned.use(this.#shares.open(caller.account.id)).take(1);
    if (excess !== null) return excess;
    const released = new AbortController();
    owned.use(data.hold(() => released.abort()));

    const found = data.findAll(asked.query);
    const isBody = request.method !== "HEAD";
    const answers = isBody ? answersOf(found.total) : 1;
    const uncounted = await this.#count(reply, caller, answers);
    if (uncounted !== null) return uncounted;
    const headers = this.#headers(request, caller, validators);
    const compressed = acceptsGzip(request.headers["accept-encoding"]);
    headers.push(...headersOf(asked, data, found, compressed));
    if (!isBody) {
      this.#sendHead(request, reply, 200, headers);
      return null;
    }
    reply.hijack();
    reply.raw.writeHead(200, headers);
    const rows = data.rows(found, ROW_FORMATS[asked.query.format], parts);
    const cut = await sendRows({
      response: reply.raw,
      rows,
      slices: this.#slices,
      compressed,
      stalledMs: STALLED_MS,
      released: released.signal,
    });
    this.#note(request, rows.rendered, cut);
    return null;
  }

  /** Counts the answers of an export, all or none; null if it may begin, or its client is gone. */
  async #count(
    { raw }: FastifyReply,
    caller: Caller,
    answers: number,
  ): Promise<Failure | null> {
    const { deps } = this.#context;
    const { account, nowMs } = caller;
    const untilMs = performance.now() + MAX_QUOTA_WAIT_MS;
    for (;;) {
      if (raw.destroyed) return null;
      const outcome = count(deps, caller, answers);
      if (outcome !== "pending") return outcome;
      if (performance.now() > untilMs) return quotaUnchecked();
      await deps.gate.awaitQuota(account, nowMs, answers);
    }
  }

  /** Includes the limits after this answer. */
  #headers(
    { id }: FastifyRequest,
    caller: Caller,
    validators: Validators,
  ): string[] {
    const { gate } = this.#context.deps;
    const quota = gate.quota(caller.account, caller.nowMs);
    return answerHeaders(id, caller, quota, validators);
  }

  #sendHead(
    request: FastifyRequest,
    reply: FastifyReply,
    status: 200 | 304,
    headers: string[],
  ): void {
    reply.hijack();
    reply.raw.writeHead(status, headers);
    reply.raw.end();
    noteAnswer(this.#context.deps, request, status);
  }

  /** Writes an export down once it has ended. */
  #note(request: FastifyRequest, rows: number, cut: Cut | null): void {
    const { deps } = this.#context;
    const isFault = cut !== null && typeof cut === "object";
    if (isFault)
      deps.logger?.error(
        { request_id: request.id, err: cut.error },
        "an export was cut: a row cannot be made",
      );
    noteAnswer(deps, request, 200, {
      rows,
      cut: cut === null ? undefined : isFault ? "failed" : cut,
    });
  }
}

/** How many answers an export counts. */
function answersOf(rows: number): number {
  return Math.max(1, Math.ceil(rows / ROWS_PER_ANSWER));
}

/** The headers of an export, in addition to those of all answers. */
function headersOf(
  { query: { format } }: ExportRequest,
  data: Directory,
  { total }: FoundDocs,
  compressed: boolean,
): string[] {
  const { contentType, extension } = ROW_FORMATS[format];
  return [
    "content-type",
    contentType,
    "content-disposition",
    `attachment; filename="providers-${data.id}.${extension}"`,
    "x-total-count",
    String(total),
    "access-control-expose-headers",
    EXPOSED,
    ...(compressed ? ["content-encoding", "gzip"] : []),
  ];
}

/** Whether a client lists gzip. */
function acceptsGzip(accept: string | string[] | undefined): boolean {
  const listed = accept?.toString();
  return listsMediaType(listed, "gzip") && weightOf(listed, "gzip") > 0;
}
