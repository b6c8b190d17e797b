/** The height of a chart, and of the room above its highest tick, in pixels. */
export const HEIGHT = 220;
export const TOP = 20;

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
  /** The middle of a day, by its index: its bar, point, and label are there. */
  readonly xOf: (index: number) => number;
  readonly y: (value: number) => number;
}

/** The drawing area of a chart that is `width` pixels wide. */
export function plotOf({
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
