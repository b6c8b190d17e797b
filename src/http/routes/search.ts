import type { FastifyInstance } from "fastify";
import type { AnswerFromData } from "../pipeline/send-data.ts";
import type { HttpDependencies } from "../app-context.ts";
import type { Refuse } from "../pipeline/failure.ts";
import { searchReader } from "../queries/search-query.ts";
import { addQuestion } from "./question.ts";

/** `GET /v1/providers/search`: providers by name, place and specialty. */
export function addSearch(
  app: FastifyInstance,
  deps: HttpDependencies,
  refuse: Refuse,
  answerFromData: AnswerFromData,
): void {
  const path = "/v1/providers/search";
  addQuestion(app, {
    deps,
    refuse,
    answerFromData,
    path,
    read: searchReader(),
  });
}
