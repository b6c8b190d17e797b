import { ChartFrame, DayLabels, shortDay } from "./chart-frame.tsx";
import {
  DAY_MS,
  utcDay,
  axisTicks,
  runningTotals,
  type DailyUsage,
} from "./usage-series.ts";
import { formatCount } from "../../format.ts";
import styles from "./usage.module.css";

/** The month's running total up to today, with a line at the quota. */
export function QuotaChart({
  days,
  endMs,
  quota,
  startMs,
}: {
  /** From the first of the month to today. */
  readonly days: readonly DailyUsage[];
  readonly quota: number;
  /** The month, UTC. */
  readonly startMs: number;
  readonly endMs: number;
}) {
  const sums = runningTotals(days);
  const used = sums.at(-1) ?? 0;
  const length = Math.round((endMs - startMs) / DAY_MS);
  const names = Array.from({ length }, (_, index) =>
    utcDay(startMs + index * DAY_MS),
  );
  const quotaText = formatCount(quota);
  const summary = `Requests since ${shortDay(utcDay(startMs))}: ${formatCount(used)} of ${quotaText}. The month ends on ${shortDay(utcDay(endMs - DAY_MS))}.`;
  return (
    <ChartFrame ticks={axisTicks(Math.max(quota, used))} summary={summary}>
      {(plot) => {
        const step = (plot.right - plot.left) / length;
        // The middle of a day, above its label.
        const xOf = (index: number) => plot.left + step * (index + 0.5);
        const line = sums
          .map((sum, index) => `L${xOf(index)} ${plot.y(sum)}`)
          .join("");
        const begin = `M${plot.left} ${plot.bottom}`;
        const end = xOf(sums.length - 1);
        return (
          <>
            <path
              className={styles.chartArea}
              d={`${begin}${line}L${end} ${plot.bottom}Z`}
            />
            <path className={styles.chartSum} d={`${begin}${line}`} />
            <circle
              className={styles.chartNow}
              cx={end}
              cy={plot.y(used)}
              r="4"
            >
              <title>{`Today: ${formatCount(used)}`}</title>
            </circle>
            <line
              className={styles.chartQuota}
              x1={plot.left}
              x2={plot.right}
              y1={plot.y(quota)}
              y2={plot.y(quota)}
            />
            <text
              className={`${styles.chartText} ${styles.chartQuotaText}`}
              x={plot.right}
              y={plot.y(quota) - 6}
            >
              {`Quota ${quotaText}`}
            </text>
            <DayLabels days={names} plot={plot} xOf={xOf} />
          </>
        );
      }}
    </ChartFrame>
  );
}
