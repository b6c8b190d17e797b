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
import {
  withoutRolledBack,
  type Offered,
  type RolledBackFile,
} from "./rolled-back.ts";
import type { OfferedTaxonomy } from "../offers/taxonomy-page.ts";

/** What an installation holds. */
export interface Installed {
  /** The files of the current snapshot; none for demo data. */
  files: readonly Pick<AppliedFile, "kind" | "begin" | "end">[];
  /** NUCC's version in tenths, 261 for 26.1; null for the built-in table. */
  taxonomyVersion: number | null;
  /** ISO date of the deactivation report in use; null for none. */
  deactivationsDate: string | null;
  /** What the operator rolled back and did not import again since; empty where it is wanted again. */
  rolledBack: readonly RolledBackFile[];
}

export type PlannedFile =
  OfferedTaxonomy | OfferedFull | OfferedWeek | OfferedReport;

/** What to do, or why nothing; messages and notes are sentences for the operator. */
export type UpdatePlan = {
  /** What is left out because it was rolled back. */
  notes: readonly string[];
} & (
  | /** In the order in which they are to be imported. */
    { status: "update"; files: readonly PlannedFile[] }
  | { status: "current"; message: string }
  /** Nothing good can come of what is offered. */
  | { status: "blocked"; message: string }
);

/** Provider data to go on from, and the weeks after it. */
type Chain =
  | { status: "whole"; files: PlannedFile[]; reach: number }
  | { status: "broken"; message: string };

const NO_FULL: Chain = {
  status: "broken",
  message:
    "There is no data yet, and the source has no full file (NPPES_Data_Dissemination_MONTH_YEAR.zip). Choose a source that has one, or import one by hand.",
};

/**
 * Works out what an installation lacks of what is offered: the newest full file when it is newer than the one in use,
 * and every week after it; else every week after what is held, and those in between that were left out. A full file is passed over where it would take the data
 * back in time, for the weeks after it are no longer offered.
 *
 * Of a full file that nobody has looked into yet, the day that it covers is estimated from the month in its name; a
 * plan that begins with one is to be made again when its `end` is known.
 */
export function planUpdate(offered: Offered, installed: Installed): UpdatePlan {
  const held = reachOf(installed.files);
  const { notes, wanted } = withoutRolledBack(offered, installed.rolledBack);
  const chain = newestChain(wanted.files, installed, held);
  if (chain.status === "broken")
    return { status: "blocked", message: chain.message, notes };
  const taxonomy = newerTaxonomy(wanted.taxonomy, installed.taxonomyVersion);
  const report = newerReport(wanted.files, installed.deactivationsDate);
  const files = [...taxonomy, ...chain.files, ...report];
  if (files.length > 0) return { status: "update", files, notes };
  const until = held === null ? null : isoDate(held);
  const missing = missingDays(installed.files);
  const nothing = `the source has nothing ${notes.length === 0 ? "newer" : "else"}`;
  return {
    status: "current",
    notes,
    message: `Up to date: ${until === null ? nothing : `the data goes through ${until}, and ${nothing}`}.${missing.length === 0 ? "" : ` No imported file covers ${describeDays(missing)}, and the source has none; the next full file will.`}`,
  };
}

function newestChain(
  files: readonly OfferedFile[],
  { files: installed, rolledBack }: Installed,
  held: number | null,
): Chain {
  const weeks = files.filter((file) => file.kind === "week");
  const full = newestFull(files);
  const fromHeld =
    installed.length === 0
      ? null
      : weeksLacking(weeks, installed, held, rolledBack);
  if (full === null || !isNewer(full, installed)) return fromHeld ?? NO_FULL;
  const { expected, latest } = daysOf(full);
  const fromFull = weeksAfter(weeks, expected, latest, rolledBack);
  if (fromFull.status === "whole" && fromFull.reach >= (held ?? NO_DATE))
    return { ...fromFull, files: [full, ...fromFull.files] };
  // Where there is a week that what is held does not lead to, the full file does not go back: so it is the one broken.
  return fromHeld?.status === "whole" ? fromHeld : fromFull;
}

/** The weeks that cover days which were left out, and those after what is held. */
function weeksLacking(
  weeks: readonly OfferedWeek[],
  installed: Installed["files"],
  held: number | null,
  rolledBack: Installed["rolledBack"],
): Chain {
  const after = weeksAfter(weeks, held ?? NO_DATE, held, rolledBack);
  if (after.status === "broken") return after;
  const missing = missingDays(installed);
  const older = inOrder(weeks).filter(
    (week) => !after.files.includes(week) && hasAny(missing, week),
  );
  return { ...after, files: [...older, ...after.files] };
}

/**
 * The weeks that end after the day `after`, none beginning later than a day after those before it have ended. The first
 * one may begin up to a day after `latest`, or on any day where that is null.
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

/** Why weeks after the days from `from` to `to` are not imported. */
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
 * The last day that a full file covers: as far as can be told, and at the latest. It is published on the second Monday
 * of its month and covers all up to the day before; in some months it is late.
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

/** The last day that provider data cover; a report of deactivated NPIs is no such data. */
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
