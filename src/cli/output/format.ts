import type { SnapshotCounts } from "../../snapshot/metadata.ts";

const UNITS = ["bytes", "kB", "MB", "GB", "TB"];

/** Writes a number with thousands separators: `9,812,345`. */
export function formatCount(count: number): string {
  return Math.round(count).toLocaleString("en-US");
}

/** Counts things: `1 row`, `12,345 rows`. */
export function counted(count: number, thing: string): string {
  return `${formatCount(count)} ${count === 1 ? thing : `${thing}s`}`;
}

/** Describes the providers of a snapshot or an import. */
export function describeProviders({
  deactivated,
  individuals,
  organizations,
  providers,
  withheld,
}: SnapshotCounts): string {
  return `${formatCount(providers)} (${formatCount(individuals)} individuals, ${formatCount(organizations)} organizations, ${formatCount(withheld)} withheld by the registry), ${formatCount(deactivated)} of them deactivated`;
}

/** Writes a size in decimal units: `912 MB`, `1.2 GB`. */
export function formatBytes(bytes: number): string {
  let size = bytes;
  let unit = 0;
  while (size >= 999.5 && unit < UNITS.length - 1) {
    size /= 1000;
    unit++;
  }
  return `${unit > 0 && size < 9.95 ? size.toFixed(1) : Math.round(size)} ${UNITS[unit]}`;
}

/** Writes a time span: `0.4 s`, `12 s`, `3 min 05 s`, `1 h 02 min`. */
export function formatSeconds(seconds: number): string {
  if (seconds < 9.95) return `${seconds.toFixed(1)} s`;
  const whole = Math.round(seconds);
  if (whole < 60) return `${whole} s`;
  if (whole < 3600) return `${Math.floor(whole / 60)} min ${pad(whole % 60)} s`;
  const minutes = Math.round(whole / 60);
  return `${Math.floor(minutes / 60)} h ${pad(minutes % 60)} min`;
}

/** Writes a time: `2026-11-20 12:00:00 UTC`. */
export function formatTime(epochMs: number): string {
  return `${new Date(epochMs).toISOString().slice(0, 19).replace("T", " ")} UTC`;
}

/** Writes a time for JSON: ISO 8601, UTC. */
export function isoTime(epochMs: number | null): string | null {
  return epochMs === null ? null : new Date(epochMs).toISOString();
}

function pad(value: number): string {
  return String(value).padStart(2, "0");
}

/** Lays out rows under a heading, in columns separated by two spaces. */
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

/** Terminals obey these instead of showing them: they could move the cursor, change the title, or reorder text. */
const OBEYED = /[\p{Cc}\p{Bidi_Control}]/gu;
const OBEYED_BUT_LINE_FEED = /[^\P{Cc}\n]|\p{Bidi_Control}/gu;

/** Escapes control characters of a value for one line, such as a name of the registry, as JSON does: `\u001b`. */
export function printable(value: string): string {
  return value.replaceAll(OBEYED, escaped);
}

/** Escapes control characters of whole lines, whose line feeds stay. */
export function printableLines(text: string): string {
  return text.replaceAll(OBEYED_BUT_LINE_FEED, escaped);
}

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
}
