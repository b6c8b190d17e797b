import { formatCount } from "../../format.ts";
import { Table } from "../../components/table.tsx";
import type { DailyUsage } from "./usage-series.ts";

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
