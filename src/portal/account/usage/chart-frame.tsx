import {
  useLayoutEffect,
  useRef,
  useState,
  type ReactNode,
  type KeyboardEvent,
  type PointerEvent,
} from "react";
import { formatCount } from "../../format.ts";
import styles from "./usage.module.css";

/**
 * Frames a chart of days, as wide as its container. Pointer and arrow keys choose a day, whose figures are shown above
 * it. Screen readers read `summary`, and the figures of the chosen day.
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
  /** Writes a day's figures in a few words. */
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

/** The height of a chart, and of the room above its highest tick, in pixels. */
const HEIGHT = 220;
const TOP = 20;

const BOTTOM = 32;
/** Half the width of the last day's label, so that it fits below its day. */
const RIGHT = 24;
const DIGIT_WIDTH = 8;

/** The drawing area of a chart, in pixels. */
export interface Plot {
  readonly left: number;
  readonly right: number;
  readonly bottom: number;
  /** The width of a day. */
  readonly slot: number;
  /** Returns the middle of a day, by its index: its bar, point, and label are there. */
  readonly xOf: (index: number) => number;
  readonly y: (value: number) => number;
}

/** Measures the drawing area of a chart that is `width` pixels wide. */
function plotOf({
  days,
  digits,
  top,
  width,
}: {
  readonly width: number;
  readonly days: number;
  /** The highest tick. */
  readonly top: number;
  /** The length of the longest tick's text. */
  readonly digits: number;
}): Plot {
  const left = digits * DIGIT_WIDTH + 16;
  const right = width - RIGHT;
  const bottom = HEIGHT - BOTTOM;
  const slot = Math.max(right - left, 0) / Math.max(days, 1);
  return {
    left,
    right,
    bottom,
    slot,
    xOf: (index) => left + slot * (index + 0.5),
    y: (value) => bottom - (value / top) * (bottom - TOP),
  };
}

/** Room for a label, in pixels. */
const LABEL_WIDTH = 72;

/** Labels below as many days as fit, each with a mark below its day; the latest day with figures always has one. */
function DayLabels({
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

/** Formats a day as `Nov 21`. */
export function shortDay(day: string): string {
  return SHORT.format(new Date(`${day}T00:00:00Z`));
}

/** The step of each key, in days. */
const STEPS: Readonly<Record<string, number>> = {
  ArrowLeft: -1,
  ArrowDown: -1,
  ArrowRight: 1,
  ArrowUp: 1,
  PageDown: -7,
  PageUp: 7,
  Home: -Infinity,
  End: Infinity,
};

/** Chooses a day of a chart by pointer or keyboard. It covers the chart and shows nothing itself. */
function DayPicker({
  latest,
  onPick,
  picked,
  plot: { left, slot },
  text,
}: {
  readonly plot: Plot;
  readonly latest: number;
  readonly picked: number;
  /** The picked day's figures. */
  readonly text: string;
  /** Called with null when the pointer leaves. */
  readonly onPick: (index: number | null) => void;
}) {
  function pick(index: number): void {
    onPick(Math.min(Math.max(index, 0), latest));
  }

  function onPointer({ clientX, currentTarget }: PointerEvent): void {
    const from = currentTarget.getBoundingClientRect().left + left;
    pick(Math.floor((clientX - from) / slot));
  }

  function onKey(event: KeyboardEvent): void {
    const step = STEPS[event.key];
    if (step === undefined) return;
    event.preventDefault();
    pick(picked + step);
  }

  return (
    <div
      className={styles.dayPicker}
      role="slider"
      tabIndex={0}
      aria-label="Day"
      aria-valuemin={1}
      aria-valuemax={latest + 1}
      aria-valuenow={picked + 1}
      aria-valuetext={text}
      onKeyDown={onKey}
      onPointerDown={onPointer}
      onPointerMove={onPointer}
      onPointerLeave={({ pointerType }) => {
        // A finger that is lifted leaves the day that it chose.
        if (pointerType === "mouse") onPick(null);
      }}
    />
  );
}
