import type { FastifyReply, FastifyRequest } from "fastify";
import { count } from "./admission.ts";
import type { Admitted } from "./admission.ts";
import type { Caller } from "./authorize.ts";
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
      writeDirectly(request, reply, 304, "", [
        ...commonHeaders(request, caller),
        ...caching,
      ]);
      return undefined;
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
    writeDirectly(request, reply, 200, body, [
      ...commonHeaders(request, caller),
      ...caching,
      ...headers,
      "content-type",
      JSON_TYPE,
      "content-length",
      String(bytes),
    ]);
    return undefined;
  };

  /** What the framework's hooks put on every other answer to a checked key. */
  function commonHeaders(
    request: FastifyRequest,
    { account, burst, nowMs }: Caller,
  ): HeaderList {
    return [
      ...FIXED_HEADER_LIST,
      "x-request-id",
      request.id,
      ...rateHeaders(account.plan, burst, deps.gate.quota(account, nowMs)),
    ];
  }
}

const JSON_TYPE = "application/json; charset=utf-8";

/**
 * Writes an answer past the framework's own sending, for a fifth more look-ups a second: it keeps headers in a table
 * that gets slow with as many as ours. All that its hooks would add is in `headers`; the log's hook still runs.
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
}
