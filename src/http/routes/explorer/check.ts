import { BatchAnswer } from "../../../contract/answers.ts";
import { answersOfRows } from "../../../contract/operation.ts";
import { reserve } from "../../answer.ts";
import { batchOperation } from "../batch.ts";
import type { Route } from "../route.ts";

/**
 * `GET /explore/check`: a batch for the portal's page, with the query and the answer of `/v1/providers`. A signed-in
 * user's counts for the account by NPI, as one with a key does; a visitor's counts for the network by 100 numbers.
 */
export const CHECK_ROUTE: Route = {
  method: "GET",
  path: "/explore/check",
  access: "check",
  counted: "explorer",
  answer: BatchAnswer,
  handler({ deps: { portal }, from, work }) {
    if (portal === null) return null;
    const { key: _, ...batch } = batchOperation(work);
    return from({
      ...batch,
      responses: () => null,
      async execute(data, query, call) {
        const isVisitor = typeof call.caller.party === "string";
        const { counted, npis } = query;
        await reserve(call, isVisitor ? answersOfRows(npis.length) : counted);
        return batch.execute(data, query, call);
      },
    });
  },
};
