import pino from "pino";
import type { LevelWithSilent, Logger } from "pino";
import type { AnswerLog } from "../http/request-log.ts";
import { answerLogTo } from "./answer-log.ts";

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

/** What waits for a slow reader at most, in characters; beyond it lines are dropped, because requests must not wait for logs. */
const MOST_WAITING = 1 << 24;

/** A worker's lines are handed over when there are so many characters of them, or so many milliseconds after the first. */
const BATCH_CHARACTERS = 1 << 16;
const BATCH_MS = 50;

/** The log of the process: JSON lines on standard output. Dispose it to write what is still waiting. */
export interface ProcessLog extends Disposable {
  readonly logger: Logger;
  /** Writes whole lines of another thread. */
  write(lines: string): void;
}

/** A worker's log. Dispose it to hand over what is still waiting. */
export interface WorkerLog extends Disposable {
  readonly logger: Logger;
  /** Null when the level leaves answers out. */
  readonly answers: AnswerLog | null;
}

/** Opens the log in the supervisor. It alone writes, so that lines of different threads do not run into each other. */
export function openLog(level: LogLevel): ProcessLog {
  const destination = pino.destination({
    dest: STDOUT,
    sync: false,
    maxLength: MOST_WAITING,
  });
  return {
    logger: loggerOf("supervisor", level, destination),
    write: (lines) => void destination.write(lines),
    [Symbol.dispose]: () => destination.flushSync(),
  };
}

/** Opens the log of a worker, whose name is in each of its lines; `handOver` gets many lines at once. */
export function openWorkerLog(
  level: LogLevel,
  thread: string,
  handOver: (lines: string) => void,
): WorkerLog {
  let waiting = "";
  let timer: NodeJS.Timeout | null = null;
  const logger = loggerOf(thread, level, { write });
  return {
    logger,
    answers: logger.isLevelEnabled("info")
      ? answerLogTo(write, thread, Date.now)
      : null,
    [Symbol.dispose]: flush,
  };

  function write(line: string): void {
    waiting += line;
    if (waiting.length >= BATCH_CHARACTERS) flush();
    else timer ??= setTimeout(flush, BATCH_MS).unref();
  }

  function flush(): void {
    if (timer !== null) clearTimeout(timer);
    timer = null;
    if (waiting !== "") handOver(waiting);
    waiting = "";
  }
}

function loggerOf(
  thread: string,
  level: LogLevel,
  destination: pino.DestinationStream,
): Logger {
  return pino(
    { level, base: { thread }, timestamp: pino.stdTimeFunctions.isoTime },
    destination,
  );
}
