import type { Plot } from "./plot.ts";
import styles from "./usage.module.css";

/** Room for a label, in pixels. */
const LABEL_WIDTH = 72;

/** Labels below as many days as fit, each with a mark below its day; the latest day with figures always has one. */
export function DayLabels({
  days,
  latest,
  plot: { bottom, left, right, xOf },
}: {
  readonly days: readonly string[];
  readonly latest: number;
  readonly plot: Plot;
}) {
  const room = Math.max(2, Math.floor((right - left) / LABEL_WIDTH));
  const every = Math.ceil(days.length / room);
  return days.map((day, index) =>
    (index - latest) % every === 0 ? (
      <g key={day}>
        <line
          className={styles.chartBase}
          x1={xOf(index)}
          x2={xOf(index)}
          y1={bottom}
          y2={bottom + 5}
        />
        <text
          className={`${styles.chartText} ${styles.chartDay}`}
          x={xOf(index)}
          y={bottom + 20}
        >
          {shortDay(day)}
        </text>
      </g>
    ) : null,
  );
}

const SHORT = new Intl.DateTimeFormat("en-US", {
  month: "short",
  day: "numeric",
  timeZone: "UTC",
});

/** `Nov 21` */
export function shortDay(day: string): string {
  return SHORT.format(new Date(`${day}T00:00:00Z`));
}
