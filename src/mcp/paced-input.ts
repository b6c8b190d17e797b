import { once } from "node:events";
import { Readable, type Writable } from "node:stream";
import { setImmediate as turn } from "node:timers/promises";
import type { Api } from "./api.ts";

/** The most requests of tools that are in progress when another message is read. */
const MAX_REQUESTS = 8;
const LINE_END = 0x0a;

/** An input that is read at the pace of the output and of an API. */
interface Paced {
  readonly input: Readable;
  /** The same API. */
  readonly api: Api;
}

/**
 * Makes an input that gives the lines of another one by one: each when the output has room for more, and few requests
 * are in progress. Who sends calls and doesn't read the results fills only the pipes.
 */
export function paced(input: Readable, output: Writable, api: Api): Paced {
  let running = 0;
  let ended = Promise.withResolvers<void>();
  const isBusy = () => running >= MAX_REQUESTS;
  return {
    // Reads no line ahead.
    input: Readable.from(lines(), { objectMode: false, highWaterMark: 1 }),
    api: {
      base: api.base,
      async get(target) {
        running++;
        try {
          return await api.get(target);
        } finally {
          running--;
          ended.resolve();
          ended = Promise.withResolvers();
        }
      },
    },
  };

  async function* lines(): AsyncGenerator<Buffer, void, undefined> {
    for await (const chunk of input)
      for (const line of linesOf(chunk)) {
        yield line;
        // Until its request is in progress, or its answer is written.
        await turn();
        while (isBusy()) await ended.promise;
        // What listens to the output's errors ends the conversation.
        if (output.writableNeedDrain)
          await once(output, "drain").catch(() => undefined);
      }
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
