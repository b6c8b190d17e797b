import type { IncomingMessage, Server, ServerResponse } from "node:http";

/** How long work is done before the thread looks what has come meanwhile, in milliseconds. */
const TURN_MS = 5;
/** The same while connections come, and for how long after the last one more are expected. */
const SHORT_TURN_MS = 0.5;
const EXPECTED_MS = 20;

/** Says how long a turn is, in milliseconds. */
export type TurnLength = () => number;

/**
 * Makes turns short while a server's connections come: the thread takes one each time it looks. Behind thousands that a
 * stranger opens, another one would wait for as many turns.
 */
export function turnLengthOf(server: Server): TurnLength {
  let shortUntilMs = 0;
  server.on("connection", () => {
    shortUntilMs = performance.now() + EXPECTED_MS;
  });
  return () => (performance.now() < shortUntilMs ? SHORT_TURN_MS : TURN_MS);
}

/**
 * Makes work wait for its turn, in the order in which it came. Each time the thread looks what has come, it reads from all
 * connections and takes a single new one (libuv). If all that was read were answered at once, a few hundred busy
 * connections would keep others from being taken for minutes, and a look-up, which need not wait for a turn, would wait
 * behind all their searches. A connection has at most two requests in work (`pipelining.ts`), so none holds a queue.
 */
export function inTurns<Work>(
  perform: (work: Work) => void,
  lengthMs: TurnLength,
): (work: Work) => void {
  let waiting: Work[] = [];
  return function wait(work) {
    if (waiting.length === 0) setImmediate(takeTurn);
    waiting.push(work);
  };

  function takeTurn(): void {
    const end = performance.now() + lengthMs();
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
export function answerInTurns(
  answer: AnswerRequest,
  lengthMs: TurnLength,
): AnswerRequest {
  const wait = inTurns<Parameters<AnswerRequest>>(([request, response]) => {
    if (!response.destroyed) answer(request, response);
  }, lengthMs);
  return (request, response) => wait([request, response]);
}
