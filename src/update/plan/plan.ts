import { dayOfIso, isoDate } from "../../text/dates.ts";
import { NO_DATE } from "../../registry/rows/provider-row.ts";
import type { AppliedFile } from "../../snapshot/metadata.ts";
import { describeDays, hasAny, missingDays } from "../../store/missing-days.ts";
import type {
  OfferedFile,
  OfferedFull,
  OfferedReport,
  OfferedWeek,
} from "../offers/offered-file.ts";
import type { OfferedTaxonomy } from "../offers/taxonomy-page.ts";

/** The data of an installation. */
export interface Installed {
  /** The files of the current snapshot; none for demo data. */
  files: readonly Pick<AppliedFile, "kind" | "begin" | "end">[];
  /** NUCC's version in tenths, 261 for 26.1; null for the built-in table. */
  taxonomyVersion: number | null;
  /** ISO date of the deactivation report in use; null for none. */
  deactivationsDate: string | null;
  /** The files that the operator rolled back and has not imported again; empty with --force. */
  rolledBack: readonly RolledBackFile[];
}

export type PlannedFile =
  OfferedTaxonomy | OfferedFull | OfferedWeek | OfferedReport;

/** The steps to take, or the reason why nothing can be done. Messages and notes are sentences for the operator. */
export type UpdatePlan = {
  /** Notes about files skipped because they were rolled back. */
  notes: readonly string[];
} & (
  | /** In import order. */
    { status: "update"; files: readonly PlannedFile[] }
  | { status: "current"; message: string }
  /** The source does not have what is needed. */
  | { status: "blocked"; message: string }
);

/** A full file or the current data, and the weekly files after it. */
type Chain =
  | { status: "whole"; files: PlannedFile[]; reach: number }
  | { status: "broken"; message: string };

const NO_FULL: Chain = {
  status: "broken",
  message:
    "There is no data yet, and the source has no full file (NPPES_Data_Dissemination_MONTH_YEAR.zip). Choose a source that has one, or import one by hand.",
};

/**
 * Plans what an installation needs: the newest full file if it is newer than the current one, and every weekly file
 * after it; else every weekly file after the current data, and those for missing days. A full file that would take the
 * data back in time is skipped if the weekly files after it are no longer available.
 *
 * The last day of a full file that was not opened yet is estimated from the month in its name. Plan again once `end` is
 * known.
 */
export function planUpdate(offered: Offered, installed: Installed): UpdatePlan {
  const reach = reachOf(installed.files);
  const { notes, wanted } = withoutRolledBack(offered, installed.rolledBack);
  const chain = newestChain(wanted.files, installed, reach);
  if (chain.status === "broken")
    return { status: "blocked", message: chain.message, notes };
  const taxonomy = newerTaxonomy(wanted.taxonomy, installed.taxonomyVersion);
  const report = newerReport(wanted.files, installed.deactivationsDate);
  const files = [...taxonomy, ...chain.files, ...report];
  if (files.length > 0) return { status: "update", files, notes };
  const until = reach === null ? null : isoDate(reach);
  const missing = missingDays(installed.files);
  const isSkipped = offered.files.some(
    (file) => file.kind === "week" && hasAny(missing, file),
  );
  const nothing = `the source has nothing ${notes.length === 0 ? "newer" : "else"}`;
  return {
    status: "current",
    notes,
    message: `Up to date: ${until === null ? nothing : `the data goes through ${until}, and ${nothing}`}.${missing.length === 0 ? "" : ` No imported file covers ${describeDays(missing)}, and the source has ${isSkipped ? "only what was rolled back" : "none"}; the next full file will.`}`,
  };
}

function newestChain(
  files: readonly OfferedFile[],
  { files: installed, rolledBack }: Installed,
  reach: number | null,
): Chain {
  const weeks = files.filter((file) => file.kind === "week");
  const full = newestFull(files);
  const fromCurrent =
    installed.length === 0
      ? null
      : missingWeeks(weeks, installed, reach, rolledBack);
  if (full === null || !isNewer(full, installed)) return fromCurrent ?? NO_FULL;
  const { expected, latest } = daysOf(full);
  const fromFull = weeksAfter(weeks, expected, latest, rolledBack);
  if (fromFull.status === "whole" && fromFull.reach >= (reach ?? NO_DATE))
    return { ...fromFull, files: [full, ...fromFull.files] };
  // If the current data leads to a gap, the full file does not go back in time, so its own chain is the broken one.
  return fromCurrent?.status === "whole" ? fromCurrent : fromFull;
}

/** Finds the weekly files that cover missing days, and those after the current data. */
function missingWeeks(
  weeks: readonly OfferedWeek[],
  installed: Installed["files"],
  reach: number | null,
  rolledBack: Installed["rolledBack"],
): Chain {
  const after = weeksAfter(weeks, reach ?? NO_DATE, reach, rolledBack);
  if (after.status === "broken") return after;
  const missing = missingDays(installed);
  const older = inOrder(weeks).filter(
    (week) => !after.files.includes(week) && hasAny(missing, week),
  );
  return { ...after, files: [...older, ...after.files] };
}

/**
 * Chains the weekly files that end after the day `after`, without gaps. The first may start up to a day after `latest`,
 * or on any day if that is null.
 */
