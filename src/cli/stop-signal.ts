/** The system passes on one wish to stop more than once: the terminal tells every program, and npm tells its own again. */
const ECHO_MS = 500;

/** Where signals come from: the process. */
export interface SignalSource {
  on(signal: "SIGHUP" | "SIGINT" | "SIGTERM", listener: () => void): unknown;
}

/**
 * A signal that aborts at the first SIGINT or SIGTERM. At a second one, `onImpatience` is called; one that follows within
 * half a second is the first one's echo. SIGHUP is such a signal where a terminal is closed, and elsewhere nothing: the log
 * is standard output, of which there is no file to open again.
 */
export function stopSignal(
  source: SignalSource,
  now: () => number,
  onImpatience: () => void,
  hasTerminal: boolean,
): AbortSignal {
  const controller = new AbortController();
  let firstMs = 0;
  function receive(): void {
    if (!controller.signal.aborted) {
      firstMs = now();
      controller.abort();
    } else if (now() - firstMs >= ECHO_MS) onImpatience();
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
