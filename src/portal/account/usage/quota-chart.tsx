import { ChartFrame } from "./chart-frame.tsx";
import { shortDay } from "./day-labels.tsx";
import { axisTicks, runningTotals, type DailyUsage } from "./usage-series.ts";
import { counted, formatCount } from "../../format.ts";
import styles from "./usage.module.css";

/** The month's running total up to today, with a line at the quota. */
export function QuotaChart({
  axis,
  days,
  quota,
}: {
  /** From the first of the month to today. */
  readonly days: readonly DailyUsage[];
  /** All days of the month. */
  readonly axis: readonly string[];
  readonly quota: number;
}) {
  const sums = runningTotals(days);
  const used = sums.at(-1) ?? 0;
  const latest = days.length - 1;
  const quotaText = formatCount(quota);
  const summary = `Requests since ${shortDay(axis[0] ?? "")}: ${formatCount(used)} of ${quotaText}. The month ends on ${shortDay(axis.at(-1) ?? "")}.`;
  return (
    <ChartFrame
      ticks={axisTicks(Math.max(quota, used))}
      summary={summary}
      days={axis}
      latest={latest}
      figureOf={(index) =>
        `Through ${shortDay(axis[index] ?? "")}${index === latest ? ", so far" : ""}: ${counted(sums[index] ?? 0, "request")}`
      }
    >
      {({ bottom, left, right, slot, xOf, y }) => {
        // The month starts at 0; the total of a day is at its middle, above its label.
        const begin = `M${xOf(0) - slot / 2} ${bottom}`;
        const line = sums
          .map((sum, index) => `L${xOf(index)} ${y(sum)}`)
          .join("");
        const end = xOf(latest);
        return (
          <>
            <path
              className={styles.chartArea}
              d={`${begin}${line}L${end} ${bottom}Z`}
            />
            <path className={styles.chartSum} d={`${begin}${line}`} />
            <circle className={styles.chartNow} cx={end} cy={y(used)} r="4" />
            <line
              className={styles.chartQuota}
              x1={left}
              x2={right}
              y1={y(quota)}
              y2={y(quota)}
            />
            <text
              className={`${styles.chartText} ${styles.chartQuotaText}`}
              x={right}
              y={y(quota) - 6}
            >
              {`Quota ${quotaText}`}
            </text>
          </>
        );
      }}
    </ChartFrame>
  );
}
