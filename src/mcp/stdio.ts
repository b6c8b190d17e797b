<<<<<<< HEAD
import { stdin } from "node:process";
import { finished, PassThrough } from "node:stream";
import type { JSONRPCMessage } from "@modelcontextprotocol/server";
=======
import process from "node:process";
>>>>>>> left
import {
  serveStdio,
  StdioServerTransport,
} from "@modelcontextprotocol/server/stdio";
import type { Api } from "./api.ts";
import { paced } from "./paced-input.ts";
import { serverOver } from "./server.ts";

/** A conversation over standard input and output. */
interface Conversation {
  /**
   * Resolves when it is over: the input ended and its requests are answered, the output has no reader, or a message is
   * far too long.
   */
  readonly ended: Promise<void>;
  /** Ends it. */
  close(): Promise<void>;
}

/** Serves the protocol over standard input and output. */
export function serveOverStdio(
  api: Api,
  onFault: (error: unknown) => void,
): Conversation {
<<<<<<< HEAD
  const transport = new AnsweringTransport();
  const handle = serveStdio(() => serverOver(api, onFault), {
=======
  const { stdin, stdout } = process;
  const slow = paced(stdin, stdout, api);
  const transport = new StdioServerTransport(slow.input, stdout);
  const handle = serveStdio(() => serverOver(slow.api, onFault), {
>>>>>>> left
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

/** The official transport, which when its input ends first answers what was asked: some clients write and close. */
class AnsweringTransport extends StdioServerTransport {
  readonly #input: PassThrough;
  readonly #unanswered = new Set<unknown>();
  #hasEnded = false;

  constructor() {
    const input = new PassThrough();
    super(input);
    this.#input = input;
  }

  override async start(): Promise<void> {
    const { onmessage } = this;
    // oxlint-disable-next-line unicorn/prefer-add-event-listener -- transports have no such method
    this.onmessage = (message) => {
      if ("method" in message)
        if ("id" in message) this.#unanswered.add(message.id);
        else if (message.method === "notifications/cancelled")
          this.#settle(message.params?.["requestId"]);
      onmessage?.(message);
    };
    await super.start();
    stdin.pipe(this.#input, { end: false });
    finished(stdin, { writable: false }, (error) => {
      this.#hasEnded = true;
      if (error) this.#input.destroy(error);
      else this.#settle(null);
    });
  }

  override async send(message: JSONRPCMessage): Promise<void> {
    await super.send(message);
    if (!("method" in message)) this.#settle(message.id);
  }

  override async close(): Promise<void> {
    stdin.unpipe(this.#input).pause();
    await super.close();
  }

  /** Notes that a request is answered, or needs no answer. */
  #settle(id: unknown): void {
    this.#unanswered.delete(id);
    if (this.#hasEnded && this.#unanswered.size === 0) this.#input.end();
  }
}
