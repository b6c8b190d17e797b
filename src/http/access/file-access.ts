import type { Plan } from "../../accounts/metering/gate.ts";
import type { AppContext } from "../app-context.ts";
import type { Failure } from "../pipeline/failure.ts";
import { BEARER_KEYS, type KeyScheme } from "./authorize.ts";
import { UNLIMITED, type Caller } from "./caller.ts";

/**
 * Keys of plans with files. A request for a file that the account has taken today takes nothing: programs read files in
 * hundreds of small ranges, and limits on open answers bound them.
 */
export function fileKeys({ files }: Pick<AppContext, "files">): KeyScheme {
  return {
    ...BEARER_KEYS,
    callerOf(call, { id, plan }, nowMs): Caller | Failure | null {
      if (files === null) return null;
      if (!plan.files) return notInPlan(plan);
      const name = call.params["name"] ?? "";
      return files.days.has({ accountId: id, name, nowMs })
        ? { ...UNLIMITED, account: id, party: id }
        : null;
    },
  };
}

export function notInPlan({ name }: Pick<Plan, "name">): Failure {
  return {
    code: "files_not_in_plan",
    message: `The plan ${name} does not include files. Use /v1/providers/export, or ask the operator for a plan that does.`,
  };
}
