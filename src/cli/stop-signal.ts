/** One Ctrl-C can arrive more than once: the terminal signals every program, and npm forwards it to its child. */
const ECHO_MS = 500;

/** The source of signals: the process. */
export interface SignalSource {
  on(signal: "SIGHUP" | "SIGINT" | "SIGTERM", listener: () => void): unknown;
}

/**
 * Aborts at the first SIGINT or SIGTERM and calls `onSecondSignal` at the second. A signal within half a second of the
 * first is its echo. SIGHUP counts only if there is a terminal, which has then closed; the log is standard output, so
 * there is no file to reopen.
 */
export function stopSignal(
  source: SignalSource,
  now: () => number,
  onSecondSignal: () => void,
  hasTerminal: boolean,
): AbortSignal {
  const controller = new AbortController();
  let firstMs = 0;
  function receive(): void {
    if (!controller.signal.aborted) {
      firstMs = now();
      controller.abort();
    } else if (now() - firstMs >= ECHO_MS) onSecondSignal();
  }
  source.on("SIGINT", receive);
  source.on("SIGTERM", receive);
  source.on("SIGHUP", () => {
    if (hasTerminal) receive();
  });
  return controller.signal;
}

/** Resolves when a signal aborts. */
export function untilAborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener("abort", () => resolve(), { once: true });
  });
}
