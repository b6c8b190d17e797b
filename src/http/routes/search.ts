import type { FastifyInstance } from "fastify";
import type { AnswerFromData } from "../data-answer.ts";
import type { HttpDependencies } from "../deps.ts";
import type { Refuse } from "../failure.ts";
import { searchReader } from "../questions/search-question.ts";
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
