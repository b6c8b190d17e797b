import type { FastifyInstance } from "fastify";
import type { AnswerFromData } from "../pipeline/send-data.ts";
import type { HttpDependencies } from "../app-context.ts";
import type { Refuse } from "../pipeline/failure.ts";
import { nearbyReader } from "../queries/nearby-query.ts";
import { addQuestion } from "./question.ts";

/** `GET /v1/providers/nearby`: providers by distance from a ZIP code or a point. */
export function addNearby(
  app: FastifyInstance,
  deps: HttpDependencies,
  refuse: Refuse,
  answerFromData: AnswerFromData,
): void {
  const path = "/v1/providers/nearby";
  addQuestion(app, {
    deps,
    refuse,
    answerFromData,
    path,
    read: nearbyReader(),
  });
}
