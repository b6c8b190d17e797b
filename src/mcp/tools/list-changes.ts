import { ChangeEntry, type ChangesAnswer } from "../../contract/answers.ts";
import { ChangesParameters } from "../../contract/parameters.ts";
import { ask, isRefused } from "../api.ts";
import { described, object, sent, shown } from "../schemas.ts";
import { PAGING } from "./filters.ts";
import { pageOf } from "./rows.ts";
import { FLAG, output, TEXT, type Tool } from "./tool.ts";

const NAME = "list_changes";
/** The most rows. All fit in a result, whatever changed, so that none is between a result and its cursor. */
const MAX_CHANGES = 30;

export const LIST_CHANGES: Tool = {
  name: NAME,
  title: "List changes",
  description:
    "Use to see which providers the service's imports added, changed, deactivated, reactivated, or removed, oldest first; since a date, or after the cursor of an earlier result. It lists all providers, so to follow a few, look them up. To page, call `next`.",
  input: object({
    since: described(sent(ChangesParameters.properties.since), "YYYY-MM-DD"),
    cursor: sent(ChangesParameters.properties.cursor),
    details: described(FLAG, "Old and new values of details too"),
    limit: { ...PAGING.limit, maximum: MAX_CHANGES },
  }),
  output: output(
    { next_cursor: TEXT, complete_since: TEXT },
    object(shown(ChangeEntry), ["npi", "kind"]),
  ),
  async call(given, api) {
    const { limit } = pageOf(given);
    const { cursor, details, since } = given;
    const include = details === true ? "details" : undefined;
    const found = await ask<ChangesAnswer>(api, "/v1/changes", {
      since,
      cursor,
      include,
      limit,
    });
    if (isRefused(found)) return found;
    const { data, meta } = found.body;
    const { complete_since, has_more: hasMore, next_cursor } = meta;
    return {
      snapshot: found.snapshot,
      said: [
        `Changes: ${data.length}${hasMore ? ", and more follow" : ""}. The list is complete since ${complete_since}.`,
      ],
      facts: { next_cursor, complete_since },
      columns: ["NPI", "Change", "Imported", "Fields"],
      rows: data.map((change) => {
        const { details: _details, ...short } = change;
        const { changed_fields: changed, date, kind: what } = change;
        return {
          cells: [change.npi, what, date, changed.join(", ")],
          full: change,
          short,
        };
      }),
      next() {
        const after = { cursor: next_cursor, details, limit };
        return hasMore ? { tool: NAME, arguments: after } : null;
      },
    };
  },
};
