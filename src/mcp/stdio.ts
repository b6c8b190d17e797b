import {
  serveStdio,
  StdioServerTransport,
} from "@modelcontextprotocol/server/stdio";
import type { Api } from "./api.ts";
import { serverOver } from "./server.ts";

/** A conversation over standard input and output. */
interface Conversation {
  /** Resolves when it is over: the input ended, the output has no reader, or a message is far too long. */
  readonly ended: Promise<void>;
  /** Ends it. */
  close(): Promise<void>;
}

/** Serves the protocol over standard input and output. */
export function serveOverStdio(
  api: Api,
  onFault: (error: unknown) => void,
): Conversation {
  const transport = new StdioServerTransport();
  const handle = serveStdio(() => serverOver(api, onFault), {
    transport,
    onerror: onFault,
    maxSubscriptions: 0,
  });
  const { promise: ended, resolve } = Promise.withResolvers<void>();
  const { onclose } = transport;
  // oxlint-disable-next-line unicorn/prefer-add-event-listener -- transports have no such method
  transport.onclose = () => {
    onclose?.();
    resolve();
  };
  return { ended, close: () => handle.close() };
}
