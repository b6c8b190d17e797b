import { useLayoutEffect, useRef, useState, type ReactNode } from "react";
import { formatCount } from "../../format.ts";
import styles from "./usage.module.css";

const HEIGHT = 220;
const TOP = 20;
const BOTTOM = 28;
const RIGHT = 12;
const DIGIT_WIDTH = 8;

/** The drawing area of a chart, in pixels. */
export interface Plot {
  readonly left: number;
  readonly right: number;
  readonly bottom: number;
  readonly y: (value: number) => number;
}

/** A chart as wide as its container, with a vertical axis. Screen readers read `summary`. */
export function ChartFrame({
  children,
  ticks,
  summary,
}: {
  readonly summary: string;
  /** The axis, from 0 up. */
  readonly ticks: readonly number[];
  readonly children: (plot: Plot) => ReactNode;
}) {
  const frame = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(0);
  useLayoutEffect(() => {
    if (frame.current === null) return undefined;
    const observer = new ResizeObserver(([entry]) =>
      setWidth(Math.floor(entry?.contentRect.width ?? 0)),
    );
    observer.observe(frame.current);
    setWidth(frame.current.clientWidth);
    return () => observer.disconnect();
  }, []);
  const top = ticks.at(-1) ?? 1;
  const texts = ticks.map((value) => formatCount(value));
  const left = Math.max(...texts.map((text) => text.length)) * DIGIT_WIDTH + 12;
  const bottom = HEIGHT - BOTTOM;
  const y = (value: number) => bottom - (value / top) * (bottom - TOP);
  const right = width - RIGHT;
  return (
    <div ref={frame} className={styles.chart}>
      {width > 0 && (
        <svg
          role="img"
          aria-label={summary}
          width={width}
          height={HEIGHT}
          viewBox={`0 0 ${width} ${HEIGHT}`}
        >
          {ticks.map((value, index) => (
            <g key={value}>
              <line
                className={index === 0 ? styles.chartBase : styles.chartLine}
                x1={left}
                x2={right}
                y1={y(value)}
                y2={y(value)}
              />
              <text
                className={`${styles.chartText} ${styles.chartCount}`}
                x={left - 8}
                y={y(value) + 4}
              >
                {texts[index]}
              </text>
            </g>
          ))}
          {children({ left, right, bottom, y })}
        </svg>
      )}
    </div>
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

/** Labels for as many days as fit below a chart, always including the last one. */
export function DayLabels({
  days,
  plot: { bottom, left, right },
  xOf,
}: {
  readonly days: readonly string[];
  readonly plot: Plot;
  readonly xOf: (index: number) => number;
}) {
  const room = Math.max(2, Math.floor((right - left) / 72));
  const every = Math.ceil(days.length / room);
  return days.map((day, index) =>
    (days.length - 1 - index) % every === 0 ? (
      <text
        key={day}
        className={`${styles.chartText} ${styles.chartDay}`}
        x={Math.min(Math.max(xOf(index), left + 16), right - 20)}
        y={bottom + 20}
      >
        {shortDay(day)}
      </text>
    ) : null,
  );
}
