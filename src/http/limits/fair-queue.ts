import type { IncomingMessage, Server, ServerResponse } from "node:http";
import { HELD } from "../pipeline/send.ts";
import { MAX_QUEUED_MS } from "./server-limits.ts";

/** The time that requests are processed before the thread accepts new ones, in milliseconds. */
const TURN_MS = 5;
/** The same while new connections arrive, and how long after the last one. */
const SHORT_TURN_MS = 0.5;
const EXPECTED_MS = 20;

/** Returns the length of a turn, in milliseconds. */
export type TurnLength = () => number;

/**
 * Shortens turns while new connections arrive: the thread accepts one per turn, so a flood of connections would delay
 * others by as many turns.
 */
export function turnLengthOf(server: Server): TurnLength {
  let shortUntilMs = 0;
  server.on("connection", () => {
    shortUntilMs = performance.now() + EXPECTED_MS;
  });
  return () => (performance.now() < shortUntilMs ? SHORT_TURN_MS : TURN_MS);
}

/**
 * Processes work in turns, in order of arrival. Between turns, the thread reads from all connections and accepts one
 * new one (libuv). If everything read were answered at once, a few hundred busy connections could block new ones for
 * minutes, and a lookup would wait behind all their searches. A connection has at most two requests in progress
 * (`pipelining.ts`), so none fills the queue. Answers held before a turn do not wait for it, and those of a turn are
 * sent during it, some at a time.
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
    HELD.send();
    const end = performance.now() + lengthMs();
    let next = 0;
    let nowMs;
    do {
      perform(waiting[next++]!);
      nowMs = performance.now();
      HELD.sendOld(nowMs);
    } while (next < waiting.length && nowMs < end);
    HELD.send();
    waiting = waiting.slice(next);
    if (waiting.length > 0) setImmediate(takeTurn);
  }
}

/** A request and its response. */
interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

/** Does some work in its turn. */
export type TakeTurn = (work: () => void) => void;

/** Makes the queue of a thread's requests. */
export function turnsOf(lengthMs: TurnLength): TakeTurn {
  return inTurns((work) => work(), lengthMs);
}

/**
 * Answers requests in turns, or refuses those that waited for longer than `MAX_QUEUED_MS`, which must take little work,
 * so that the queue gets shorter. Drops those whose client has disconnected. One that has only closed its side looks the
 * same until it is written to, so it is disconnected unless its turn came before.
 *
 * @param now The time in milliseconds.
 */
export function answerInTurns<Each extends Exchange>(
  answer: (each: Each, isLate: boolean) => void,
  takeTurn: TakeTurn,
  now: () => number,
): (each: Each) => void {
  return (each) => {
    const untilMs = now() + MAX_QUEUED_MS;
    takeTurn(() => {
      const { request, response } = each;
      if (request.socket.readableEnded) response.destroy();
      if (!response.destroyed) answer(each, now() > untilMs);
    });
  };
}
