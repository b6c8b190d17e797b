import { ChartFrame, DayLabels, shortDay } from "./chart-frame.tsx";
import { axisTicks, type DailyUsage } from "./usage-series.ts";
import { formatCount } from "../../format.ts";
import styles from "./usage.module.css";

const WIDEST_BAR = 32;

export function DailyChart({ days }: { readonly days: readonly DailyUsage[] }) {
  const most = days.reduce<DailyUsage>(
    (best, each) => (each.used > best.used ? each : best),
    { day: days[0]?.day ?? "", used: 0 },
  );
  const sum = days.reduce((total, { used }) => total + used, 0);
  const summary = `Requests by day from ${shortDay(days[0]?.day ?? "")} to ${shortDay(days.at(-1)?.day ?? "")}: ${formatCount(sum)} in total${sum === 0 ? "" : `, with a peak of ${formatCount(most.used)} on ${shortDay(most.day)}`}.`;
  return (
    <ChartFrame ticks={axisTicks(most.used)} summary={summary}>
      {(plot) => {
        const slot = (plot.right - plot.left) / days.length;
        const width = Math.min(Math.max(slot * 0.7, 1), WIDEST_BAR);
        const xOf = (index: number) => plot.left + slot * (index + 0.5);
        return (
          <>
            {days.map(({ day, used }, index) =>
              used === 0 ? null : (
                <rect
                  key={day}
                  className={styles.chartBar}
                  x={xOf(index) - width / 2}
                  width={width}
                  y={Math.min(plot.y(used), plot.bottom - 2)}
                  height={Math.max(plot.bottom - plot.y(used), 2)}
                >
                  <title>{`${shortDay(day)}: ${formatCount(used)}`}</title>
                </rect>
              ),
            )}
            <DayLabels
              days={days.map(({ day }) => day)}
              plot={plot}
              xOf={xOf}
            />
          </>
        );
      }}
    </ChartFrame>
  );
}
