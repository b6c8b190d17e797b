import type { Api } from "../../mcp/api.ts";
import type { Answered } from "../../mcp/http-exchange.ts";
import { KeyCaller } from "../access/caller.ts";
import { MCP_METADATA_PATH } from "../access/assistant-gate.ts";
import { bodiless, content, json, type Call, type Reply } from "../call.ts";
import { baseOf } from "../pipeline/failure-reply.ts";
import { internalError, Refusal } from "../pipeline/failure.ts";
import { headersOf } from "../pipeline/headers.ts";
import { ownApi, type OwnClient } from "../queries/own-requests.ts";
import type { Route, RouteContext } from "./route.ts";

const MCP_PATH = "/mcp";
/** The longest message, in bytes. */
const MAX_MESSAGE_BYTES = 65_536;

/** `POST /mcp`: the Model Context Protocol over Streamable HTTP, if it is on. Its packages are loaded at the start. */
export const MCP_ROUTE: Route = {
  method: "POST",
  path: MCP_PATH,
  access: "mcp",
  counted: "mcp",
  bodyLimit: MAX_MESSAGE_BYTES,
  handler(context) {
    const { deps } = context;
    if (deps.settings.mcp === "off") return null;
    const loading = import("../../mcp/http-exchange.ts");
    const apiOf = apisOf(context);
    return async (call) => {
      const { exchange } = await loading;
      const { body = "", request } = call;
      const answered = await exchange({
        api: apiOf(call),
        headers: headersOf(request),
        message: body.toString(),
        onFault: (err) =>
          deps.logger?.error({ request_id: call.id, err }, "failed"),
      });
      return replyOf(answered);
    };
  },
};

/** `GET /.well-known/oauth-protected-resource/mcp` (RFC 9728): keys come from the operator, not from OAuth. */
export const MCP_METADATA_ROUTE: Route = {
  method: "GET",
  path: MCP_METADATA_PATH,
  access: "public",
  counted: "documentation",
  handler: ({ deps }) =>
    deps.settings.mcp === "off"
      ? null
      : (call) => {
          const base = baseOf(call, deps);
          return json({
            resource: `${base}${MCP_PATH}`,
            bearer_methods_supported: ["header"],
            resource_name: "Provider Directory Service",
            resource_documentation: `${base}/docs`,
          });
        },
};

/** Makes the API that a request's tools use: each of their requests is the client's, counted as its operation. */
function apisOf({ deps, source, work }: RouteContext): (call: Call) => Api {
  const { answerCounts, changes, data, logger, nextUpdate, now } = deps;
  const answer = ownApi({ changes, data, nextUpdate, now, source, work });
  return (call) => {
    const base = baseOf(call, deps);
    const client: OwnClient = {
      id: call.id,
      base,
      get isGone() {
        return call.isGone;
      },
      callerOf(operation) {
        const { caller } = call;
        return caller instanceof KeyCaller
          ? caller.countedAs(operation)
          : caller;
      },
      failureOf(error) {
        const isRefusal = error instanceof Refusal;
        const failure = isRefusal ? error.failure : internalError();
        if (!isRefusal && !call.isGone)
          logger?.error({ request_id: call.id, err: error }, "failed");
        answerCounts?.noteFailure(failure.code);
        return failure;
      },
    };
    return { base, get: (target) => answer(target, client) };
  };
}

function replyOf({ contentType, status, text }: Answered): Reply {
  return contentType === null
    ? bodiless(status)
    : content(text, contentType, [], status);
}
