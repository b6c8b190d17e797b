import process from "node:process";
import {
  serveStdio,
  StdioServerTransport,
} from "@modelcontextprotocol/server/stdio";
import type { Api } from "./api.ts";
import { paced } from "./paced-input.ts";
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
  const { stdin, stdout } = process;
  const slow = paced(stdin, stdout, api);
  const transport = new StdioServerTransport(slow.input, stdout);
  const handle = serveStdio(() => serverOver(slow.api, onFault), {
    transport,
    onerror: onFault,
    maxSubscriptions: 0,
  });
  const { promise: ended, resolve } = Promise.withResolvers<void>();
  const { onclose } = transport;
  // oxlint-disable-next-line unicorn/prefer-add-event-listener -- transports have no such method
  transport.onclose = () => {
    onclose?.();
    slow.input.destroy();
    stdin.destroy();
    resolve();
  };
  return { ended, close: () => handle.close() };
}
