import { NO_DATE } from "../rows/provider-row.ts";
import { dayOfIso } from "../../text/dates.ts";

/**
 * What the name of a registry file says of its content. A weekly file holds the rows that changed from `begin` to `end`;
 * a full file holds every row as of `end`. ISO dates; null when the name does not tell.
 */
export type DataPeriod =
  | { kind: "full"; begin: string | null; end: string | null }
  | { kind: "week"; begin: string; end: string };

/** The period of any registry file; a report of deactivated NPIs lists all those that are so on the day `end`. */
export type FilePeriod =
  DataPeriod | { kind: "deactivations"; begin: null; end: string };

/** In which kinds of files build on each other. */
const ORDER: readonly FilePeriod["kind"][] = ["full", "week", "deactivations"];

/** A period up to this long is an update: weeks, and the odd longer one at the registry's changes of format. */
const LONGEST_UPDATE_DAYS = 31;

const DATA_FILE = /^npidata_pfile_.*\.csv$/i;
const OTHER_NAME_FILE = /^othername_pfile_.*\.csv$/i;
const LOCATION_FILE = /^pl_pfile_.*\.csv$/i;
const HEADER_FILE = /_?fileheader(_v\d+)?\.csv$/i;
const WORKBOOK = /\.xlsx$/i;
const REPORT_DAY = /report[ _-]*(\d{8})(?:_v\d+)?\.(?:xlsx|zip)$/i;
const REPORT_SHORT_DAY =
  /report[ _-]*(\d\d)(\d\d)(\d\d)(?:_v\d+)?\.(?:xlsx|zip)$/i;
const PERIOD = /^npidata_pfile_(\d{8})-(\d{8})(?:_v\d+)?\.csv$/i;

/** Whether a file (or a zip's entry), by its name, holds provider rows: `npidata_pfile_*.csv`, not `*_fileheader.csv`. */
export function isDataFile(name: string): boolean {
  const base = baseName(name);
  return DATA_FILE.test(base) && !HEADER_FILE.test(base);
}

/** The same for the rows of other names, `othername_pfile_*.csv`. */
export function isOtherNameFile(name: string): boolean {
  const base = baseName(name);
  return OTHER_NAME_FILE.test(base) && !HEADER_FILE.test(base);
}

/** The same for those of secondary practice locations, `pl_pfile_*.csv`. */
export function isLocationFile(name: string): boolean {
  const base = baseName(name);
  return LOCATION_FILE.test(base) && !HEADER_FILE.test(base);
}

/** Whether a file, by its name, holds column names alone. */
export function isHeaderFile(name: string): boolean {
  return HEADER_FILE.test(baseName(name));
}

/**
 * Reads the period in names like `npidata_pfile_20240101-20240107.csv`, also with `_V2` at the end, in any case and with
 * folders before. A name that tells no period (a renamed or hand-made file) is a full file of an unknown date: a full
 * file is the one that stands for itself, and the import's check of row counts stops a small one from replacing a registry.
 */
export function filePeriod(name: string): DataPeriod {
  const dates = PERIOD.exec(baseName(name));
  const begin = isoOfCompact(dates?.[1]);
  const end = isoOfCompact(dates?.[2]);
  if (begin === null || end === null)
    return { kind: "full", begin: null, end: null };
  const days = dayOfIso(end) - dayOfIso(begin) + 1;
  if (days < 1) return { kind: "full", begin: null, end: null };
  return { kind: days <= LONGEST_UPDATE_DAYS ? "week" : "full", begin, end };
}

/** Whether a zip's entry, by its name, is a workbook, as the report of deactivated NPIs is. */
export function isWorkbook(name: string): boolean {
  return WORKBOOK.test(name);
}

/**
 * The day of a report of deactivated NPIs, by a name that ends in it: `NPPES_Deactivated_NPI_Report_110926.zip` as the
 * registry calls the zip, `NPPES Deactivated NPI Report 20261109.xlsx` the workbook inside. Null when it does not tell.
 */
export function reportDate(name: string): string | null {
  const compact = REPORT_DAY.exec(baseName(name))?.[1];
  if (compact !== undefined) return isoOfCompact(compact);
  const [, month, day, year] = REPORT_SHORT_DAY.exec(baseName(name)) ?? [];
  return month === undefined ? null : isoOfCompact(`20${year}${month}${day}`);
}

/** The day of a report by the name of its file, or else by that of the workbook in it; null where neither tells. */
export function dateByName(path: string, name: string): string | null {
  return reportDate(baseName(path)) ?? reportDate(name);
}

/**
 * The order in which files build on each other: full files, weeks, reports of deactivated NPIs, each by their ends, those
 * without a known end first. Before 0: `a` comes first.
 */
export function comparePeriods(a: FilePeriod, b: FilePeriod): number {
  if (a.kind !== b.kind) return ORDER.indexOf(a.kind) - ORDER.indexOf(b.kind);
  const ends = [a.end ?? "", b.end ?? ""] as const;
  return ends[0] < ends[1] ? -1 : ends[0] > ends[1] ? 1 : 0;
}

/** The last part of a path with slashes of either kind. */
export function baseName(path: string): string {
  return path.slice(
    Math.max(path.lastIndexOf("/"), path.lastIndexOf("\\")) + 1,
  );
}

/** `20240107` as `2024-01-07`; null when it is no calendar date. */
function isoOfCompact(digits: string | undefined): string | null {
  if (digits === undefined) return null;
  const iso = `${digits.slice(0, 4)}-${digits.slice(4, 6)}-${digits.slice(6)}`;
  return dayOfIso(iso) === NO_DATE ? null : iso;
}
