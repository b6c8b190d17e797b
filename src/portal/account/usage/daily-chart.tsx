import { ChartFrame } from "./chart-frame.tsx";
import { shortDay } from "./day-labels.tsx";
import { axisTicks, type DailyUsage } from "./usage-series.ts";
import { counted, formatCount } from "../../format.ts";
import styles from "./usage.module.css";

const WIDEST_BAR = 32;
const LOWEST_BAR = 2;

/** A bar for each day. The last one is today, lighter because more requests may follow. */
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
