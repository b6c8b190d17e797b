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
  /** Gets what is wrong with messages of clients. */
  readonly onRejected: (error: Error) => void;
}

/** The answer to it. */
export interface Answered {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/** The most messages of a batch, which revision 2025-03-26 has. */
const MAX_MESSAGES = 10;
const TOO_MANY = `{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"A batch has at most ${MAX_MESSAGES} messages."}}`;

/** Answers a message, of any revision that the official package knows, without a session. */
export async function exchange({
  api,
  headers,
  message,
  onFault,
  onRejected,
}: Exchange): Promise<Answered> {
  const parsed = parse(message);
  if (Array.isArray(parsed) && parsed.length > MAX_MESSAGES)
    return {
      status: 400,
      headers: new Headers({ "content-type": "application/json" }),
      text: TOO_MANY,
    };
  const handler = createMcpHandler(() => serverOver(api, onFault), {
    onerror: onRejected,
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
  return {
    status: response.status,
    headers: response.headers,
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
