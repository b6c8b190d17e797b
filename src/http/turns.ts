import type { IncomingMessage, ServerResponse } from "node:http";

/** How long requests are answered before the thread looks what has come meanwhile, in milliseconds. */
const TURN_MS = 5;

export type AnswerRequest = (
  request: IncomingMessage,
  response: ServerResponse,
) => void;

/**
 * Makes requests wait for their turn, in the order in which they came; those whose client has gone meanwhile are dropped.
 * Each time the thread looks what has come, it reads from all connections and takes a single new one (libuv). If all
 * that was read were answered at once, a few hundred busy connections would keep others from being taken for minutes,
 * and a look-up, which need not wait for a turn, would stand behind all their searches.
 */
export function inTurns(answer: AnswerRequest): AnswerRequest {
  let waiting: Waiting[] = [];
  return function wait(request, response) {
    if (waiting.length === 0) setImmediate(takeTurn);
    waiting.push({ request, response });
  };

  function takeTurn(): void {
    const end = performance.now() + TURN_MS;
    let next = 0;
    do {
      const { request, response } = waiting[next++]!;
      if (!response.destroyed) answer(request, response);
    } while (next < waiting.length && performance.now() < end);
    waiting = waiting.slice(next);
    if (waiting.length > 0) setImmediate(takeTurn);
  }
}

interface Waiting {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}
