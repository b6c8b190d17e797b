import pino from "pino";
import type { Logger } from "pino";
import type { AnswerLog } from "../../http/pipeline/request-log.ts";
import type { LogLevel } from "../../settings/service-settings.ts";
import { textLines } from "./text-lines.ts";

/** Limit of pending characters, for a full disk or a slow reader. Lines beyond it are lost. */
export const MAX_PENDING = 1 << 24;

/** Time limit for the last lines when the service stops. */
const FLUSH_MS = 1_000;

/** A worker hands over its lines at this many characters, or this long after the first line. */
const BATCH_CHARACTERS = 1 << 16;
const BATCH_MS = 50;

/** Pino's number for "info", the level of answers. */
const INFO = 30;

/** An output that never blocks: what it can't write yet waits in memory. */
export interface LogOutput {
  /** Its name in messages. */
  readonly name: string;
  /** Pending characters. */
  readonly waiting: number;
  /** The current write error, or null. */
  readonly fault: NodeJS.ErrnoException | null;
  /** Called after each successful write, and at the start of each outage. */
  onWritten: (() => void) | null;
  onFault: ((error: NodeJS.ErrnoException) => void) | null;
  /** Writes text unless more than `most` characters would be pending. False if it dropped the text. */
  offer(text: string, most: number): boolean;
  /** Resolves when everything is written or a write fails, and after `withinMs` at the latest. */
  flush(withinMs: number): Promise<void>;
}

/**
 * The log of the process: JSON lines, or text for people, on standard output. Disposing of it flushes pending lines, within a time limit.
 */
export interface ProcessLog extends AsyncDisposable {
  readonly logger: Logger;
  /** The number of lines that were lost because they could not be written. */
  readonly lost: number;
  /** Writes whole lines of another thread. */
  write(lines: string): void;
}

export interface LogOptions {
  /** The node's name. */
  readonly node: string;
  readonly level: LogLevel;
  /** JSON by default. */
  readonly format?: "text" | "json" | null;
  readonly output: LogOutput;
  /** Called with a sentence when the log cannot be written, once per outage. */
  readonly onFault: (message: string) => void;
  /** Limit of pending characters. */
  readonly maxPending?: number;
}

/** The writer of a line: the node's name (`NODE_NAME`), and the thread. */
export interface LineSource {
  readonly node: string;
  readonly thread: string;
}

/** A worker's log. Disposing of it hands over pending lines. */
export interface WorkerLog extends Disposable {
  readonly logger: Logger;
  /** Null if the level excludes answers. */
  readonly answers: AnswerLog | null;
}

/**
 * Opens the log in the supervisor, the only thread that writes, so that lines never mix. If the log cannot be written,
 * only its newest lines are lost; once it can, a line says how many.
 */
export function openLog({
  format = "json",
  level,
  maxPending = MAX_PENDING,
  node,
  onFault,
  output,
}: LogOptions): ProcessLog {
  let lost = 0;
  let reportedLost = 0;
  const logger = loggerOf({ node, thread: "supervisor" }, level, { write });
  output.onFault = ({ code, message }) =>
    onFault(
      `Cannot write the log to ${output.name} (${code ?? message}). The service keeps running; lines that do not fit in memory are lost.`,
    );
  output.onWritten = () => {
    // Only if there is room, so that this line is not lost too.
    if (lost === reportedLost || output.waiting > maxPending / 2) return;
    const lines = lost - reportedLost;
    reportedLost = lost;
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
    const written = format === "text" ? textLines(lines) : lines;
    if (output.offer(written, maxPending)) return;
    if (lost === reportedLost && output.fault === null)
      onFault(
        "The log's reader is too slow or has stopped reading, so lines are lost. The service keeps running.",
      );
    lost += lines.split("\n").length - 1;
  }
}

/** Opens a worker's log. Each line has its source; `handOver` gets batches of lines. */
export function openWorkerLog(
  level: LogLevel,
  source: LineSource,
  handOver: (lines: string) => void,
): WorkerLog {
  let waiting = "";
  let timer: NodeJS.Timeout | null = null;
  const logger = loggerOf(source, level, { write });
  return {
    logger,
    answers: logger.isLevelEnabled("info") ? answerLogTo(write, source) : null,
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
 * Creates a function that logs one line per answer, in the format of the other lines. Pino would take several times as
 * long for this many fields.
 */
export function answerLogTo(
  write: (line: string) => void,
  { node, thread }: LineSource,
): AnswerLog {
  const source = JSON.stringify({ node, thread }).slice(1, -1);
  let lastMs = Number.NaN;
  let time = "";
  return function logAnswer(facts) {
    const nowMs = Date.now();
    // Formatted once per millisecond.
    if (nowMs !== lastMs) time = new Date(nowMs).toISOString();
    lastMs = nowMs;
    const members = JSON.stringify(facts).slice(1, -1);
    write(
      `{"level":${INFO},"time":"${time}",${source},${members},"msg":"answered"}\n`,
    );
  };
}

function loggerOf(
  source: LineSource,
  level: LogLevel,
  destination: pino.DestinationStream,
): Logger {
  return pino(
    { level, base: { ...source }, timestamp: pino.stdTimeFunctions.isoTime },
    destination,
  );
}
