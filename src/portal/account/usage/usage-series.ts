import type { UsageRow } from "../../../contract/account.ts";

export const DAY_MS = 86_400_000;

/** Requests on a day. */
export interface DailyUsage {
  /** `2026-11-21`, UTC. */
  readonly day: string;
  readonly used: number;
}

/** The part of an account's usage to show; null for all. */
export interface UsageFilter {
  readonly keyId: number | null;
  readonly operation: string | null;
}

/** Sums the usage of every day between two times, both days included. */
export function dailyUsage(
  rows: readonly UsageRow[],
  { fromMs, toMs }: { readonly fromMs: number; readonly toMs: number },
  { keyId, operation }: UsageFilter,
): DailyUsage[] {
  const byDay = new Map<string, number>();
  for (const row of rows)
    if (
      (keyId === null || row.key_id === keyId) &&
      (operation === null || row.operation === operation)
    )
      byDay.set(row.day, (byDay.get(row.day) ?? 0) + row.used);
  return daysBetween(fromMs, toMs).map((day) => ({
    day,
    used: byDay.get(day) ?? 0,
  }));
}

/** Lists all days between two times, both days included. */
export function daysBetween(fromMs: number, toMs: number): string[] {
  const days: string[] = [];
  for (let ms = fromMs; ms <= toMs; ms += DAY_MS) days.push(utcDay(ms));
  return days;
}

/** Sums the requests up to the end of each day. */
export function runningTotals(days: readonly DailyUsage[]): number[] {
  let sum = 0;
  return days.map(({ used }) => (sum += used));
}

/** Chooses the ticks of an axis, from 0 to `most` or just above, in steps of 1, 2 or 5 times a power of ten. */
export function axisTicks(most: number): number[] {
  const rough = Math.max(most, 1) / 4;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = Math.max(
    1,
    [1, 2, 5, 10].map((times) => times * power).find((at) => at >= rough) ??
      rough,
  );
  const count = Math.max(1, Math.ceil(most / step));
  return Array.from({ length: count + 1 }, (_, index) => index * step);
}

/** Returns the UTC day of a time. */
function utcDay(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}

/** Finds the start of the UTC month that ends at `endMs`. */
export function monthStart(endMs: number): number {
  const end = new Date(endMs);
  return Date.UTC(end.getUTCFullYear(), end.getUTCMonth() - 1, 1);
}