function weeksAfter(
  weeks: readonly OfferedWeek[],
  after: number,
  latest: number | null,
  rolledBack: Installed["rolledBack"],
): Chain {
  const later = inOrder(weeks).filter(({ end }) => dayOfIso(end) > after);
  let covered = latest;
  for (const { begin, end } of later) {
    if (covered !== null && dayOfIso(begin) > covered + 1)
      return {
        status: "broken",
        message: gapMessage(covered + 1, dayOfIso(begin) - 1, rolledBack),
      };
    covered = Math.max(covered ?? NO_DATE, dayOfIso(end));
  }
  const last = later.at(-1);
  return {
    status: "whole",
    files: later,
    reach: last === undefined ? after : dayOfIso(last.end),
  };
}

/** Returns why the weekly files after the days `from` to `to` are not imported. */
function gapMessage(
  from: number,
  to: number,
  rolledBack: Installed["rolledBack"],
): string {
  const days = `from ${isoDate(from)} to ${isoDate(to)}`;
  const isRolledBack = rolledBack.some(
    (file) =>
      file.kind === "week" &&
      dayOfIso(file.begin ?? "") <= to &&
      dayOfIso(file.end ?? "") >= from,
  );
  return isRolledBack
    ? `Later weekly files build on the one ${days}, which was rolled back. Wait for the next full file, or run update --force to import it again.`
    : `The weekly file ${days} is missing from the source, which has later ones but no full file that covers it. Wait for the next full file, or import the missing weekly file by hand.`;
}

function inOrder(weeks: readonly OfferedWeek[]): OfferedWeek[] {
  return weeks.toSorted(
    (a, b) =>
      dayOfIso(a.end) - dayOfIso(b.end) ||
      dayOfIso(a.begin) - dayOfIso(b.begin),
  );
}

function newestFull(files: readonly OfferedFile[]): OfferedFull | null {
  const fulls = files.filter((file) => file.kind === "full");
  return fulls.toSorted((a, b) => (a.month < b.month ? 1 : -1))[0] ?? null;
}

function isNewer(full: OfferedFull, installed: Installed["files"]): boolean {
  const end = installed.find(({ kind }) => kind === "full")?.end ?? null;
  if (end === null) return true;
  return full.end === null ? full.month > end.slice(0, 7) : full.end > end;
}

/**
 * Returns the last day of a full file: expected and latest possible. It is published on the second Monday of its month,
 * sometimes later, and goes through the day before.
 */
function daysOf({ end, month }: OfferedFull): {
  expected: number;
  latest: number;
} {
  if (end !== null) {
    const day = dayOfIso(end);
    return { expected: day, latest: day };
  }
  const first = dayOfIso(`${month}-01`);
  const weekday = new Date(`${month}-01`).getUTCDay();
  const nextMonth = new Date(`${month}-01`);
  nextMonth.setUTCMonth(nextMonth.getUTCMonth() + 1);
  return {
    expected: first + 6 + ((8 - weekday) % 7),
    latest: dayOfIso(nextMonth.toISOString().slice(0, 10)) - 1,
  };
}

/** Finds the last day of the provider data; reports of deactivated NPIs do not count. */
function reachOf(files: Installed["files"]): number | null {
  const days = files.flatMap(({ end, kind }) =>
    end === null || kind === "deactivations" ? [] : dayOfIso(end),
  );
  return days.length === 0 ? null : Math.max(...days);
}

function newerTaxonomy(
  offered: OfferedTaxonomy | null,
  installed: number | null,
): OfferedTaxonomy[] {
  return offered !== null && offered.version > (installed ?? 0)
    ? [offered]
    : [];
}

function newerReport(
  files: readonly OfferedFile[],
  installed: string | null,
): OfferedReport[] {
  const newest = files
    .filter((file) => file.kind === "deactivations")
    .toSorted((a, b) => (a.date < b.date ? 1 : -1))[0];
  return newest !== undefined && newest.date > (installed ?? "")
    ? [newest]
    : [];
}

/** The files that the sources have. */
export interface Offered {
  files: readonly OfferedFile[];
  taxonomy: OfferedTaxonomy | null;
}

/** A file that an operator rolled back. */
export type RolledBackFile = {
  /** ISO date of the rollback. */
  on: string;
} & (
  | Pick<AppliedFile, "kind" | "begin" | "end">
  /** NUCC's table of a version in tenths. */
  | { kind: "taxonomy"; version: number }
);

/** Removes rolled-back files from the offers, with a sentence about each. */
function withoutRolledBack(
  { files, taxonomy }: Offered,
  rolledBack: readonly RolledBackFile[],
): { wanted: Offered; notes: string[] } {
  const notes: string[] = [];
  const isWanted = (file: OfferedFile | OfferedTaxonomy): boolean => {
    const found = rolledBack.findLast((each) => isSame(each, file));
    if (found === undefined) return true;
    notes.push(
      `Skipping ${file.name}: it was rolled back on ${found.on}. To import it again, run update --force.`,
    );
    return false;
  };
  return {
    wanted: {
      files: files.filter(isWanted),
      taxonomy: taxonomy !== null && isWanted(taxonomy) ? taxonomy : null,
    },
    notes,
  };
}

function isSame(
  rolledBack: RolledBackFile,
  offered: OfferedFile | OfferedTaxonomy,
): boolean {
  if (rolledBack.kind === "taxonomy")
    return (
      offered.kind === "taxonomy" && rolledBack.version === offered.version
    );
  if (rolledBack.kind !== offered.kind || rolledBack.end === null) return false;
  if (offered.kind === "deactivations") return rolledBack.end === offered.date;
  if (offered.kind === "week")
    return rolledBack.begin === offered.begin && rolledBack.end === offered.end;
  // A full file is published in the month in which its period ends.
  return offered.end === null
    ? rolledBack.end.slice(0, 7) === offered.month
    : rolledBack.end === offered.end;
}
