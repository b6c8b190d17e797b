import { printable } from "./printable.ts";

const UNITS = ["bytes", "kB", "MB", "GB", "TB"];

/** A number with thousands separators: `9,812,345`. */
export function formatCount(count: number): string {
  return Math.round(count).toLocaleString("en-US");
}

/** `1 row`, `12,345 rows`. */
export function counted(count: number, what: string): string {
  return `${formatCount(count)} ${count === 1 ? what : `${what}s`}`;
}

/** A size in decimal units: `912 MB`, `1.2 GB`. */
export function formatBytes(bytes: number): string {
  let size = bytes;
  let unit = 0;
  while (size >= 999.5 && unit < UNITS.length - 1) {
    size /= 1000;
    unit++;
  }
  return `${unit > 0 && size < 9.95 ? size.toFixed(1) : Math.round(size)} ${UNITS[unit]}`;
}

/** A time span: `0.4 s`, `12 s`, `3 min 05 s`, `1 h 02 min`. */
export function formatSeconds(seconds: number): string {
  if (seconds < 9.95) return `${seconds.toFixed(1)} s`;
  const whole = Math.round(seconds);
  if (whole < 60) return `${whole} s`;
  if (whole < 3600) return `${Math.floor(whole / 60)} min ${pad(whole % 60)} s`;
  const minutes = Math.round(whole / 60);
  return `${Math.floor(minutes / 60)} h ${pad(minutes % 60)} min`;
}

/** `2026-11-20 12:00:00 UTC`. */
export function formatTime(epochMs: number): string {
  return `${new Date(epochMs).toISOString().slice(0, 19).replace("T", " ")} UTC`;
}

function pad(value: number): string {
  return String(value).padStart(2, "0");
}

/** Rows under a heading, in columns separated by two spaces. */
export function formatTable(
  heading: readonly string[],
  rows: readonly (readonly string[])[],
): string[] {
  const all = [heading, ...rows.map((row) => row.map(printable))];
  const widths = heading.map((_, column) =>
    Math.max(...all.map((row) => row[column]?.length ?? 0)),
  );
  return all.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join("  ")
      .trimEnd(),
  );
}
