import { Type } from "typebox";
import { answerPage, pageParameters, rowsOf } from "./own-lists.ts";
import { queryOf } from "../../queries/query-string.ts";
import {
  parameterFailure,
  queryReader,
} from "../../queries/read-parameters.ts";
import type { LogRow } from "../../../contract/account.ts";
import { ownRoute, type OwnAnswer, type OwnRequest } from "./own-action.ts";

const MOST_ROWS = 100;

const readQuery = queryReader(
  Type.Object(pageParameters(MOST_ROWS), { additionalProperties: false }),
);

/** `GET /account/log`: what was done to the account, the newest first. */
export const OWN_LOG_ROUTE = ownRoute({
  method: "GET",
  path: "/account/log",
  act: log,
});

async function log({ account, people, url }: OwnRequest): Promise<OwnAnswer> {
  const { pairs, problems, value: asked } = readQuery(queryOf(url));
  if (asked === null) return { failure: parameterFailure(problems) };
  const { entries, total } = await people.accounts.auditLog.page(
    account.id,
    rowsOf(asked),
  );
  const data = entries.map(({ action, actor, at, detail, id }): LogRow => ({
    id,
    at: new Date(at).toISOString(),
    actor: actorShown(actor),
    action,
    detail,
  }));
  return answerPage("/account/log", pairs, asked, { data, total });
}

/** Who did it, without the name of a person or a program that operators see. */
function actorShown(actor: string): LogRow["actor"] {
  if (actor === "owner") return "you";
  return actor.startsWith("operator") ? "operator" : "service";
}
