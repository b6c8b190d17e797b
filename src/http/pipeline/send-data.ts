import type { FastifyReply, FastifyRequest } from "fastify";
import {
  answerHeaders,
  cacheHeaders,
  JSON_TYPE,
  setHeaders,
  type HeaderList,
} from "./headers.ts";
import { count } from "./admission.ts";
import type { Admitted } from "./admission.ts";
import { holding, validatorsBySnapshot } from "./conditional.ts";
import type { HttpDependencies } from "../app-context.ts";
import type { Failure, Refuse } from "./failure.ts";
import { answerFacts, countAnswer } from "./request-log.ts";
import { COMPRESSION_THRESHOLD_BYTES } from "../limits/server-limits.ts";

/** A success before it is written: its body in JSON, and the headers that are its own. */
export interface Found {
  readonly body: string;
  readonly headers?: HeaderList;
}

/**
 * Answers an admitted request from the data: 304 when the client holds the answer already, free where its tag proves
 * that; else what `find` finds, counted where it is no failure. `question` tells the question from all others that the
 * path can be asked.
 */
export type AnswerFromData = (
  request: FastifyRequest,
  reply: FastifyReply,
  admitted: Admitted,
  question: string,
  find: () => Found | Failure,
) => FastifyReply | undefined;

export function answerFromDataWith(
  deps: HttpDependencies,
  refuse: Refuse,
): AnswerFromData {
  const validatorsOf = validatorsBySnapshot(deps.tagSecret);
  return function answerFromData(request, reply, admitted, question, find) {
    const { data, caller } = admitted;
    const validators = validatorsOf(data, question);
    const held = holding(request.headers, validators);
    if (held === "proven") return answerUnchanged();
    const found = held === "claimed" ? null : find();
    if (found !== null && "code" in found) return refuse(request, reply, found);
    const uncounted = count(deps, caller);
    if (uncounted !== null) return refuse(request, reply, uncounted);
    if (found === null) return answerUnchanged();

    const { body, headers = NONE } = found;

    const bytes = Buffer.byteLength(body);
    const mayCompress = request.headers["accept-encoding"] !== undefined;
    if (mayCompress && bytes >= COMPRESSION_THRESHOLD_BYTES) {
      setHeaders(reply, cacheHeaders(validators));
      setHeaders(reply, headers);
      return reply.type(JSON_TYPE).send(body);
    }
    const all = headersNow().concat(headers);
    all.push("content-type", JSON_TYPE, "content-length", String(bytes));
    writeDirectly(request, reply, 200, body, all);
    return undefined;

    function answerUnchanged(): undefined {
      writeDirectly(request, reply, 304, "", headersNow());
    }

    /** With the limits as they stand when the answer leaves. */
    function headersNow(): string[] {
      const quota = deps.gate.quota(caller.account, caller.nowMs);
      return answerHeaders(request.id, caller, quota, validators);
    }
  };

  /**
   * Writes an answer past the framework's own sending, for a fifth more look-ups a second: it keeps headers in a table
   * that gets slow with as many as ours. All that its hooks would add is in `headers`, and the log's line is written here.
   */
  function writeDirectly(
    request: FastifyRequest,
    reply: FastifyReply,
    status: 200 | 304,
    body: string,
    headers: string[],
  ): void {
    reply.hijack();
    reply.raw.writeHead(status, headers);
    if (body === "" || request.method === "HEAD") reply.raw.end();
    else reply.raw.end(body);
    deps.answerLog?.(answerFacts(request, status));
    if (deps.answerCounts !== null)
      countAnswer(deps.answerCounts, request, status);
  }
}

const NONE: HeaderList = [];
