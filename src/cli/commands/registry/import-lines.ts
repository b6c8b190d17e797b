import type { DeactivationCounts } from "../../../importing/deactivation-merger.ts";
import type { ImportReport } from "../../../importing/import-report.ts";
import { describeDays } from "../../../store/missing-days.ts";
import { formatCount, formatSeconds } from "../../output/format.ts";

/** What an import did, in lines; `reportPath` is null where the report has no place of its own yet. */
export function describeImport(
  {
    badRows,
    carriedOver,
    counts,
    deactivations,
    details,
    file,
    missingDays,
    outweighed,
    rows,
    warnings,
  }: ImportReport,
  reportPath: string | null,
  seconds: number,
): string[] {
  const lines = [
    `${file.name}: ${formatCount(rows)} rows imported in ${formatSeconds(seconds)}.`,
  ];
  if (counts !== null) {
    const { deactivated, individuals, organizations, providers, withheld } =
      counts;
    lines.push(
      `  now held: ${formatCount(providers)} providers: ${formatCount(individuals)} individuals, ${formatCount(organizations)} organizations, ${formatCount(withheld)} withheld by the registry; ${formatCount(deactivated)} of all are deactivated`,
    );
  }
  lines.push(
    `  rows that could not be used: ${formatCount(badRows.total)}${listed(badRows.byReason)}`,
  );
  if (Object.keys(warnings).length > 0)
    lines.push(`  values that could not be used:${listed(warnings)}`);
  if (carriedOver > 0)
    lines.push(
      `  details kept of deactivated NPIs: ${formatCount(carriedOver)}`,
    );
  if (outweighed > 0)
    lines.push(
      `  rows for which newer ones were held: ${formatCount(outweighed)}`,
    );
  if (deactivations !== null) lines.push(describeDeactivations(deactivations));
  const { held } = details;
  lines.push(
    `  details kept besides the records: ${held.length === 0 ? "none" : held.join(", ")}`,
  );
  if (missingDays.length > 0)
    lines.push(
      `  warning: no file that was imported covers ${describeDays(missingDays)}: import those weeks too, or the next full file`,
    );
  if (reportPath !== null) lines.push(`  report: ${reportPath}`);
  return lines;
}

function describeDeactivations({
  added,
  deactivated,
  outweighed,
  redated,
  unchanged,
}: DeactivationCounts): string {
  const parts = [
    `${formatCount(deactivated)} that were active`,
    `${formatCount(redated)} with another date`,
    `${formatCount(added)} not held before`,
    `${formatCount(unchanged)} known already`,
    `${formatCount(outweighed)} of which something newer is held`,
  ];
  return `  deactivated NPIs: ${parts.join(", ")}`;
}

function listed(counts: Readonly<Record<string, number>>): string {
  const parts = Object.entries(counts).map(
    ([reason, count]) => `${formatCount(count)} ${reason}`,
  );
  return parts.length === 0 ? "" : ` (${parts.join(", ")})`;
}
