import type { FastifyInstance } from "fastify";
import type { Static } from "typebox";
import type { ChangePage } from "../../changes/change-reader.ts";
import { readCursor, writeCursor } from "../../contract/cursor.ts";
import type { ChangeLog } from "../app-context.ts";
import { ChangesParameters } from "../../contract/parameters.ts";
import type { ChangesAnswer } from "../../contract/answers.ts";
import type { DataAnswers } from "../pipeline/answer-data.ts";
import type { Failure, FailureDetail } from "../pipeline/failure.ts";
import type { DataOperation, Found } from "../queries/data-operation.ts";
import { queryOf } from "../queries/query-string.ts";
import { parameterFailure, queryReader } from "../queries/read-parameters.ts";

type Asked = Static<typeof ChangesParameters>;
type Listed = { readonly limit: number; readonly page: ChangePage };

const PATH = "/v1/changes";
const readQuery = queryReader(ChangesParameters);

/** `GET /v1/changes`: what imports did to the records, for clients that keep a copy. */
export function addChanges(
  app: FastifyInstance,
  changes: ChangeLog,
  answers: DataAnswers,
): void {
  app.get(PATH, answers.of(PATH, listingOf(changes)));
}

function listingOf(
  changes: ChangeLog,
): DataOperation<Asked, Listed, ChangesAnswer & Found> {
  return {
    parse({ url }) {
      const { given, problems, value } = readQuery(queryOf(url));
      const allProblems = [...problems, ...placeProblems(given)];
      return value === null || allProblems.length > 0
        ? parameterFailure(allProblems)
        : value;
    },
    key: (asked) => JSON.stringify(asked),
    resolve({ id }, { cursor, limit, since = null }) {
      const from = cursor === undefined ? since : readCursor(cursor);
      const page = changes.page(id, { from, limit });
      return page === null ? cursorGone() : { limit, page };
    },
    execute: ({ source }, { limit, page }) => ({
      data: page.changes.map(({ change, set }) => ({
        npi: change.npi,
        kind: change.kind,
        date: set.appliedOn,
        data_date: set.dataDate,
        changed_fields: Object.keys(change.fields),
      })),
      meta: {
        count: page.changes.length,
        limit,
        has_more: page.hasMore,
        next_cursor: writeCursor(page.end),
        complete_since: page.completeSince,
        source,
      },
    }),
    render: (_data, answer) => JSON.stringify(answer),
  };
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
