import { useLayoutEffect, useRef, useState, type ReactNode } from "react";
import { formatCount } from "../../format.ts";
import { DayLabels } from "./day-labels.tsx";
import { DayPicker } from "./day-picker.tsx";
import { HEIGHT, plotOf, TOP, type Plot } from "./plot.ts";
import styles from "./usage.module.css";

/**
 * A chart of days, as wide as its container. Pointer and arrow keys choose a day, whose figures are shown above it.
 * Screen readers read `summary`, and the figures of the chosen day.
 */
export function ChartFrame({
  children,
  days,
  figureOf,
  latest,
  summary,
  ticks,
}: {
  readonly summary: string;
  /** All days of the axis, `2026-11-21`. */
  readonly days: readonly string[];
  /** The index of the last day with figures; the first ones have figures too. */
  readonly latest: number;
  /** A day's figures in a few words. */
  readonly figureOf: (index: number) => string;
  /** The vertical axis, from 0 up. */
  readonly ticks: readonly number[];
  readonly children: (plot: Plot) => ReactNode;
}) {
  const frame = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(0);
  const [picked, setPicked] = useState<number | null>(null);
  useLayoutEffect(() => {
    if (frame.current === null) return undefined;
    const observer = new ResizeObserver(([entry]) =>
      setWidth(Math.floor(entry?.contentRect.width ?? 0)),
    );
    observer.observe(frame.current);
    setWidth(frame.current.clientWidth);
    return () => observer.disconnect();
  }, []);
  const shown = Math.min(picked ?? latest, latest);
  const texts = ticks.map((value) => formatCount(value));
  const plot = plotOf({
    width,
    days: days.length,
    top: ticks.at(-1) ?? 1,
    digits: Math.max(...texts.map((text) => text.length)),
  });
  const { bottom, left, right, slot, xOf, y } = plot;
  return (
    <>
      <p className={styles.chartFigure}>{figureOf(shown)}</p>
      <div ref={frame} className={styles.chart}>
        {width > 0 && (
          <>
            <svg
              role="img"
              aria-label={summary}
              width={width}
              height={HEIGHT}
              viewBox={`0 0 ${width} ${HEIGHT}`}
            >
              <rect
                className={styles.chartPicked}
                x={xOf(shown) - slot / 2}
                width={slot}
                y={TOP}
                height={bottom - TOP}
              />
              {ticks.map((value, index) => (
                <g key={value}>
                  <line
                    className={
                      index === 0 ? styles.chartBase : styles.chartLine
                    }
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
              {children(plot)}
              <DayLabels days={days} latest={latest} plot={plot} />
            </svg>
            <DayPicker
              plot={plot}
              latest={latest}
              picked={shown}
              text={figureOf(shown)}
              onPick={setPicked}
            />
          </>
        )}
      </div>
    </>
  );
}
