import { once } from "node:events";
import { stdin, stdout } from "node:process";
import { PassThrough } from "node:stream";
import { setImmediate as turn } from "node:timers/promises";
import type { JSONRPCMessage } from "@modelcontextprotocol/server";
import {
  serveStdio,
  StdioServerTransport,
} from "@modelcontextprotocol/server/stdio";
import type { Api } from "./api.ts";
import { serverOver } from "./server.ts";

/** The most requests that are unanswered when another message is read. */
const MAX_UNANSWERED = 8;
const LINE_END = 0x0a;

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
  const transport = new PacedTransport();
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
    stdin.destroy();
    resolve();
  };
  return { ended, close: () => handle.close() };
}

/**
 * The official transport at the pace of its client: it reads a line when the output has room and few requests are
 * unanswered, so a client that doesn't read fills only the pipes. When the input ends, it first answers what was asked:
 * some clients write and close, even without the last line end.
 */
class PacedTransport extends StdioServerTransport {
  readonly #input: PassThrough;
  readonly #unanswered = new Set<unknown>();
  #settled = Promise.withResolvers<void>();
  #isClosed = false;

  constructor() {
    const input = new PassThrough();
    super(input, stdout);
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
    void this.#passLines();
  }

  override async send(message: JSONRPCMessage): Promise<void> {
    await super.send(message);
    if (!("method" in message)) this.#settle(message.id);
  }

  override async close(): Promise<void> {
    this.#isClosed = true;
    await super.close();
  }

  async #passLines(): Promise<void> {
    try {
      let isWhole = true;
      for await (const chunk of stdin)
        for (const line of linesOf(chunk)) {
          isWhole = line.at(-1) === LINE_END;
          this.#input.write(line);
          // Until its message is taken.
          await turn();
          await this.#fewerThan(MAX_UNANSWERED);
          // What listens to the output's errors ends the conversation.
          if (stdout.writableNeedDrain)
            await once(stdout, "drain").catch(() => undefined);
        }
      if (!isWhole) this.#input.write(Buffer.of(LINE_END));
      await turn();
      await this.#fewerThan(1);
      this.#input.end();
    } catch (error) {
      if (!this.#isClosed)
        this.#input.destroy(error instanceof Error ? error : undefined);
    }
  }

  /** Waits until fewer requests are unanswered. */
  async #fewerThan(count: number): Promise<void> {
    while (this.#unanswered.size >= count) await this.#settled.promise;
  }

  /** Notes that a request is answered, or needs no answer. */
  #settle(id: unknown): void {
    this.#unanswered.delete(id);
    this.#settled.resolve();
    this.#settled = Promise.withResolvers();
  }
}

/** Splits bytes after each line end. */
function* linesOf(bytes: Buffer): Generator<Buffer, void, undefined> {
  let start = 0;
  while (start < bytes.length) {
    const end = bytes.indexOf(LINE_END, start) + 1 || bytes.length;
    yield bytes.subarray(start, end);
    start = end;
  }
}
