import type { FastifyInstance } from "fastify";
import { admit } from "../pipeline/admission.ts";
import { answerBody } from "../pipeline/answer-body.ts";
import type { AnswerFromData } from "../pipeline/send-data.ts";
import type { HttpDependencies } from "../app-context.ts";
import type { Refuse } from "../pipeline/failure.ts";
import type { ReadQuestion } from "../queries/query.ts";

export interface QuestionRoute {
  readonly deps: HttpDependencies;
  readonly refuse: Refuse;
  readonly answerFromData: AnswerFromData;
  readonly path: string;
  readonly read: ReadQuestion;
}

/** A path that answers a question with a page of entries. */
export function addQuestion(
  app: FastifyInstance,
  { answerFromData, deps, path, read, refuse }: QuestionRoute,
): void {
  const linkPath = `${deps.settings.publicUrl ?? ""}${path}`;
  app.get(path, (request, reply) => {
    const reading = read(request.url);
    if ("failure" in reading) return refuse(request, reply, reading.failure);

    const admission = admit(deps, request);
    if (admission.status === "refused")
      return refuse(request, reply, admission.failure);

    const { question } = reading;
    const asked = question.ask(admission.data);
    if ("failure" in asked) return refuse(request, reply, asked.failure);
    return answerFromData(request, reply, admission, question.text, () => {
      const found = asked.find((err) =>
        deps.logger?.error(
          { request_id: request.id, err },
          "the locations of providers cannot be read",
        ),
      );
      if ("code" in found) return found;
      const { json, links, meta } = found;
      return {
        body: answerBody(json, meta),
        headers: ["link", links(linkPath)],
      };
    });
  });
}
