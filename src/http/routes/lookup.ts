import type { FastifyInstance } from "fastify";
import { checkNpi } from "../../registry/npi.ts";
import { admit, count } from "../admission.ts";
import type { AnswerFromData } from "../data-answer.ts";
import type { HttpDependencies } from "../deps.ts";
import type { Failure, FailureDetail, Refuse } from "../failure.ts";
import { LookupParameters } from "../parameters.ts";
import { queryOf } from "../query-string.ts";
import { parameterFailure, queryReader } from "../read-parameters.ts";
import { answerBody } from "../answer-body.ts";

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
    const { problems } = readQuery(queryOf(request.url));
    const allProblems = [...npiProblems(npi), ...problems];
    if (allProblems.length > 0)
      return refuse(request, reply, parameterFailure(allProblems));

    const admission = admit(deps, request);
    if (admission.status === "refused")
      return refuse(request, reply, admission.failure);
    const { data, caller } = admission;

    const json = data.lookupJson(npi);
    if (json === null)
      return refuse(request, reply, count(deps, caller) ?? notInRegistry(npi));
    return answerFromData(request, reply, admission, npi, () => ({
      body: lookupBody(json, data.source),
    }));
  });
}

/** The answer that shows a record, given as JSON. */
export function lookupBody(record: string, source: string): string {
  return answerBody(record, { source });
}

function npiProblems(npi: string): FailureDetail[] {
  const fault = checkNpi(npi);
  if (fault === "ok") return [];
  const message =
    fault === "shape"
      ? "An NPI has 10 digits."
      : "The check digit of this NPI is wrong.";
  return [{ param: "npi", code: "invalid_npi", message }];
}

function notInRegistry(npi: string): Failure {
  return {
    code: "provider_not_found",
    message: `The registry does not hold the NPI ${npi}.`,
  };
}
