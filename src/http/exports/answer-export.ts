import type { FastifyReply, FastifyRequest } from "fastify";
import { answersOfRows } from "../../contract/download-limits.ts";
import type { Caller } from "../access/authorize.ts";
import { admit, countInTime } from "../pipeline/admission.ts";
import { logCause } from "../pipeline/answer-data.ts";
import { cachedCopy, validatorsBySnapshot } from "../pipeline/conditional.ts";
import type { Failure } from "../pipeline/failure.ts";
import { answerHeaders, type Validators } from "../pipeline/headers.ts";
import { isFailure } from "../queries/data-operation.ts";
import type { RouteContext } from "../routes/route.ts";
import type { ExportFiles } from "./export-files.ts";
import { parseExport, partsOfExport } from "./export-request.ts";

/** Headers that only exports have, which scripts may read too. */
const EXPOSED = "Content-Disposition, X-Total-Count";

/** Answers exports: counts them before the first byte, then streams the rows. */
export class ExportAnswers {
  readonly #context: Pick<RouteContext, "deps" | "refuse">;
  readonly #files: ExportFiles;
  readonly #validatorsOf: ReturnType<typeof validatorsBySnapshot>;

  constructor(
    context: Pick<RouteContext, "deps" | "refuse">,
    files: ExportFiles,
  ) {
    this.#context = context;
    this.#files = files;
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
        copy === "claimed" ? await countInTime(deps, reply, caller, 1) : null;
      if (uncounted !== null) return uncounted;
      const headers = this.#headers(request, caller, validators);
      this.#files.sendHead(request, reply, 304, headers);
      return null;
    }
    using owned = new DisposableStack();
    const excess = owned
      .use(this.#files.shares.open(caller.account.id))
      .take(1);
    if (excess !== null) return excess;
    const released = new AbortController();
    owned.use(data.hold(() => released.abort()));

    const found = data.findAll(asked.query);
    const isBody = request.method !== "HEAD";
    const answers = isBody ? answersOfRows(found.total) : 1;
    const uncounted = await countInTime(deps, reply, caller, answers);
    if (uncounted !== null) return uncounted;
    const headers = this.#headers(request, caller, validators);
    headers.push("access-control-expose-headers", EXPOSED);
    await this.#files.send(
      request,
      reply,
      {
        data,
        found,
        format: asked.query.format,
        parts,
        name: `providers-${data.id}`,
        total: found.total,
      },
      headers,
      released.signal,
    );
    return null;
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
}
