import type { ByteWriter } from "./byte-writer.ts";

const GROUP = 8;

/** Returns the number of bits of the numbers from 0 to `max`. */
export function widthOf(max: number): number {
  return 32 - Math.clz32(max);
}

/**
 * Writes the first `count` numbers, of `width` bits each (at most 24), as Parquet's hybrid of runs and bits: equal
 * neighbors once, with their number; others packed in groups of eight, the last one with zeros at its end.
 */
export function writeHybrid(
  out: ByteWriter,
  numbers: Uint8Array | Uint32Array,
  count: number,
  width: number,
): void {
  for (let from = 0; from < count;) {
    let to = runEnd(numbers, from, count);
    if (to - from >= GROUP) {
      out.varint((to - from) * 2);
      out.low(numbers[from]!, Math.ceil(width / 8));
    } else {
      to = from;
      do to = Math.min(to + GROUP, count);
      while (to < count && !startsRun(numbers, to, count));
      out.varint(Math.ceil((to - from) / GROUP) * 2 + 1);
      writePacked(out, numbers, from, to, width);
    }
    from = to;
  }
}

function startsRun(
  numbers: Uint8Array | Uint32Array,
  from: number,
  count: number,
): boolean {
  return runEnd(numbers, from, Math.min(from + GROUP, count)) - from === GROUP;
}

/** Returns the end of the equal numbers that start at `from`, at most `max`. */
function runEnd(
  numbers: Uint8Array | Uint32Array,
  from: number,
  max: number,
): number {
  const number = numbers[from];
  let to = from + 1;
  while (to < max && numbers[to] === number) to++;
  return to;
}

/** Writes `numbers[from, to)` as bits, lowest first, in groups of eight numbers. */
export function writePacked(
  out: ByteWriter,
  numbers: Uint8Array | Uint32Array,
  from: number,
  to: number,
  width: number,
): void {
  const groups = Math.ceil((to - from) / GROUP);
  let at = out.skip(groups * width);
  const { bytes } = out;
  let held = 0;
  let bits = 0;
  for (let i = from; i < from + groups * GROUP; i++) {
    if (i < to) held |= numbers[i]! << bits;
    for (bits += width; bits >= 8; bits -= 8) {
      bytes[at++] = held;
      held >>>= 8;
    }
  }
}
