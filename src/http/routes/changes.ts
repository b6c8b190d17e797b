import { ChangesAnswer } from "../../contract/answers.ts";
import { CHANGES_EXAMPLE } from "../../contract/examples.ts";
import type { Route } from "./route.ts";
import type { Static } from "typebox";
import { changedDetailsList } from "../../changes/change.ts";
import type { ChangePage } from "../../changes/change-reader.ts";
import { readCursor, writeCursor } from "../../contract/cursor.ts";
import type { ChangeLog, ExpectedSnapshots } from "../app-context.ts";
import { ChangesParameters } from "../../contract/parameters.ts";
import type { Failure, FailureDetail } from "../pipeline/failure.ts";
import {
  parserOf,
  snapshotBehind,
  type DataOperation,
  type OperationResult,
  type ParametersRequest,
} from "../queries/data-operation.ts";
import { invalid, queryReader } from "../queries/query-string.ts";

type ChangesRequest = ParametersRequest<Static<typeof ChangesParameters>>;
type ChangesQuery = { readonly limit: number; readonly page: ChangePage };

/** `GET /v1/changes`: the changes made by imports, for clients that keep a copy. */
export const CHANGES_ROUTE = {
  method: "GET",
  path: "/v1/changes",
  access: "key",
  counted: "changes",
  described: {
    operationId: "listChanges",
    summary: "List changes",
    description:
      "Lists the providers that this service's imports added, changed, deactivated, reactivated or removed: import by import, and by NPI within an import. Start with `since`, or without it for all changes kept. Continue with `meta.next_cursor`, which stays valid across updates. Imports that were rolled back are not listed.",
    query: ChangesParameters,
    answer: {
      description: "A page of changes, oldest first.",
      schema: ChangesAnswer,
      examples: { "One change": CHANGES_EXAMPLE },
    },
    codes: ["cursor_gone", "snapshot_behind"],
  },
  handler: ({ deps, from }) =>
    from(listingOf(deps.changes, deps.data.expected)),
} satisfies Route;

/** Makes the operation of the list of changes. */
export function listingOf(
  changes: ChangeLog,
  expected: ExpectedSnapshots,
): DataOperation<
  ChangesRequest,
  ChangesQuery,
  ChangesAnswer & OperationResult
> {
  return {
    parse: parserOf(queryReader(ChangesParameters), placeProblems),
    // What led to the data isn't part of its content.
    key: ({ parameters }, { id }) => `${id} ${JSON.stringify(parameters)}`,
    resolve({ id }, { parameters }) {
      const { cursor, include, limit, since = null } = parameters;
      const from = cursor === undefined ? since : readCursor(cursor);
      const page = changes.page(id, {
        from,
        limit,
        details: include !== undefined,
      });
      if (page !== null) return { limit, page };
      const isAhead =
        from !== null &&
        typeof from !== "string" &&
        expected.includes(from.snapshot, id);
      return isAhead ? snapshotBehind(from.snapshot) : cursorGone();
    },
    execute: ({ source }, { limit, page }) => ({
      data: page.changes.map(({ change, set }) => ({
        npi: change.npi,
        kind: change.kind,
        date: set.appliedOn,
        data_date: set.dataDate,
        changed_fields: Object.keys(change.fields),
        ...(change.details === undefined
          ? {}
          : { details: changedDetailsList(change.details) }),
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
    render: (_data, { data, meta }) => JSON.stringify({ data, meta }),
  };
}

function placeProblems(given: ReadonlySet<string>): FailureDetail[] {
  return given.has("since") && given.has("cursor")
    ? [invalid("cursor", "Send since or cursor, not both.")]
    : [];
}

export function cursorGone(): Failure {
  return {
    code: "cursor_gone",
    message:
      "This cursor is no longer valid. Continue from an older one and look up again every NPI listed after it, or take a new copy of the data.",
  };
}
