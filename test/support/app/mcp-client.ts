/** The official client of the Model Context Protocol, over an app without a connection. */

import {
  Client,
  StreamableHTTPClientTransport,
  type CallToolResult,
} from "@modelcontextprotocol/client";
import { askApp, type HttpService } from "./http-service.ts";

/** A client of a service, which closes with the test. */
export interface AssistantClient extends AsyncDisposable {
  readonly client: Client;
  /** Calls a tool, and returns its result. */
  call(name: string, given?: Record<string, unknown>): Promise<ToolResult>;
}

/** A result of a tool. */
export interface ToolResult {
  readonly text: string;
  readonly structured: Record<string, unknown>;
  readonly isError: boolean;
  /** What clients count: text and structured content. */
  readonly bytes: number;
}

/** Connects the client, of revision 2026-07-28 or of the ones before. */
export async function connectAssistant(
  service: HttpService,
  revision: "modern" | "legacy" = "modern",
  key = service.paidKey,
): Promise<AssistantClient> {
  const client = new Client(
    { name: "test", version: "1" },
    {
      versionNegotiation: {
        mode: revision === "modern" ? { pin: "2026-07-28" } : "legacy",
      },
    },
  );
  const transport = new StreamableHTTPClientTransport(
    new URL("http://localhost:8080/mcp"),
    {
      requestInit: { headers: { authorization: `Bearer ${key}` } },
      fetch: (url, init) => fetchApp(service, new Request(url, init)),
    },
  );
  await client.connect(transport);
  return {
    client,
    call: async (name, given = {}) =>
      resultOf(await client.callTool({ name, arguments: given })),
    [Symbol.asyncDispose]: () => client.close(),
  };
}

function resultOf({
  content,
  isError = false,
  structuredContent,
}: CallToolResult): ToolResult {
  const [first] = content;
  const text = first?.type === "text" ? first.text : "";
  const bytes = Buffer.byteLength(JSON.stringify([content, structuredContent]));
  const structured = new Map<string, unknown>(
    Object.entries(structuredContent ?? {}),
  );
  return { text, structured: Object.fromEntries(structured), isError, bytes };
}

async function fetchApp(
  { app, installation }: HttpService,
  request: Request,
): Promise<Response> {
  installation.clock.nowMs += 1_000;
  const { body, headers, statusCode } = await askApp(app, {
    method: request.method === "POST" ? "POST" : "GET",
    url: "/mcp",
    headers: { ...Object.fromEntries(request.headers), host: "localhost:8080" },
    payload: await request.text(),
  });
  return new Response(statusCode === 202 || body === "" ? null : body, {
    status: statusCode,
    headers: Object.entries(headers).map(([name, value]): [string, string] => [
      name,
      String(value),
    ]),
  });
}
