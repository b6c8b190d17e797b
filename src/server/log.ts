import pino from "pino";
import type { LevelWithSilent, Logger } from "pino";

/** The levels that a log can be set to, the quietest last. */
export const LOG_LEVELS = [
  "trace",
  "debug",
  "info",
  "warn",
  "error",
  "fatal",
  "silent",
] as const satisfies readonly LevelWithSilent[];
export type LogLevel = (typeof LOG_LEVELS)[number];

const STDOUT = 1;

/** A pipe takes up to this many bytes whole, so that lines of different threads do not run into each other. */
const PIPE_BUF = 4_096;

/** What waits for a slow reader at most, in characters; beyond it lines are dropped, because requests must not wait for logs. */
const MOST_WAITING = 1 << 24;

/** A thread's log: JSON lines on standard output. Dispose it to write what is still waiting. */
export interface Log extends Disposable {
  readonly logger: Logger;
}

/** Opens the log of a thread; its name is in each of its lines. */
export function openLog(level: LogLevel, thread: string): Log {
  const destination = pino.destination({
    dest: STDOUT,
    sync: false,
    maxWrite: PIPE_BUF,
    maxLength: MOST_WAITING,
  });
  const logger = pino(
    { level, base: { thread }, timestamp: pino.stdTimeFunctions.isoTime },
    destination,
  );
  return { logger, [Symbol.dispose]: () => destination.flushSync() };
}
