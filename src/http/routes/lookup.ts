import type { FastifyInstance } from "fastify";
import { DETAIL_PARTS, type DetailPart } from "../../contract/detail-parts.ts";
import { admit, count } from "../pipeline/admission.ts";
import type { AnswerFromData } from "../pipeline/send-data.ts";
import type { HttpDependencies } from "../app-context.ts";
import type { Failure, Refuse } from "../pipeline/failure.ts";
import { LookupParameters } from "../../contract/parameters.ts";
import { queryOf } from "../queries/query-string.ts";
import { parameterFailure, queryReader } from "../queries/read-parameters.ts";
import { answerBody } from "../pipeline/answer-body.ts";
import {
  findRecord,
  notInRegistry,
  npiProblems,
} from "../queries/find-record.ts";

export const LOOKUP_ROUTE = "/v1/providers/:npi";

/** `GET /v1/providers/{npi}`: one provider's record. */
export function addLookup(
  app: FastifyInstance,
  deps: HttpDependencies,
  refuse: Refuse,
  answerFromData: AnswerFromData,
): void {
  const readQuery = queryReader(LookupParameters);
  app.get<{ Params: { npi: string } }>(LOOKUP_ROUTE, (request, reply) => {
    const { npi } = request.params;
    const { problems, value } = readQuery(queryOf(request.url));
    const allProblems = [...npiProblems(npi), ...problems];
    if (allProblems.length > 0)
      return refuse(request, reply, parameterFailure(allProblems));

    const admission = admit(deps, request);
    if (admission.status === "refused")
      return refuse(request, reply, admission.failure);
    const { data, caller } = admission;

    const include = inOrder(value?.include ?? []);
    if (include.some((part) => !data.heldDetails.includes(part)))
      return refuse(request, reply, notHeld(include, data.heldDetails));
    const found = findRecord(data, npi, include, (err) =>
      deps.logger?.error(
        { request_id: request.id, err },
        "the details of a provider cannot be read",
      ),
    );
    if ("failure" in found) return refuse(request, reply, found.failure);
    const { json } = found;
    if (json === null)
      return refuse(request, reply, count(deps, caller) ?? notInRegistry(npi));
    const question = [npi, ...include].join(".");
    return answerFromData(request, reply, admission, question, () => ({
      body: lookupBody(json, data.source),
    }));
  });
}

/** The parts in the order in which answers show them, so that one answer has one tag. */
function inOrder(include: readonly string[]): DetailPart[] {
  return DETAIL_PARTS.filter((part) => include.includes(part));
}

function notHeld(
  include: readonly DetailPart[],
  held: readonly DetailPart[],
): Failure {
  const missing = include.filter((part) => !held.includes(part)).join(", ");
  const code = "details_not_held";
  const message = `This installation does not hold ${missing}; held are ${held.length === 0 ? "no details" : held.join(", ")}. Its operator gets them with an import of the registry's full zip and --details all.`;
  return { code, message, details: [{ param: "include", code, message }] };
}

/** The answer that shows a record, given as JSON. */
export function lookupBody(record: string, source: string): string {
  return answerBody(record, { source });
}
