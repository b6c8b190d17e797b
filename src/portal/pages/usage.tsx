import { useState } from "react";
import { PAGE_TITLES } from "../../site/page-titles.ts";
import { OPERATIONS, type Operation } from "../../contract/operation.ts";
import {
  DailyChart,
  QuotaChart,
  UsageTable,
} from "../account/usage/usage-charts.tsx";
import { QuotaNotice } from "../account/usage/account-notices.tsx";
import { keyName, formatCount } from "../format.ts";
import type { AccountInfo, KeyInfo, UsageRow } from "../../contract/account.ts";
import { SettingsFailure, SettingsPage } from "../account/settings-page.tsx";
import {
  DAY_MS,
  dailyUsage,
  daysBetween,
  monthStart,
  runningTotals,
} from "../account/usage/usage-series.ts";
import { EmptyState } from "../components/empty-state.tsx";
import { Select } from "../components/field.tsx";
import { Facts, Skeleton, UtcDay } from "../components/elements.tsx";
import { useQuery, useQueryAll } from "../api/use-query.ts";
import styles from "../account/usage/usage.module.css";

const PERIODS = [
  { value: "31", text: "This month" },
  { value: "30", text: "Last 30 days" },
  { value: "90", text: "Last 90 days" },
];
const THIS_MONTH = "31";
const OPERATION_NAMES: Readonly<Record<Operation, string>> = {
  lookup: "Lookup",
  batch: "Batch",
  search: "Search",
  nearby: "Nearby",
  changes: "Changes",
  taxonomies: "Taxonomies",
  export: "Exports",
  registry_api: "Registry's API",
};
const ALL = "";

export default function Usage() {
  return (
    <SettingsPage
      title={PAGE_TITLES.usage}
      lead="Requests that count toward your quota. Days and months are in UTC. Charts leave out explorer downloads."
    >
      <MonthUsage />
    </SettingsPage>
  );
}

function MonthUsage() {
  const account = useQuery<AccountInfo>("/account");
  const month = useQueryAll<UsageRow>(`/account/usage?days=${THIS_MONTH}`);
  const own = account.answer?.data;
  const failure = account.failure ?? month.failure;
  if (failure !== null)
    return (
      <SettingsFailure
        failure={failure}
        onRetry={() => {
          account.retry();
          month.retry();
        }}
      />
    );
  if (own === undefined || month.answer === null)
    return <Skeleton lines={12} />;
  const endMs = Date.parse(own.resets_at);
  const startMs = monthStart(endMs);
  const nowMs = serverTime(month.answer.headers, startMs, endMs);
  const days = dailyUsage(
    month.answer.data,
    { fromMs: startMs, toMs: nowMs },
    { keyId: null, operation: null },
  );
  return (
    <>
      <QuotaNotice account={own} />
      <Facts
        className={styles.figures}
        facts={[
          ["Used this month", formatCount(own.used)],
          [
            `Remaining of ${formatCount(own.quota)}`,
            formatCount(own.remaining),
          ],
          ["Resets on", <UtcDay key="at" at={own.resets_at} />],
        ]}
      />
      <h2>Quota this month</h2>
      <QuotaChart
        days={days}
        axis={daysBetween(startMs, endMs - 1)}
        quota={own.quota}
      />
      <UsageTable
        caption="Quota this month"
        days={days}
        totals={runningTotals(days)}
      />
      <ByDay startMs={startMs} nowMs={nowMs} endMs={endMs} />
    </>
  );
}

/** Shows a chart of a period, filtered by key and operation, and the same as a table. */
function ByDay({
  endMs,
  nowMs,
  startMs,
}: {
  /** The month, UTC. */
  readonly startMs: number;
  readonly endMs: number;
  readonly nowMs: number;
}) {
  const [period, setPeriod] = useState(THIS_MONTH);
  const [keyId, setKeyId] = useState(ALL);
  const [operation, setOperation] = useState(ALL);
  const { answer, failure, retry } = useQueryAll<UsageRow, { days: number }>(
    `/account/usage?days=${period}`,
  );
  const keys = useQueryAll<KeyInfo>("/account/keys").answer?.data ?? [];
  // While another period loads, the previous one stays.
  const shownDays = answer?.meta.days ?? Number(period);
  const today = nowMs - (nowMs % DAY_MS);
  const isMonth = String(shownDays) === THIS_MONTH;
  const fromMs = isMonth ? startMs : today - (shownDays - 1) * DAY_MS;
  const days = dailyUsage(
    answer?.data ?? [],
    { fromMs, toMs: nowMs },
    {
      keyId: keyId === ALL ? null : Number(keyId),
      operation: operation === ALL ? null : operation,
    },
  );
  const isEmpty = days.every(({ used }) => used === 0);
  return (
    <section aria-labelledby="by-day">
      <h2 id="by-day">By day</h2>
      <div className={styles.filters}>
        <Select
          label="Period"
          options={PERIODS}
          value={period}
          onChange={(event) => setPeriod(event.target.value)}
        />
        <Select
          label="Key"
          options={[
            { value: ALL, text: "All keys" },
            ...keys.map((key) => ({
              value: String(key.id),
              text: `${keyName(key)} (…${key.last_four})`,
            })),
          ]}
          value={keyId}
          onChange={(event) => setKeyId(event.target.value)}
        />
        <Select
          label="Operation"
          options={[
            { value: ALL, text: "All operations" },
            ...OPERATIONS.map((value) => ({
              value,
              text: OPERATION_NAMES[value],
            })),
          ]}
          value={operation}
          onChange={(event) => setOperation(event.target.value)}
        />
      </div>
      <SettingsFailure failure={failure} onRetry={retry} />
      {answer === null && failure === null && <Skeleton lines={8} />}
      {answer !== null &&
        (isEmpty ? (
          <EmptyState title="No requests.">
            Requests appear here within a second or two.
          </EmptyState>
        ) : (
          <>
            <DailyChart
              days={days}
              axis={daysBetween(fromMs, isMonth ? endMs - 1 : nowMs)}
            />
            <UsageTable caption="Requests by day" days={days} />
          </>
        ))}
    </section>
  );
}

/** Reads the service's clock, limited to the current month. */
function serverTime(headers: Headers, startMs: number, endMs: number): number {
  const serverMs = Date.parse(headers.get("date") ?? "");
  const nowMs = Number.isNaN(serverMs) ? Date.now() : serverMs;
  return Math.min(Math.max(nowMs, startMs), endMs - 1);
}
