import type { IncomingMessage, ServerResponse } from "node:http";

/** How long work is done before the thread looks what has come meanwhile, in milliseconds. */
const TURN_MS = 5;

/**
 * Makes work wait for its turn, in the order in which it came. Each time the thread looks what has come, it reads from all
 * connections and takes a single new one (libuv). If all that was read were answered at once, a few hundred busy
 * connections would keep others from being taken for minutes, and a look-up, which need not wait for a turn, would wait
 * behind all their searches. A connection has at most two requests in work (`pipelining.ts`), so none holds a queue.
 */
export function inTurns<Work>(
  perform: (work: Work) => void,
): (work: Work) => void {
  let waiting: Work[] = [];
  return function wait(work) {
    if (waiting.length === 0) setImmediate(takeTurn);
    waiting.push(work);
  };

  function takeTurn(): void {
    const end = performance.now() + TURN_MS;
    let next = 0;
    do perform(waiting[next++]!);
    while (next < waiting.length && performance.now() < end);
    waiting = waiting.slice(next);
    if (waiting.length > 0) setImmediate(takeTurn);
  }
}

export type AnswerRequest = (
  request: IncomingMessage,
  response: ServerResponse,
) => void;

/** Makes requests wait for their turn; those whose client has gone meanwhile are dropped. */
export function answerInTurns(answer: AnswerRequest): AnswerRequest {
  const wait = inTurns<Parameters<AnswerRequest>>(([request, response]) => {
    if (!response.destroyed) answer(request, response);
  });
  return (request, response) => wait([request, response]);
}
