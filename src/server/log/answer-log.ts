import type { AnswerLog } from "../../http/pipeline/request-log.ts";

/** Pino's number for "info", at which answers are logged. */
const INFO = 30;

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
