import type { KeyboardEvent, PointerEvent } from "react";
import type { Plot } from "./plot.ts";
import styles from "./usage.module.css";

/** How far each key goes, in days. */
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
export function DayPicker({
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
