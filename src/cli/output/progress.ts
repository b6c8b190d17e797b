import type { Terminal } from "../command.ts";
import {
  formatBytes,
  formatCount,
  formatSeconds,
  printable,
} from "./format.ts";

/** Nothing is shown for anything shorter. */
const QUIET_MS = 1_000;
/** Redraw interval on a terminal. */
const REDRAW_MS = 100;
/** Interval between lines without a terminal. */
const LINE_MS = 5_000;
const MAX_BAR = 20;
const MIN_BAR = 5;

/** The progress of a task. */
export interface Reached {
  readonly bytes: number;
  /** Null if it is not known. */
  readonly bytesTotal: number | null;
  /** Null if there are no rows; the speed is then in bytes. */
  readonly rows: number | null;
  /** For the bar, if `bytesTotal` is not known. */
  readonly rowsTotal?: number;
}

/**
 * Shows progress: on a terminal as one line that is redrawn and erased at the end, otherwise as a plain line every few
 * seconds. Shows nothing for the first second.
 */
export class Progress implements Disposable {
  readonly #label: string;
  readonly #terminal: Terminal;
  readonly #now: () => number;
  readonly #startedMs: number;
  #shownMs: number;
  #isDrawn = false;

  constructor(
    label: string,
    { terminal, now }: { terminal: Terminal; now: () => number },
  ) {
    this.#label = printable(label);
    this.#terminal = terminal;
    this.#now = now;
    this.#startedMs = now();
    this.#shownMs = Number.NEGATIVE_INFINITY;
  }

  /** Seconds since the start. */
  get seconds(): number {
    return (this.#now() - this.#startedMs) / 1000;
  }

  update(reached: Reached): void {
    if (!this.#isDue()) return;
    const width = this.#terminal.isInteractive ? this.#width() : null;
    this.#show(progressLine(this.#label, reached, this.seconds, width));
  }

  /** Shows the current step when there is no measure of progress. */
  note(text: string): void {
    const quietMs = this.#terminal.isInteractive ? QUIET_MS : LINE_MS;
    if (this.seconds * 1000 >= quietMs) this.#show(`${this.#label}: ${text}`);
  }

  [Symbol.dispose](): void {
    if (this.#isDrawn) this.#terminal.write("\r\u001b[K");
  }

  #isDue(): boolean {
    const nowMs = this.#now();
    if (!this.#terminal.isInteractive)
      return nowMs - Math.max(this.#shownMs, this.#startedMs) >= LINE_MS;
    return (
      nowMs - this.#startedMs >= QUIET_MS && nowMs - this.#shownMs >= REDRAW_MS
    );
  }

  #show(line: string): void {
    this.#shownMs = this.#now();
    if (!this.#terminal.isInteractive) {
      this.#terminal.write(`${line}\n`);
      return;
    }
    this.#isDrawn = true;
    this.#terminal.write(
      `\r${line.slice(0, Math.max(this.#terminal.columns() - 1, 20))}\u001b[K`,
    );
  }

  #width(): number {
    return Math.max(this.#terminal.columns() - 1, 20);
  }
}

/**
 * Writes `name [#####...............] 25 %, 228 MB of 912 MB, 2,400,000 rows, 400,000 rows/s, 18 s left`, within a
 * terminal's width; without a bar where that is null. When room is short, first the bar goes, then the name, and the
 * figures stay.
 */
export function progressLine(
  label: string,
  reached: Reached,
  seconds: number,
  width: number | null,
): string {
  const { bytes, bytesTotal, rows, rowsTotal = 0 } = reached;
  const [done, total] =
    bytesTotal === null ? [rows ?? 0, rowsTotal] : [bytes, bytesTotal];
  const share = total > 0 ? Math.min(done / total, 1) : 0;
  const facts = [
    `${Math.floor(share * 100)} %`,
    bytesTotal === null
      ? formatBytes(bytes)
      : `${formatBytes(bytes)} of ${formatBytes(bytesTotal)}`,
    ...(rows === null
      ? [`${formatBytes(perSecond(bytes, seconds))}/s`]
      : [
          `${formatCount(rows)} rows`,
          `${formatCount(perSecond(rows, seconds))} rows/s`,
        ]),
  ];
  if (share > 0 && share < 1)
    facts.push(`${formatSeconds((seconds / share) * (1 - share))} left`);
  const figures = facts.join(", ");
  const plain = `${label}: ${figures}`;
  if (width === null) return plain;
  // The bar, in brackets, replaces the colon.
  const barWidth = Math.min(width - plain.length - 2, MAX_BAR);
  if (barWidth >= MIN_BAR) {
    const filled = Math.round(share * barWidth);
    return `${label} [${"#".repeat(filled)}${".".repeat(barWidth - filled)}] ${figures}`;
  }
  if (plain.length <= width) return plain;
  const room = width - figures.length - 5;
  return room > 0 ? `${label.slice(0, room)}...: ${figures}` : figures;
}

function perSecond(amount: number, seconds: number): number {
  return seconds > 0 ? amount / seconds : 0;
}
