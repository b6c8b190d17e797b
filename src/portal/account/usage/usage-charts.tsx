import { ChartFrame, shortDay } from "./chart-frame.tsx";
import { axisTicks, type DailyUsage, runningTotals } from "./usage-series.ts";
import { counted, formatCount } from "../../format.ts";
import styles from "./usage.module.css";
import { Table } from "../../components/table.tsx";

const WIDEST_BAR = 32;
const LOWEST_BAR = 2;

/** Draws a bar for each day. The last one is today, lighter because more requests may follow. */
export function DailyChart({
  axis,
  days,
}: {
  /** The first of `axis`, up to today. */
  readonly days: readonly DailyUsage[];
  /** All days to show, those to come included. */
  readonly axis: readonly string[];
}) {
  const most = days.reduce<DailyUsage>(
    (best, each) => (each.used > best.used ? each : best),
    { day: days[0]?.day ?? "", used: 0 },
  );
  const sum = days.reduce((total, { used }) => total + used, 0);
  const latest = days.length - 1;
  const summary = `Requests by day from ${shortDay(days[0]?.day ?? "")} to ${shortDay(days.at(-1)?.day ?? "")}: ${formatCount(sum)} in total${sum === 0 ? "" : `, with a peak of ${formatCount(most.used)} on ${shortDay(most.day)}`}.`;
  return (
    <ChartFrame
      ticks={axisTicks(most.used)}
      summary={summary}
      days={axis}
      latest={latest}
      figureOf={(index) => {
        const { day, used } = days[index] ?? { day: "", used: 0 };
        return `${shortDay(day)}${index === latest ? ", so far" : ""}: ${counted(used, "request")}`;
      }}
    >
      {({ bottom, slot, xOf, y }) => {
        const width = Math.min(Math.max(slot * 0.7, 1), WIDEST_BAR);
        return days.map(({ day, used }, index) =>
          used === 0 ? null : (
            <rect
              key={day}
              className={index === latest ? styles.chartToday : styles.chartBar}
              x={xOf(index) - width / 2}
              width={width}
              y={Math.min(y(used), bottom - LOWEST_BAR)}
              height={Math.max(bottom - y(used), LOWEST_BAR)}
            />
          ),
        );
      }}
    </ChartFrame>
  );
}

/** Draws the month's running total up to today, with a line at the quota. */
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

/** Shows a chart's figures as a table: newest first, without the days that had no requests. */
export function UsageTable({
  caption,
  days,
  totals,
}: {
  readonly caption: string;
  readonly days: readonly DailyUsage[];
  /** The total up to each day, for a chart that shows it. */
  readonly totals?: readonly number[];
}) {
  const rows = days
    .map((day, index) => ({ ...day, total: totals?.[index] ?? 0 }))
    .filter(({ used }) => used > 0)
    .toReversed();
  return (
    <details>
      <summary>Show as a table</summary>
      <Table
        caption={`${caption}, leaving out days without requests`}
        rows={rows}
        keyOf={({ day }) => day}
        columns={[
          { title: "Day (UTC)", cell: ({ day }) => day },
          {
            title: "Requests",
            isNumber: true,
            cell: ({ used }) => formatCount(used),
          },
          ...(totals === undefined
            ? []
            : [
                {
                  title: "Since the first",
                  isNumber: true,
                  cell: ({ total }: { readonly total: number }) =>
                    formatCount(total),
                },
              ]),
        ]}
      />
    </details>
  );
}
