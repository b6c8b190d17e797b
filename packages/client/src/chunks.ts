import { UnexpectedResponseError } from "./errors.ts";

/** The most bytes of a response that is read whole; the service's longest are far shorter. */
const MAX_BYTES = 64 * 2 ** 20;

/** Iterates over the chunks of a stream, and cancels it if the loop ends early: Safari cannot iterate over one. */
export async function* chunksOf(
  stream: ReadableStream<Uint8Array>,
): AsyncGenerator<Uint8Array, void, undefined> {
  const reader = stream.getReader();
  let isOver = false;
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      yield value;
    }
    isOver = true;
  } finally {
    if (!isOver) await reader.cancel().catch(() => undefined);
  }
}

/** Reads a body as text. Fails if it is longer than any of the service's. */
export async function textOf(response: Response): Promise<string> {
  // Some places have no streams.
  if (!response.body) return response.text();
  const decoder = new TextDecoder();
  let text = "";
  let bytes = 0;
  for await (const chunk of chunksOf(response.body)) {
    bytes += chunk.length;
    if (bytes > MAX_BYTES) throw tooLong("response", MAX_BYTES);
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}

/** Makes the error of a part of a response that is longer than any of the service's. */
export function tooLong(what: string, most: number): UnexpectedResponseError {
  return new UnexpectedResponseError(
    `A ${what} is longer than ${most / 2 ** 20} MiB, which none of the service's is. Check that baseUrl is the address of the service.`,
  );
}
