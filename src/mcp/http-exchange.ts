import { createMcpHandler } from "@modelcontextprotocol/server";
import type { Api } from "./api.ts";
import { serverOver } from "./server.ts";

/** A message of the protocol over HTTP, from an admitted client. */
interface Exchange {
  /** Answers the requests of its tools. */
  readonly api: Api;
  readonly headers: Headers;
  /** The body. */
  readonly message: string;
  /** Gets errors that no one expects. */
  readonly onFault: (error: unknown) => void;
}

/** The answer to it. */
export interface Answered {
  readonly status: number;
  /** Null without a body. */
  readonly contentType: string | null;
  readonly text: string;
}

/** The most messages of a batch, which revision 2025-03-26 has. */
const MAX_MESSAGES = 10;
const INTERNAL_ERROR = 500;
const TOO_MANY = `{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"A batch has at most ${MAX_MESSAGES} messages."}}`;

/** Answers a message, of any revision that the official package knows, without a session. */
export async function exchange({
  api,
  headers,
  message,
  onFault,
}: Exchange): Promise<Answered> {
  const parsed = parse(message);
  if (Array.isArray(parsed) && parsed.length > MAX_MESSAGES)
    return {
      status: 400,
      contentType: "application/json",
      text: TOO_MANY,
    };
  let fault: unknown = null;
  const revision = headers.get("mcp-protocol-version") ?? undefined;
  const handler = createMcpHandler(() => serverOver(api, onFault, revision), {
    // Mostly what is wrong with a message, which is the client's affair.
    onerror(error) {
      fault = error;
    },
    // Tools never change, so there is nothing to listen for, and every response ends.
    maxSubscriptions: 0,
    keepAliveMs: 0,
  });
  const response = await handler.fetch(
    new Request("http://localhost/mcp", {
      method: "POST",
      headers,
      body: message,
    }),
    parsed === undefined ? {} : { parsedBody: parsed },
  );
  if (response.status >= INTERNAL_ERROR) onFault(fault);
  return {
    status: response.status,
    contentType: response.headers.get("content-type"),
    text: await response.text(),
  };
}

/** Parses JSON; undefined if it is none. */
function parse(message: string): unknown {
  try {
    return JSON.parse(message);
  } catch {
    return undefined;
  }
}
