const DAY_MS = 86_400_000;

/** The registry publishes an update every seven days; older data is missing at least one. */
export const STALE_AFTER_DAYS = 10;

export interface DataAge {
  /** Whole days since the end of the newest file's period. */
  readonly days: number;
  /** A sentence if the data is older than `STALE_AFTER_DAYS`, else null. */
  readonly warning: string | null;
}

/** Computes the age of data up to a date (ISO 8601); null without a date. `nowMs` is in epoch milliseconds. */
export function dataAge(
  dataDate: string | null,
  nowMs: number,
): DataAge | null {
  if (dataDate === null) return null;
  const days = Math.max(0, Math.floor((nowMs - Date.parse(dataDate)) / DAY_MS));
  const warning =
    days <= STALE_AFTER_DAYS
      ? null
      : `The data goes through ${dataDate} and is ${days} days old. The registry publishes an update every week.`;
  return { days, warning };
}
