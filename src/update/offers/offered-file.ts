import { dayOfIso } from "../../text/dates.ts";
import { NO_DATE } from "../../registry/rows/provider-row.ts";

/** A file that a source offers. */
interface Offer {
  /** The local name: the source's, with underscores for spaces. */
  name: string;
  /** An http, https or file URL. */
  url: URL;
}

/** A full file. Its name has the month; the CSV inside has the last day, `end`. */
export interface OfferedFull extends Offer {
  kind: "full";
  /** `2026-11`. */
  month: string;
  /** ISO date of the last day that it covers; null until its contents were read. */
  end: string | null;
}

/** The rows that changed from `begin` to `end`, ISO dates. */
export interface OfferedWeek extends Offer {
  kind: "week";
  begin: string;
  end: string;
}

/** The report of all deactivated NPIs as of `date`, an ISO date. */
export interface OfferedReport extends Offer {
  kind: "deactivations";
  date: string;
}

export type OfferedFile = OfferedFull | OfferedWeek | OfferedReport;

const FULL =
  /^NPPES_Data_Dissemination_([a-z]{3,9})_(20\d\d)(?:_V(\d{1,2}))?\.zip$/i;
const WEEK =
  /^NPPES_Data_Dissemination_(\d{6})_(\d{6})_Weekly(?:_V(\d{1,2}))?\.zip$/i;
const REPORT = /^NPPES_Deactivated_NPI_Report_(\d{6})(?:_V(\d{1,2}))?\.zip$/i;
const SEPARATORS = /[ _]+/g;

const MONTHS = [
  "january",
  "february",
  "march",
  "april",
  "may",
  "june",
  "july",
  "august",
  "september",
  "october",
  "november",
  "december",
];

/**
 * Parses the name of a zip that the registry publishes, in any case, with underscores or spaces, with or without `_V2`,
 * the generation with longer columns. Returns null for any other name.
 */
export function offeredFile(
  name: string,
  url: URL,
): { file: OfferedFile; generation: number } | null {
  const kept = name.replace(SEPARATORS, "_");
  const offer = { name: kept, url };
  const full = FULL.exec(kept);
  if (full !== null) {
    const month = monthOf(full[1], full[2]);
    if (month === null) return null;
    return {
      file: { ...offer, kind: "full", month, end: null },
      generation: generationOf(full[3]),
    };
  }
  const week = WEEK.exec(kept);
  if (week !== null) {
    const begin = isoOfShort(week[1]);
    const end = isoOfShort(week[2]);
    if (begin === null || end === null || begin > end) return null;
    return {
      file: { ...offer, kind: "week", begin, end },
      generation: generationOf(week[3]),
    };
  }
  const report = REPORT.exec(kept);
  const date = isoOfShort(report?.[1]);
  if (date === null) return null;
  return {
    file: { ...offer, kind: "deactivations", date },
    generation: generationOf(report?.[2]),
  };
}

/** Finds the files among the given names, only the newest generation of each. */
export function newestGenerations(
  links: Iterable<{ name: string; url: URL }>,
): OfferedFile[] {
  const newest = new Map<string, { file: OfferedFile; generation: number }>();
  for (const { name, url } of links) {
    const offered = offeredFile(name, url);
    if (offered === null) continue;
    const key = periodOf(offered.file);
    if (offered.generation > (newest.get(key)?.generation ?? 0))
      newest.set(key, offered);
  }
  return [...newest.values()].map(({ file }) => file);
}

function periodOf(file: OfferedFile): string {
  if (file.kind === "full") return `full ${file.month}`;
  if (file.kind === "week") return `week ${file.begin} ${file.end}`;
  return `deactivations ${file.date}`;
}

/** Months are written out, or abbreviated in older names (`Apr_2016`). */
function monthOf(word = "", year = ""): string | null {
  const index = MONTHS.findIndex((month) =>
    month.startsWith(word.toLowerCase()),
  );
  return index === -1 ? null : `${year}-${String(index + 1).padStart(2, "0")}`;
}

/** Parses `110926` (month first) as `2026-11-09`; null if it is not a valid date. */
function isoOfShort(digits = ""): string | null {
  const iso = `20${digits.slice(4)}-${digits.slice(0, 2)}-${digits.slice(2, 4)}`;
  return dayOfIso(iso) === NO_DATE ? null : iso;
}

function generationOf(digits = "1"): number {
  return Number(digits);
}
