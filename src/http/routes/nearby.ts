import type { FastifyInstance } from "fastify";
import type { AnswerFromData } from "../data-answer.ts";
import type { HttpDependencies } from "../deps.ts";
import type { Refuse } from "../failure.ts";
import { nearbyReader } from "../questions/nearby-question.ts";
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
