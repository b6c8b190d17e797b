import { NO_DATE } from "../rows/provider-row.ts";
import { dayOfIso } from "../../text/dates.ts";

/**
 * The period in a registry file's name. A weekly file has the rows that changed from `begin` to `end`; a full file has
 * every row as of `end`. ISO dates; null if the name has none.
 */
export type DataPeriod =
  | { kind: "full"; begin: string | null; end: string | null }
  | { kind: "week"; begin: string; end: string };

/** The period of any registry file. A report of deactivated NPIs lists all NPIs deactivated as of `end`. */
export type FilePeriod =
  DataPeriod | { kind: "deactivations"; begin: null; end: string };

/** The order in which kinds of files build on each other. */
const ORDER: readonly FilePeriod["kind"][] = ["full", "week", "deactivations"];

/**
 * Up to this many days, a file is an update: weeks, and occasionally a longer one when the registry changes its format.
 */
const MAX_UPDATE_DAYS = 31;

/** Until 2017 the names lacked `pfile_`. */
const DATA_FILE = /^npidata_.*\.csv$/i;
const OTHER_NAME_FILE = /^othername_pfile_.*\.csv$/i;
const LOCATION_FILE = /^pl_pfile_.*\.csv$/i;
const ENDPOINT_FILE = /^endpoint_pfile_.*\.csv$/i;
const HEADER_FILE = /_?fileheader(_v\d+)?\.csv$/i;
const WORKBOOK = /\.xlsx$/i;
const REPORT_DAY = /report[ _-]*(\d{8})(?:_v\d+)?\.(?:xlsx|zip)$/i;
const REPORT_SHORT_DAY =
  /report[ _-]*(\d\d)(\d\d)(\d\d)(?:_v\d+)?\.(?:xlsx|zip)$/i;
const PERIOD = /(?<!\d)(\d{8})[-_](\d{8})(?!\d)/;

/**
 * True if the name is that of a provider file: `npidata_pfile_*.csv`, until 2017 `npidata_*.csv`; not
 * `*_fileheader.csv`.
 */
export function isDataFile(name: string): boolean {
  const base = baseName(name);
  return DATA_FILE.test(base) && !HEADER_FILE.test(base);
}

/** True if the name is that of an other-names file, `othername_pfile_*.csv`. */
export function isOtherNameFile(name: string): boolean {
  const base = baseName(name);
  return OTHER_NAME_FILE.test(base) && !HEADER_FILE.test(base);
}

/** True if the name is that of a practice-locations file, `pl_pfile_*.csv`. */
export function isLocationFile(name: string): boolean {
  const base = baseName(name);
  return LOCATION_FILE.test(base) && !HEADER_FILE.test(base);
}

/** True if the name is that of an endpoints file, `endpoint_pfile_*.csv`. */
export function isEndpointFile(name: string): boolean {
  const base = baseName(name);
  return ENDPOINT_FILE.test(base) && !HEADER_FILE.test(base);
}

/** True if the name is that of a file with only column names. */
export function isHeaderFile(name: string): boolean {
  return HEADER_FILE.test(baseName(name));
}

/**
 * Reads the period from names like `npidata_pfile_20240101-20240107.csv`, whatever else the name has: the registry's
 * older names (`npidata_20140414-20140420.csv`), `_V2`, the ` (1)` of a second download, folders. A name without a
 * period (a renamed or hand-made file) means a full file of unknown date: a full file does not depend on others, and
 * the import's row count check keeps a small one from replacing a registry.
 */
export function filePeriod(name: string): DataPeriod {
  const dates = PERIOD.exec(baseName(name));
  const begin = isoOfCompact(dates?.[1]);
  const end = isoOfCompact(dates?.[2]);
  if (begin === null || end === null)
    return { kind: "full", begin: null, end: null };
  const days = dayOfIso(end) - dayOfIso(begin) + 1;
  if (days < 1) return { kind: "full", begin: null, end: null };
  return { kind: days <= MAX_UPDATE_DAYS ? "week" : "full", begin, end };
}

/** True if the name of a zip entry is that of a workbook, such as the report of deactivated NPIs. */
export function isWorkbook(name: string): boolean {
  return WORKBOOK.test(name);
}

/**
 * Reads the date at the end of a report's name: `NPPES_Deactivated_NPI_Report_110926.zip` for the registry's zip,
 * `NPPES Deactivated NPI Report 20261109.xlsx` for the workbook in it. Null if there is none.
 */
export function reportDate(name: string): string | null {
  const compact = REPORT_DAY.exec(baseName(name))?.[1];
  if (compact !== undefined) return isoOfCompact(compact);
  const [, month, day, year] = REPORT_SHORT_DAY.exec(baseName(name)) ?? [];
  return month === undefined ? null : isoOfCompact(`20${year}${month}${day}`);
}

/** Reads the date of a report from its file name, or else from the workbook's name; null if neither has one. */
export function dateByName(path: string, name: string): string | null {
  return reportDate(baseName(path)) ?? reportDate(name);
}

/**
 * Sorts files as they build on each other: full files, weeks, reports of deactivated NPIs; each kind by end date,
 * unknown ones first. Negative if `a` comes first.
 */
export function comparePeriods(a: FilePeriod, b: FilePeriod): number {
  if (a.kind !== b.kind) return ORDER.indexOf(a.kind) - ORDER.indexOf(b.kind);
  const ends = [a.end ?? "", b.end ?? ""] as const;
  return ends[0] < ends[1] ? -1 : ends[0] > ends[1] ? 1 : 0;
}

/** Returns the last part of a path with slashes or backslashes. */
export function baseName(path: string): string {
  return path.slice(
    Math.max(path.lastIndexOf("/"), path.lastIndexOf("\\")) + 1,
  );
}

/** Writes `20240107` as `2024-01-07`; null if it is not a valid date. */
function isoOfCompact(digits: string | undefined): string | null {
  if (digits === undefined) return null;
  const iso = `${digits.slice(0, 4)}-${digits.slice(4, 6)}-${digits.slice(6)}`;
  return dayOfIso(iso) === NO_DATE ? null : iso;
}
