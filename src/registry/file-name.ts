import { NO_DATE } from "./provider-row.ts";
import { dayOfIso } from "./dates.ts";

/**
 * What the name of a registry file says of its content. A weekly file holds the rows that changed from `begin` to `end`;
 * a full file holds every row as of `end`. ISO dates; null when the name does not tell.
 */
export type FilePeriod =
  | { kind: "full"; begin: string | null; end: string | null }
  | { kind: "week"; begin: string; end: string };

/** A period up to this long is an update: weeks, and the odd longer one at the registry's changes of format. */
const LONGEST_UPDATE_DAYS = 31;

const DATA_FILE = /^npidata_pfile_.*\.csv$/i;
const HEADER_FILE = /_?fileheader(_v\d+)?\.csv$/i;
const PERIOD = /^npidata_pfile_(\d{8})-(\d{8})(?:_v\d+)?\.csv$/i;

/** Whether a file (or a zip's entry), by its name, holds provider rows: `npidata_pfile_*.csv`, not `*_fileheader.csv`. */
export function isDataFile(name: string): boolean {
  const base = baseName(name);
  return DATA_FILE.test(base) && !HEADER_FILE.test(base);
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
export function filePeriod(name: string): FilePeriod {
  const dates = PERIOD.exec(baseName(name));
  const begin = isoOfCompact(dates?.[1]);
  const end = isoOfCompact(dates?.[2]);
  if (begin === null || end === null)
    return { kind: "full", begin: null, end: null };
  const days = dayOfIso(end) - dayOfIso(begin) + 1;
  if (days < 1) return { kind: "full", begin: null, end: null };
  return { kind: days <= LONGEST_UPDATE_DAYS ? "week" : "full", begin, end };
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
