import type { FastifyReply, FastifyRequest } from "fastify";
import { count } from "./admission.ts";
import type { Admitted } from "./admission.ts";
import { cacheHeaders, isHeld, validatorsBySnapshot } from "./conditional.ts";
import type { HttpDependencies } from "./deps.ts";
import type { Refuse } from "./failure.ts";
import { FIXED_HEADER_LIST } from "./fixed-headers.ts";
import { setHeaders } from "./header-list.ts";
import type { HeaderList } from "./header-list.ts";
import { rateHeaders } from "./rate-headers.ts";
import { COMPRESSION_THRESHOLD_BYTES } from "./server-limits.ts";

/** A success before it is written: its JSON, and the headers that are its own. */
export interface Found {
  readonly answer: unknown;
  readonly headers?: HeaderList;
}

/**
 * Answers an admitted request from the data: 304, free, when the client holds the answer already, else what `find`
 * finds, counted. `question` stands for the question in the answer's tag.
 */
export type AnswerFromData = (
  request: FastifyRequest,
  reply: FastifyReply,
  admitted: Admitted,
  question: string,
  find: () => Found,
) => FastifyReply | undefined;

export function answerFromDataWith(
  deps: HttpDependencies,
  refuse: Refuse,
): AnswerFromData {
  const validatorsOf = validatorsBySnapshot();
  return function answerFromData(request, reply, admitted, question, find) {
    const { data, caller } = admitted;
    const validators = validatorsOf(data, question);
    const caching = cacheHeaders(validators);
    if (isHeld(request.headers, validators)) {
      setHeaders(reply, caching);
      return reply.code(304).send();
    }
    const { answer, headers = [] } = find();
    const uncounted = count(deps, caller);
    if (uncounted !== null) return refuse(request, reply, uncounted);

    const body = JSON.stringify(answer);
    const bytes = Buffer.byteLength(body);
    const mayCompress = request.headers["accept-encoding"] !== undefined;
    if (mayCompress && bytes >= COMPRESSION_THRESHOLD_BYTES) {
      setHeaders(reply, caching);
      setHeaders(reply, headers);
      return reply.type(JSON_TYPE).send(body);
    }
    const quota = deps.gate.quota(caller.account, caller.nowMs);
    writeDirectly(request, reply, body, [
      ...FIXED_HEADER_LIST,
      "x-request-id",
      request.id,
      ...rateHeaders(caller.account.plan, caller.burst, quota),
      ...caching,
      ...headers,
      "content-type",
      JSON_TYPE,
      "content-length",
      String(bytes),
    ]);
    return undefined;
  };
}

const JSON_TYPE = "application/json; charset=utf-8";

/**
 * Writes an answer past the framework's own sending, for a fifth more look-ups a second: it keeps headers in a table
 * that gets slow with as many as ours. All that its hooks would add is in `headers`; the log's hook still runs.
 */
function writeDirectly(
  request: FastifyRequest,
  reply: FastifyReply,
  body: string,
  headers: string[],
): void {
  reply.hijack();
  reply.raw.writeHead(200, headers);
  if (request.method === "HEAD") reply.raw.end();
  else reply.raw.end(body);
}
