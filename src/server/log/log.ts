import pino from "pino";
import type { Logger } from "pino";
import type { AnswerLog } from "../../http/pipeline/request-log.ts";
import type { LogLevel } from "../../settings/service-settings.ts";
import type { Output } from "./output.ts";

/** What waits at most for a disk that is full or a reader that is slow, in characters; lines beyond it are lost. */
export const MOST_WAITING = 1 << 24;

/** How long the last lines may take when the service stops. */
const FLUSH_MS = 1_000;

/** A worker's lines are handed over when there are so many characters of them, or so many milliseconds after the first. */
const BATCH_CHARACTERS = 1 << 16;
const BATCH_MS = 50;

/** Pino's number for "info", at which answers are logged. */
const INFO = 30;

/** The log of the process: JSON lines on standard output. Dispose it to write what still waits, as far as that is possible soon. */
export interface ProcessLog extends AsyncDisposable {
  readonly logger: Logger;
  /** How many lines were lost because they could not be written. */
  readonly lost: number;
  /** Writes whole lines of another thread. */
  write(lines: string): void;
}

export interface LogOptions {
  readonly level: LogLevel;
  readonly output: Output;
  /** Told, in a sentence, that the log cannot be written, once until it can be again. */
  readonly onFault: (message: string) => void;
  /** What waits at most, in characters. */
  readonly mostWaiting?: number;
}

/** A worker's log. Dispose it to hand over what is still waiting. */
export interface WorkerLog extends Disposable {
  readonly logger: Logger;
  /** Null when the level leaves answers out. */
  readonly answers: AnswerLog | null;
}

/**
 * Opens the log in the supervisor. Only it writes, so that lines of different threads do not run into each other. A log
 * that cannot be written loses its newest lines and nothing else; when it can be written again, a line says how many.
 */
export function openLog({
  level,
  mostWaiting = MOST_WAITING,
  onFault,
  output,
}: LogOptions): ProcessLog {
  let lost = 0;
  let toldLost = 0;
  const logger = loggerOf("supervisor", level, { write });
  output.onFault = ({ code, message }) =>
    onFault(
      `Cannot write the log to ${output.name} (${code ?? message}). The service keeps running; lines that do not fit in memory are lost.`,
    );
  output.onWritten = () => {
    // Where there is room, so that the line about the losses is not lost itself.
    if (lost === toldLost || output.waiting > mostWaiting / 2) return;
    const lines = lost - toldLost;
    toldLost = lost;
    logger.warn({ lines }, "log lines lost: the log could not be written");
  };
  return {
    logger,
    get lost() {
      return lost;
    },
    write,
    async [Symbol.asyncDispose]() {
      await output.flush(FLUSH_MS);
      output.onFault = null;
      output.onWritten = null;
    },
  };

  function write(lines: string): void {
    if (output.offer(lines, mostWaiting)) return;
    if (lost === toldLost && output.fault === null)
      onFault(
        "The log's reader is too slow or has stopped reading, so lines are lost. The service keeps running.",
      );
    lost += countLines(lines);
  }
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

/**
 * Makes the writer of one line for each answer, in the shape of the log's other lines. It does without pino, which takes
 * twice as long over so many members.
 */
export function answerLogTo(
  write: (line: string) => void,
  thread: string,
  clock: () => number,
): AnswerLog {
  const isoTime = isoClock(clock);
  return function logAnswer(facts) {
    const line = { level: INFO, time: isoTime(), thread, ...facts };
    write(`${JSON.stringify({ ...line, msg: "answered" })}\n`);
  };
}

/** ISO 8601 of now, made once for each millisecond. */
function isoClock(clock: () => number): () => string {
  let lastMs = Number.NaN;
  let text = "";
  return function isoTime() {
    const nowMs = clock();
    if (nowMs !== lastMs) {
      lastMs = nowMs;
      text = new Date(nowMs).toISOString();
    }
    return text;
  };
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

function countLines(lines: string): number {
  let count = 0;
  for (let at = lines.indexOf("\n"); at >= 0; at = lines.indexOf("\n", at + 1))
    count++;
  return count;
}
