import type { FastifyInstance } from "fastify";
import { readCursor, writeCursor } from "../../contract/cursor.ts";
import { admit } from "../pipeline/admission.ts";
import { answerBody } from "../pipeline/answer-body.ts";
import type { AnswerFromData } from "../pipeline/send-data.ts";
import type { HttpDependencies } from "../app-context.ts";
import type { Failure, FailureDetail, Refuse } from "../pipeline/failure.ts";
import { ChangesParameters } from "../../contract/parameters.ts";
import { queryOf } from "../queries/query-string.ts";
import { parameterFailure, queryReader } from "../queries/read-parameters.ts";
import type { ChangesAnswer } from "../../contract/answers.ts";

const PATH = "/v1/changes";

/** `GET /v1/changes`: what imports did to the records, for clients that keep a copy. */
export function addChanges(
  app: FastifyInstance,
  deps: HttpDependencies,
  refuse: Refuse,
  answerFromData: AnswerFromData,
): void {
  const readQuery = queryReader(ChangesParameters);
  app.get(PATH, (request, reply) => {
    const { value: asked, problems, given } = readQuery(queryOf(request.url));
    const allProblems = [...problems, ...placeProblems(given)];
    if (asked === null || allProblems.length > 0)
      return refuse(request, reply, parameterFailure(allProblems));

    const admission = admit(deps, request);
    if (admission.status === "refused")
      return refuse(request, reply, admission.failure);
    const { data } = admission;

    const { cursor, limit, since = null } = asked;
    const page = deps.changes.page(data.id, {
      from: cursor === undefined ? since : readCursor(cursor),
      limit,
    });
    if (page === null) return refuse(request, reply, cursorGone());
    const question = JSON.stringify(asked);
    return answerFromData(request, reply, admission, question, () => {
      const entries = page.changes.map(
        ({ change, set }): ChangesAnswer["data"][number] => ({
          npi: change.npi,
          kind: change.kind,
          date: set.appliedOn,
          data_date: set.dataDate,
          changed_fields: Object.keys(change.fields),
        }),
      );
      const meta: ChangesAnswer["meta"] = {
        count: entries.length,
        limit,
        has_more: page.hasMore,
        next_cursor: writeCursor(page.end),
        complete_since: page.completeSince,
        source: data.source,
      };
      return { body: answerBody(JSON.stringify(entries), meta) };
    });
  });
}

function placeProblems(given: ReadonlySet<string>): FailureDetail[] {
  if (!given.has("since") || !given.has("cursor")) return [];
  return [
    {
      param: "cursor",
      code: "invalid_parameter",
      message: "Give since or cursor, not both: a cursor has its own place.",
    },
  ];
}

function cursorGone(): Failure {
  return {
    code: "cursor_gone",
    message:
      "This cursor's place in the list of changes is no longer there. Go back to an older cursor and look up again what the list named behind it, or take a new copy of the data.",
  };
}
