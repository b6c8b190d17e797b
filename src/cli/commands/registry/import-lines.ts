import type { DeactivationCounts } from "../../../importing/deactivation-merger.ts";
import type { ImportReport } from "../../../importing/import-report.ts";
import { describeDays } from "../../../store/missing-days.ts";
import { counted, formatCount, formatSeconds } from "../../output/format.ts";

/** What an import did, as lines. `reportPath` is null if the report is not stored yet. */
export function describeImport(
  {
    badRows,
    carriedOver,
    counts,
    deactivations,
    details,
    file,
    maskedNumbers,
    missingDays,
    outweighed,
    rows,
    warnings,
  }: ImportReport,
  reportPath: string | null,
  seconds: number,
): string[] {
  const lines = [
    `${file.name}: ${counted(rows, "row")} imported in ${formatSeconds(seconds)}.`,
  ];
  if (counts !== null) {
    const { deactivated, individuals, organizations, providers, withheld } =
      counts;
    lines.push(
      `  providers: ${formatCount(providers)} (${formatCount(individuals)} individuals, ${formatCount(organizations)} organizations, ${formatCount(withheld)} withheld by the registry), ${formatCount(deactivated)} of them deactivated`,
    );
  }
  lines.push(
    `  bad rows: ${formatCount(badRows.total)}${listed(badRows.byReason)}`,
  );
  if (Object.keys(warnings).length > 0)
    lines.push(`  bad values:${listed(warnings)}`);
  if (maskedNumbers > 0)
    lines.push(
      `  masked values, shaped like Social Security numbers: ${formatCount(maskedNumbers)}`,
    );
  if (carriedOver > 0)
    lines.push(
      `  deactivated NPIs with details kept: ${formatCount(carriedOver)}`,
    );
  if (outweighed > 0)
    lines.push(
      `  rows skipped, newer ones already imported: ${formatCount(outweighed)}`,
    );
  if (deactivations !== null) lines.push(describeDeactivations(deactivations));
  const { held } = details;
  lines.push(`  details kept: ${held.length === 0 ? "none" : held.join(", ")}`);
  if (missingDays.length > 0)
    lines.push(
      `  warning: no imported file covers ${describeDays(missingDays)}: import those weekly files, or the next full file`,
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
    `${formatCount(deactivated)} newly deactivated`,
    `${formatCount(redated)} with a new date`,
    `${formatCount(added)} unknown until now`,
    `${formatCount(unchanged)} already known`,
    `${formatCount(outweighed)} skipped because newer data is imported`,
  ];
  return `  deactivated NPIs: ${parts.join(", ")}`;
}

function listed(counts: Readonly<Record<string, number>>): string {
  const parts = Object.entries(counts).map(
    ([reason, count]) => `${formatCount(count)} ${reason}`,
  );
  return parts.length === 0 ? "" : ` (${parts.join(", ")})`;
}
